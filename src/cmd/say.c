/* cmd/say.c - lines for a person. */
#include "cmd/say.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>

#include "base/buf.h"
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

int pf_bad_switch(int option, char *const *argv, const char *command, struct pf_err *err)
{
	if (option == ':')
		return pf_err_set(err, -EINVAL, "%s needs a value; see perfolio %s --help", argv[optind - 1], command);
	if (optopt > 0x20 && optopt < 0x7f)
		return pf_err_set(err, -EINVAL, "no switch -%c; see perfolio %s --help", optopt, command);
	return pf_err_set(err, -EINVAL, "no switch %s; see perfolio %s --help", argv[optind - 1], command);
}

void pf_say_bytes(struct pf_buf *b, double bytes)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB" };
	unsigned i = 0;
	for (; bytes >= 10240 && i < 4; i++)
		bytes /= 1024;
	pf_buf_fmt(b, "%.*f %s", i > 0 && bytes < 100, bytes, units[i]);
}
