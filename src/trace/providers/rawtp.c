/* providers/rawtp.c - raw tracepoints: every event of the kernel, with its arguments as they are. What there is tells BTF; groups, if it
 * can be read, tracefs. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/gen.h"
#include "trace/bpf/load.h"
#include "trace/providers/tracefs.h"

struct add {
	struct pf_trace *t;
	const struct pf_provider *self;
};

static int add_event(void *arg, const char *name)
{
	struct add *add = arg;
	struct pf_probes *all = &add->t->probes;
	const char *group = pf_tracefs_group(add->t, name);
	if (!pf_probe_add(all, add->self, group ? group : "vmlinux", "", name, 0, (unsigned)all->n))
		return -ENOMEM;
	return 0;
}

/* demand() - all of them, once, as soon as a description may mean one. */
static int demand(struct pf_trace *t, const struct pf_provider *self, const struct pf_ddesc *desc, struct pf_err *err)
{
	if (t->rawtp_listed || !*desc->provider || !pf_may_be_event(desc, self))
		return 0;
	if (!t->btf) {
		int rc = pf_btf_open(&t->btf, err);
		if (rc < 0)
			return strcmp(desc->provider, self->name) == 0 ? rc : 0;
	}
	struct add add = { t, self };
	t->rawtp_listed = true;
	return pf_btf_tracepoints(t->btf, add_event, &add);
}

/* arg() - the kernel refuses to attach a program that reads more than the event has. */
static void arg(struct pf_gen *g, unsigned n)
{
	unsigned have = 0;
	(void)pf_btf_tracepoint_arg(g->t->btf, g->t->prog, g->probe->name.name, n, NULL, &have);
	if (n < have)
		pf_asm_load(&g->a, 8, R0, R6, 8 * (int)n);
	else
		pf_asm_const(&g->a, R0, 0);
}

static int argument(struct pf_trace *t, struct pf_dprog *p, struct pf_probe *probe, unsigned n,
		    struct pf_dtype **ret_type, const char **ret_name, unsigned *ret_n)
{
	*ret_name = pf_btf_tracepoint_name(t->btf, probe->name.name, n);
	return pf_btf_tracepoint_arg(t->btf, p, probe->name.name, n, ret_type, ret_n);
}

static int attach(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	int fd = pf_bpf_raw_tracepoint(program->fd, program->probe->name.name);
	if (fd < 0)
		return pf_err_set(err, fd, "failed to attach to the raw tracepoint %s: %s", program->probe->name.name,
				  strerror(-fd));
	return pf_session_keep_fd(t, fd);
}

const struct pf_provider pf_provider_rawtp = {
	.name = "rawtp",
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.probe_stability = { PF_STABILITY_PRIVATE, PF_STABILITY_PRIVATE, PF_DEPENDS_ISA },
	.args_stability = { PF_STABILITY_PRIVATE, PF_STABILITY_PRIVATE, PF_DEPENDS_ISA },
	.demand = demand,
	.argument = argument,
	.arg = arg,
	.attach = attach,
};
