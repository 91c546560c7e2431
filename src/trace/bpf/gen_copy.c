/* bpf/gen_copy.c - memory that lives as long as a clause: alloca(), copyin(), and copies into it.
 *
 * It lies in scratch memory; a pointer to it is a plain number, and what reads through it reads kernel memory like any other. */
#include "trace/bpf/gen.h"

/* number() - the pointer R1 as a number in R0: it becomes one on its way through memory. */
static void number(struct pf_gen *g)
{
	int self = offsetof(struct pf_scratch_head, self);
	pf_asm_store(&g->a, 8, R7, self, R1);
	pf_asm_load(&g->a, 8, R0, R7, self);
}

/* checked() - after a helper that read from the address in spill slot @address: fault unless R0 >= 0. */
static void checked(struct pf_gen *g, unsigned address)
{
	pf_label fine = pf_asm_label(&g->a);
	pf_asm_jumpi(&g->a, BPF_JSGE, R0, 0, fine);
	pf_gen_peek(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(&g->a, fine);
}

/* gen_alloca() - the next bytes of a room of option scratchsize, which starts anew with every clause; zeroed. */
static void gen_alloca(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	int used = offsetof(struct pf_scratch_head, used);
	int64_t most = g->t->options.value[PF_OPT_SCRATCHSIZE];
	if (most > SCRATCH_LIMIT / 4 || most > g->t->zeros) {
		pf_gen_fail(g, e, "alloca( ) with a scratchsize of %lld bytes; the limit is %u", (long long)most,
			    g->t->zeros < SCRATCH_LIMIT / 4 ? g->t->zeros : (unsigned)SCRATCH_LIMIT / 4);
		return;
	}
	uint32_t size = pf_round8((uint64_t)most);
	if (!g->t->scratch_alloca) /* twice as much: the verifier adds the largest start and the largest size */
		g->t->scratch_alloca = pf_gen_keep(g, 2 * size);
	pf_label fault = pf_asm_label(a);
	pf_label fine = pf_asm_label(a);
	pf_gen_expr(g, e->args[0]);
	pf_asm_mov(a, R2, R0);
	pf_asm_load(a, 8, R3, R7, used);
	pf_asm_jumpi(a, BPF_JGT, R2, (int32_t)size, fault);
	pf_asm_jumpi(a, BPF_JGT, R3, (int32_t)size, fault);
	pf_asm_mov(a, R4, R2);
	pf_asm_alu(a, BPF_ADD, R4, R3);
	pf_asm_alui(a, BPF_ADD, R4, 7);
	pf_asm_alui(a, BPF_AND, R4, ~7);
	pf_asm_jumpi(a, BPF_JLE, R4, (int32_t)size, fine);
	pf_asm_here(a, fault);
	pf_gen_fault(g, PF_FAULT_SCRATCH, -1);
	pf_asm_here(a, fine);
	pf_asm_store(a, 8, R7, used, R4);
	pf_gen_scratch_address(g, R1, g->t->scratch_alloca);
	pf_asm_alu(a, BPF_ADD, R1, R3);
	pf_asm_store(a, 8, FP, FRAME_TMP, R1);
	pf_asm_map_value(a, R3, PF_MAP_CONSTS, 0);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, 8, R1, FP, FRAME_TMP);
	number(g);
}

static void gen_copyin(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	const struct pf_dexpr *size = e->args[1];
	int64_t room = size->op == PF_DX_INT ? size->value : g->t->options.value[PF_OPT_SCRATCHSIZE];
	if (room < 1 || room > SCRATCH_LIMIT / 2) {
		pf_gen_fail(g, e, "copyin( ) of %lld bytes; the limit is %d", (long long)room, SCRATCH_LIMIT / 2);
		return;
	}
	uint32_t off = pf_gen_keep(g, (uint32_t)room);
	pf_label fits = pf_asm_label(a);
	pf_gen_expr(g, e->args[0]);
	unsigned address = pf_gen_push(g);
	pf_gen_expr(g, size);
	pf_asm_mov(a, R2, R0);
	pf_asm_jumpi(a, BPF_JLE, R2, (int32_t)room, fits);
	pf_gen_fault(g, PF_FAULT_SCRATCH, -1);
	pf_asm_here(a, fits);
	pf_gen_scratch_address(g, R1, off);
	pf_gen_peek(g, address, R3);
	pf_asm_call(a, BPF_FUNC_probe_read_user);
	checked(g, address);
	g->spilled--;
	pf_gen_scratch_address(g, R1, off);
	number(g);
}

/* gen_copy() - bcopy(from, to, size) and copyinto(from, size, to); @to must be memory of ours, with room for so much. */
static void gen_copy(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	bool user = e->func->id == PF_DF_COPYINTO;
	uint32_t first = g->t->scratch_own;
	pf_label fault = pf_asm_label(a);
	pf_label fine = pf_asm_label(a);
	pf_gen_expr(g, e->args[0]);
	unsigned from = pf_gen_push(g);
	pf_gen_expr(g, e->args[user ? 2 : 1]);
	unsigned to = pf_gen_push(g);
	pf_gen_expr(g, e->args[user ? 1 : 2]);
	first = g->t->scratch_own ? g->t->scratch_own : first;
	uint32_t end = g->t->scratch_base;
	pf_asm_mov(a, R2, R0);
	pf_asm_mov(a, R1, R7);
	number(g);
	pf_gen_peek(g, to, R3);
	pf_asm_alu(a, BPF_SUB, R3, R0);
	if (first) {
		uint32_t room = end - first;
		pf_asm_jumpi(a, BPF_JGT, R2, (int32_t)room, fault);
		pf_asm_jumpi(a, BPF_JLT, R3, (int32_t)first, fault);
		pf_asm_jumpi(a, BPF_JGT, R3, (int32_t)end, fault);
		pf_asm_mov(a, R4, R3);
		pf_asm_alu(a, BPF_ADD, R4, R2);
		pf_asm_jumpi(a, BPF_JLE, R4, (int32_t)end, fine);
		if (g->t->scratch_size < end + room) /* the verifier adds the largest place and the largest size */
			g->t->scratch_size = end + room;
		if (end + room > SCRATCH_LIMIT)
			pf_gen_fail(g, e, "%s( ): too much scratch memory in use; a smaller scratchsize helps",
				    e->func->name);
	}
	pf_asm_here(a, fault);
	pf_gen_peek(g, to, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(a, fine);
	pf_asm_mov(a, R1, R7);
	pf_asm_alu(a, BPF_ADD, R1, R3);
	pf_gen_peek(g, from, R3);
	pf_asm_call(a, user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel);
	checked(g, from);
	g->spilled -= 2;
}

void pf_gen_memory_call(struct pf_gen *g, const struct pf_dexpr *e)
{
	switch (e->func->id) {
	case PF_DF_ALLOCA:
		gen_alloca(g, e);
		break;
	case PF_DF_COPYIN:
		gen_copyin(g, e);
		break;
	default:
		gen_copy(g, e);
		break;
	}
}
