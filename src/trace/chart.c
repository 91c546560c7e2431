/* trace/chart.c - distributions as text. Layout: the D language's documentation and perfolio-oformat(7). */
#include "trace/chart.h"

#include <stdlib.h>

enum { WIDTH = 40 };

/* empty_start() - where the three buckets of an all-zero table begin: around 0, or at the start for lquantize. */
static size_t empty_start(const struct pf_agg_value *v)
{
	size_t at = 1;
	if (v->func == PF_AGG_LQUANTIZE || v->n_buckets < 3)
		return 0;
	if (v->func == PF_AGG_QUANTIZE) {
		while (at + 2 < v->n_buckets && v->buckets[at].value != 0)
			at++;
	} else {
		at = v->n_buckets / 2;
	}
	return at - 1;
}

void pf_chart_range(const struct pf_agg_value *v, size_t *ret_first, size_t *ret_end)
{
	size_t first = 0;
	size_t end = v->n_buckets;
	while (first < end && v->buckets[first].count == 0)
		first++;
	while (end > first && v->buckets[end - 1].count == 0)
		end--;
	if (first == end) {
		first = empty_start(v);
		end = first + 3 < v->n_buckets ? first + 3 : v->n_buckets;
	} else {
		first -= first > 0;
		end += end < v->n_buckets;
	}
	*ret_first = first;
	*ret_end = end;
}

static void add_label(struct pf_buf *out, const struct pf_bucket *b)
{
	struct pf_buf label = { 0 };
	if (!b->op) {
		pf_buf_fmt(out, "%16lld ", (long long)b->value);
		return;
	}
	if (b->op[0] == 'a')
		pf_buf_fmt(&label, "abs() < %lld", (long long)b->value);
	else
		pf_buf_fmt(&label, "%s %lld", b->op, (long long)b->value);
	pf_buf_fmt(out, "%16s ", label.p ? label.p : "");
	pf_buf_done(&label);
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* bar_length() - of @count in @width columns, rounded to the nearest. */
static size_t bar_length(int64_t count, double total, unsigned width)
{
	return total > 0 ? (size_t)((double)magnitude(count) * width / total + 0.5) : 0;
}

/* add_bar() - the bar grows to the right; to the left of a line in the middle or at the right if counts are negative. */
static void add_bar(struct pf_buf *out, int64_t count, double total, bool negative, bool positive)
{
	if (!negative) {
		size_t n = bar_length(count, total, WIDTH);
		pf_buf_char(out, '|');
		pf_buf_pad(out, '@', n);
		pf_buf_pad(out, ' ', WIDTH - n);
	} else if (!positive) {
		size_t n = bar_length(count, total, WIDTH);
		pf_buf_pad(out, ' ', WIDTH - n);
		pf_buf_pad(out, '@', n);
		pf_buf_char(out, '|');
	} else {
		size_t n = bar_length(count, total, WIDTH / 2);
		pf_buf_pad(out, ' ', count > 0 ? WIDTH / 2 : WIDTH / 2 - n);
		pf_buf_pad(out, '@', count > 0 ? 0 : n);
		pf_buf_char(out, '|');
		pf_buf_pad(out, '@', count > 0 ? n : 0);
		pf_buf_pad(out, ' ', count > 0 ? WIDTH / 2 - n : WIDTH / 2);
	}
}

void pf_chart(struct pf_buf *out, const struct pf_agg_value *v)
{
	double total = 0;
	bool negative = false;
	bool positive = false;
	for (size_t i = 0; i < v->n_buckets; i++) {
		total += (double)magnitude(v->buckets[i].count);
		negative |= v->buckets[i].count < 0;
		positive |= v->buckets[i].count > 0;
	}
	pf_buf_fmt(out, "\n%16s %41s %-9s\n", "value", "------------- Distribution -------------", "count");
	size_t first, end;
	pf_chart_range(v, &first, &end);
	for (size_t i = first; i < end; i++) {
		add_label(out, &v->buckets[i]);
		add_bar(out, v->buckets[i].count, total, negative, positive);
		pf_buf_fmt(out, " %-9lld\n", (long long)v->buckets[i].count);
	}
}
