/* fuzz_doc - any sequence of calls with any bytes gives valid JSON: RFC 8259, UTF-8, no two members of one name where the caller
 * gives none; other formats must survive the same calls. The checker here shares no code with the writer. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/text/doc.h"

struct in {
	const uint8_t *p;
	size_t n;
};

/* --- a strict JSON checker: each function eats one thing or aborts --- */

static void wrong(const char *why)
{
	(void)fprintf(stderr, "fuzz_doc: %s\n", why);
	abort();
}

static uint8_t peek(const struct in *t)
{
	if (t->n == 0)
		wrong("ends too early");
	return t->p[0];
}

static uint8_t eat(struct in *t)
{
	uint8_t c = peek(t);
	t->p++;
	t->n--;
	return c;
}

static void eat_this(struct in *t, const char *word)
{
	for (; *word; word++) {
		if (eat(t) != (uint8_t)*word)
			wrong("not the expected character");
	}
}

static void eat_space(struct in *t)
{
	while (t->n > 0 && (t->p[0] == ' ' || t->p[0] == '\n' || t->p[0] == '\t' || t->p[0] == '\r'))
		(void)eat(t);
}

/* RFC 3629, section 4. */
static void eat_utf8(struct in *t, uint8_t lead)
{
	unsigned more = lead >= 0xc2 && lead <= 0xdf   ? 1
			: lead >= 0xe0 && lead <= 0xef ? 2
			: lead >= 0xf0 && lead <= 0xf4 ? 3
						       : 0;
	if (more == 0)
		wrong("no lead byte of UTF-8");
	uint8_t second = peek(t);
	if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
	    (lead == 0xf4 && second > 0x8f))
		wrong("overlong form, surrogate or too large");
	for (; more > 0; more--) {
		if ((eat(t) & 0xc0) != 0x80)
			wrong("no continuation byte");
	}
}

static void eat_string(struct in *t)
{
	eat_this(t, "\"");
	for (;;) {
		uint8_t c = eat(t);
		if (c == '"')
			return;
		if (c < 0x20)
			wrong("control character in a string");
		if (c >= 0x80)
			eat_utf8(t, c);
		if (c != '\\')
			continue;
		c = eat(t);
		if (!strchr("\"\\/bfnrtu", c) || c == 0)
			wrong("unknown escape");
		for (int i = 0; i < 4 && c == 'u'; i++) {
			uint8_t h = eat(t);
			if (h == 0 || !strchr("0123456789abcdef", h))
				wrong("bad \\u");
		}
	}
}

static bool is_digit(const struct in *t)
{
	return t->n > 0 && t->p[0] >= '0' && t->p[0] <= '9';
}

static void eat_digits(struct in *t)
{
	if (!is_digit(t))
		wrong("a digit is missing");
	while (is_digit(t))
		(void)eat(t);
}

static void eat_number(struct in *t)
{
	if (peek(t) == '-')
		(void)eat(t);
	if (peek(t) == '0')
		(void)eat(t);
	else
		eat_digits(t);
	if (t->n > 0 && t->p[0] == '.') {
		(void)eat(t);
		eat_digits(t);
	}
	if (t->n > 0 && (t->p[0] == 'e' || t->p[0] == 'E')) {
		(void)eat(t);
		if (peek(t) == '+' || peek(t) == '-')
			(void)eat(t);
		eat_digits(t);
	}
}

static void eat_value(struct in *t, unsigned depth);

static void eat_items(struct in *t, unsigned depth, char close, bool members)
{
	(void)eat(t);
	eat_space(t);
	if (peek(t) == (uint8_t)close) {
		(void)eat(t);
		return;
	}
	for (;;) {
		eat_space(t);
		if (members) {
			eat_string(t);
			eat_space(t);
			eat_this(t, ":");
		}
		eat_value(t, depth + 1);
		eat_space(t);
		uint8_t c = eat(t);
		if (c == (uint8_t)close)
			return;
		if (c != ',')
			wrong("neither comma nor end");
	}
}

static void eat_value(struct in *t, unsigned depth)
{
	if (depth > 40)
		wrong("too deep");
	eat_space(t);
	switch (peek(t)) {
	case '{':
		eat_items(t, depth, '}', true);
		break;
	case '[':
		eat_items(t, depth, ']', false);
		break;
	case '"':
		eat_string(t);
		break;
	case 't':
		eat_this(t, "true");
		break;
	case 'f':
		eat_this(t, "false");
		break;
	default:
		eat_number(t);
	}
}

static void check_json(const uint8_t *p, size_t n)
{
	struct in t = { p, n };
	eat_value(&t, 0);
	eat_space(&t);
	if (t.n > 0)
		wrong("something behind the document");
}

/* Strings of XML and HTML hold no markup and no forbidden characters; enough here: no control bytes at all. */
static void check_no_controls(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] < 0x20 && p[i] != '\n' && p[i] != '\t' && p[i] != '\r')
			wrong("a control character got through");
	}
}

/* --- calls made from bytes --- */

static uint8_t take(struct in *in)
{
	if (in->n == 0)
		return 0;
	in->n--;
	return *in->p++;
}

static uint64_t take_u64(struct in *in)
{
	uint64_t v = 0;
	for (int i = 0; i < 8; i++)
		v = v << 8 | take(in);
	return v;
}

static void call(struct pf_doc *doc, struct in *in)
{
	static const char *const names[] = { "value", "name", "output", NULL };
	uint8_t what = take(in);
	const char *name = names[what >> 6];
	uint64_t bits;
	double real;
	switch (what & 15) {
	case 0:
		pf_doc_piece_begin(doc);
		break;
	case 1:
		(void)pf_doc_piece_end(doc);
		break;
	case 2:
		pf_doc_object_begin(doc, name);
		break;
	case 3:
		pf_doc_object_end(doc);
		break;
	case 4:
		pf_doc_list_begin(doc, name);
		break;
	case 5:
		pf_doc_list_end(doc);
		break;
	case 6:
		pf_doc_int(doc, name, (int64_t)take_u64(in));
		break;
	case 7:
		pf_doc_uint(doc, name, take_u64(in));
		break;
	case 8:
		bits = take_u64(in);
		memcpy(&real, &bits, sizeof(real));
		pf_doc_real(doc, name, real);
		pf_doc_float(doc, name, (float)real);
		break;
	case 9:
		pf_doc_bool(doc, name, take(in) & 1);
		break;
	case 10:
		(void)pf_doc_flush(doc);
		break;
	case 11:
		pf_doc_address(doc, name, take_u64(in));
		break;
	case 12:
		pf_doc_piece_drop(doc);
		break;
	case 13:
		(void)pf_doc_begin(doc);
		break;
	default: {
		size_t n = take(in);
		n = n < in->n ? n : in->n;
		if (what & 1)
			pf_doc_hex(doc, name, in->p, n);
		else
			pf_doc_text(doc, name, (struct pf_view){ (const char *)in->p, n });
		in->p += n;
		in->n -= n;
	}
	}
}

static void run(const uint8_t *data, size_t size, const struct pf_doc_options *options)
{
	static const char *const columns[] = { "value", "name" };
	struct in in = { data, size };
	struct pf_doc *doc;
	int fd = memfd_create("fuzz", 0);
	if (fd < 0 || pf_doc_open(&doc, options, fd, "root", "list", NULL) < 0)
		abort();
	pf_doc_columns(doc, columns, 2, options->bigstr);
	if (take(&in) & 1)
		(void)pf_doc_begin(doc);
	while (in.n > 0)
		call(doc, &in);
	(void)pf_doc_begin(doc);
	if (pf_doc_close(doc) != 0)
		abort();

	off_t n = lseek(fd, 0, SEEK_END);
	uint8_t *text = malloc((size_t)n + 1);
	if (!text || pread(fd, text, (size_t)n, 0) != n)
		abort();
	if (options->format == PF_FORMAT_JSON)
		check_json(text, (size_t)n);
	check_no_controls(text, (size_t)n);
	for (uint8_t *line = text, *end; options->format == PF_FORMAT_JSONL && line < text + n; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + n - line));
		if (!end)
			wrong("the last line is cut");
		check_json(line, (size_t)(end - line));
	}
	free(text);
	(void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct pf_doc_options o = {
		.pretty = data[0] & 1,
		.indent = data[0] >> 1 & 15,
		.bigstr = data[0] >> 5 & 1,
	};
	for (enum pf_format f = PF_FORMAT_JSON; f <= PF_FORMAT_CSV; f++) {
		o.format = f;
		run(data + 1, size - 1, &o);
	}
	return 0;
}
