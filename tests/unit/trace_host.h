/* tests/unit/trace_host.h - a small made-up machine for tests of the D front end: a few kernel types, symbols and probes. */
#ifndef PF_TESTS_TRACE_HOST_H
#define PF_TESTS_TRACE_HOST_H

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "trace/dlang/dlang.h"

/* Members as D text; offsets are counted up with natural alignment. */
struct host_type {
	const char *name;
	uint64_t size;
	const char *members[12][2];
};

static const struct host_type host_types[] = {
	{ "task_struct",
	  128,
	  { { "__state", "unsigned int" },
	    { "prio", "int" },
	    { "pid", "int" },
	    { "tgid", "int" },
	    { "real_parent", "struct task_struct *" },
	    { "comm", "char [16]" },
	    { "files", "struct files_struct *" },
	    { "thread_info", "struct thread_info" },
	    { "static_prio", "int" } } },
	{ "thread_info", 16, { { "flags", "unsigned long" }, { "cpu", "unsigned int" } } },
	{ "bio",
	  32,
	  { { "bi_opf", "unsigned int" }, { "bi_flags", "unsigned short" }, { "bi_next", "struct bio *" } } },
};

enum { N_HOST_TYPES = sizeof(host_types) / sizeof(host_types[0]) };

/* What a test can turn. */
struct host {
	struct pf_dtype *types[N_HOST_TYPES];
	int64_t defaultargs, argref, errtags, strsize;
	char option[64]; /* the last one set */
};

static inline int64_t host_option(void *arg, const char *name)
{
	const struct host *h = arg;
	if (strcmp(name, "defaultargs") == 0)
		return h->defaultargs;
	if (strcmp(name, "argref") == 0)
		return h->argref;
	if (strcmp(name, "errtags") == 0)
		return h->errtags;
	if (strcmp(name, "strsize") == 0 && h->strsize)
		return h->strsize;
	return -1;
}

static inline int host_setopt(void *arg, const char *name, const char *value, struct pf_err *err)
{
	struct host *h = arg;
	if (strcmp(name, "nosuch") == 0)
		return pf_err_set(err, -ENOENT, "Invalid option name");
	if (value && strcmp(value, "bad") == 0)
		return pf_err_set(err, -EINVAL, "Invalid value for specified option");
	size_t n = strlen(name) < sizeof(h->option) - 1 ? strlen(name) : sizeof(h->option) - 1;
	memcpy(h->option, name, n);
	h->option[n] = '\0';
	return 0;
}

static inline int host_macro(void *arg, const char *name, int64_t *ret_value)
{
	(void)arg;
	if (strcmp(name, "pid") != 0 && strcmp(name, "target") != 0)
		return -ENOENT;
	*ret_value = name[0] == 'p' ? 4321 : 17;
	return 0;
}

static inline int host_type(void *arg, struct pf_dprog *p, const char *module, enum pf_dtype_tag tag, const char *name,
			    struct pf_dtype **ret_type)
{
	struct host *h = arg;
	(void)module;
	if (tag == PF_DTAG_NAME && strcmp(name, "gfp_t") == 0) {
		*ret_type = pf_dtype_typedef(p, "gfp_t", p->types.u32);
		return *ret_type ? 0 : -ENOMEM;
	}
	for (uint32_t i = 0; i < N_HOST_TYPES && tag == PF_DTAG_STRUCT; i++) {
		if (strcmp(name, host_types[i].name) != 0)
			continue;
		if (!h->types[i]) {
			h->types[i] = pf_dtype_new(p, PF_DT_STRUCT, host_types[i].name, host_types[i].size, 8);
			if (!h->types[i])
				return -ENOMEM;
			h->types[i]->lazy = true;
			h->types[i]->host_id = i + 1;
		}
		*ret_type = h->types[i];
		return 0;
	}
	return -ENOENT;
}

static inline int host_members(void *arg, struct pf_dprog *p, struct pf_dtype *t)
{
	(void)arg;
	const struct host_type *row = &host_types[t->host_id - 1];
	uint64_t at = 0;
	t->members = pf_arena_alloc(&p->arena, 12 * sizeof(*t->members));
	if (!t->members)
		return -ENOMEM;
	for (size_t i = 0; i < 12 && row->members[i][0]; i++) {
		struct pf_dtype *type = pf_dprog_type(p, pf_view_of(row->members[i][1]));
		if (!type)
			return -ENOENT;
		at = (at + type->align - 1) / type->align * type->align;
		t->members[t->n_members++] =
			(struct pf_dmember){ .name = row->members[i][0], .type = type, .bit_offset = at * 8 };
		at += type->size;
	}
	return 0;
}

static inline int host_symbol(void *arg, struct pf_dprog *p, struct pf_dsymbol *ret, struct pf_err *err)
{
	(void)arg;
	if (strcmp(ret->name, "max_pfn") == 0)
		return pf_err_set(err, -EOPNOTSUPP, "this kernel lists no data symbols");
	if (strcmp(ret->name, "jiffies") == 0) {
		ret->address = 0xffff0000;
		ret->type = p->types.u64;
		return 0;
	}
	if (strcmp(ret->name, "schedule") != 0)
		return -ENOENT;
	ret->address = 0xffff1000;
	ret->is_function = true;
	return 0;
}

/* Probes: anything but none:::; args[] of three: task_struct * as psinfo_t *, int, string from char *. */
static inline int host_match(void *arg, struct pf_dprog *p, struct pf_dclause *clause, const struct pf_ddesc **ret_desc,
			     struct pf_err *err)
{
	(void)arg;
	(void)p;
	(void)err;
	for (const struct pf_ddesc *d = clause->descs; d; d = d->next) {
		if (strcmp(d->provider, "none") == 0) {
			*ret_desc = d;
			return -ENOENT;
		}
	}
	return 0;
}

static inline int host_arg(void *arg, struct pf_dprog *p, struct pf_dclause *clause, unsigned n, struct pf_darg *ret,
			   unsigned *ret_n)
{
	static const char *const rows[][2] = { { "struct task_struct *", "psinfo_t *" },
					       { "int", "int" },
					       { "char *", "string" },
					       { "struct bio *", "bufinfo_t" },
					       { "struct bio *", "cpuinfo_t *" } };
	(void)arg;
	if (strcmp(clause->descs->provider, "typed") != 0)
		return strcmp(clause->descs->provider, "mixed") == 0 ? -EXDEV : -ENOENT;
	*ret_n = sizeof(rows) / sizeof(rows[0]);
	if (n >= *ret_n)
		return -ERANGE;
	ret->native = pf_dprog_type(p, pf_view_of(rows[n][0]));
	ret->type = pf_dprog_type(p, pf_view_of(rows[n][1]));
	ret->slot = n + 1;
	return ret->native && ret->type ? 0 : -ENOENT;
}

static inline int host_constant(void *arg, const char *name, int64_t *ret_value)
{
	(void)arg;
	if (strcmp(name, "KERNEL_ENUMERATOR") != 0)
		return -ENOENT;
	*ret_value = 99;
	return 0;
}

static inline struct pf_dprog *host_prog(struct host *h)
{
	const struct pf_dhost door = {
		.arg = h,
		.option = host_option,
		.setopt = host_setopt,
		.macro = host_macro,
		.type = host_type,
		.members = host_members,
		.symbol = host_symbol,
		.constant = host_constant,
		.match = host_match,
		.probe_arg = host_arg,
	};
	return pf_dprog_new(&door);
}

#endif
