/* bpf/btf.c - types of the running kernel. Source: Documentation/bpf/btf.rst. */
#include "trace/bpf/btf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* Kinds newer than some headers. */
enum { KIND_ENUM64 = 19, MAX_CHAIN = 64, MAX_BYTES = 256 << 20 };

#define BTF_PATH "/sys/kernel/btf/vmlinux"

/* A tracepoint: ids of the typedef of its prototype and of a function that has its arguments' names, 0: none. */
struct tracepoint {
	const char *name;
	uint32_t id, function;
};

struct pf_btf {
	void *map; /* or heap, if the file cannot be mapped */
	size_t size;
	bool mapped;
	const uint8_t *types;
	const char *strings;
	uint32_t types_size, strings_size;
	uint32_t *offsets; /* of each type, by id */
	uint32_t n;
	struct pf_dtype **made;		/* by id */
	struct tracepoint *tracepoints; /* by name, from the first question on */
	size_t n_tracepoints;
};

struct pf_btf *pf_btf_close(struct pf_btf *b)
{
	if (b) {
		if (b->mapped)
			(void)munmap(b->map, b->size);
		else
			free(b->map);
		free(b->offsets);
		free(b->made);
		free(b->tracepoints);
		free(b);
	}
	return NULL;
}

static const struct btf_type *type_at(const struct pf_btf *b, uint32_t id)
{
	return id && id < b->n ? (const void *)(b->types + b->offsets[id]) : NULL;
}

static const char *string_at(const struct pf_btf *b, uint32_t off)
{
	return off < b->strings_size ? b->strings + off : "";
}

/* record_size() - bytes that a type takes, UINT32_MAX for an unknown kind. */
static uint32_t record_size(const struct btf_type *t)
{
	uint32_t n = BTF_INFO_VLEN(t->info);
	uint32_t head = sizeof(*t);
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return head + 4;
	case BTF_KIND_ARRAY:
		return head + (uint32_t)sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case KIND_ENUM64:
		return head + n * 12;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return head + n * 8;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return head;
	default:
		return UINT32_MAX;
	}
}

/* index_types() - where each type starts. */
static int index_types(struct pf_btf *b)
{
	uint32_t cap = b->types_size / sizeof(struct btf_type) + 2;
	b->offsets = malloc(cap * sizeof(*b->offsets));
	if (!b->offsets)
		return -ENOMEM;
	b->n = 1; /* 0 is void */
	uint32_t off = 0;
	while (off + sizeof(struct btf_type) <= b->types_size) {
		uint32_t size = record_size((const void *)(b->types + off));
		if (size > b->types_size - off)
			return -EBADMSG;
		b->offsets[b->n++] = off;
		off += size;
	}
	b->made = calloc(b->n, sizeof(struct pf_dtype *));
	return b->made ? 0 : -ENOMEM;
}

static int read_file(struct pf_btf *b)
{
	pf_autoclose int fd = open(BTF_PATH, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size <= 0 || st.st_size > MAX_BYTES)
		return -EFBIG;
	b->size = (size_t)st.st_size;
	b->map = mmap(NULL, b->size, PROT_READ, MAP_PRIVATE, fd, 0); /* possible since 6.16 */
	if (b->map != MAP_FAILED) {
		b->mapped = true;
		return 0;
	}
	b->map = malloc(b->size);
	size_t have = 0;
	while (b->map && have < b->size) {
		ssize_t n = read(fd, (char *)b->map + have, b->size - have);
		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		have += (size_t)n;
	}
	return b->map ? 0 : -ENOMEM;
}

int pf_btf_open(struct pf_btf **ret_btf, struct pf_err *err)
{
	struct pf_btf *b = calloc(1, sizeof(*b));
	int rc = b ? read_file(b) : -ENOMEM;
	if (rc == 0) {
		const struct btf_header *h = b->map;
		bool fine = b->size >= sizeof(*h) && h->magic == BTF_MAGIC && h->hdr_len <= b->size &&
			    (uint64_t)h->hdr_len + h->type_off + h->type_len <= b->size &&
			    (uint64_t)h->hdr_len + h->str_off + h->str_len <= b->size && h->str_len;
		rc = fine ? 0 : -EBADMSG;
		if (fine) {
			b->types = (const uint8_t *)b->map + h->hdr_len + h->type_off;
			b->types_size = h->type_len;
			b->strings = (const char *)b->map + h->hdr_len + h->str_off;
			b->strings_size = h->str_len;
			rc = b->strings[b->strings_size - 1] ? -EBADMSG : index_types(b);
		}
	}
	if (rc < 0) {
		(void)pf_btf_close(b);
		return pf_err_set(err, rc,
				  rc == -ENOENT ? "this kernel has no type information (" BTF_PATH ")"
						: "the kernel's type information (" BTF_PATH ") cannot be read: %s",
				  strerror(-rc));
	}
	*ret_btf = b;
	return 0;
}

/* find_name() - offset of @name among the strings, 0: nowhere. Strings are unique. */
static uint32_t find_name(const struct pf_btf *b, const char *name)
{
	size_t n = strlen(name) + 1;
	const char *from = b->strings;
	const char *end = b->strings + b->strings_size;
	while (n > 1 && from < end) {
		const char *at = memmem(from, (size_t)(end - from), name, n);
		if (!at)
			return 0;
		if (at > b->strings && at[-1] == 0)
			return (uint32_t)(at - b->strings);
		from = at + 1;
	}
	return 0;
}

/* find_type() - first type of that name and one of two kinds that has a body; 0: none. */
static uint32_t find_type(const struct pf_btf *b, const char *name, unsigned kind, unsigned or_kind)
{
	uint32_t off = find_name(b, name);
	for (uint32_t id = 1; off && id < b->n; id++) {
		const struct btf_type *t = type_at(b, id);
		if (t->name_off == off && (BTF_INFO_KIND(t->info) == kind || BTF_INFO_KIND(t->info) == or_kind))
			return id;
	}
	return 0;
}

/* plain() - without typedef, const and the like. */
static uint32_t plain(const struct pf_btf *b, uint32_t id)
{
	for (int i = 0; i < MAX_CHAIN; i++) {
		const struct btf_type *t = type_at(b, id);
		unsigned kind = t ? BTF_INFO_KIND(t->info) : 0;
		if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_CONST && kind != BTF_KIND_VOLATILE &&
		    kind != BTF_KIND_RESTRICT && kind != BTF_KIND_TYPE_TAG)
			return id;
		id = t->type;
	}
	return 0;
}

/* member_in() - bits from the start of record @id to @name, anonymous members searched too. */
static int member_in(const struct pf_btf *b, uint32_t id, struct pf_view name, int depth, uint64_t *ret_bits,
		     uint32_t *ret_type)
{
	const struct btf_type *t = type_at(b, plain(b, id));
	if (!t || depth > 16 || (BTF_INFO_KIND(t->info) != BTF_KIND_STRUCT && BTF_INFO_KIND(t->info) != BTF_KIND_UNION))
		return -ENOENT;
	const struct btf_member *m = (const void *)(t + 1);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		const char *have = string_at(b, m[i].name_off);
		uint64_t bits = BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		if (!*have) {
			uint64_t inner;
			if (member_in(b, m[i].type, name, depth + 1, &inner, ret_type) == 0) {
				*ret_bits = bits + inner;
				return 0;
			}
		} else if (pf_view_is(name, have)) {
			*ret_bits = bits;
			*ret_type = m[i].type;
			return 0;
		}
	}
	return -ENOENT;
}

int pf_btf_member(struct pf_btf *b, const char *record, const char *path, uint32_t *ret_offset)
{
	uint32_t id = find_type(b, record, BTF_KIND_STRUCT, BTF_KIND_STRUCT);
	uint64_t sum = 0;
	while (*path) {
		size_t n = strcspn(path, ".");
		uint64_t bits;
		int rc = member_in(b, id, (struct pf_view){ path, n }, 0, &bits, &id);
		if (rc < 0)
			return rc;
		sum += bits;
		path += n + (path[n] == '.');
	}
	*ret_offset = (uint32_t)(sum / 8);
	return 0;
}

static struct pf_dtype *make(struct pf_btf *b, struct pf_dprog *p, uint32_t id, int depth);

static struct pf_dtype *make_int(struct pf_dprog *p, const struct btf_type *t, const char *name)
{
	uint32_t encoding = BTF_INT_ENCODING(*(const uint32_t *)(t + 1));
	if (encoding & BTF_INT_BOOL)
		return p->types.b;
	if (t->size == 1 && strcmp(name, "char") == 0)
		return p->types.c;
	if (t->size <= 8)
		return pf_dtype_int(p, t->size, (encoding & BTF_INT_SIGNED) != 0);
	return pf_dtype_new(p, PF_DT_STRUCT, name, t->size, t->size); /* __int128: only its bytes */
}

/* make_lazy() - record or enumeration; members come when asked for. */
static struct pf_dtype *make_lazy(struct pf_dprog *p, const struct btf_type *t, const char *name, uint32_t id)
{
	unsigned kind = BTF_INFO_KIND(t->info);
	enum pf_dtype_kind to = kind == BTF_KIND_STRUCT	 ? PF_DT_STRUCT
				: kind == BTF_KIND_UNION ? PF_DT_UNION
							 : PF_DT_ENUM;
	struct pf_dtype *made = pf_dtype_new(p, to, *name ? name : NULL, t->size,
					     t->size >= 8 ? 8
					     : t->size	  ? t->size
							  : 1);
	if (made) {
		made->lazy = true;
		made->host_id = id;
		made->is_signed = to == PF_DT_ENUM && BTF_INFO_KFLAG(t->info);
	}
	return made;
}

/* make_type() - what @t is in D; NULL without memory or for what D cannot say. */
static struct pf_dtype *make_type(struct pf_btf *b, struct pf_dprog *p, const struct btf_type *t, uint32_t id,
				  int depth)
{
	const char *name = string_at(b, t->name_off);
	struct pf_dtype *ref;
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
		return make_int(p, t, name);
	case BTF_KIND_FLOAT:
		return t->size == 4 ? p->types.f32 : t->size == 8 ? p->types.f64 : p->types.f80;
	case BTF_KIND_PTR:
		ref = make(b, p, t->type, depth + 1);
		return ref ? pf_dtype_pointer(p, ref) : p->types.voidp;
	case BTF_KIND_TYPEDEF:
		ref = make(b, p, t->type, depth + 1);
		return ref ? pf_dtype_typedef(p, name, ref) : NULL;
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return make(b, p, t->type, depth + 1);
	case BTF_KIND_ARRAY: {
		const struct btf_array *array = (const void *)(t + 1);
		ref = make(b, p, array->type, depth + 1);
		return ref ? pf_dtype_array(p, ref, array->nelems) : NULL;
	}
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case KIND_ENUM64:
		return make_lazy(p, t, name, id);
	case BTF_KIND_FWD:
		return pf_dtype_new(p, BTF_INFO_KFLAG(t->info) ? PF_DT_UNION : PF_DT_STRUCT, name, 0, 1);
	case BTF_KIND_FUNC_PROTO: {
		struct pf_dtype *made = pf_dtype_new(p, PF_DT_FUNCTION, NULL, 0, 1);
		if (made)
			made->ref = p->types.v;
		return made;
	}
	default:
		return NULL;
	}
}

static struct pf_dtype *make(struct pf_btf *b, struct pf_dprog *p, uint32_t id, int depth)
{
	if (!id)
		return p->types.v;
	const struct btf_type *t = type_at(b, id);
	if (!t || depth > MAX_CHAIN)
		return NULL;
	if (!b->made[id])
		b->made[id] = make_type(b, p, t, id, depth);
	return b->made[id];
}

int pf_btf_type(struct pf_btf *b, struct pf_dprog *p, enum pf_dtype_tag tag, const char *name,
		struct pf_dtype **ret_type)
{
	static const unsigned kinds[][2] = { [PF_DTAG_NAME] = { BTF_KIND_TYPEDEF, BTF_KIND_INT },
					     [PF_DTAG_STRUCT] = { BTF_KIND_STRUCT, BTF_KIND_STRUCT },
					     [PF_DTAG_UNION] = { BTF_KIND_UNION, BTF_KIND_UNION },
					     [PF_DTAG_ENUM] = { BTF_KIND_ENUM, KIND_ENUM64 } };
	uint32_t id = find_type(b, name, kinds[tag][0], kinds[tag][1]);
	if (!id)
		return -ENOENT;
	struct pf_dtype *made = make(b, p, id, 0);
	if (!made)
		return -ENOMEM;
	*ret_type = made;
	return 0;
}

static int fill_enum(struct pf_btf *b, struct pf_dprog *p, const struct btf_type *t, struct pf_dtype *to)
{
	uint32_t n = BTF_INFO_VLEN(t->info);
	to->enumerators = pf_arena_alloc(&p->arena, (n ? n : 1) * sizeof(*to->enumerators));
	if (!to->enumerators)
		return -ENOMEM;
	const uint32_t *words = (const void *)(t + 1);
	bool wide = BTF_INFO_KIND(t->info) == KIND_ENUM64;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *row = words + (wide ? 3 : 2) * i;
		int64_t v = wide	    ? (int64_t)((uint64_t)row[2] << 32 | row[1])
			    : to->is_signed ? (int32_t)row[1]
					    : (int64_t)row[1];
		to->enumerators[i] = (struct pf_denumerator){ string_at(b, row[0]), v };
	}
	to->n_enumerators = n;
	return 0;
}

int pf_btf_members(struct pf_btf *b, struct pf_dprog *p, struct pf_dtype *to)
{
	const struct btf_type *t = type_at(b, to->host_id);
	int rc = 0;
	if (!t || !to->lazy)
		return -ENOENT;
	if (to->kind == PF_DT_ENUM) {
		rc = fill_enum(b, p, t, to);
	} else {
		uint32_t n = BTF_INFO_VLEN(t->info);
		const struct btf_member *m = (const void *)(t + 1);
		struct pf_dmember *members = pf_arena_alloc(&p->arena, (n ? n : 1) * sizeof(*members));
		rc = members ? 0 : -ENOMEM;
		for (uint32_t i = 0; rc == 0 && i < n; i++) {
			bool flag = BTF_INFO_KFLAG(t->info);
			members[i].name = string_at(b, m[i].name_off);
			members[i].type = make(b, p, m[i].type, 0);
			members[i].bit_offset = flag ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
			members[i].bits = flag ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0;
			if (!members[i].type)
				rc = -ENOMEM;
		}
		to->members = members;
		to->n_members = rc == 0 ? n : 0;
	}
	if (rc == 0) {
		to->lazy = false;
		to->complete = true;
	}
	return rc;
}

int pf_btf_constant(struct pf_btf *b, const char *name, int64_t *ret_value)
{
	uint32_t off = find_name(b, name);
	for (uint32_t id = 1; off && id < b->n; id++) {
		const struct btf_type *t = type_at(b, id);
		unsigned kind = BTF_INFO_KIND(t->info);
		if (kind != BTF_KIND_ENUM && kind != KIND_ENUM64)
			continue;
		const uint32_t *words = (const void *)(t + 1);
		unsigned stride = kind == BTF_KIND_ENUM ? 2 : 3;
		for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++) {
			const uint32_t *row = words + stride * i;
			if (row[0] != off)
				continue;
			*ret_value = stride == 3 ? (int64_t)((uint64_t)row[2] << 32 | row[1]) : (int32_t)row[1];
			return 0;
		}
	}
	return -ENOENT;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct tracepoint *)a)->name, ((const struct tracepoint *)b)->name);
}

/* find_tracepoint() - its row, once they are sorted; NULL: unknown. */
static struct tracepoint *find_tracepoint(const struct pf_btf *b, const char *name)
{
	const struct tracepoint key = { .name = name };
	return b->n_tracepoints ? bsearch(&key, b->tracepoints, b->n_tracepoints, sizeof(key), by_name) : NULL;
}

/* index_tracepoints() - typedefs btf_trace_EVENT tell types, functions __traceiter_EVENT names of arguments. */
static int index_tracepoints(struct pf_btf *b)
{
	static const char typedefs[] = "btf_trace_", functions[] = "__traceiter_";
	size_t cap = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t id = 1; id < b->n; id++) {
			const struct btf_type *t = type_at(b, id);
			const char *name = string_at(b, t->name_off);
			unsigned kind = BTF_INFO_KIND(t->info);
			if (pass == 0 && kind == BTF_KIND_TYPEDEF &&
			    strncmp(name, typedefs, sizeof(typedefs) - 1) == 0) {
				if (b->n_tracepoints == cap) {
					cap = cap ? cap * 2 : 2048;
					struct tracepoint *more = reallocarray(b->tracepoints, cap, sizeof(*more));
					if (!more)
						return -ENOMEM;
					b->tracepoints = more;
				}
				b->tracepoints[b->n_tracepoints++] =
					(struct tracepoint){ name + sizeof(typedefs) - 1, id, 0 };
			} else if (pass == 1 && kind == BTF_KIND_FUNC &&
				   strncmp(name, functions, sizeof(functions) - 1) == 0) {
				struct tracepoint *row = find_tracepoint(b, name + sizeof(functions) - 1);
				if (row)
					row->function = id;
			}
		}
		if (pass == 0 && b->n_tracepoints)
			qsort(b->tracepoints, b->n_tracepoints, sizeof(*b->tracepoints), by_name);
	}
	return 0;
}

/* prototype() - the FUNC_PROTO behind a typedef of a pointer, or behind a function. */
static const struct btf_type *prototype(const struct pf_btf *b, uint32_t id)
{
	const struct btf_type *t = type_at(b, id);
	for (int i = 0; i < 3 && t && BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO; i++)
		t = type_at(b, t->type);
	return t && BTF_INFO_KIND(t->info) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

int pf_btf_tracepoints(struct pf_btf *b, int (*fn)(void *arg, const char *name), void *arg)
{
	int rc = b->n_tracepoints ? 0 : index_tracepoints(b);
	for (size_t i = 0; rc >= 0 && i < b->n_tracepoints; i++)
		rc = fn(arg, b->tracepoints[i].name);
	return rc;
}

bool pf_btf_has_tracepoint(struct pf_btf *b, const char *event)
{
	if (!b->n_tracepoints && index_tracepoints(b) < 0)
		return false;
	return find_tracepoint(b, event) != NULL;
}

int pf_btf_tracepoint_arg(struct pf_btf *b, struct pf_dprog *p, const char *event, unsigned n,
			  struct pf_dtype **ret_type, unsigned *ret_n)
{
	int rc = b->n_tracepoints ? 0 : index_tracepoints(b);
	const struct tracepoint *row = rc == 0 ? find_tracepoint(b, event) : NULL;
	const struct btf_type *t = row ? prototype(b, row->id) : NULL;
	if (!t)
		return rc < 0 ? rc : -ENOENT;
	uint32_t count = BTF_INFO_VLEN(t->info);
	const struct btf_param *params = (const void *)(t + 1);
	*ret_n = count ? count - 1 : 0; /* the first is the tracepoint's own */
	if (n >= *ret_n)
		return -ERANGE;
	if (!ret_type)
		return 0;
	struct pf_dtype *made = make(b, p, params[n + 1].type, 0);
	if (!made)
		return -ENOMEM;
	*ret_type = made;
	return 0;
}

const char *pf_btf_tracepoint_name(struct pf_btf *b, const char *event, unsigned n)
{
	const struct tracepoint *row = pf_btf_has_tracepoint(b, event) ? find_tracepoint(b, event) : NULL;
	const struct btf_type *t = row ? prototype(b, row->function) : NULL;
	if (!t || n + 1 >= BTF_INFO_VLEN(t->info))
		return "";
	const struct btf_param *params = (const void *)(t + 1);
	return string_at(b, params[n + 1].name_off);
}
