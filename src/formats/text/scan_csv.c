/* formats/text/scan_csv.c - tables. Source: RFC 4180, with LF line ends, as ours are. An element is a row; each stands for itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/text/scan.h"

enum { FIELD_MAX = 64 };

enum state {
	START, /* of a field */
	PLAIN,
	QUOTED,
	QUOTE, /* inside a quoted field: its end, or the first of two */
};

/**
 * struct csv
 * @columns: of the heading, 0 while it is read; @column: which one is read; @time_column: which has times, UINT_MAX none
 * @field: the first bytes of a field
 */
struct csv {
	struct pf_scan base;
	enum state state;
	unsigned columns;
	unsigned column;
	unsigned time_column;
	char field[FIELD_MAX];
	size_t n_field;
	int64_t time_ns;
};

static void add(struct csv *v, char c)
{
	if (v->n_field < FIELD_MAX)
		v->field[v->n_field] = c;
	v->n_field++;
}

static void field_ends(struct csv *v)
{
	struct pf_view field = { v->field, v->n_field < FIELD_MAX ? v->n_field : FIELD_MAX };
	int64_t ns;
	if (v->columns == 0 && v->time_column == UINT32_MAX && pf_view_is(field, "timestamp"))
		v->time_column = v->column;
	else if (v->columns > 0 && v->column == v->time_column && pf_view_i64(field, &ns) == 0)
		v->time_ns = ns;
	v->n_field = 0;
	v->column++;
	v->state = START;
}

static int row_ends(struct csv *v, struct pf_err *err)
{
	unsigned fields = v->column;
	v->column = 0;
	if (v->columns == 0) {
		v->columns = fields;
		v->base.good = v->base.byte + 1;
		return 0;
	}
	if (fields != v->columns)
		return pf_scan_fail(&v->base, err, "fields", "the row has %u fields, the heading %u", fields,
				    v->columns);
	pf_scan_element(&v->base, v->base.byte + 1, v->time_ns);
	v->time_ns = 0;
	return 0;
}

static int between_fields(struct csv *v, char c, struct pf_err *err)
{
	field_ends(v);
	return c == '\n' ? row_ends(v, err) : 0;
}

static int take(struct pf_scan *s, char c, bool *ret_again, struct pf_err *err)
{
	struct csv *v = (struct csv *)s;
	*ret_again = false;
	bool between = c == ',' || c == '\n';
	switch (v->state) {
	case START:
	case PLAIN:
		if (between)
			return between_fields(v, c, err);
		if (c == '"' && v->state == PLAIN)
			return pf_scan_fail(s, err, "quote", "a quote stands inside a field");
		v->state = c == '"' ? QUOTED : PLAIN;
		if (c != '"')
			add(v, c);
		break;
	case QUOTED:
		if (c == '"')
			v->state = QUOTE;
		else
			add(v, c);
		break;
	case QUOTE:
		if (between)
			return between_fields(v, c, err);
		if (c != '"')
			return pf_scan_fail(s, err, "quote", "something stands behind the quote that ends a field");
		v->state = QUOTED;
		add(v, c);
		break;
	}
	return c == '\0' ? pf_scan_fail(s, err, "control", "a zero byte") : 0;
}

static int wide(struct pf_scan *s, struct pf_view bytes, struct pf_err *err)
{
	struct csv *v = (struct csv *)s;
	if (v->state == QUOTE)
		return pf_scan_fail(s, err, "quote", "something stands behind the quote that ends a field");
	if (v->state == START)
		v->state = PLAIN;
	for (size_t i = 0; i < bytes.n; i++)
		add(v, bytes.p[i]);
	return 0;
}

static void give_up(struct pf_scan *s)
{
	struct csv *v = (struct csv *)s;
	v->state = START;
	v->column = 0;
	v->n_field = 0;
	v->time_ns = 0;
}

static int end(struct pf_scan *s, struct pf_err *err)
{
	struct csv *v = (struct csv *)s;
	if (v->state == START && v->column == 0)
		return 0;
	return pf_scan_fail(s, err, "cut", "the file ends inside a row, which is lost");
}

static struct pf_scan *open_scan(void)
{
	struct csv *v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	v->base.scanner = &pf_scanner_csv;
	v->base.line = 1;
	v->base.lines = true;
	v->time_column = UINT32_MAX;
	return &v->base;
}

static struct pf_scan *close_scan(struct pf_scan *s)
{
	free(s);
	return NULL;
}

/* A heading: words of our documents, two or more. */
static bool looks_like(struct pf_view head)
{
	unsigned commas = 0;
	for (size_t i = 0; i < head.n; i++) {
		char c = head.p[i];
		bool word = (c >= 'a' && c <= 'z') || c == '-';
		if (c == '\n')
			return commas > 0 && i > 0 && head.p[i - 1] != ',';
		if (!word && (c != ',' || i == 0 || head.p[i - 1] == ','))
			return false;
		commas += c == ',';
	}
	return false;
}

const struct pf_scanner pf_scanner_csv = {
	.name = "csv",
	.looks_like = looks_like,
	.open = open_scan,
	.take = take,
	.wide = wide,
	.give_up = give_up,
	.end = end,
	.close = close_scan,
};
