/* sinks/dtext_agg.c - aggregations in the text of dtrace(1): keys in columns, then the value or a chart. */
#include <string.h>

#include "sinks/dtext.h"
#include "trace/chart.h"

static void add_value_key(struct pf_buf *out, const struct pf_datum *d)
{
	static const int widths[9] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };
	int width = d->size <= 8 ? widths[d->size] : 16;
	switch (d->kind) {
	case PF_DATUM_INT:
		pf_buf_fmt(out, " %*lld", width, (long long)d->i);
		break;
	case PF_DATUM_UINT:
		pf_buf_fmt(out, " %*llu", width, (unsigned long long)d->u);
		break;
	case PF_DATUM_TEXT: {
		size_t n = strnlen(d->text.p, d->text.n);
		pf_buf_str(out, "  ");
		pf_buf_add(out, d->text.p, n);
		pf_buf_pad(out, ' ', n < 50 ? 50 - n : 0);
		break;
	}
	case PF_DATUM_BYTES:
		pf_dtext_dump(out, d->text.p, d->text.n);
		break;
	}
}

static void add_key(struct pf_buf *out, const struct pf_key *k, unsigned indent)
{
	switch (k->kind) {
	case PF_KEY_VALUE:
		add_value_key(out, &k->value);
		break;
	case PF_KEY_STACK:
	case PF_KEY_USTACK:
		pf_dtext_stack(out, &k->stack, indent);
		break;
	case PF_KEY_MOD:
	case PF_KEY_UMOD:
		pf_dtext_symbol(out, &k->stack, true, false);
		break;
	default:
		pf_dtext_symbol(out, &k->stack, false, k->kind == PF_KEY_UADDR);
		break;
	}
}

void pf_dtext_rows(struct pf_buf *out, const struct pf_record *r, unsigned indent)
{
	for (size_t i = 0; i < r->agg.n_rows; i++) {
		const struct pf_agg_row *row = &r->agg.rows[i];
		for (size_t k = 0; k < row->n_keys; k++)
			add_key(out, &row->keys[k], indent);
		for (size_t v = 0; v < r->agg.n_names; v++) {
			if (row->values[v].func >= PF_AGG_QUANTIZE)
				pf_chart(out, &row->values[v]);
			else
				pf_buf_fmt(out, " %16lld", (long long)row->values[v].scalar);
		}
		pf_buf_char(out, '\n');
	}
}
