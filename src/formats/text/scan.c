/* formats/text/scan.c - every syntax that is scanned, and what they have in common. */
#include "formats/text/scan.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/sentence.h"
#include "formats/text/utf8.h"

const struct pf_scanner *const pf_scanners[] = { &pf_scanner_json, &pf_scanner_xml, &pf_scanner_html, &pf_scanner_csv,
						 NULL };

int pf_scan_fail(struct pf_scan *s, struct pf_err *err, const char *rule, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	s->rule = rule;
	return pf_err_set(err, -EBADMSG, "%s", text);
}

void pf_scan_element(struct pf_scan *s, uint64_t end, int64_t time_ns)
{
	s->elements++;
	s->good = end;
	s->moments += time_ns == 0 || time_ns != s->until_ns;
	if (time_ns == 0)
		return;
	if (s->from_ns == 0)
		s->from_ns = time_ns;
	if (time_ns < s->until_ns)
		s->back++;
	s->until_ns = time_ns;
}

/* A character of several bytes, which may come in pieces; s->byte is where it begins until it is whole. Return: bytes of @v used, all of them if it goes on; or an error. */
static ssize_t take_wide(struct pf_scan *s, struct pf_view v, struct pf_err *err)
{
	char bytes[8];
	size_t before = s->n_partial;
	size_t n = v.n < sizeof(bytes) - before ? v.n : sizeof(bytes) - before;
	memcpy(bytes, s->partial, before);
	memcpy(bytes + before, v.p, n);
	uint32_t cp = 0;
	bool ok = false;
	size_t used = pf_utf8_next((struct pf_view){ bytes, before + n }, &cp, &ok);
	unsigned char lead = (unsigned char)bytes[0];
	size_t want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
	if (!ok && used == before + n && used < want && lead >= 0xc2 && lead <= 0xf4) {
		memcpy(s->partial, bytes, used);
		s->n_partial = used;
		return (ssize_t)n;
	}
	if (!ok)
		return pf_scan_fail(s, err, "utf8", "bytes that are no UTF-8");
	int rc = s->scanner->wide(s, (struct pf_view){ bytes, used }, err);
	if (rc < 0)
		return rc;
	s->n_partial = 0;
	s->byte += used;
	return (ssize_t)(used - before);
}

/* A bad line costs itself. */
static void skip_line(struct pf_scan *s, struct pf_view *rest)
{
	const char *newline = memchr(rest->p, '\n', rest->n);
	size_t n = newline ? (size_t)(newline - rest->p) + 1 : rest->n;
	s->skipping = s->in_line = !newline;
	s->line += newline != NULL;
	s->byte += n + s->n_partial;
	s->n_partial = 0;
	rest->p += n;
	rest->n -= n;
}

int pf_scan_feed(struct pf_scan *s, struct pf_view *rest, struct pf_err *err)
{
	int rc = 0;
	while (rest->n > 0) {
		if (s->skipping) {
			skip_line(s, rest);
			continue;
		}
		bool again = false;
		size_t used = 1;
		char c = rest->p[0];
		if (s->n_partial > 0 || (unsigned char)c >= 0x80) {
			ssize_t wide = take_wide(s, *rest, err);
			rc = wide < 0 ? (int)wide : 0;
			used = wide < 0 ? 0 : (size_t)wide;
		} else {
			rc = s->scanner->take(s, c, &again, err);
			used = again || rc < 0 ? 0 : 1;
			s->byte += used;
		}
		if (rc < 0)
			break;
		s->line += used == 1 && c == '\n';
		if (used > 0)
			s->in_line = c != '\n';
		rest->p += used;
		rest->n -= used;
	}
	if (rc == -EBADMSG) {
		s->over = !s->lines;
		s->skipping = s->lines;
		s->scanner->give_up(s);
	}
	return rc;
}

int pf_scan_end(struct pf_scan *s, struct pf_err *err)
{
	int rc = s->scanner->end(s, err);
	if (rc == 0 && s->in_line && !s->skipping)
		rc = pf_scan_fail(s, err, "cut", "the end of the last line is missing");
	return rc;
}
