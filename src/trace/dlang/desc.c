/* trace/dlang/desc.c - probe descriptions: provider:module:function:name. */
#include <errno.h>

#include "base/buf.h"
#include "trace/dlang/front.h"

enum { PARTS = 4, LONGEST_DESC = 64 + 64 + 128 + 64 };

/* How many parts a description may have, by where it comes from: -P prov, -m prov:mod, -f prov:mod:func. */
static unsigned last_part(enum pf_dprog_origin origin)
{
	switch (origin) {
	case PF_DP_PROVIDER:
		return 0;
	case PF_DP_MODULE:
		return 1;
	case PF_DP_FUNCTION:
		return 2;
	default:
		return 3;
	}
}

static int join(struct pf_dcomp *c, struct pf_ddesc *d)
{
	struct pf_buf b = { 0 };
	if (d->id > 0)
		pf_buf_i64(&b, d->id);
	else
		pf_buf_fmt(&b, "%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
	d->text = b.failed < 0 ? NULL : pf_d_text(c, pf_buf_text(&b));
	pf_buf_done(&b);
	return d->text ? 0 : pf_d_nomem(c);
}

static int by_id(struct pf_dcomp *c, struct pf_view text, const struct pf_dpos *pos, struct pf_ddesc *d)
{
	uint64_t id = 0;
	if (pf_view_u64(text, &id) < 0 || id == 0 || id > INT32_MAX)
		return pf_d_fail(c, pos, -EINVAL, "D_PDESC_INVAL", "probe id \"%.*s\" is not a positive number",
				 text.n > 60 ? 60 : (int)text.n, text.p);
	d->id = (int)id;
	d->provider = d->module = d->function = d->name = "";
	return join(c, d);
}

int pf_dparse_desc(struct pf_dcomp *c, struct pf_view text, const struct pf_dpos *pos, struct pf_ddesc *d)
{
	static const size_t limits[PARTS] = { 64, 64, 128, 64 };
	static const char *const names[PARTS] = { "provider", "module", "function", "probe" };
	d->pos = *pos;
	if (c->origin == PF_DP_ID)
		return by_id(c, text, pos, d);

	const char **parts[PARTS] = { &d->provider, &d->module, &d->function, &d->name };
	for (unsigned i = 0; i < PARTS; i++)
		*parts[i] = "";
	/* From the right: a missing left part stays empty. */
	unsigned part = last_part(c->origin);
	for (size_t end = text.n;;) {
		size_t start = end;
		while (start > 0 && text.p[start - 1] != ':')
			start--;
		if (end - start >= limits[part])
			return pf_d_fail(c, pos, -EINVAL, "D_PDESC_INVAL", "%s name is longer than %zu characters",
					 names[part], limits[part] - 1);
		*parts[part] = pf_d_text(c, (struct pf_view){ text.p + start, end - start });
		if (!*parts[part])
			return c->rc;
		if (start == 0)
			return join(c, d);
		if (part-- == 0)
			return pf_d_fail(c, pos, -EINVAL, "D_PDESC_INVAL",
					 "probe description \"%.*s\" has too many parts",
					 text.n > 100 ? 100 : (int)text.n, text.p);
		end = start - 1;
	}
}
