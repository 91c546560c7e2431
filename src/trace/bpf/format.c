/* bpf/format.c - printf() and printa() of D. Their conversions are C's and some more; sizes come from the arguments' types. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "trace/bpf/syms.h"
#include "trace/bpf/value.h"
#include "trace/chart.h"

/* What a conversion asks for, arguments of * already put in. */
struct spec {
	unsigned flags;
	int width, precision; /* -1: none */
	char conv;
};

/* add_padded() - @text in the field's width. */
static void add_padded(struct pf_buf *out, const struct spec *s, struct pf_view text)
{
	size_t width = s->width > 0 ? (size_t)s->width : 0;
	size_t blanks = width > text.n ? width - text.n : 0;
	if (!(s->flags & PF_DFMT_LEFT))
		pf_buf_pad(out, ' ', blanks);
	pf_buf_view(out, text);
	if (s->flags & PF_DFMT_LEFT)
		pf_buf_pad(out, ' ', blanks);
}

/* digits_of() - @v in @base, at the end of @space; the first digit. */
static const char *digits_of(uint64_t v, unsigned base, bool upper, char space[72], size_t *ret_n)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char *p = space + 72;
	do {
		*--p = set[v % base];
		v /= base;
	} while (v);
	*ret_n = (size_t)(space + 72 - p);
	return p;
}

/* add_number() - sign or prefix, zeros, digits. */
static void add_number(struct pf_buf *out, const struct spec *s, uint64_t v, bool minus, unsigned base)
{
	char space[72];
	size_t n;
	const char *digits = digits_of(v, base, s->conv == 'X', space, &n);
	bool decimal = s->conv == 'd' || s->conv == 'i';
	const char *prefix = "";
	if (decimal && minus)
		prefix = "-";
	else if (decimal && s->flags & PF_DFMT_PLUS)
		prefix = "+";
	else if (decimal && s->flags & PF_DFMT_SPACE)
		prefix = " ";
	else if (s->flags & PF_DFMT_ALT && v && base == 16)
		prefix = s->conv == 'X' ? "0X" : "0x";
	size_t zeros = 0;
	if (s->precision == 0 && v == 0)
		n = 0;
	if (s->precision > 0 && (size_t)s->precision > n)
		zeros = (size_t)s->precision - n;
	if (s->flags & PF_DFMT_ALT && base == 8 && !zeros && (n == 0 || digits[0] != '0'))
		zeros = 1;
	size_t length = strlen(prefix) + zeros + n;
	size_t width = s->width > 0 ? (size_t)s->width : 0;
	if (s->flags & PF_DFMT_ZERO && !(s->flags & PF_DFMT_LEFT) && s->precision < 0 && width > length) {
		zeros += width - length;
		length = width;
	}
	size_t blanks = width > length ? width - length : 0;
	if (!(s->flags & PF_DFMT_LEFT))
		pf_buf_pad(out, ' ', blanks);
	pf_buf_str(out, prefix);
	pf_buf_pad(out, '0', zeros);
	pf_buf_add(out, digits, n);
	if (s->flags & PF_DFMT_LEFT)
		pf_buf_pad(out, ' ', blanks);
}

/* integer_of() - the value as a signed and as an unsigned number of its own size. */
static uint64_t integer_of(const struct pf_key *k, int64_t *ret_signed)
{
	uint64_t v = 0;
	unsigned size = 8;
	if (k->kind != PF_KEY_VALUE)
		v = k->stack.n ? k->stack.frames[0].address : 0;
	else if (k->value.kind == PF_DATUM_INT || k->value.kind == PF_DATUM_UINT) {
		v = k->value.u;
		size = k->value.size;
	}
	unsigned unused = size && size < 8 ? 64 - 8 * size : 0;
	*ret_signed = (int64_t)(v << unused) >> unused;
	return v << unused >> unused;
}

/* add_escaped() - as in a C string. */
static void add_escaped(struct pf_buf *out, struct pf_view text)
{
	static const char from[] = "\a\b\f\n\r\t\v\\";
	static const char to[] = "abfnrtv\\";
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		const char *at = c ? memchr(from, c, sizeof(from) - 1) : NULL;
		if (at)
			pf_buf_fmt(out, "\\%c", to[at - from]);
		else if (c < 0x20 || c == 0x7f)
			pf_buf_fmt(out, c ? "\\%03o" : "\\0", c);
		else
			pf_buf_char(out, (char)c);
	}
}

static void add_text(struct pf_buf *out, const struct spec *s, const struct pf_key *k)
{
	struct pf_view text = { "", 0 };
	struct pf_buf made = { 0 };
	if (k->kind == PF_KEY_VALUE && (k->value.kind == PF_DATUM_TEXT || k->value.kind == PF_DATUM_BYTES)) {
		text = (struct pf_view){ k->value.text.p, strnlen(k->value.text.p, k->value.text.n) };
	} else if (k->kind != PF_KEY_VALUE && k->stack.n) {
		pf_syms_text(&made, &k->stack.frames[0], k->kind == PF_KEY_UADDR);
		text = pf_buf_text(&made);
	}
	if (s->conv == 'S') {
		add_escaped(&made, text);
		text = pf_buf_text(&made);
	}
	if (s->precision >= 0 && text.n > (size_t)s->precision)
		text.n = (size_t)s->precision;
	add_padded(out, s, text);
	pf_buf_done(&made);
}

static void add_char(struct pf_buf *out, const struct spec *s, const struct pf_key *k)
{
	int64_t v;
	char c;
	(void)integer_of(k, &v);
	c = (char)v;
	if (k->kind == PF_KEY_VALUE && k->value.kind >= PF_DATUM_TEXT) {
		add_text(out, s, k);
		return;
	}
	struct pf_buf made = { 0 };
	if (s->conv == 'C')
		add_escaped(&made, (struct pf_view){ &c, 1 });
	else
		pf_buf_char(&made, c);
	add_padded(out, s, pf_buf_text(&made));
	pf_buf_done(&made);
}

/* add_time() - %Y: local time as `1970 Jan  1 00:00:00`; %T: UTC as in a mail's date. */
static void add_time(struct pf_buf *out, const struct spec *s, int64_t ns)
{
	char text[64];
	struct tm tm = s->conv == 'T' ? pf_time_utc(ns) : pf_time_local(ns);
	size_t n =
		strftime(text, sizeof(text), s->conv == 'T' ? "%a, %d %b %Y %H:%M:%S UTC" : "%Y %b %e %H:%M:%S", &tm);
	add_padded(out, s, (struct pf_view){ text, n });
}

/* add_stack() - a frame a line, indented. */
static void add_stack(struct pf_buf *out, const struct spec *s, const struct pf_key *k, unsigned indent)
{
	size_t blanks = s->width > 0 && s->flags & PF_DFMT_LEFT ? (size_t)s->width : indent;
	pf_buf_char(out, '\n');
	for (size_t i = 0; i < k->stack.n; i++) {
		pf_buf_pad(out, ' ', blanks);
		pf_syms_text(out, &k->stack.frames[i], true);
		pf_buf_char(out, '\n');
	}
}

static void add_value(struct pf_buf *out, const struct spec *s, const struct pf_arg *arg, unsigned indent)
{
	int64_t v;
	uint64_t u = integer_of(&arg->key, &v);
	switch (s->conv) {
	case 'd':
	case 'i':
		add_number(out, s, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0, 10);
		break;
	case 'u':
		add_number(out, s, u, false, 10);
		break;
	case 'o':
		add_number(out, s, u, false, 8);
		break;
	case 'x':
	case 'X':
	case 'p':
		add_number(out, s, u, false, 16);
		break;
	case 'c':
	case 'C':
		add_char(out, s, &arg->key);
		break;
	case 'Y':
	case 'T':
		add_time(out, s, v);
		break;
	case 'k':
		add_stack(out, s, &arg->key, indent);
		break;
	case 'a':
	case 'A': {
		struct pf_buf made = { 0 };
		bool module = arg->key.kind == PF_KEY_MOD || arg->key.kind == PF_KEY_UMOD;
		if (module && arg->key.stack.n && arg->key.stack.frames[0].module)
			pf_buf_str(&made, arg->key.stack.frames[0].module);
		else if (arg->key.kind != PF_KEY_VALUE && arg->key.stack.n)
			pf_syms_text(&made, &arg->key.stack.frames[0], true);
		else
			pf_buf_fmt(&made, "0x%llx", (unsigned long long)u);
		add_padded(out, s, pf_buf_text(&made));
		pf_buf_done(&made);
		break;
	}
	default:
		add_text(out, s, &arg->key);
		break;
	}
}

/* add_agg() - %@: a number as the conversion says, or the whole chart. */
static void add_agg(struct pf_buf *out, const struct spec *s, const struct pf_arg *arg, unsigned indent)
{
	if (arg->agg->func >= PF_AGG_QUANTIZE) {
		pf_chart(out, arg->agg);
		return;
	}
	struct pf_arg number = { .key = { .kind = PF_KEY_VALUE,
					  .value = { .kind = PF_DATUM_INT, .size = 8, .i = arg->agg->scalar } } };
	add_value(out, s, &number, indent);
}

void pf_format(struct pf_buf *out, const struct pf_dformat *format, const struct pf_arg *args, size_t n_args,
	       const struct pf_arg *aggs, size_t n_aggs, unsigned indent)
{
	size_t agg = 0;
	size_t used = 0; /* printa() takes keys as they come */
	for (unsigned i = 0; i < format->n_convs; i++) {
		const struct pf_dconv *c = &format->convs[i];
		struct spec s = { c->flags, c->width, c->precision, c->conv };
		pf_buf_view(out, c->before);
		if (c->conv == '%') {
			pf_buf_char(out, '%');
			continue;
		}
		int64_t star;
		if (c->width == -2 && used < n_args) {
			(void)integer_of(&args[used++].key, &star);
			s.width = (int)star;
			if (star < 0) {
				s.flags |= PF_DFMT_LEFT;
				s.width = (int)-star;
			}
		}
		if (c->precision == -2 && used < n_args) {
			(void)integer_of(&args[used++].key, &star);
			s.precision = star < 0 ? -1 : (int)star;
		}
		if (s.width > 65535)
			s.width = 65535;
		if (s.precision > 65535)
			s.precision = 65535;
		if (c->flags & PF_DFMT_AGG) {
			if (n_aggs)
				add_agg(out, &s, &aggs[agg < n_aggs ? agg : n_aggs - 1], indent);
			agg++;
		} else if (used < n_args) {
			add_value(out, &s, &args[used++], indent);
		}
	}
	pf_buf_view(out, format->after);
}
