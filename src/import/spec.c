/* import/spec.c - cutting the text behind --import. */
#include "import/spec.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

static bool is_at(struct pf_view text, size_t at, const char *what)
{
	size_t n = strlen(what);
	return text.n - at >= n && memcmp(text.p + at, what, n) == 0;
}

/* Where the digits behind a colon end, if they are a port; otherwise 0. */
static size_t port_end(struct pf_view text, size_t colon)
{
	size_t at = colon + 1;
	while (at < text.n && text.p[at] >= '0' && text.p[at] <= '9')
		at++;
	return at > colon + 1 && (at == text.n || strchr("/?,:", text.p[at])) ? at : 0;
}

/* The end of HOST[:PORT] that begins at @at. */
static size_t host_end(struct pf_view text, size_t at)
{
	size_t from = at;
	for (size_t i = at; i < text.n && text.p[i] != '/' && text.p[i] != ','; i++) {
		if (text.p[i] == '@')
			from = i + 1; /* a name and a password */
	}
	bool bracket = false;
	for (at = from; at < text.n && text.p[at] != '/' && text.p[at] != ','; at++) {
		if (text.p[at] == '[')
			bracket = true;
		else if (text.p[at] == ']')
			bracket = false;
		else if (text.p[at] == ':' && !bracket)
			break;
	}
	size_t port = at < text.n && text.p[at] == ':' ? port_end(text, at) : 0;
	return port ? port : at;
}

static size_t item_end(struct pf_view text)
{
	size_t at = 0;
	while (at < text.n) {
		if (is_at(text, at, "\\:"))
			at += 2;
		else if (is_at(text, at, "://"))
			at = host_end(text, at + 3);
		else if (is_at(text, at, ",exec:"))
			at += 6;
		else if (text.p[at] == ':')
			return at;
		else
			at++;
	}
	return at;
}

static bool is_alias(struct pf_view v)
{
	for (size_t i = 0; i < v.n; i++) {
		char c = v.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_')))
			return false;
	}
	return v.n > 0;
}

/* NAME=ALIAS; an equals sign that is not followed by a name belongs to the file's. */
static void cut_alias(struct pf_import_item *item)
{
	const char *sign = item->name.n > 0 ? memrchr(item->name.p, '=', item->name.n) : NULL;
	if (!sign)
		return;
	size_t n = (size_t)(sign - item->name.p);
	struct pf_view alias = { sign + 1, item->name.n - n - 1 };
	if (n == 0 || !is_alias(alias))
		return;
	item->name.n = n;
	item->alias = alias;
}

int pf_import_item_next(struct pf_view *rest, struct pf_import_item *ret_item, struct pf_err *err)
{
	if (!rest->p)
		return 0;
	struct pf_view item = { rest->p, item_end(*rest) };
	bool more = item.n < rest->n;
	const char *comma = item.n > 0 ? memchr(item.p, ',', item.n) : NULL;
	struct pf_import_item found = { .name = item };
	if (comma) {
		found.name.n = (size_t)(comma - item.p);
		found.args = (struct pf_view){ comma + 1, item.n - found.name.n - 1 };
		found.has_args = true;
	}
	cut_alias(&found);
	if (found.name.n == 0)
		return pf_err_set(err, -EINVAL, "--import: a module without a name; give NAME[,ARGS][:NAME[,ARGS]...]");

	if (more)
		*rest = (struct pf_view){ item.p + item.n + 1, rest->n - item.n - 1 };
	else
		*rest = (struct pf_view){ NULL, 0 };
	*ret_item = found;
	return 1;
}

void pf_import_unescape(char *args)
{
	char *to = args;
	for (const char *from = args; *from != '\0'; from++) {
		if (from[0] == '\\' && from[1] == ':')
			from++;
		*to++ = *from;
	}
	*to = '\0';
}
