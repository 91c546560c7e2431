/* providers/dtrace.c - BEGIN, END and ERROR: fired by the tracer itself, or by a fault. */
#include <errno.h>

#include "trace/bpf/gen.h"

static int list(struct pf_probes *all, const struct pf_provider *self)
{
	static const char *const names[] = { "BEGIN", "END", "ERROR" };
	for (unsigned i = 0; i < 3; i++) {
		if (!pf_probe_add(all, self, "", "", names[i], 0, i))
			return -ENOMEM;
	}
	return 0;
}

/* arg() - ERROR: enabled id, action, offset, fault, address as arg1 to arg5; the others have none. */
static void arg(struct pf_gen *g, unsigned n)
{
	static const size_t from[] = { 0,
				       offsetof(struct pf_scratch_head, fault_probe),
				       offsetof(struct pf_scratch_head, fault_action),
				       offsetof(struct pf_scratch_head, fault_pc),
				       offsetof(struct pf_scratch_head, fault_code),
				       offsetof(struct pf_scratch_head, fault_address) };
	if (g->in_error && n >= 1 && n <= 5)
		pf_asm_load(&g->a, 8, R0, R7, (int)from[n]);
	else
		pf_asm_const(&g->a, R0, 0);
}

const struct pf_provider pf_provider_dtrace = {
	.name = "dtrace",
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.probe_stability = { PF_STABILITY_STABLE, PF_STABILITY_STABLE, PF_DEPENDS_COMMON },
	.args_stability = { PF_STABILITY_STABLE, PF_STABILITY_STABLE, PF_DEPENDS_COMMON },
	.list = list,
	.arg = arg,
};
