/* base/notice.c - one sentence to whoever listens. */
#include "base/notice.h"

#include <stdarg.h>

#include "base/sentence.h"

void pf_notice(const struct pf_notice *to, enum pf_severity severity, const char *fmt, ...)
{
	if (!to || !to->tell)
		return;

	char text[512];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	to->tell(to->arg, severity, text);
}
