/* trace/dlang/typename.c - names of types: predefined ones, the program's, the kernel's; how they print; layout of records. */
#include <errno.h>

#include "base/buf.h"
#include "trace/dlang/front.h"

/* Names that D has before anything is declared. @late: only if the kernel does not say otherwise. */
static const struct {
	const char *name;
	unsigned char size;
	bool is_signed;
	bool late;
} predefined[] = {
	{ "int8_t", 1, true, false },	  { "int16_t", 2, true, false },     { "int32_t", 4, true, false },
	{ "int64_t", 8, true, false },	  { "uint8_t", 1, false, false },    { "uint16_t", 2, false, false },
	{ "uint32_t", 4, false, false },  { "uint64_t", 8, false, false },   { "intptr_t", 8, true, false },
	{ "uintptr_t", 8, false, false }, { "ptrdiff_t", 8, true, false },   { "size_t", 8, false, false },
	{ "ssize_t", 8, true, false },	  { "uchar_t", 1, false, false },    { "ushort_t", 2, false, false },
	{ "uint_t", 4, false, false },	  { "ulong_t", 8, false, false },    { "u_longlong_t", 8, false, false },
	{ "longlong_t", 8, true, false }, { "id_t", 4, true, false },	     { "pid_t", 4, true, false },
	{ "uid_t", 4, false, true },	  { "gid_t", 4, false, true },	     { "dev_t", 4, false, true },
	{ "mode_t", 2, false, true },	  { "off_t", 8, true, true },	     { "loff_t", 8, true, true },
	{ "time_t", 8, true, true },	  { "time64_t", 8, true, true },     { "hrtime_t", 8, true, true },
	{ "u8", 1, false, true },	  { "u16", 2, false, true },	     { "u32", 4, false, true },
	{ "u64", 8, false, true },	  { "s8", 1, true, true },	     { "s16", 2, true, true },
	{ "s32", 4, true, true },	  { "s64", 8, true, true },	     { "uint", 4, false, true },
	{ "ulong", 8, false, true },	  { "ushort", 2, false, true },	     { "processorid_t", 4, true, true },
	{ "psetid_t", 4, true, true },	  { "chipid_t", 4, true, true },     { "lgrp_id_t", 4, true, true },
	{ "taskid_t", 4, true, true },	  { "dprojid_t", 4, true, true },    { "poolid_t", 4, true, true },
	{ "zoneid_t", 4, true, true },	  { "netstackid_t", 4, true, true }, { "ipaddr_t", 4, false, true },
};

static struct pf_dtype *define(struct pf_dcomp *c, struct pf_view name, struct pf_dtype *to)
{
	struct pf_dsym *s = to ? pf_dsym_add(c, PF_DN_TYPE, name) : NULL;
	if (!s)
		return NULL;
	s->type = pf_dtype_typedef(c->p, s->name.p, to);
	if (!s->type)
		(void)pf_d_nomem(c);
	return s->type;
}

static struct pf_dtype *find_predefined(struct pf_dcomp *c, struct pf_view name, bool late)
{
	for (size_t i = 0; i < sizeof(predefined) / sizeof(predefined[0]); i++) {
		if (predefined[i].late == late && pf_view_is(name, predefined[i].name))
			return define(c, name, pf_dtype_int(c->p, predefined[i].size, predefined[i].is_signed));
	}
	if (!late && pf_view_is(name, "caddr_t"))
		return define(c, name, c->p->types.charp);
	if (!late && (pf_view_is(name, "bool") || pf_view_is(name, "_Bool")))
		return c->p->types.b;
	return NULL;
}

static struct pf_dtype *ask_host(struct pf_dcomp *c, struct pf_view module, enum pf_dtype_tag tag, struct pf_view name)
{
	const struct pf_dhost *h = &c->p->host;
	if (!h->type || name.n > PF_D_MAX_IDENT)
		return NULL;
	const char *m = module.n > 0 ? pf_d_text(c, module) : NULL;
	const char *n = pf_d_text(c, name);
	struct pf_dtype *t = NULL;
	if (!n || h->type(h->arg, c->p, m, tag, n, &t) < 0)
		return NULL;
	return t;
}

struct pf_dtype *pf_dtype_find(struct pf_dcomp *c, struct pf_view module, struct pf_view name)
{
	if (module.n > 0)
		return ask_host(c, module, PF_DTAG_NAME, name);
	struct pf_dsym *s = pf_dsym_find(c->p, PF_DN_TYPE, name);
	if (s)
		return s->type;
	struct pf_dtype *t = find_predefined(c, name, false);
	if (!t && pf_dlib_load(c, name) > 0) {
		s = pf_dsym_find(c->p, PF_DN_TYPE, name);
		if (s)
			return s->type;
	}
	if (!t)
		t = ask_host(c, module, PF_DTAG_NAME, name);
	return t ? t : find_predefined(c, name, true);
}

struct pf_dtype *pf_dtype_find_tag(struct pf_dcomp *c, struct pf_view module, enum pf_dtype_tag tag,
				   struct pf_view name)
{
	return ask_host(c, module, tag, name);
}

static void print_suffixes(struct pf_buf *out, struct pf_dtype *t);

static void print_params(struct pf_buf *out, struct pf_dtype *f)
{
	pf_buf_char(out, '(');
	for (size_t i = 0; i < f->n_members; i++) {
		if (i > 0)
			pf_buf_str(out, ", ");
		pf_dtype_print(out, f->members[i].type);
	}
	if (f->vararg)
		pf_buf_str(out, f->n_members > 0 ? ", ..." : "...");
	pf_buf_char(out, ')');
}

static void print_suffixes(struct pf_buf *out, struct pf_dtype *t)
{
	for (; t->kind == PF_DT_ARRAY; t = t->ref) {
		if (t->count > 0)
			pf_buf_fmt(out, "[%llu]", (unsigned long long)t->count);
		else
			pf_buf_str(out, "[]");
	}
}

static struct pf_dtype *element(struct pf_dtype *t)
{
	while (t->kind == PF_DT_ARRAY)
		t = t->ref;
	return t;
}

static void print_pointer(struct pf_buf *out, struct pf_dtype *to)
{
	if (to->kind == PF_DT_FUNCTION) {
		pf_dtype_print(out, to->ref);
		pf_buf_str(out, " (*)");
		print_params(out, to);
	} else if (to->kind == PF_DT_ARRAY) {
		pf_dtype_print(out, element(to));
		pf_buf_str(out, " (*)");
		print_suffixes(out, to);
	} else {
		pf_dtype_print(out, to);
		pf_buf_str(out, to->kind == PF_DT_POINTER ? "*" : " *");
	}
}

void pf_dtype_print(struct pf_buf *out, struct pf_dtype *t)
{
	switch (t->kind) {
	case PF_DT_POINTER:
		print_pointer(out, t->ref);
		return;
	case PF_DT_ARRAY:
		pf_dtype_print(out, element(t));
		pf_buf_char(out, ' ');
		print_suffixes(out, t);
		return;
	case PF_DT_FUNCTION:
		pf_dtype_print(out, t->ref);
		pf_buf_char(out, ' ');
		print_params(out, t);
		return;
	case PF_DT_STRUCT:
		pf_buf_str(out, "struct ");
		break;
	case PF_DT_UNION:
		pf_buf_str(out, "union ");
		break;
	case PF_DT_ENUM:
		pf_buf_str(out, "enum ");
		break;
	default:
		break;
	}
	pf_buf_str(out, t->name ? t->name : "<anon>");
}

const char *pf_dtype_text(struct pf_dprog *p, struct pf_dtype *t)
{
	struct pf_buf b = { 0 };
	pf_dtype_print(&b, t);
	char *s = b.failed < 0 ? NULL : pf_arena_dup(&p->arena, pf_buf_text(&b));
	pf_buf_done(&b);
	return s ? s : "?";
}

static bool align_up(uint64_t *v, uint64_t to)
{
	uint64_t sum;
	if (__builtin_add_overflow(*v, to - 1, &sum))
		return false;
	*v = sum / to * to;
	return true;
}

/* Bits of one member from @at on; bit-fields as the System V ABI packs them. false: too big. */
static bool place(struct pf_dmember *m, uint64_t *at)
{
	struct pf_dtype *base = pf_dtype_base(m->type);
	uint64_t size = base->size * 8, align = (uint64_t)base->align * 8;
	if (m->bits == 0) {
		if (!align_up(at, align))
			return false;
		m->bit_offset = *at;
		return !__builtin_add_overflow(*at, size, at) && *at <= (uint64_t)UINT32_MAX * 8;
	}
	if (m->bits == UINT32_MAX) /* width 0: start a new unit */
		return align_up(at, align);
	if (*at / size != (*at + m->bits - 1) / size && !align_up(at, align))
		return false;
	m->bit_offset = *at;
	*at += m->bits;
	return *at <= (uint64_t)UINT32_MAX * 8;
}

int pf_drecord_layout(struct pf_dcomp *c, struct pf_dtype *t, const struct pf_dpos *pos)
{
	uint64_t at = 0, size = 0;
	size_t n = 0;
	t->align = 1;
	for (size_t i = 0; i < t->n_members; i++) {
		struct pf_dmember *m = &t->members[i];
		struct pf_dtype *base = pf_dtype_base(m->type);
		if (t->kind == PF_DT_UNION)
			at = 0;
		if (m->type->height >= PF_D_MAX_HEIGHT || !place(m, &at))
			return pf_d_fail(c, pos, -EFBIG, "D_DECL_ARRBIG", "type is too big or nested too deeply");
		if (m->type->height >= t->height)
			t->height = (uint16_t)(m->type->height + 1);
		if (at > size)
			size = at;
		bool unnamed_bits = m->bits > 0 && m->name[0] == '\0';
		if (base->align > t->align && !unnamed_bits)
			t->align = base->align;
		if (!unnamed_bits)
			t->members[n++] = *m;
	}
	t->n_members = n;
	t->size = (size + 7) / 8;
	if (!align_up(&t->size, t->align) || t->size > UINT32_MAX)
		return pf_d_fail(c, pos, -EFBIG, "D_DECL_ARRBIG", "type is too big or nested too deeply");
	t->complete = true;
	return 0;
}
