/* trace/dlang/type.c - making types, asking what they are, converting numbers between them. */
#include <errno.h>

#include "trace/dlang/front.h"

struct pf_dtype *pf_dtype_new(struct pf_dprog *p, enum pf_dtype_kind kind, const char *name, uint64_t size,
			      uint32_t align)
{
	struct pf_dtype *t = pf_arena_alloc(&p->arena, sizeof(*t));
	if (t) {
		t->kind = kind;
		t->name = name;
		t->size = size;
		t->align = align ? align : 1;
		t->height = 1;
		t->complete = kind != PF_DT_STRUCT && kind != PF_DT_UNION;
	}
	return t;
}

static struct pf_dtype *base_int(struct pf_dprog *p, const char *name, unsigned size, bool is_signed)
{
	struct pf_dtype *t = pf_dtype_new(p, PF_DT_INT, name, size, size);
	if (t) {
		t->is_signed = is_signed;
		t->is_char = size == 1;
	}
	return t;
}

static struct pf_dtype *dynamic(struct pf_dprog *p, enum pf_dtype_kind kind, const char *name)
{
	return pf_dtype_new(p, kind, name, 0, 8);
}

static struct pf_dtype *bool_type(struct pf_dprog *p)
{
	struct pf_dtype *t = base_int(p, "_Bool", 1, false);
	if (t) {
		t->is_bool = true;
		t->is_char = false;
	}
	return t;
}

static uint64_t string_size(const struct pf_dprog *p)
{
	int64_t n = p->host.option ? p->host.option(p->host.arg, "strsize") : -1;
	return n > 0 && n <= UINT32_MAX ? (uint64_t)n : 256;
}

void pf_dtypes_refresh(struct pf_dprog *p)
{
	p->types.string->size = string_size(p);
}

int pf_dtypes_init(struct pf_dprog *p)
{
	struct pf_dtypes *t = &p->types;
	*t = (struct pf_dtypes){
		.v = pf_dtype_new(p, PF_DT_VOID, "void", 0, 1),
		.b = bool_type(p),
		.c = base_int(p, "char", 1, true),
		.sc = base_int(p, "signed char", 1, true),
		.uc = base_int(p, "unsigned char", 1, false),
		.i16 = base_int(p, "short", 2, true),
		.u16 = base_int(p, "unsigned short", 2, false),
		.i32 = base_int(p, "int", 4, true),
		.u32 = base_int(p, "unsigned int", 4, false),
		.i64 = base_int(p, "long", 8, true),
		.u64 = base_int(p, "unsigned long", 8, false),
		.ll = base_int(p, "long long", 8, true),
		.ull = base_int(p, "unsigned long long", 8, false),
		.f32 = pf_dtype_new(p, PF_DT_FLOAT, "float", 4, 4),
		.f64 = pf_dtype_new(p, PF_DT_FLOAT, "double", 8, 8),
		.f80 = pf_dtype_new(p, PF_DT_FLOAT, "long double", 16, 16),
		.string = pf_dtype_new(p, PF_DT_STRING, "string", string_size(p), 1),
		.dyn = dynamic(p, PF_DT_DYN, "<DYN>"),
		.stack = dynamic(p, PF_DT_STACK, "stack"),
		.ustack = dynamic(p, PF_DT_USTACK, "stack"),
		.symaddr = dynamic(p, PF_DT_SYMADDR, "symaddr"),
		.usymaddr = dynamic(p, PF_DT_USYMADDR, "usymaddr"),
	};
	if (!t->v || !t->b || !t->c || !t->sc || !t->uc || !t->i16 || !t->u16 || !t->i32 || !t->u32 || !t->i64 ||
	    !t->u64 || !t->ll || !t->ull || !t->f32 || !t->f64 || !t->f80 || !t->string || !t->dyn || !t->stack ||
	    !t->ustack || !t->symaddr || !t->usymaddr)
		return -ENOMEM;
	t->voidp = pf_dtype_pointer(p, t->v);
	t->charp = pf_dtype_pointer(p, t->c);
	t->size_t_ = pf_dtype_typedef(p, "size_t", t->u64);
	t->ptrdiff_t_ = pf_dtype_typedef(p, "ptrdiff_t", t->i64);
	t->uintptr_t_ = pf_dtype_typedef(p, "uintptr_t", t->u64);
	return t->voidp && t->charp && t->size_t_ && t->ptrdiff_t_ && t->uintptr_t_ ? 0 : -ENOMEM;
}

static struct pf_dtype *derived(struct pf_dprog *p, enum pf_dtype_kind kind, struct pf_dtype *ref)
{
	if (ref->height >= PF_D_MAX_HEIGHT)
		return NULL;
	struct pf_dtype *t = pf_dtype_new(p, kind, NULL, ref->size, ref->align);
	if (t) {
		t->ref = ref;
		t->height = (uint16_t)(ref->height + 1);
	}
	return t;
}

struct pf_dtype *pf_dtype_pointer(struct pf_dprog *p, struct pf_dtype *to)
{
	if (to->pointer_to)
		return to->pointer_to;
	struct pf_dtype *t = derived(p, PF_DT_POINTER, to);
	if (t) {
		t->size = t->align = 8;
		to->pointer_to = t;
	}
	return t;
}

struct pf_dtype *pf_dtype_array(struct pf_dprog *p, struct pf_dtype *of, uint64_t count)
{
	uint64_t size;
	if (__builtin_mul_overflow(of->size, count, &size) || size > UINT32_MAX)
		return NULL;
	struct pf_dtype *t = derived(p, PF_DT_ARRAY, of);
	if (t) {
		t->count = count;
		t->size = size;
	}
	return t;
}

struct pf_dtype *pf_dtype_typedef(struct pf_dprog *p, const char *name, struct pf_dtype *to)
{
	struct pf_dtype *t = derived(p, PF_DT_TYPEDEF, to);
	if (t)
		t->name = name;
	return t;
}

struct pf_dtype *pf_dtype_int(struct pf_dprog *p, unsigned size, bool is_signed)
{
	const struct pf_dtypes *t = &p->types;
	switch (size) {
	case 1:
		return is_signed ? t->c : t->uc;
	case 2:
		return is_signed ? t->i16 : t->u16;
	case 4:
		return is_signed ? t->i32 : t->u32;
	default:
		return is_signed ? t->i64 : t->u64;
	}
}

struct pf_dtype *pf_dtype_base(struct pf_dtype *t)
{
	while (t->kind == PF_DT_TYPEDEF)
		t = t->ref;
	return t;
}

int pf_dtype_complete(struct pf_dprog *p, struct pf_dtype *t)
{
	t = pf_dtype_base(t);
	if (t->lazy && !t->complete) {
		int rc = p->host.members ? p->host.members(p->host.arg, p, t) : -ENOENT;
		if (rc < 0)
			return rc;
		t->lazy = false;
		t->complete = true;
	}
	return t->complete ? 0 : -ENOENT;
}

enum pf_dtype_kind pf_dtype_kind_of(struct pf_dtype *t)
{
	return pf_dtype_base(t)->kind;
}

bool pf_dtype_is_integer(struct pf_dtype *t)
{
	enum pf_dtype_kind k = pf_dtype_kind_of(t);
	return k == PF_DT_INT || k == PF_DT_ENUM;
}

bool pf_dtype_is_signed(struct pf_dtype *t)
{
	t = pf_dtype_base(t);
	return pf_dtype_is_integer(t) && t->is_signed;
}

bool pf_dtype_is_float(struct pf_dtype *t)
{
	return pf_dtype_kind_of(t) == PF_DT_FLOAT;
}

bool pf_dtype_is_pointer(struct pf_dtype *t)
{
	return pf_dtype_kind_of(t) == PF_DT_POINTER;
}

bool pf_dtype_is_scalar(struct pf_dtype *t)
{
	return pf_dtype_is_integer(t) || pf_dtype_is_pointer(t);
}

bool pf_dtype_is_string(struct pf_dtype *t)
{
	return pf_dtype_kind_of(t) == PF_DT_STRING;
}

bool pf_dtype_is_array(struct pf_dtype *t)
{
	return pf_dtype_kind_of(t) == PF_DT_ARRAY;
}

bool pf_dtype_is_record(struct pf_dtype *t)
{
	enum pf_dtype_kind k = pf_dtype_kind_of(t);
	return k == PF_DT_STRUCT || k == PF_DT_UNION;
}

bool pf_dtype_is_dynamic(struct pf_dtype *t)
{
	return pf_dtype_kind_of(t) >= PF_DT_DYN;
}

bool pf_dtype_is_char_array(struct pf_dtype *t)
{
	t = pf_dtype_base(t);
	return t->kind == PF_DT_ARRAY && pf_dtype_base(t->ref)->is_char;
}

bool pf_dtype_is_string_like(struct pf_dtype *t)
{
	t = pf_dtype_base(t);
	return t->kind == PF_DT_STRING || pf_dtype_is_char_array(t) ||
	       (t->kind == PF_DT_POINTER && pf_dtype_base(t->ref)->is_char);
}

bool pf_dtype_same(struct pf_dtype *a, struct pf_dtype *b)
{
	a = pf_dtype_base(a);
	b = pf_dtype_base(b);
	if (a == b)
		return true;
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case PF_DT_INT:
		return a->size == b->size && a->is_signed == b->is_signed && a->is_bool == b->is_bool;
	case PF_DT_FLOAT:
		return a->size == b->size;
	case PF_DT_POINTER:
		return pf_dtype_same(a->ref, b->ref);
	case PF_DT_ARRAY:
		return a->count == b->count && pf_dtype_same(a->ref, b->ref);
	case PF_DT_FUNCTION:
		return a->n_members == b->n_members && pf_dtype_same(a->ref, b->ref);
	case PF_DT_ENUM:
	case PF_DT_STRUCT:
	case PF_DT_UNION:
		return a->host_id != 0 && a->host_id == b->host_id && a->host_module == b->host_module;
	default:
		return true;
	}
}

static const struct pf_dmember *find_member(struct pf_dprog *p, struct pf_dtype *t, struct pf_view name,
					    uint64_t *ret_bit_offset, unsigned depth)
{
	if (depth > 32 || pf_dtype_complete(p, t) < 0)
		return NULL;
	t = pf_dtype_base(t);
	for (size_t i = 0; i < t->n_members; i++) {
		const struct pf_dmember *m = &t->members[i];
		if (m->name[0] != '\0') {
			if (!pf_view_is(name, m->name))
				continue;
			*ret_bit_offset = m->bit_offset;
			return m;
		}
		uint64_t inner;
		const struct pf_dmember *found =
			pf_dtype_is_record(m->type) ? find_member(p, m->type, name, &inner, depth + 1) : NULL;
		if (found) {
			*ret_bit_offset = m->bit_offset + inner;
			return found;
		}
	}
	return NULL;
}

const struct pf_dmember *pf_dtype_member(struct pf_dprog *p, struct pf_dtype *t, struct pf_view name,
					 uint64_t *ret_bit_offset)
{
	if (!pf_dtype_is_record(t) || name.n == 0)
		return NULL;
	return find_member(p, t, name, ret_bit_offset, 0);
}

struct pf_dtype *pf_dtype_promote(struct pf_dprog *p, struct pf_dtype *t)
{
	t = pf_dtype_base(t);
	if (t->size < 4)
		return p->types.i32;
	return pf_dtype_int(p, (unsigned)t->size, t->is_signed);
}

struct pf_dtype *pf_dtype_arith(struct pf_dprog *p, struct pf_dtype *a, struct pf_dtype *b)
{
	a = pf_dtype_promote(p, a);
	b = pf_dtype_promote(p, b);
	if (a->size != b->size)
		return a->size > b->size ? a : b; /* the wider one can hold all values of the other */
	return a->is_signed ? b : a;
}

int64_t pf_dtype_wrap(struct pf_dtype *t, uint64_t v)
{
	t = pf_dtype_base(t);
	if (t->is_bool)
		return v != 0;
	if (t->size == 0 || t->size >= 8)
		return (int64_t)v;
	unsigned shift = 64 - (unsigned)t->size * 8;
	return t->is_signed ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
}
