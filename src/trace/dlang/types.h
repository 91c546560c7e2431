/* trace/dlang/types.h - the types of D: C's under LP64, strings, and the few that only actions make. */
#ifndef PF_TRACE_DLANG_TYPES_H
#define PF_TRACE_DLANG_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"

struct pf_buf;
struct pf_dprog;

enum pf_dtype_kind {
	PF_DT_VOID,
	PF_DT_INT,   /* char, short, int, long, bool, of either sign */
	PF_DT_FLOAT, /* float, double, long double: declarations and printf only */
	PF_DT_ENUM,
	PF_DT_POINTER,
	PF_DT_ARRAY,
	PF_DT_STRUCT,
	PF_DT_UNION,
	PF_DT_FUNCTION,
	PF_DT_TYPEDEF,
	PF_DT_STRING, /* @size: option strsize; passed by value */
	/* The rest are dynamic: only for trace(), printf() and aggregation keys. */
	PF_DT_DYN,	/* args[n] of a probe that is not known yet */
	PF_DT_STACK,	/* stack() */
	PF_DT_USTACK,	/* ustack(), jstack() */
	PF_DT_SYMADDR,	/* sym(), func(), mod() */
	PF_DT_USYMADDR, /* usym(), ufunc(), umod(), uaddr() */
};

/* A member of a struct or union; a member without name is an anonymous struct or union whose members count as ours. */
struct pf_dmember {
	const char *name; /* "" for anonymous ones */
	struct pf_dtype *type;
	uint64_t bit_offset;   /* from the start of the struct; little endian numbering */
	unsigned bits;	       /* width of a bit-field, 0 for ordinary members */
	const char *expr_text; /* unused by types of D itself: free for whoever makes the type */
};

struct pf_denumerator {
	const char *name;
	int64_t value;
};

/**
 * struct pf_dtype - lives in the program's arena, never freed alone.
 * @name: "int", "unsigned long", tag of struct/union/enum, name of a typedef; NULL for derived and anonymous types
 * @size: bytes; 0 for void, functions, incomplete types
 * @ref: pointee, element, target of a typedef, return type of a function; else NULL
 * @complete: false for a struct, union or enum that was only named, and for lazy ones whose members nobody asked for yet
 * @lazy: members come from the host; call pf_dtype_complete() before reading them. @size and @align are valid before.
 * @host_id: free for the host (BTF type id); 0 for types made in D
 * @host_module: free for the host
 */
struct pf_dtype {
	enum pf_dtype_kind kind;
	bool is_signed;
	bool is_bool;
	bool is_char; /* char, signed char, unsigned char: arrays of them and pointers to them convert to string */
	bool complete;
	bool lazy;
	bool vararg;	 /* function with ... */
	uint16_t height; /* of the type graph, bounded: recursion over types is safe */
	uint32_t align;
	uint64_t size;
	const char *name;
	struct pf_dtype *ref;
	uint64_t count;		    /* elements of an array; 0 for T[] */
	struct pf_dmember *members; /* struct, union; parameters of a function (names may be "") */
	size_t n_members;
	struct pf_denumerator *enumerators; /* enum */
	size_t n_enumerators;
	uint32_t host_id;
	const void *host_module;
	struct pf_dtype *pointer_to; /* cache of pf_dtype_pointer() */
};

/* The types that every program has; members of struct pf_dprog (p->types.i32 ...). */
struct pf_dtypes {
	struct pf_dtype *v, *b, *c, *sc, *uc, *i16, *u16, *i32, *u32, *i64, *u64, *ll, *ull;
	struct pf_dtype *f32, *f64, *f80;
	struct pf_dtype *string, *dyn, *stack, *ustack, *symaddr, *usymaddr;
	struct pf_dtype *voidp, *charp, *size_t_, *ptrdiff_t_, *uintptr_t_;
};

/* pf_dtype_new() - blank type of @kind in the arena, NULL without memory. For hosts that translate types of theirs. */
struct pf_dtype *pf_dtype_new(struct pf_dprog *p, enum pf_dtype_kind kind, const char *name, uint64_t size,
			      uint32_t align);

/* pf_dtype_pointer(), _array(), _typedef() - derived types; NULL without memory or if nested too deeply or too big. */
struct pf_dtype *pf_dtype_pointer(struct pf_dprog *p, struct pf_dtype *to);
struct pf_dtype *pf_dtype_array(struct pf_dprog *p, struct pf_dtype *of, uint64_t count);
struct pf_dtype *pf_dtype_typedef(struct pf_dprog *p, const char *name, struct pf_dtype *to);

/* pf_dtype_int() - the integer type of @size 1, 2, 4, 8 bytes and that sign (char, short, int, long). */
struct pf_dtype *pf_dtype_int(struct pf_dprog *p, unsigned size, bool is_signed);

/* pf_dtype_base() - without typedefs. Never NULL for a type. */
struct pf_dtype *pf_dtype_base(struct pf_dtype *t);

/* pf_dtype_complete() - have the host fill in members if that is still to do.
 * Return: 0; -ENOENT if the type has no body; -ENOMEM. Typedefs are followed. */
int pf_dtype_complete(struct pf_dprog *p, struct pf_dtype *t);

/* Predicates; typedefs are followed. Integers include enums and bool; scalars are integers and pointers. */
bool pf_dtype_is_integer(struct pf_dtype *t);
bool pf_dtype_is_signed(struct pf_dtype *t);
bool pf_dtype_is_float(struct pf_dtype *t);
bool pf_dtype_is_pointer(struct pf_dtype *t);
bool pf_dtype_is_scalar(struct pf_dtype *t);
bool pf_dtype_is_string(struct pf_dtype *t);
bool pf_dtype_is_array(struct pf_dtype *t);
bool pf_dtype_is_record(struct pf_dtype *t); /* struct or union */
bool pf_dtype_is_dynamic(struct pf_dtype *t);
bool pf_dtype_is_char_array(struct pf_dtype *t);
bool pf_dtype_is_string_like(struct pf_dtype *t); /* string, char array, char pointer */

/* pf_dtype_kind() - of the base type. */
enum pf_dtype_kind pf_dtype_kind_of(struct pf_dtype *t);

/* pf_dtype_same() - the same type but for typedefs. Records and enums are the same if tag and origin are. */
bool pf_dtype_same(struct pf_dtype *a, struct pf_dtype *b);

/* pf_dtype_member() - member @name of a complete record, looking into anonymous members.
 * @ret_bit_offset: from the start of @t, anonymous members added. NULL if there is none. */
const struct pf_dmember *pf_dtype_member(struct pf_dprog *p, struct pf_dtype *t, struct pf_view name,
					 uint64_t *ret_bit_offset);

/* pf_dtype_print() - C text of the type as messages show it: "int", "struct foo *", "char [16]", "string". */
void pf_dtype_print(struct pf_buf *out, struct pf_dtype *t);

/* pf_dtype_text() - the same, in the program's arena; "?" without memory. */
const char *pf_dtype_text(struct pf_dprog *p, struct pf_dtype *t);

/* pf_dtype_promote() - integer promotion; pf_dtype_arith() - usual arithmetic conversions of two integers. */
struct pf_dtype *pf_dtype_promote(struct pf_dprog *p, struct pf_dtype *t);
struct pf_dtype *pf_dtype_arith(struct pf_dprog *p, struct pf_dtype *a, struct pf_dtype *b);

/* pf_dtype_wrap() - @v cut to the size of integer, enum or pointer type @t and extended again by its sign. */
int64_t pf_dtype_wrap(struct pf_dtype *t, uint64_t v);

#endif
