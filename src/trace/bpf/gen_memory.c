/* bpf/gen_memory.c - kernel memory: addresses of lvalues, reads that fault politely, copies into scratch. */
#include "trace/bpf/gen.h"

/* gen_index() - address of element args[1] of the array args[0]. */
static void gen_index(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	struct pf_dtype *array = pf_dtype_base(e->args[0]->type);
	uint64_t size = pf_gen_sizeof(e->type);
	pf_gen_address(g, e->args[0]);
	unsigned base = pf_gen_push(g);
	bool make = g->make_absent;
	g->make_absent = false;
	pf_gen_expr(g, e->args[1]);
	g->make_absent = make;
	if (array->kind == PF_DT_ARRAY && array->count) {
		pf_label inside = pf_asm_label(a);
		pf_asm_const(a, R1, array->count);
		pf_asm_jumpr(a, BPF_JLT, R0, R1, inside);
		pf_gen_fault(g, PF_FAULT_BOUNDS, R0);
		pf_asm_here(a, inside);
	}
	pf_asm_alui(a, BPF_MUL, R0, (int32_t)size);
	pf_gen_pop(g, base, R1);
	pf_asm_alu(a, BPF_ADD, R0, R1);
}

void pf_gen_address(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_place place;
	pf_label absent;
	switch (e->op) {
	case PF_DX_DEREF:
		pf_gen_expr(g, e->args[0]);
		break;
	case PF_DX_MEMBER:
		pf_gen_address(g, e->args[0]);
		if (e->bit_offset >= 8)
			pf_asm_alui(&g->a, BPF_ADD, R0, (int32_t)(e->bit_offset / 8));
		break;
	case PF_DX_INDEX:
		gen_index(g, e);
		break;
	case PF_DX_BUILTIN: /* args[] that is an array or a structure: its value is where it lies */
		pf_gen_builtin(g, e);
		break;
	case PF_DX_SYMBOL:
		pf_asm_const(&g->a, R0, e->symbol->address);
		break;
	case PF_DX_VAR: /* a structure in a variable: what is not there reads as zeros */
		absent = pf_asm_label(&g->a);
		pf_gen_place(g, e, &place);
		if (g->make_absent) {
			pf_gen_place_make(g, &place);
			break;
		}
		pf_gen_place_address(g, &place, absent);
		pf_label have = pf_asm_label(&g->a);
		pf_asm_jump(&g->a, have);
		pf_asm_here(&g->a, absent);
		pf_asm_map_value(&g->a, R0, PF_MAP_CONSTS, 0);
		pf_asm_here(&g->a, have);
		break;
	default:
		pf_gen_fail(g, e, "this expression has no address");
		break;
	}
}

/* check_read() - after a probe_read helper: fault unless it returned 0 or more. The address waits in spill slot @address. */
static void check_read(struct pf_gen *g, unsigned address)
{
	pf_label fine = pf_asm_label(&g->a);
	pf_asm_jumpi(&g->a, BPF_JSGE, R0, 0, fine);
	pf_gen_peek(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(&g->a, fine);
}

void pf_gen_read_word(struct pf_gen *g, unsigned size)
{
	struct pf_asm *a = &g->a;
	unsigned address = pf_gen_push(g);
	pf_asm_mov(a, R3, R0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	check_read(g, address);
	g->spilled--;
	pf_asm_load(a, size, R0, FP, FRAME_TMP);
}

/* string_byte() - s[i]. */
static void string_byte(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	struct pf_str s;
	pf_gen_expr(g, e->args[1]);
	unsigned index = pf_gen_push(g);
	pf_gen_string(g, e->args[0], &s);
	pf_gen_string_settle(g, &s);
	pf_gen_pop(g, index, R0);
	pf_label inside = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JLT, R0, (int32_t)g->t->strslot, inside);
	pf_gen_fault(g, PF_FAULT_BOUNDS, R0);
	pf_asm_here(a, inside);
	/* Beyond what the string's memory holds there is nothing but its end. */
	pf_label done = pf_asm_label(a);
	pf_label beyond = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JGT, R0, (int32_t)s.max, beyond);
	pf_gen_string_address(g, &s, R1);
	pf_asm_alu(a, BPF_ADD, R1, R0);
	pf_asm_load(a, 1, R0, R1, 0);
	pf_asm_jump(a, done);
	pf_asm_here(a, beyond);
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, done);
	pf_gen_extend(g, e->type);
}

void pf_gen_read(struct pf_gen *g, const struct pf_dexpr *e)
{
	if (e->op == PF_DX_INDEX && pf_gen_is_string(e->args[0])) {
		string_byte(g, e);
		return;
	}
	if (e->op == PF_DX_MEMBER && e->member->bits) {
		pf_gen_read_bits(g, e);
		return;
	}
	uint64_t size = pf_gen_sizeof(e->type);
	if (size != 1 && size != 2 && size != 4 && size != 8) {
		pf_gen_fail(g, e, "a value of %llu bytes is wanted as a number", (unsigned long long)size);
		return;
	}
	pf_gen_address(g, e);
	pf_gen_read_word(g, (unsigned)size);
	pf_gen_extend(g, e->type);
}

void pf_gen_copy(struct pf_gen *g, uint32_t off, uint32_t size)
{
	struct pf_asm *a = &g->a;
	unsigned address = pf_gen_push(g);
	pf_asm_mov(a, R3, R0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	check_read(g, address);
	g->spilled--;
}

void pf_gen_own_memory(struct pf_gen *g, uint32_t size)
{
	struct pf_asm *a = &g->a;
	pf_label fine = pf_asm_label(a);
	pf_label fault = pf_asm_label(a);
	int self = offsetof(struct pf_scratch_head, self);
	uint32_t first = g->t->scratch_own, end = g->t->scratch_base;
	pf_asm_store(a, 8, R7, self, R7); /* a pointer becomes a number on its way through memory */
	pf_asm_load(a, 8, R2, R7, self);
	pf_asm_mov(a, R3, R1);
	pf_asm_alu(a, BPF_SUB, R3, R2);
	if (first && end - first >= size) {
		pf_asm_jumpi(a, BPF_JLT, R3, (int32_t)first, fault);
		pf_asm_jumpi(a, BPF_JLE, R3, (int32_t)(end - size), fine);
	}
	pf_asm_here(a, fault);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(a, fine);
	pf_asm_mov(a, R1, R7);
	pf_asm_alu(a, BPF_ADD, R1, R3);
}
