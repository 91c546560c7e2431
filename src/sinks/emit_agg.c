/* sinks/emit_agg.c - aggregations as objects: perfolio-oformat(7), section 4. */
#include <string.h>

#include "sinks/emit.h"

static const char *func_member(enum pf_agg_func func)
{
	static const char *const names[] = {
		[PF_AGG_COUNT] = "count",      [PF_AGG_SUM] = "sum",	       [PF_AGG_MIN] = "min",
		[PF_AGG_MAX] = "max",	       [PF_AGG_AVG] = "average",       [PF_AGG_STDDEV] = "stddev",
		[PF_AGG_QUANTIZE] = "buckets", [PF_AGG_LQUANTIZE] = "buckets", [PF_AGG_LLQUANTIZE] = "buckets",
	};
	return names[func];
}

/* Where the all-zero table of each function shows its three buckets: around 0, at the beginning, in the middle. */
static size_t middle_of(const struct pf_agg_value *v)
{
	size_t at = 0;
	switch (v->func) {
	case PF_AGG_QUANTIZE:
		while (at + 1 < v->n_buckets && v->buckets[at].value != 0)
			at++;
		return at;
	case PF_AGG_LLQUANTIZE:
		return v->n_buckets / 2;
	default:
		return 1;
	}
}

/* The part of the table to show: one bucket beyond the outermost that are not zero. */
static void shown_part(const struct pf_agg_value *v, size_t *ret_first, size_t *ret_end)
{
	size_t first = 0;
	size_t end = v->n_buckets;
	while (first < end && v->buckets[first].count == 0)
		first++;
	while (end > first && v->buckets[end - 1].count == 0)
		end--;
	if (first == end) {
		first = middle_of(v);
		end = first + 1;
	}
	*ret_first = first > 0 ? first - 1 : 0;
	*ret_end = end < v->n_buckets ? end + 1 : v->n_buckets;
}

static void put_buckets(struct pf_doc *doc, const struct pf_agg_value *v)
{
	size_t first;
	size_t end;
	shown_part(v, &first, &end);
	pf_doc_list_begin(doc, "buckets");
	for (size_t i = first; i < end; i++) {
		const struct pf_bucket *b = &v->buckets[i];
		/* What lies around zero is "below" its bound if nothing below it is shown. */
		const char *op = b->op && i == first && strcmp(b->op, "abs<") == 0 ? "<" : b->op;
		pf_doc_object_begin(doc, NULL);
		pf_doc_int(doc, "value", b->value);
		pf_doc_int(doc, "count", b->count);
		if (op)
			pf_doc_name(doc, "operator", op);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void put_value(struct pf_doc *doc, const struct pf_agg_value *v)
{
	if (v->func >= PF_AGG_QUANTIZE)
		put_buckets(doc, v);
	else
		pf_doc_int(doc, func_member(v->func), v->scalar);
}

static void put_key(struct pf_doc *doc, const struct pf_key *key)
{
	pf_doc_object_begin(doc, NULL);
	switch (key->kind) {
	case PF_KEY_VALUE:
		pf_emit_datum(doc, &key->value);
		break;
	case PF_KEY_STACK:
		pf_emit_frames(doc, "stack-frames", &key->stack);
		break;
	case PF_KEY_USTACK:
		pf_emit_frames(doc, "ustack-frames", &key->stack);
		break;
	case PF_KEY_SYM:
		pf_emit_sym(doc, &key->stack);
		break;
	case PF_KEY_MOD:
		pf_emit_mod(doc, "mod", &key->stack);
		break;
	case PF_KEY_USYM:
		pf_emit_usym(doc, &key->stack, false);
		break;
	case PF_KEY_UADDR:
		pf_emit_usym(doc, &key->stack, true);
		break;
	case PF_KEY_UMOD:
		pf_emit_mod(doc, "umod", &key->stack);
		break;
	}
	pf_doc_object_end(doc);
}

/* Several aggregations side by side: an object for each, with its name, since equal functions would be members of equal name. */
static void put_values(struct pf_doc *doc, const struct pf_record *r, const struct pf_agg_row *row)
{
	pf_doc_list_begin(doc, "values");
	for (size_t i = 0; i < r->agg.n_names; i++) {
		pf_doc_object_begin(doc, NULL);
		pf_doc_name(doc, "aggregation-name", r->agg.names[i]);
		put_value(doc, &row->values[i]);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void put_row(struct pf_doc *doc, const struct pf_record *r, const struct pf_agg_row *row)
{
	pf_doc_object_begin(doc, NULL);
	pf_doc_list_begin(doc, "keys");
	for (size_t i = 0; i < row->n_keys; i++)
		put_key(doc, &row->keys[i]);
	pf_doc_list_end(doc);
	if (r->agg.n_names > 1)
		put_values(doc, r, row);
	else
		put_value(doc, &row->values[0]);
	if (row->normal > 1)
		pf_doc_int(doc, "normal", row->normal);
	pf_doc_object_end(doc);
}

void pf_emit_agg(struct pf_doc *doc, const struct pf_record *r)
{
	pf_doc_list_begin(doc, "aggregation-data");
	for (size_t i = 0; i < r->agg.n_rows; i++)
		put_row(doc, r, &r->agg.rows[i]);
	pf_doc_list_end(doc);

	pf_doc_name(doc, "aggregation-name", r->agg.n_names > 0 ? r->agg.names[0] : "_");
	if (r->agg.n_names > 1) {
		pf_doc_list_begin(doc, "aggregation-names");
		for (size_t i = 0; i < r->agg.n_names; i++)
			pf_doc_name(doc, NULL, r->agg.names[i]);
		pf_doc_list_end(doc);
	}
	if (r->agg.format)
		pf_doc_name(doc, "format", r->agg.format);
}
