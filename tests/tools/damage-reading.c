/* tests/tools/damage-reading.c - an archive as hashes of what is in it. */
#include "damage-reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(1099511628211);
	return h;
}

static uint64_t hash_of(const void *bytes, size_t n)
{
	return hash(UINT64_C(14695981039346656037), bytes, n);
}

void *must(void *p)
{
	if (!p) {
		(void)fprintf(stderr, "no memory\n");
		exit(2);
	}
	return p;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

bool has_metric(const struct reading *r, uint32_t pmid)
{
	return r->n_metrics > 0 && bsearch(&pmid, r->pmids, r->n_metrics, sizeof(pmid), by_number);
}

static void take_metrics(struct reading *r, const struct pf_pcp_meta *meta)
{
	r->n_metrics = meta->n_metrics;
	r->pmids = must(calloc(meta->n_metrics + 1, sizeof(*r->pmids)));
	r->metrics = must(calloc(meta->n_metrics + 1, sizeof(*r->metrics)));
	for (unsigned i = 0; i < meta->n_metrics; i++) {
		const struct pf_pcp_metric *x = &meta->metrics[i];
		uint64_t h = hash_of(x->name, strlen(x->name));
		uint32_t facts[] = { x->pmid, x->indom, (uint32_t)x->type, (uint32_t)x->sem,
				     pf_pcp_units_word(&x->units) };
		r->pmids[i] = x->pmid;
		r->metrics[i] = hash(h, facts, sizeof(facts));
	}
}

static void take_value(struct reading *r, struct pf_pcp_meta *meta, const struct pf_pcp_set *set, uint32_t i)
{
	struct pf_pcp_value v;
	const struct pf_pcp_metric *metric = pf_pcp_meta_metric(meta, set->pmid);
	if (set->n < 0) {
		r->values[r->n_values++] = (struct value){ set->pmid, 0, set->n, 0, 0, false };
		return;
	}
	if (pf_pcp_set_get(set, i, &v, NULL) < 0)
		return;
	struct value *to = &r->values[r->n_values++];
	*to = (struct value){ set->pmid, metric ? metric->indom : 0, v.inst, 0, hash_of(v.bytes.p, v.bytes.n), false };
	to->strange = metric && !pf_pcp_value_fits(&v, metric->type);
	if (!metric || metric->indom == PF_INDOM_NONE)
		return;
	unsigned hint = 0;
	const struct pf_pcp_member *member = pf_pcp_meta_member(meta, metric->domain, v.inst, &hint);
	to->name = member ? hash_of(member->name, strlen(member->name)) : 0;
}

static void take_record(struct reading *r, struct pf_pcp_reader *reader, struct pf_pcp_result result)
{
	struct record rec = { .time_ns = result.time_ns, .from = r->n_values, .mark = result.n == 0 };
	struct pf_pcp_set set;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		uint32_t n = set.n > 0 ? (uint32_t)set.n : set.n < 0;
		if (r->n_values + n > r->cap_values) {
			r->cap_values = 2 * (r->n_values + n);
			r->values = must(reallocarray(r->values, r->cap_values, sizeof(*r->values)));
		}
		for (uint32_t i = 0; i < n; i++)
			take_value(r, pf_pcp_reader_meta(reader), &set, i);
	}
	rec.n = r->n_values - rec.from;
	r->records = must(reallocarray(r->records, r->n + 1, sizeof(rec)));
	r->records[r->n++] = rec;
}

void read_all(struct reading *r, struct pf_pcp_reader *reader)
{
	take_metrics(r, pf_pcp_reader_meta(reader));
	for (;;) {
		struct pf_pcp_result result;
		struct pf_err err = { 0 };
		int rc = pf_pcp_reader_next(reader, &result, &err);
		if (rc == 1)
			take_record(r, reader, result);
		else if (rc != -EBADMSG)
			break;
		else if (r->damage++ == 0)
			memcpy(r->first, err.text, sizeof(r->first));
	}
	(void)pf_pcp_reader_close(reader);
}

void forget(struct reading *r)
{
	free(r->records);
	free(r->values);
	free(r->metrics);
	free(r->pmids);
	*r = (struct reading){ 0 };
}

bool holds_anything(const struct reading *r)
{
	for (size_t i = 0; i < r->n_values; i++) {
		if (has_metric(r, r->values[i].pmid))
			return true;
	}
	return false;
}
