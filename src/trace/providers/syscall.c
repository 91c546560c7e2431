/* providers/syscall.c - system calls: one raw tracepoint for all entries, one for all returns, and a table by number. Two programs
 * instead of hundreds of tracepoints, which take seconds to detach. Source: include/trace/events/syscalls.h of the kernel. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "trace/bpf/gen.h"
#include "trace/bpf/load.h"

enum { ENTRY, RETURN };

static const struct {
	const char *name;
	int16_t x86_64, arm64;
	const char *args;
} calls[] = {
#include "trace/providers/syscall_table.inc"
};

/* Where things are in the registers that the kernel saved (struct pt_regs). */
#if defined(__x86_64__)
enum { REG_NUMBER = 120 };
static const int reg_args[6] = { 112, 104, 96, 56, 72, 64 };
#define NUMBER_OF(call) ((call).x86_64)
#else
enum { REG_NUMBER = 280 };
static const int reg_args[6] = { 272, 8, 16, 24, 32, 40 }; /* the first survives as orig_x0 */
#define NUMBER_OF(call) ((call).arm64)
#endif

static int list(struct pf_probes *all, const struct pf_provider *self)
{
	for (size_t i = 0; i < PF_N(calls); i++) {
		if (NUMBER_OF(calls[i]) < 0)
			continue;
		if (!pf_probe_add(all, self, "vmlinux", calls[i].name, "entry", NUMBER_OF(calls[i]), ENTRY) ||
		    !pf_probe_add(all, self, "vmlinux", calls[i].name, "return", NUMBER_OF(calls[i]), RETURN))
			return -ENOMEM;
	}
	return 0;
}

/* argument() - of an entry, as the call declares it: pointers are the process's own; of a return, the result. */
static int argument(struct pf_trace *t, struct pf_dprog *p, struct pf_probe *probe, unsigned n,
		    struct pf_dtype **ret_type, const char **ret_name, unsigned *ret_n)
{
	const char *text = "long result";
	for (size_t i = 0; probe->slot == ENTRY && i < PF_N(calls); i++) {
		if (NUMBER_OF(calls[i]) == probe->number)
			text = calls[i].args;
	}
	return pf_args_of_text(t, p, text, n, ret_type, ret_name, ret_n);
}

/* read_register() - one saved register; the pointer to them is word 0 of the context. */
static void read_register(struct pf_gen *g, int off, unsigned size)
{
	struct pf_asm *a = &g->a;
	pf_asm_load(a, 8, R3, R6, 0);
	pf_asm_alui(a, BPF_ADD, R3, off);
	pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, size, R0, FP, FRAME_TMP);
}

/* number() - sys_enter has it as its second argument; sys_exit has the result there, the number is among the registers. */
static void number(struct pf_gen *g)
{
	if (g->probe->slot == ENTRY)
		pf_asm_load(&g->a, 8, R0, R6, 8);
	else
		read_register(g, REG_NUMBER, 4);
}

static void arg(struct pf_gen *g, unsigned n)
{
	if (g->probe->slot == ENTRY && n < 6)
		read_register(g, reg_args[n], 8);
	else if (g->probe->slot == RETURN && n < 2)
		pf_asm_load(&g->a, 8, R0, R6, 8);
	else
		pf_asm_const(&g->a, R0, 0);
}

static int attach(struct pf_trace *t, struct pf_program *program, struct pf_err *err)
{
	const char *event = program->slot == ENTRY ? "sys_enter" : "sys_exit";
	int fd = pf_bpf_raw_tracepoint(program->fd, event);
	if (fd < 0)
		return pf_err_set(err, fd, "failed to attach to the raw tracepoint %s: %s", event, strerror(-fd));
	return pf_session_keep_fd(t, fd);
}

const struct pf_provider pf_provider_syscall = {
	.name = "syscall",
	.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.table = true,
	.syscall_return = true,
	.probe_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.args_stability = { PF_STABILITY_EVOLVING, PF_STABILITY_EVOLVING, PF_DEPENDS_COMMON },
	.list = list,
	.argument = argument,
	.number = number,
	.arg = arg,
	.attach = attach,
};
