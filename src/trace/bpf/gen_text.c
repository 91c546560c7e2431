/* bpf/gen_text.c - subroutines that make strings. */
#include "trace/bpf/gen.h"

/* checked() - after a probe_read helper on the address in spill slot @address: fault unless R0 >= 0. */
static void checked(struct pf_gen *g, unsigned address)
{
	pf_label fine = pf_asm_label(&g->a);
	pf_asm_jumpi(&g->a, BPF_JSGE, R0, 0, fine);
	pf_gen_peek(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(&g->a, fine);
}

/* bounded() - let the verifier know that R0 is at most @most. */
static void bounded(struct pf_gen *g, uint32_t most)
{
	pf_label fine = pf_asm_label(&g->a);
	pf_asm_jumpi(&g->a, BPF_JLE, R0, (int32_t)most, fine);
	pf_asm_const(&g->a, R0, most);
	pf_asm_here(&g->a, fine);
}

/* gen_copyinstr() - text of the current process, which may be paged out: then it is a fault. */
static void gen_copyinstr(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	pf_gen_expr(g, e->args[0]);
	unsigned address = pf_gen_push(g);
	if (e->n_args > 1)
		pf_gen_expr(g, e->args[1]);
	else
		pf_asm_const(a, R0, max);
	bounded(g, max);
	pf_asm_mov(a, R2, R0);
	pf_asm_alui(a, BPF_ADD, R2, 1);
	pf_gen_peek(g, address, R3);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_call(a, BPF_FUNC_probe_read_user_str);
	checked(g, address);
	g->spilled--;
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

static void gen_strjoin(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	struct pf_str left, right;
	uint32_t limit = (uint32_t)g->t->options.value[PF_OPT_STRSIZE];
	pf_gen_string(g, e->args[0], &left);
	pf_gen_string_settle(g, &left);
	pf_gen_string(g, e->args[1], &right);
	pf_gen_string_settle(g, &right);
	uint32_t off = pf_gen_scratch(g, pf_round8(left.max + right.max + 2));
	pf_gen_string_address(g, &left, R3);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, left.max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_alui(a, BPF_SUB, R0, 1);
	bounded(g, left.max);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_alu(a, BPF_ADD, R1, R0);
	pf_gen_string_address(g, &right, R3);
	pf_asm_const(a, R2, right.max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	uint32_t max = left.max + right.max;
	if (max > limit) {
		pf_asm_storei(a, 1, R7, (int)(off + limit), 0);
		max = limit;
	}
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

/* substr_range() - from R0 = length, spilled index and count: R0 = first character, R1 = how many, both in range. */
static void substr_range(struct pf_gen *g, unsigned index, int count, uint32_t max)
{
	struct pf_asm *a = &g->a;
	pf_label from_start = pf_asm_label(a);
	pf_label clipped = pf_asm_label(a);
	pf_label counted = pf_asm_label(a);
	pf_label empty = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_peek(g, index, R2); /* R0 length, R2 first, R3 count */
	if (count >= 0)
		pf_gen_peek(g, (unsigned)count, R3);
	else
		pf_asm_const(a, R3, max);
	pf_asm_jumpi(a, BPF_JSGE, R2, 0, from_start);
	pf_asm_alu(a, BPF_ADD, R2, R0); /* from the end */
	pf_asm_jumpi(a, BPF_JSGE, R2, 0, from_start);
	pf_asm_jumpi(a, BPF_JSLT, R3, 0, clipped); /* before the start: that much less */
	pf_asm_alu(a, BPF_ADD, R3, R2);
	pf_asm_jumpi(a, BPF_JSLT, R3, 0, empty);
	pf_asm_here(a, clipped);
	pf_asm_const(a, R2, 0);
	pf_asm_here(a, from_start);
	pf_asm_jumpr(a, BPF_JGE, R2, R0, empty);
	pf_asm_jumpi(a, BPF_JSGE, R3, 0, counted);
	pf_asm_alu(a, BPF_ADD, R3, R0); /* up to so many before the end */
	pf_asm_alu(a, BPF_SUB, R3, R2);
	pf_asm_jumpi(a, BPF_JSLT, R3, 0, empty);
	pf_asm_here(a, counted);
	pf_asm_mov(a, R1, R3);
	pf_asm_mov(a, R0, R2);
	pf_asm_jump(a, done);
	pf_asm_here(a, empty);
	pf_asm_const(a, R0, 0);
	pf_asm_const(a, R1, 0);
	pf_asm_here(a, done);
}

static void gen_substr(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	struct pf_str from;
	pf_gen_expr(g, e->args[1]);
	unsigned index = pf_gen_push(g);
	int count = -1;
	if (e->n_args > 2) {
		pf_gen_expr(g, e->args[2]);
		count = (int)pf_gen_push(g);
	}
	pf_gen_string(g, e->args[0], &from);
	pf_gen_string_settle(g, &from);
	uint32_t off = pf_gen_scratch(g, pf_round8(from.max + 1));
	pf_gen_string_address(g, &from, R3);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, from.max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_alui(a, BPF_SUB, R0, 1);
	substr_range(g, index, count, from.max);
	/* R0 first, R1 count: copy count characters and a NUL. */
	pf_label fits = pf_asm_label(a);
	bounded(g, from.max);
	pf_asm_jumpi(a, BPF_JLE, R1, (int32_t)from.max, fits);
	pf_asm_const(a, R1, from.max);
	pf_asm_here(a, fits);
	pf_asm_mov(a, R2, R1);
	pf_asm_alui(a, BPF_ADD, R2, 1);
	pf_gen_string_address(g, &(struct pf_str){ from.kind, from.off, 0 }, R3);
	pf_asm_alu(a, BPF_ADD, R3, R0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	g->spilled -= count >= 0 ? 2 : 1;
	*s = (struct pf_str){ STR_SCRATCH, off, from.max };
}

/* gen_case() - toupper(), tolower(): every byte, up to the end. */
static void gen_case(struct pf_gen *g, const struct pf_dexpr *e, bool upper, struct pf_str *s)
{
	struct pf_asm *a = &g->a;
	uint32_t max = pf_plan_text_max(g->t, e);
	uint32_t off = pf_gen_scratch(g, pf_round8(max + 1));
	pf_gen_string_to(g, e->args[0], off, max + 1, false);
	pf_label again = pf_asm_label(a);
	pf_label keep = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R5, max + 1);
	pf_asm_here(a, again);
	pf_asm_load(a, 1, R2, R1, 0);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, done);
	pf_asm_jumpi(a, BPF_JLT, R2, upper ? 'a' : 'A', keep);
	pf_asm_jumpi(a, BPF_JGT, R2, upper ? 'z' : 'Z', keep);
	pf_asm_alui(a, BPF_XOR, R2, 0x20);
	pf_asm_store(a, 1, R1, 0, R2);
	pf_asm_here(a, keep);
	pf_gen_checkpoint(g);
	pf_asm_alui(a, BPF_ADD, R1, 1);
	pf_asm_alui(a, BPF_SUB, R5, 1);
	pf_asm_jumpi(a, BPF_JNE, R5, 0, again);
	pf_asm_here(a, done);
	pf_gen_checkpoint(g);
	*s = (struct pf_str){ STR_SCRATCH, off, max };
}

void pf_gen_call_string(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *s)
{
	switch (e->func->id) {
	case PF_DF_COPYINSTR:
		gen_copyinstr(g, e, s);
		break;
	case PF_DF_STRJOIN:
		gen_strjoin(g, e, s);
		break;
	case PF_DF_LLTOSTR:
		pf_gen_lltostr(g, e, s);
		break;
	case PF_DF_SUBSTR:
		gen_substr(g, e, s);
		break;
	case PF_DF_TOUPPER:
	case PF_DF_TOLOWER:
		gen_case(g, e, e->func->id == PF_DF_TOUPPER, s);
		break;
	case PF_DF_STRCHR:
	case PF_DF_STRRCHR:
	case PF_DF_STRSTR:
		pf_gen_find(g, e, s);
		break;
	case PF_DF_D_PATH:
		pf_gen_path(g, e, s);
		break;
	case PF_DF_CLEANPATH:
		pf_gen_cleanpath(g, e, s);
		break;
	case PF_DF_STRTOK:
		pf_gen_strtok(g, e, s);
		break;
	case PF_DF_INET_NTOA:
	case PF_DF_INET_NTOA6:
	case PF_DF_INET_NTOP:
	case PF_DF_LINK_NTOP:
		pf_gen_network(g, e, s);
		break;
	case PF_DF_BASENAME:
	case PF_DF_DIRNAME:
		pf_gen_path_part(g, e, s);
		break;
	default:
		pf_gen_fail(g, e, "%s( ) is not supported yet", e->func->name);
		break;
	}
}
