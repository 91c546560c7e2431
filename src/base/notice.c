/* base/notice.c - one sentence to whoever listens. */
#include "base/notice.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"

void pf_notice(const struct pf_notice *to, enum pf_severity severity, const char *fmt, ...)
{
	if (!to || !to->tell)
		return;

	char text[512];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	pf_escape_sentence(text, sizeof(text));
	to->tell(to->arg, severity, text);
}
