/* base/err.c - errors as sentences. */
#include "base/err.h"

#include <string.h>

#include "base/sentence.h"

int pf_err_set(struct pf_err *err, int rc, const char *fmt, ...)
{
	if (!err)
		return rc;

	char text[PF_ERR_TEXT]; /* what is there may be one of the values */
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	err->rc = rc;
	memcpy(err->text, text, strlen(text) + 1);
	return rc;
}

int pf_err_context(struct pf_err *err, int rc, const char *fmt, ...)
{
	if (!err)
		return rc;

	char text[PF_ERR_TEXT];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), err->text[0] ? err->text : strerror(-rc), fmt, ap);
	va_end(ap);
	err->rc = rc;
	memcpy(err->text, text, strlen(text) + 1);
	return rc;
}
