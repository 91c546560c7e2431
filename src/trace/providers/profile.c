/* providers/profile.c - time: profile-N fires on every CPU, tick-N on one. Both exist for any period that is asked for.
 * profile is a CPU clock event on each CPU; tick is fired by the tracer's own timer, which costs nothing to attach or detach, unless
 * a clause looks at its arguments: then it is a CPU clock event on one. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/view.h"
#include "trace/bpf/gen.h"
#include "trace/bpf/load.h"

enum { SHORTEST_NS = 200000 };

static const struct {
	const char *unit;
	int64_t ns; /* 0: per second */
} units[] = {
	{ "", 0 },
	{ "hz", 0 },
	{ "ns", 1 },
	{ "nsec", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", 1000000000 },
	{ "sec", 1000000000 },
	{ "m", INT64_C(60) * 1000000000 },
	{ "min", INT64_C(60) * 1000000000 },
	{ "h", INT64_C(3600) * 1000000000 },
	{ "hour", INT64_C(3600) * 1000000000 },
	{ "d", INT64_C(86400) * 1000000000 },
	{ "day", INT64_C(86400) * 1000000000 },
};

/* period_of() - ns between firings of "N" with a unit; -EINVAL: not such a name, -ERANGE: too often. */
static int period_of(const char *text, int64_t *ret_ns)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t n;
	if (pf_view_u64((struct pf_view){ text, digits }, &n) < 0 || n == 0 || n > INT64_MAX)
		return -EINVAL;
	for (size_t i = 0; i < PF_N(units); i++) {
		if (strcasecmp(text + digits, units[i].unit) != 0)
			continue;
		int64_t ns;
		if (!units[i].ns)
			ns = 1000000000 / (int64_t)n;
		else if (__builtin_mul_overflow((int64_t)n, units[i].ns, &ns))
			return -EINVAL;
		if (ns < SHORTEST_NS)
			return -ERANGE;
		*ret_ns = ns;
		return 0;
	}
	return -EINVAL;
}

static int add(struct pf_probes *all, const struct pf_provider *self, const char *name)
{
	const char *dash = strchr(name, '-');
	int64_t ns;
	int rc = dash ? period_of(dash + 1, &ns) : -EINVAL;
	if (rc < 0)
		return rc;
	char *copy = pf_arena_dup(&all->arena, pf_view_of(name));
	if (!copy || !pf_probe_add(all, self, "", "", copy, ns, (unsigned)all->n))
		return -ENOMEM;
	return 0;
}

static int list_names(struct pf_probes *all, const struct pf_provider *self, const char *const *names)
{
	for (; *names; names++) {
		int rc = add(all, self, *names);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int list_profile(struct pf_probes *all, const struct pf_provider *self)
{
	static const char *const names[] = { "profile-97",   "profile-199",  "profile-499",  "profile-997",
					     "profile-1999", "profile-4001", "profile-4999", NULL };
	return list_names(all, self, names);
}

static int list_tick(struct pf_probes *all, const struct pf_provider *self)
{
	static const char *const names[] = {
		"tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000", NULL
	};
	return list_names(all, self, names);
}

/* demand() - the name of @desc, if it is one of ours without a pattern in it. */
static int demand(struct pf_trace *t, const struct pf_provider *self, const struct pf_ddesc *desc, struct pf_err *err)
{
	const char *prefix = self == &pf_provider_tick ? "tick-" : "profile-";
	if (strncmp(desc->name, prefix, strlen(prefix)) != 0 || !pf_glob(desc->provider, self->name) || *desc->module ||
	    *desc->function || pf_probe_find(&t->probes, self, "", "", desc->name))
		return 0;
	int rc = add(&t->probes, self, desc->name);
	if (rc == -ERANGE)
		return pf_err_set(err, -EINVAL, "%s: probes cannot fire more often than every 200 us", desc->name);
	return rc == -EINVAL ? 0 : rc;
}

/* arg_profile() - arg0: program counter in the kernel, arg1: in the program, whichever was interrupted; the other is 0. */
static void arg_profile(struct pf_gen *g, unsigned n)
{
#if defined(__x86_64__)
	enum { PC = 128 };
#else
	enum { PC = 256 };
#endif
	struct pf_asm *a = &g->a;
	pf_label done = pf_asm_label(a);
	if (n > 1) {
		pf_asm_const(a, R0, 0);
	} else {
		pf_asm_load(a, 8, R0, R6, PC);
		pf_asm_jumpi(a, n == 0 ? BPF_JSLT : BPF_JSGE, R0, 0, done);
		pf_asm_const(a, R0, 0);
	}
	pf_asm_here(a, done);
}

static int argument(struct pf_trace *t, struct pf_dprog *p, struct pf_probe *probe, unsigned n,
		    struct pf_dtype **ret_type, const char **ret_name, unsigned *ret_n)
{
	(void)probe;
	return pf_args_of_text(t, p, "uintptr_t kernel_pc, uintptr_t user_pc", n, ret_type, ret_name, ret_n);
}

static void arg_tick(struct pf_gen *g, unsigned n)
{
	(void)n;
	pf_asm_const(&g->a, R0, 0);
}

/* keep_clock() - a CPU clock that fires @program. */
static int keep_clock(struct pf_trace *t, struct pf_program *program, int cpu, struct pf_err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = (uint64_t)program->probe->number,
	};
	int fd = pf_perf_open(&attr, -1, cpu);
	if (fd == -ENODEV) /* offline */
		return 0;
	int rc = fd < 0 ? fd : pf_perf_attach(fd, program->fd);
	if (rc < 0) {
		if (fd >= 0)
			(void)close(fd);
		return pf_err_set(err, rc, "%s: the kernel refuses a CPU clock on CPU %d: %s",
				  program->probe->name.name, cpu, strerror(-rc));
	}
	rc = pf_session_keep_fd(t, fd);
	return rc < 0 ? rc : 1;
}

/* attach_clocks() - on every CPU, or on the first that takes one. */
static int attach_clocks(struct pf_trace *t, struct pf_program *program, bool every, struct pf_err *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int64_t only = t->options.value[PF_OPT_CPU];
	unsigned attached = 0;
	for (int cpu = 0; cpu < cpus && (every || !attached); cpu++) {
		int rc = only >= 0 && only != cpu ? 0 : keep_clock(t, program, cpu, err);
		if (rc < 0)
			return rc;
		attached += (unsigned)rc;
	}
	return attached ? 0 : pf_err_set(err, -ENODEV, "%s: no such CPU", program->probe->name.name);
}

static int attach_profile(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	return attach_clocks(t, program, true, err);
}

static int attach_clock(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	return attach_clocks(t, program, false, err);
}

/* A tick that wants to know what it interrupts. */
static const struct pf_provider tick_clock = {
	.name = "profile",
	.type = BPF_PROG_TYPE_PERF_EVENT,
	.probe_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.args_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.argument = argument,
	.arg = arg_profile,
	.attach = attach_clock,
};

static int settle_tick(struct pf_trace *t, struct pf_probe *probe, bool uses_args, struct pf_err *err)
{
	(void)t;
	(void)err;
	if (uses_args)
		probe->provider = &tick_clock;
	return 0;
}

static int attach_tick(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	(void)err;
	return pf_session_add_tick(t, program, program->probe->number);
}

const struct pf_provider pf_provider_profile = {
	.name = "profile",
	.type = BPF_PROG_TYPE_PERF_EVENT,
	.probe_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.args_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.list = list_profile,
	.argument = argument,
	.demand = demand,
	.arg = arg_profile,
	.attach = attach_profile,
};

const struct pf_provider pf_provider_tick = {
	.name = "profile",
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.probe_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.args_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.list = list_tick,
	.settle = settle_tick,
	.argument = argument,
	.demand = demand,
	.arg = arg_tick,
	.attach = attach_tick,
};
