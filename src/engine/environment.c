/* engine/environment.c - --envopts, --envremap, --envrules. */
#include "engine/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/request.h"
#include "groups/environment.h"

enum { FILE_LIMIT = 1 << 20 };

static int take_options(struct pf_env_options *o, const char *text, struct pf_err *err)
{
	for (const char *p = text; *p != '\0'; p++) {
		o->fans |= *p == 'f';
		o->power |= *p == 'p';
		o->temps |= *p == 't';
		o->whole |= *p == 'T';
		if (*p == 'C' || *p == 'F')
			o->unit = *p;
		else if (*p >= '0' && *p <= '9')
			o->device = (unsigned)(*p - '0') + 1;
		else if (!strchr("fptTM", *p))
			return pf_err_set(err, -EINVAL, "--envopts are only fptCFMT and/or a number");
	}
	if (!o->fans && !o->power && !o->temps)
		o->fans = o->power = o->temps = true;
	return 0;
}

/* "/EXPRESSION/TEXT/" */
static int add_remap(struct pf_env_remap *list, unsigned *n, struct pf_view text, const char *what, struct pf_err *err)
{
	const char *middle = text.n > 1 ? memchr(text.p + 1, '/', text.n - 1) : NULL;
	bool good = middle && text.p[0] == '/' && text.p[text.n - 1] == '/' && middle < text.p + text.n - 1;
	size_t from = good ? (size_t)(middle - text.p) - 1 : 0;
	size_t to = good ? (size_t)(text.p + text.n - 1 - middle) - 1 : 0;
	if (!good || from == 0 || to >= PF_ENV_NAME)
		return pf_err_set(err, -EINVAL, "%s: '%.*s' is not of the form /EXPRESSION/TEXT/", what, (int)text.n,
				  text.p);
	if (*n == PF_ENV_REMAPS)
		return pf_err_set(err, -EINVAL, "%s: more than %d expressions", what, PF_ENV_REMAPS);
	struct pf_buf b = { 0 };
	for (size_t i = 1; i <= from; i++) { /* \d is the one class of Perl that the C library lacks */
		bool digit = text.p[i] == '\\' && i < from && text.p[i + 1] == 'd';
		pf_buf_str(&b, digit ? "[0-9]" : "");
		if (!digit)
			pf_buf_char(&b, text.p[i]);
		i += digit;
	}
	int rc = b.failed ? b.failed : regcomp(&list[*n].regex, b.p, REG_EXTENDED);
	pf_buf_done(&b);
	if (rc != 0)
		return pf_err_set(err, rc < 0 ? rc : -EINVAL, "%s: '%.*s' is no regular expression", what, (int)from,
				  text.p + 1);
	memcpy(list[*n].text, middle + 1, to);
	list[*n].text[to] = '\0';
	(*n)++;
	return 0;
}

static int take_remaps(struct pf_env_options *o, const char *text, struct pf_err *err)
{
	struct pf_view rest = pf_view_of(text);
	int rc = 0;
	while (rc == 0 && rest.n > 0) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct pf_view one = { rest.p, comma ? (size_t)(comma - rest.p) : rest.n };
		rest = comma ? (struct pf_view){ comma + 1, rest.n - one.n - 1 } : (struct pf_view){ "", 0 };
		if (one.n > 0)
			rc = add_remap(o->remaps, &o->n_remaps, one, "--envremap", err);
	}
	return rc;
}

/* ">PRODUCT,PRODUCT<" */
static bool names_product(struct pf_view line, struct pf_view product)
{
	struct pf_view rest = { line.p + 1, line.n - 2 };
	while (product.n > 0 && rest.n > 0) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct pf_view one = { rest.p, comma ? (size_t)(comma - rest.p) : rest.n };
		rest = comma ? (struct pf_view){ comma + 1, rest.n - one.n - 1 } : (struct pf_view){ "", 0 };
		if (one.n == product.n && memcmp(one.p, product.p, one.n) == 0)
			return true;
	}
	return false;
}

/* Sections by product; in them [pre] for the names of ipmitool, [post] for those made of them. */
static int take_rules(struct pf_env_options *o, const char *path, struct pf_view product, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	int rc = pf_io_read_file(AT_FDCWD, path, FILE_LIMIT, &text, err);
	struct pf_view rest = pf_buf_text(&text);
	struct pf_view line;
	bool ours = false;
	bool after = false;
	while (rc == 0 && pf_view_line(&rest, &line) == 0) {
		line = pf_view_trim(line);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (line.p[0] == '>' && line.n > 2) {
			ours = names_product(line, product);
			after = false;
		} else if (line.p[0] == '[') {
			after = pf_view_is(line, "[post]");
		} else if (ours && after) {
			rc = add_remap(o->remaps, &o->n_remaps, line, path, err);
		} else if (ours) {
			rc = add_remap(o->rules, &o->n_rules, line, path, err);
		}
	}
	pf_buf_done(&text);
	return rc;
}

int pf_environment_new(struct pf_env_options **ret, const struct pf_request *req, const struct pf_notice *told,
		       struct pf_err *err)
{
	struct pf_env_options *o = calloc(1, sizeof(*o));
	struct pf_buf product = { 0 };
	if (!o)
		return pf_err_set(err, -ENOMEM, "no memory");
	pf_autoclose int root_fd = open(req->root ? req->root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0 || pf_io_read_file(root_fd, "sys/class/dmi/id/product_name", FILE_LIMIT, &product, NULL) < 0)
		pf_buf_clear(&product);
	int rc = take_options(o, req->env_options ? req->env_options : "", err);
	if (rc == 0 && req->env_rules)
		rc = take_rules(o, req->env_rules, pf_view_trim(pf_buf_text(&product)), err);
	if (rc == 0 && req->env_filter) {
		o->has_keep = regcomp(&o->keep, req->env_filter, REG_EXTENDED | REG_NOSUB) == 0;
		if (!o->has_keep)
			rc = pf_err_set(err, -EINVAL, "--envfilt: '%s' is no regular expression", req->env_filter);
	}
	if (rc == 0 && req->env_remap)
		rc = take_remaps(o, req->env_remap, err);
	o->told = told;
	pf_buf_done(&product);
	if (rc < 0)
		o = pf_environment_free(o);
	*ret = o;
	return rc;
}

struct pf_env_options *pf_environment_free(struct pf_env_options *o)
{
	if (!o)
		return NULL;
	for (unsigned i = 0; i < o->n_rules; i++)
		regfree(&o->rules[i].regex);
	for (unsigned i = 0; i < o->n_remaps; i++)
		regfree(&o->remaps[i].regex);
	if (o->has_keep)
		regfree(&o->keep);
	free(o);
	return NULL;
}
