/* trace/stability.c - how sure probes and programs are, and what is told of single probes in lists. Source: the D language's chapter on
 * stability. */
#include <errno.h>

#include "base/cleanup.h"
#include "trace/bpf/session.h"

const char *pf_stability_name(enum pf_stability s)
{
	static const char *const names[] = { "Internal", "Private",  "Obsolete", "External",
					     "Unstable", "Evolving", "Stable",	 "Standard" };
	return (size_t)s < PF_N(names) ? names[s] : "Unknown";
}

const char *pf_dependency_name(enum pf_dependency d)
{
	static const char *const names[] = { "Unknown", "CPU", "Platform", "Group", "ISA", "Common" };
	return (size_t)d < PF_N(names) ? names[d] : "Unknown";
}

static void lower(struct pf_trace_stability *least, const struct pf_trace_stability *other)
{
	if (other->names < least->names)
		least->names = other->names;
	if (other->data < least->data)
		least->data = other->data;
	if (other->dependency < least->dependency)
		least->dependency = other->dependency;
}

void pf_trace_stability(const struct pf_trace *t, struct pf_trace_stability *ret_probes,
			struct pf_trace_stability *ret_statements)
{
	static const struct pf_trace_stability most = { PF_STABILITY_STABLE, PF_STABILITY_STABLE, PF_DEPENDS_COMMON };
	static const struct pf_trace_stability kernel = { PF_STABILITY_STABLE, PF_STABILITY_PRIVATE,
							  PF_DEPENDS_COMMON };
	uint64_t args = UINT64_C(1) << PF_DB_ARGS;
	for (unsigned i = PF_DB_ARG0; i <= PF_DB_ARG9; i++)
		args |= UINT64_C(1) << i;
	*ret_probes = *ret_statements = most;
	const struct pf_dclause *c = t->compiled_before ? t->compiled_before->next : t->prog->clauses;
	for (; c; c = c->next) {
		const struct pf_plan *plan = c->host;
		for (size_t i = 0; plan && i < plan->n_probes; i++) {
			const struct pf_provider *provider = t->probes.rows[plan->probes[i] - 1]->provider;
			lower(ret_probes, &provider->probe_stability);
			if (c->builtins & args)
				lower(ret_statements, &provider->args_stability);
		}
		if (c->builtins & UINT64_C(1) << PF_DB_CURTHREAD)
			lower(ret_statements, &kernel);
	}
}

static struct pf_probe *probe_of(const struct pf_trace *t, int id)
{
	return id > 0 && (size_t)id <= t->probes.n ? t->probes.rows[id - 1] : NULL;
}

void pf_trace_probe_stability(const struct pf_trace *t, int id, struct pf_trace_stability *ret_probe,
			      struct pf_trace_stability *ret_args)
{
	const struct pf_probe *probe = probe_of(t, id);
	*ret_probe = probe ? probe->provider->probe_stability : (struct pf_trace_stability){ 0 };
	*ret_args = probe ? probe->provider->args_stability : (struct pf_trace_stability){ 0 };
}

int pf_trace_probe_arg(struct pf_trace *t, int id, unsigned n, const char **ret_type, const char **ret_name)
{
	struct pf_probe *probe = probe_of(t, id);
	struct pf_dtype *type = NULL;
	unsigned have;
	*ret_name = "";
	if (!probe || !probe->provider->argument)
		return -ENOENT;
	int rc = probe->provider->argument(t, t->prog, probe, n, &type, ret_name, &have);
	if (rc == 0)
		*ret_type = pf_dtype_text(t->prog, type);
	return rc;
}
