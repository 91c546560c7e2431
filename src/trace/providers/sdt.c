/* providers/sdt.c - static tracepoints: sdt:GROUP::EVENT, args[] being the fields of the event's record as its format file tells them.
 *
 * There are two ways to attach. A tracepoint program sees the record; each takes a perf event whose detaching lasts tens of
 * milliseconds. Where no clause looks at arguments a raw tracepoint does the same for less, and hundreds of them can be used at once.
 * Source: Documentation/trace/events.rst of the kernel. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/gen.h"
#include "trace/bpf/load.h"
#include "trace/providers/tracefs.h"

static const struct pf_provider raw;

/* left_out() - groups that are no tracepoints, or that provider syscall has: one program serves them all there. */
static bool left_out(const char *group)
{
	return strcmp(group, "ftrace") == 0 || strcmp(group, "syscalls") == 0;
}

/* demand() - all of them, once, as soon as a description may mean one. */
static int demand(struct pf_trace *t, const struct pf_provider *self, const struct pf_ddesc *desc, struct pf_err *err)
{
	const struct pf_tracefs_name *names;
	if (t->sdt_listed || !pf_may_be_event(desc, self))
		return 0;
	int n = pf_tracefs_events(t, &names, err);
	if (n < 0)
		return strcmp(desc->provider, self->name) == 0 ? n : 0;
	t->sdt_listed = true;
	for (int i = 0; i < n; i++) {
		if (!left_out(names[i].group) &&
		    !pf_probe_add(&t->probes, self, names[i].group, "", names[i].name, 0, (unsigned)t->probes.n))
			return -ENOMEM;
	}
	return 0;
}

/* event_of() - the probe's record, read at the first question. */
static const struct pf_tracefs_event *event_of(struct pf_trace *t, struct pf_probe *probe, struct pf_err *err)
{
	struct pf_tracefs_event *event = NULL;
	if (!probe->host && pf_tracefs_event(t, probe->name.module, probe->name.name, &event, err) == 0)
		probe->host = event;
	return probe->host;
}

/* is_memory() - is the value of @f where it lies, not what is there? */
static bool is_memory(const struct pf_tracefs_field *f)
{
	return f->count || f->dynamic || (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8);
}

/* type_of() - the D type of a field; what the type's text does not tell, its size does. NULL without memory. */
static struct pf_dtype *type_of(struct pf_dprog *p, const struct pf_tracefs_field *f)
{
	struct pf_dtype *type = pf_dprog_type(p, pf_view_of(f->type));
	if (f->dynamic) {
		if (!type || pf_dtype_kind_of(type) == PF_DT_VOID)
			return p->types.voidp;
		return type == p->types.c ? p->types.string : pf_dtype_pointer(p, type);
	}
	if (!is_memory(f)) {
		bool fits = type && pf_dtype_is_scalar(type) && pf_dtype_base(type)->size == f->size;
		return fits ? type : pf_dtype_int(p, f->size, f->is_signed);
	}
	uint64_t size = type ? pf_dtype_base(type)->size : 0;
	if (!f->count && size == f->size)
		return type;
	if (!size || f->size % size) {
		type = p->types.uc;
		size = 1;
	}
	return pf_dtype_array(p, type, f->size / size);
}

static int argument(struct pf_trace *t, struct pf_dprog *p, struct pf_probe *probe, unsigned n,
		    struct pf_dtype **ret_type, const char **ret_name, unsigned *ret_n)
{
	const struct pf_tracefs_event *event = event_of(t, probe, NULL);
	if (!event)
		return -ENOENT;
	*ret_n = (unsigned)event->n_fields;
	if (n >= event->n_fields)
		return -ERANGE;
	*ret_name = event->fields[n].name;
	*ret_type = type_of(p, &event->fields[n]);
	return *ret_type ? 0 : -ENOMEM;
}

/* record_address() - where the record lies, into @reg, as a number that may be reckoned with. */
static void record_address(struct pf_gen *g, int reg)
{
	int off = offsetof(struct pf_scratch_head, context);
	pf_asm_store(&g->a, 8, R7, off, R6);
	pf_asm_load(&g->a, 8, reg, R7, off);
}

static void arg(struct pf_gen *g, unsigned n)
{
	struct pf_asm *a = &g->a;
	const struct pf_tracefs_event *event = g->probe->host;
	const struct pf_tracefs_field *f = event && n < event->n_fields ? &event->fields[n] : NULL;
	if (!f) {
		pf_asm_const(a, R0, 0);
	} else if (f->dynamic) {
		pf_asm_load(a, 4, R0, R6, (int)f->offset);
		pf_asm_alui(a, BPF_AND, R0, 0xffff);
		record_address(g, R1);
		pf_asm_alu(a, BPF_ADD, R0, R1);
	} else if (is_memory(f)) {
		record_address(g, R0);
		pf_asm_alui(a, BPF_ADD, R0, (int32_t)f->offset);
	} else if (f->offset % f->size) { /* which the kernel lets nobody load at once */
		pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
		record_address(g, R3);
		pf_asm_alui(a, BPF_ADD, R3, (int32_t)f->offset);
		pf_asm_mov(a, R1, FP);
		pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
		pf_asm_const(a, R2, f->size);
		pf_asm_call(a, BPF_FUNC_probe_read_kernel);
		pf_asm_load(a, f->size, R0, FP, FRAME_TMP);
		pf_asm_extend(a, R0, f->size, f->is_signed);
	} else {
		pf_asm_load(a, f->size, R0, R6, (int)f->offset);
		if (f->size < 8)
			pf_asm_extend(a, R0, f->size, f->is_signed);
	}
}

/* settle() - a raw tracepoint, if nobody wants the record and there is one of that name. */
static int settle(struct pf_trace *t, struct pf_probe *probe, bool uses_args, struct pf_err *err)
{
	struct pf_err unseen = { 0 };
	if (!uses_args && (t->btf || pf_btf_open(&t->btf, &unseen) == 0) &&
	    pf_btf_has_tracepoint(t->btf, probe->name.name)) {
		probe->provider = &raw;
		return 0;
	}
	return event_of(t, probe, err) ? 0 : -ENOENT;
}

static int attach_record(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	const struct pf_tracefs_event *event = program->probe->host;
	/* One event on any processor serves all of them. */
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = event->id, .sample_period = 1 };
	int fd = pf_perf_open(&attr, -1, 0);
	int rc = fd < 0 ? fd : pf_perf_attach(fd, program->fd);
	if (rc < 0) {
		if (fd >= 0)
			(void)close(fd);
		return pf_err_set(err, rc, "failed to attach to the tracepoint %s:%s: %s", program->probe->name.module,
				  program->probe->name.name, strerror(-rc));
	}
	return pf_session_keep_fd(t, fd);
}

static int attach_raw(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	int fd = pf_bpf_raw_tracepoint(program->fd, program->probe->name.name);
	if (fd < 0)
		return pf_err_set(err, fd, "failed to attach to the raw tracepoint %s: %s", program->probe->name.name,
				  strerror(-fd));
	return pf_session_keep_fd(t, fd);
}

static void no_arg(struct pf_gen *g, unsigned n)
{
	(void)n;
	pf_asm_const(&g->a, R0, 0);
}

#define STABILITY                                                                                                      \
	.probe_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_ISA },                           \
	.args_stability = { PF_STABILITY_PRIVATE, PF_STABILITY_PRIVATE, PF_DEPENDS_ISA }

static const struct pf_provider raw = {
	.name = "sdt",
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	STABILITY,
	.argument = argument,
	.arg = no_arg,
	.attach = attach_raw,
};

const struct pf_provider pf_provider_sdt = {
	.name = "sdt",
	.type = BPF_PROG_TYPE_TRACEPOINT,
	STABILITY,
	.demand = demand,
	.settle = settle,
	.argument = argument,
	.arg = arg,
	.attach = attach_record,
};
