/* formats/pcp/logwords.c - from characters to words. */
#include "formats/pcp/logwords.h"

#include <stdio.h>

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return is_alpha(c) || is_digit(c) || c == '_' || c == '.';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static void cut(struct pf_log_words *w, int kind, size_t n)
{
	w->kind = kind;
	w->text = (struct pf_view){ w->rest.p, n };
	w->rest = (struct pf_view){ w->rest.p + n, w->rest.n - n };
}

static void skip_space(struct pf_log_words *w)
{
	while (w->rest.n > 0) {
		char c = w->rest.p[0];
		size_t n = 1;
		if (c == '#') {
			const char *end = memchr(w->rest.p, '\n', w->rest.n);
			n = end ? (size_t)(end - w->rest.p) : w->rest.n;
		} else if (c == '\n') {
			w->line++;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
		w->rest = (struct pf_view){ w->rest.p + n, w->rest.n - n };
	}
}

struct pf_preproc_place pf_log_words_place(const struct pf_log_words *w)
{
	const struct pf_preproc *p = &w->config->source;
	return w->at < p->n_places ? p->places[w->at] : p->end;
}

static void take_bad(struct pf_log_words *w)
{
	struct pf_log_error *e = &w->config->error;
	unsigned char c = (unsigned char)w->rest.p[0];
	(void)snprintf(e->text, sizeof(e->text),
		       c >= ' ' && c < 0x7f ? "Unexpected character '%c'" : "Unexpected character '\\x%02x'", c);
	cut(w, PF_LOG_BAD, 1);
	e->at = pf_log_words_place(w);
	e->what = e->text;
}

/* "155.*", "1.2.3.4", "1.2.*": how long it is, 0: no address. */
static size_t ipv4_at(struct pf_view v)
{
	size_t i = 0;
	for (unsigned part = 0; part < 4; part++) {
		if (part > 0 && i < v.n && v.p[i] == '*')
			return i + 1;
		size_t digits = 0;
		while (i < v.n && is_digit(v.p[i])) {
			i++;
			digits++;
		}
		if (digits == 0)
			return 0;
		if (part < 3 && (i >= v.n || v.p[i++] != '.'))
			return 0;
	}
	return i;
}

/* "fe80::1", "::1", "fe80:*", ":*": hexadecimal numbers and colons, two of them at least, or '*' behind one. */
static size_t ipv6_at(struct pf_view v)
{
	unsigned colons = 0;
	size_t i = 0;
	while (i < v.n && (is_hex(v.p[i]) || v.p[i] == ':')) {
		colons += v.p[i] == ':';
		i++;
	}
	if (i < v.n && v.p[i] == '*' && i > 0 && v.p[i - 1] == ':')
		return i + 1;
	if (colons > 2 && v.p[i - 1] == ':' && v.p[i - 2] != ':') /* the one behind it is the rule's */
		return i - 1;
	return colons > 1 ? i : 0;
}

/* "unix:/a/path", "local:*" */
static size_t socket_at(struct pf_view v)
{
	size_t n = pf_view_starts(v, "unix:") ? 5 : pf_view_starts(v, "local:") ? 6 : 0;
	while (n > 0 && n < v.n && (is_name(v.p[n]) || v.p[n] == '/' || v.p[n] == '-' || v.p[n] == '*'))
		n++;
	return n;
}

static size_t host_at(const struct pf_log_words *w)
{
	size_t n = ipv4_at(w->rest);
	if (n == 0 && pf_view_starts(w->rest, ".*"))
		n = 2;
	if (n == 0 && w->hosts)
		n = socket_at(w->rest);
	if (n == 0 && w->hosts)
		n = ipv6_at(w->rest);
	return n;
}

static void take_word(struct pf_log_words *w)
{
	size_t n = 0;
	bool dashes = false;
	while (n < w->rest.n && (is_name(w->rest.p[n]) || w->rest.p[n] == '-'))
		dashes |= w->rest.p[n++] == '-';
	cut(w, dashes ? PF_LOG_HOST : PF_LOG_NAME, n);
}

/* What is too large for 64 bits is as large as can be. */
static void take_number(struct pf_log_words *w)
{
	size_t n = 0;
	w->number = 0;
	for (; n < w->rest.n && is_digit(w->rest.p[n]); n++) {
		uint64_t digit = (uint64_t)(w->rest.p[n] - '0');
		w->number = w->number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : w->number * 10 + digit;
	}
	cut(w, PF_LOG_NUMBER, n);
}

static bool take_string(struct pf_log_words *w)
{
	size_t n = 1;
	while (n < w->rest.n && w->rest.p[n] != '"' && w->rest.p[n] != '\n')
		n++;
	if (n == 1 || n >= w->rest.n || w->rest.p[n] != '"' || memchr(w->rest.p, '\0', n))
		return false;
	cut(w, PF_LOG_STRING, n + 1);
	w->text = (struct pf_view){ w->text.p + 1, n - 1 };
	return true;
}

void pf_log_words_next(struct pf_log_words *w)
{
	skip_space(w);
	w->at = w->line;
	if (w->rest.n == 0) {
		cut(w, PF_LOG_END, 0);
		return;
	}
	char c = w->rest.p[0];
	size_t host = host_at(w);
	if (host > 0)
		cut(w, PF_LOG_HOST, host);
	else if (is_alpha(c))
		take_word(w);
	else if (is_digit(c))
		take_number(w);
	else if (c != '\0' && strchr("{}[],:;*", c))
		cut(w, c, 1);
	else if (c != '"' || !take_string(w))
		take_bad(w);
}
