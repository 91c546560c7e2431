/* cmd/say.c - lines for a person. */
#include "cmd/say.h"

#include <stdarg.h>

#include "base/err.h"
#include "base/sentence.h"

void pf_say(FILE *to, const char *fmt, ...)
{
	char text[2 * PF_ERR_TEXT];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	(void)fprintf(to, "%s\n", text);
}
