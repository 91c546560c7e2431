/* sinks/http_request.c - request line, Accept and Accept-Encoding; everything else in a head is passed over. */
#include "sinks/http_request.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

/* A piece up to @divider, without blanks around it. */
static bool next_piece(struct pf_view *rest, char divider, struct pf_view *ret)
{
	if (!rest->p)
		return false;
	const char *end = rest->n ? memchr(rest->p, divider, rest->n) : NULL;
	size_t n = end ? (size_t)(end - rest->p) : rest->n;
	*ret = pf_view_trim((struct pf_view){ rest->p, n });
	*rest = end ? (struct pf_view){ end + 1, rest->n - n - 1 } : (struct pf_view){ NULL, 0 };
	return true;
}

static bool is_word(struct pf_view v, const char *word)
{
	return v.n == strlen(word) && strncasecmp(v.p, word, v.n) == 0;
}

/* Weight of an element of a list: its parameter q, 1 without; 0 also for what is no number. */
static double weight(struct pf_view parameters)
{
	struct pf_view piece;
	double q = 1;
	while (next_piece(&parameters, ';', &piece)) {
		if (piece.n >= 2 && (piece.p[0] == 'q' || piece.p[0] == 'Q') && piece.p[1] == '=' &&
		    pf_view_double((struct pf_view){ piece.p + 2, piece.n - 2 }, &q) < 0)
			return 0;
	}
	return q;
}

/* The best weight that the list @value gives to @exact or, where @exact is not named, to a wildcard. -1: not named at all. */
static double weight_of(struct pf_view value, const char *exact, const char *any)
{
	struct pf_view element;
	double named = -1, wild = -1;
	while (next_piece(&value, ',', &element)) {
		struct pf_view word, rest = element;
		(void)next_piece(&rest, ';', &word);
		double q = weight(rest);
		if (is_word(word, exact))
			named = q > named ? q : named;
		else if (any && is_word(word, any))
			wild = q;
	}
	return named >= 0 ? named : wild;
}

static void take_field(struct pf_view name, struct pf_view value, struct pf_http_request *r)
{
	if (is_word(name, "accept")) {
		double open = weight_of(value, "application/openmetrics-text", NULL);
		double plain = weight_of(value, "text/plain", "*/*");
		r->wants_open = open > 0 && open >= plain;
	} else if (is_word(name, "accept-encoding")) {
		r->gzip = weight_of(value, "gzip", "*") > 0;
	}
}

/* METHOD SP TARGET SP HTTP/1.x */
static int take_request_line(struct pf_view line, struct pf_http_request *r)
{
	struct pf_view version;
	if (!next_piece(&line, ' ', &r->method) || !next_piece(&line, ' ', &r->path) ||
	    !next_piece(&line, ' ', &version))
		return -EINVAL;
	if (line.p || r->method.n == 0 || r->path.n == 0 || !pf_view_starts(version, "HTTP/1."))
		return -EINVAL;
	for (size_t i = 0; i < r->method.n; i++) {
		if (!isalpha((unsigned char)r->method.p[i]))
			return -EINVAL;
	}
	if (pf_view_starts(r->path, "http://")) { /* the form for proxies */
		const char *slash = memchr(r->path.p + 7, '/', r->path.n - 7);
		r->path = slash ? (struct pf_view){ slash, r->path.n - (size_t)(slash - r->path.p) } : PF_VIEW("/");
	}
	if (r->path.p[0] != '/')
		return -EINVAL;
	const char *query = memchr(r->path.p, '?', r->path.n);
	r->path.n = query ? (size_t)(query - r->path.p) : r->path.n;
	return 0;
}

/* Bytes up to and with the empty line that ends the head, 0: it is not there yet. */
static size_t head_length(struct pf_view bytes)
{
	for (size_t i = 0; i + 1 < bytes.n; i++) {
		if (bytes.p[i] != '\n')
			continue;
		if (bytes.p[i + 1] == '\n')
			return i + 2;
		if (i + 2 < bytes.n && bytes.p[i + 1] == '\r' && bytes.p[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

int pf_http_request_parse(struct pf_view bytes, struct pf_http_request *ret)
{
	size_t n = head_length(bytes);
	if (n == 0)
		return bytes.n >= PF_HTTP_REQUEST_MAX ? -EINVAL : 0;
	struct pf_view rest = { bytes.p, n };
	struct pf_view line, name;
	*ret = (struct pf_http_request){ 0 };
	(void)pf_view_line(&rest, &line); /* there is one */
	int rc = take_request_line(pf_view_trim(line), ret);
	while (rc == 0 && pf_view_line(&rest, &line) == 0) {
		line = pf_view_trim(line);
		if (line.n > 0 && memchr(line.p, ':', line.n) && next_piece(&line, ':', &name))
			take_field(name, pf_view_trim(line), ret);
	}
	return rc < 0 ? rc : 1;
}
