/* import/key.c - keys. */
#include "import/key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* Perl's classes that POSIX lacks or that the C library reads differently. Inside brackets only the members are written. */
static const char *class_of(char c, bool in_brackets)
{
	switch (c) {
	case 'd':
		return in_brackets ? "0-9" : "[0-9]";
	case 'w':
		return in_brackets ? "A-Za-z0-9_" : "[A-Za-z0-9_]";
	case 's':
		return in_brackets ? " \t\r\n\f\v" : "[ \t\r\n\f\v]";
	case 'D':
		return in_brackets ? NULL : "[^0-9]";
	case 'W':
		return in_brackets ? NULL : "[^A-Za-z0-9_]";
	case 'S':
		return in_brackets ? NULL : "[^ \t\r\n\f\v]";
	case 'b':
		return in_brackets ? NULL : "\\b";
	case 't':
		return "\t";
	default:
		return NULL;
	}
}

/* One escape at pattern[0] == '\\'. Return: bytes used, or -EINVAL. */
static int translate_escape(const char *pattern, bool in_brackets, struct pf_buf *out)
{
	char c = pattern[1];
	if (c == '\0')
		return -EINVAL;
	const char *class = class_of(c, in_brackets);
	if (class) {
		pf_buf_str(out, class);
		return 2;
	}
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
		return -EINVAL;
	if (!in_brackets && strchr(".[]{}()*+?^$|\\", c))
		pf_buf_char(out, '\\');
	pf_buf_char(out, c);
	return 2;
}

static int translate(const char *pattern, struct pf_buf *out)
{
	bool in_brackets = false;
	for (const char *p = pattern; *p != '\0';) {
		if (*p == '\\') {
			int used = translate_escape(p, in_brackets, out);
			if (used < 0)
				return used;
			p += used;
			continue;
		}
		if (!in_brackets && *p == '(' && p[1] == '?') {
			if (p[2] != ':')
				return -EINVAL;
			pf_buf_char(out, '('); /* nothing is ever taken out of a group, so both kinds are the same */
			p += 3;
			continue;
		}
		if (!in_brackets && *p == '[') {
			in_brackets = true;
			pf_buf_char(out, *p++);
			if (*p == '^')
				pf_buf_char(out, *p++);
			if (*p == ']')
				pf_buf_char(out, *p++);
			continue;
		}
		if (in_brackets && *p == ']')
			in_brackets = false;
		pf_buf_char(out, *p++);
	}
	return out->failed;
}

static const char special[] = "\\.[]{}()*+?^$|";

/* ^word$: most keys that mean one type alone. */
static bool is_whole(const char *pattern, size_t n)
{
	return n >= 2 && pattern[0] == '^' && pattern[n - 1] == '$' && strcspn(pattern + 1, special) == n - 2;
}

int pf_key_init(struct pf_key *key, const char *pattern, struct pf_err *err)
{
	*key = (struct pf_key){ 0 };
	size_t n = strlen(pattern);
	if (n > PF_KEY_MAX)
		return pf_err_set(err, -EINVAL, "an expression longer than %d bytes", PF_KEY_MAX);

	key->whole = is_whole(pattern, n);
	if (key->whole || strcspn(pattern, special) == n) {
		key->n = key->whole ? n - 2 : n;
		key->text = strndup(key->whole ? pattern + 1 : pattern, key->n);
		if (!key->text)
			return pf_err_set(err, -ENOMEM, "no memory");
		key->plain = true;
		return 0;
	}

	struct pf_buf posix = { 0 };
	int rc = translate(pattern, &posix);
	if (rc < 0) {
		pf_buf_done(&posix);
		return pf_err_set(err, rc, "'%s' is no expression that is understood here", pattern);
	}
	int bad = regcomp(&key->regex, posix.p ? posix.p : "", REG_EXTENDED | REG_NOSUB);
	pf_buf_done(&posix);
	if (bad != 0) {
		char why[128];
		(void)regerror(bad, &key->regex, why, sizeof(why));
		return pf_err_set(err, bad == REG_ESPACE ? -ENOMEM : -EINVAL, "'%s' is no regular expression: %s",
				  pattern, why);
	}
	key->text = strdup(pattern); /* marks the key as made */
	if (!key->text) {
		regfree(&key->regex);
		return pf_err_set(err, -ENOMEM, "no memory");
	}
	return 0;
}

void pf_key_done(struct pf_key *key)
{
	if (key->text && !key->plain)
		regfree(&key->regex);
	free(key->text);
	*key = (struct pf_key){ 0 };
}

bool pf_key_matches(const struct pf_key *key, struct pf_view text)
{
	if (!key->text)
		return false;
	if (key->whole)
		return text.n == key->n && (text.n == 0 || memcmp(text.p, key->text, text.n) == 0);
	if (key->plain)
		return key->n == 0 || (text.n >= key->n && memmem(text.p, text.n, key->text, key->n));

	/* regexec() wants an end; types are short, lines seldom longer than this. */
	char small[512];
	char *end = text.n < sizeof(small) ? small : malloc(text.n + 1);
	if (!end)
		return false;
	if (text.n > 0)
		memcpy(end, text.p, text.n);
	end[text.n] = '\0';
	bool found = regexec(&key->regex, end, 0, NULL, 0) == 0;
	if (end != small)
		free(end);
	return found;
}
