/* base/err.c - errors as sentences. */
#include "base/err.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

int pf_err_set(struct pf_err *err, int rc, const char *fmt, ...)
{
	if (!err)
		return rc;

	err->rc = rc;
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	if (n < 0)
		err->text[0] = '\0';
	pf_escape_sentence(err->text, sizeof(err->text));
	return rc;
}

int pf_err_context(struct pf_err *err, int rc, const char *fmt, ...)
{
	if (!err)
		return rc;

	char inner[PF_ERR_TEXT];
	(void)snprintf(inner, sizeof(inner), "%s", err->text[0] ? err->text : strerror(-rc));

	char outer[PF_ERR_TEXT];
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(outer, sizeof(outer), fmt, ap);
	va_end(ap);
	if (n < 0)
		outer[0] = '\0';

	err->rc = rc;
	/* A sentence too long for the buffer loses its end, never its beginning. */
	size_t len = strlen(outer);
	memcpy(err->text, outer, len + 1);
	(void)snprintf(err->text + len, sizeof(err->text) - len, ": %s", inner);
	pf_escape_sentence(err->text, sizeof(err->text));
	return rc;
}
