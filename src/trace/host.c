/* trace/host.c - this machine as the D front end sees it: options, macros, types, symbols, probes. */
#include "trace/host.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/syms.h"

static int64_t get_option(void *arg, const char *name)
{
	const struct pf_trace *t = arg;
	return pf_trace_options_get(&t->options, name);
}

static int set_option(void *arg, const char *name, const char *value, struct pf_err *err)
{
	struct pf_trace *t = arg;
	return pf_trace_options_set(&t->options, name, value, t->going, err);
}

static int get_macro(void *arg, const char *name, int64_t *ret_value)
{
	const struct pf_trace *t = arg;
	const struct {
		const char *name;
		int64_t value;
	} rows[] = {
		{ "pid", getpid() },  { "ppid", getppid() }, { "pgid", getpgrp() },
		{ "sid", getsid(0) }, { "uid", getuid() },   { "euid", geteuid() },
		{ "gid", getgid() },  { "egid", getegid() }, { "target", t->target },
	};
	for (size_t i = 0; i < PF_N(rows); i++) {
		if (strcmp(rows[i].name, name) == 0) {
			*ret_value = rows[i].value;
			return 0;
		}
	}
	return -ENOENT;
}

/* btf_of() - the kernel's types, opened at the first question; NULL: there are none. */
static struct pf_btf *btf_of(struct pf_trace *t)
{
	struct pf_err ignored = { 0 };
	if (!t->btf)
		(void)pf_btf_open(&t->btf, &ignored); /* without them nothing is known, which is an answer */
	return t->btf;
}

static int get_type(void *arg, struct pf_dprog *p, const char *module, enum pf_dtype_tag tag, const char *name,
		    struct pf_dtype **ret_type)
{
	struct pf_btf *btf = btf_of(arg);
	(void)module;
	return btf ? pf_btf_type(btf, p, tag, name, ret_type) : -ENOENT;
}

static int get_members(void *arg, struct pf_dprog *p, struct pf_dtype *type)
{
	struct pf_btf *btf = btf_of(arg);
	return btf ? pf_btf_members(btf, p, type) : -ENOENT;
}

static int get_constant(void *arg, const char *name, int64_t *ret_value)
{
	struct pf_btf *btf = btf_of(arg);
	return btf ? pf_btf_constant(btf, name, ret_value) : -ENOENT;
}

static int get_symbol(void *arg, struct pf_dprog *p, struct pf_dsymbol *s, struct pf_err *err)
{
	(void)p;
	int rc = pf_syms_find(arg, s->module, s->name, &s->address, &s->is_function);
	if (rc == -EPERM)
		return pf_err_set(err, -EOPNOTSUPP, "the kernel hides its symbols' addresses from this process");
	return rc;
}

bool pf_trace_matches(const struct pf_ddesc *desc, const struct pf_probe *probe)
{
	if (desc->id)
		return desc->id == probe->name.id;
	return pf_glob(desc->name, probe->name.name) && pf_glob(desc->function, probe->name.function) &&
	       pf_glob(desc->provider, probe->name.provider) && pf_glob(desc->module, probe->name.module);
}

int pf_trace_demand(struct pf_trace *t, const struct pf_ddesc *desc, struct pf_err *err)
{
	/* Numbers are those of a list of everything. */
	static const struct pf_ddesc all = { .provider = "*", .module = "", .function = "", .name = "", .text = "*" };
	if (desc->id && (size_t)desc->id <= t->probes.n)
		return 0;
	if (desc->id)
		desc = &all;
	for (unsigned i = 0; pf_providers[i]; i++) {
		int rc = pf_providers[i]->demand ? pf_providers[i]->demand(t, pf_providers[i], desc, err) : 0;
		if (rc < 0)
			return rc == -ENOMEM ? pf_err_set(err, rc, "no memory") : rc;
	}
	return 0;
}

/* match_desc() - add what @desc matches to the clause's probes. Return: how many, or negative. */
static int match_desc(struct pf_trace *t, struct pf_plan *plan, const struct pf_ddesc *desc, struct pf_err *err)
{
	int rc = pf_trace_demand(t, desc, err);
	if (rc < 0)
		return rc;
	int n = 0;
	for (size_t i = 0; i < t->probes.n; i++) {
		if (!pf_trace_matches(desc, t->probes.rows[i]))
			continue;
		bool have = false;
		for (size_t k = 0; k < plan->n_probes && !have; k++)
			have = plan->probes[k] == i + 1;
		n++;
		t->matched++;
		if (have)
			continue;
		if ((plan->n_probes & (plan->n_probes + 1)) == 0) { /* room for 1, 3, 7 ... is used up */
			uint32_t *more = pf_arena_alloc(&t->arena, (2 * plan->n_probes + 1) * sizeof(*more));
			if (!more)
				return pf_err_set(err, -ENOMEM, "no memory");
			if (plan->n_probes)
				memcpy(more, plan->probes, plan->n_probes * sizeof(*more));
			plan->probes = more;
		}
		plan->probes[plan->n_probes++] = (uint32_t)i + 1;
		t->probes.rows[i]->enabled = true;
	}
	return n;
}

static int match(void *arg, struct pf_dprog *p, struct pf_dclause *clause, const struct pf_ddesc **ret_desc,
		 struct pf_err *err)
{
	struct pf_trace *t = arg;
	(void)p;
	struct pf_plan *plan = pf_arena_alloc(&t->arena, sizeof(*plan));
	if (!plan)
		return pf_err_set(err, -ENOMEM, "no memory");
	clause->host = plan;
	plan->end = &plan->actions;
	for (const struct pf_ddesc *desc = clause->descs; desc; desc = desc->next) {
		int n = match_desc(t, plan, desc, err);
		if (n < 0)
			return n;
		if (n == 0 && !t->options.value[PF_OPT_ZDEFS]) {
			*ret_desc = desc;
			return -ENOENT;
		}
	}
	return 0;
}

static int probe_arg(void *arg, struct pf_dprog *p, struct pf_dclause *clause, unsigned n, struct pf_darg *ret_arg,
		     unsigned *ret_n)
{
	struct pf_trace *t = arg;
	const struct pf_plan *plan = clause->host;
	struct pf_dtype *type = NULL;
	*ret_n = 0;
	for (size_t i = 0; plan && i < plan->n_probes; i++) {
		struct pf_dtype *other = NULL;
		struct pf_probe *probe = t->probes.rows[plan->probes[i] - 1];
		const char *name;
		int rc = probe->provider->argument ? probe->provider->argument(t, p, probe, n, &other, &name, ret_n)
						   : -ENOENT;
		if (rc < 0)
			return rc;
		if (type && !pf_dtype_same(type, other))
			return -EXDEV;
		type = other;
	}
	if (!type)
		return -ENOENT;
	*ret_arg = (struct pf_darg){ type, type, n };
	return 0;
}

struct pf_dhost pf_trace_host(struct pf_trace *t)
{
	return (struct pf_dhost){
		.arg = t,
		.option = get_option,
		.setopt = set_option,
		.macro = get_macro,
		.type = get_type,
		.members = get_members,
		.symbol = get_symbol,
		.constant = get_constant,
		.match = match,
		.probe_arg = probe_arg,
	};
}
