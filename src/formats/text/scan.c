/* formats/text/scan.c - every syntax that is scanned, and what they have in common. */
#include "formats/text/scan.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/err.h"
#include "base/sentence.h"

const struct pf_scanner *const pf_scanners[] = { &pf_scanner_json, NULL };

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
	if (time_ns == 0)
		return;
	if (s->from_ns == 0)
		s->from_ns = time_ns;
	if (time_ns < s->until_ns)
		s->back++;
	s->until_ns = time_ns;
}
