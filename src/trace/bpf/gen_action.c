/* bpf/gen_action.c - actions: what goes into the record, and the few that act in the kernel. */
#include "trace/bpf/gen.h"

/* The helper that takes a stack depends on the kind of program only inside the kernel; its number is the same. */
enum { STACK_USER = 1 << 8 };

/* gen_stack() - return addresses with their length in front, to scratch at @off. */
static void gen_stack(struct pf_gen *g, const struct pf_field *f, uint32_t off)
{
	struct pf_asm *a = &g->a;
	bool user = f->kind == PF_FIELD_USTACK;
	uint32_t head = user ? 16 : 8;
	pf_label fine = pf_asm_label(a);
	if (user) {
		pf_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		pf_asm_alui(a, BPF_RSH, R0, 32);
		pf_asm_store(a, 8, R7, (int)off, R0);
	}
	pf_asm_mov(a, R1, R6);
	pf_gen_scratch_address(g, R2, off + head);
	pf_asm_const(a, R3, f->size - head);
	/* From inside a raw tracepoint the first frame of the kernel is this very program. */
	pf_asm_const(a, R4, user ? STACK_USER : g->provider->type == BPF_PROG_TYPE_RAW_TRACEPOINT);
	pf_asm_call(a, BPF_FUNC_get_stack);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, fine);
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, fine);
	pf_asm_store(a, 8, R7, (int)(off + head - 8), R0);
}

/* gen_bytes() - a structure or array as it lies in memory. */
static void gen_bytes(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off, bool pad)
{
	uint32_t size = (uint32_t)pf_gen_sizeof(e->type);
	if (pad)
		pf_gen_zero(g, off, pf_round8(size));
	pf_gen_address(g, e);
	pf_gen_copy(g, off, size);
}

/* gen_chars() - a char array as text. */
static void gen_chars(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off, uint32_t size, bool pad)
{
	struct pf_asm *a = &g->a;
	pf_label fine = pf_asm_label(a);
	if (pad)
		pf_gen_zero(g, off, pf_round8(size));
	pf_gen_address(g, e);
	unsigned address = pf_gen_push(g);
	pf_asm_mov(a, R3, R0);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, fine);
	pf_gen_pop(g, address, R1);
	pf_gen_fault(g, PF_FAULT_ADDRESS, R1);
	pf_asm_here(a, fine);
}

void pf_gen_field(struct pf_gen *g, const struct pf_dexpr *e, const struct pf_field *f, uint32_t base, bool pad)
{
	struct pf_asm *a = &g->a;
	uint32_t off = base + f->off;
	if (g->rc < 0)
		return;
	switch (f->kind) {
	case PF_FIELD_INT:
		pf_gen_expr(g, e);
		pf_asm_store(a, 8, R7, (int)off, R0);
		break;
	case PF_FIELD_TEXT:
		if (pf_gen_is_string(e))
			pf_gen_string_to(g, e, off, f->size, pad);
		else
			gen_chars(g, e, off, (uint32_t)pf_gen_sizeof(e->type) + 1, pad);
		break;
	case PF_FIELD_BYTES:
		gen_bytes(g, e, off, pad);
		break;
	case PF_FIELD_STACK:
	case PF_FIELD_USTACK:
		if (pad)
			pf_gen_zero(g, off, f->size);
		gen_stack(g, f, off);
		break;
	case PF_FIELD_SYM:
	case PF_FIELD_MOD:
		pf_gen_expr(g, e->args[0]);
		pf_asm_store(a, 8, R7, (int)off, R0);
		break;
	case PF_FIELD_USYM:
	case PF_FIELD_UADDR:
	case PF_FIELD_UMOD:
		pf_gen_expr(g, e->args[0]);
		pf_asm_store(a, 8, R7, (int)off + 8, R0);
		pf_asm_call(a, BPF_FUNC_get_current_pid_tgid);
		pf_asm_alui(a, BPF_RSH, R0, 32);
		pf_asm_store(a, 8, R7, (int)off, R0);
		break;
	}
}

/* gen_exit() - the first status counts; data probes fall silent. */
static void gen_exit(struct pf_gen *g, const struct pf_dexpr *call)
{
	struct pf_asm *a = &g->a;
	pf_label already = pf_asm_label(a);
	pf_gen_expr(g, call->args[0]);
	pf_asm_map_value(a, R1, PF_MAP_STATE, 0);
	pf_asm_load(a, 4, R2, R1, offsetof(struct pf_state, exited));
	pf_asm_jumpi(a, BPF_JNE, R2, 0, already);
	pf_asm_store(a, 8, R1, offsetof(struct pf_state, exit_status), R0);
	pf_asm_storei(a, 4, R1, offsetof(struct pf_state, exited), 1);
	pf_asm_storei(a, 4, R1, offsetof(struct pf_state, active), 0);
	pf_asm_here(a, already);
}

/* gen_spec_id() - id into R0; faults if there can be no such buffer, goes to the next clause if it is not in use. R1: where its turn is
 * kept, R2: its turn. */
static void gen_spec_id(struct pf_gen *g, const struct pf_dexpr *call)
{
	struct pf_asm *a = &g->a;
	pf_label legal = pf_asm_label(a);
	int64_t nspec = g->t->options.value[PF_OPT_NSPEC];
	pf_gen_expr(g, call->args[0]);
	pf_asm_jumpi(a, BPF_JLE, R0, (int32_t)(nspec < 63 ? nspec : 63), legal);
	pf_gen_fault(g, PF_FAULT_ILLEGAL, -1);
	pf_asm_here(a, legal);
	pf_asm_mov(a, R2, R0);
	pf_asm_alui(a, BPF_LSH, R2, 2);
	pf_asm_map_value(a, R1, PF_MAP_STATE, offsetof(struct pf_state, speculations));
	pf_asm_alu(a, BPF_ADD, R1, R2);
	pf_asm_load(a, 4, R2, R1, 0);
	pf_label in_use = pf_asm_label(a);
	pf_asm_jumpi(a, BPF_JSET, R2, 1, in_use);
	pf_asm_jump(a, g->next_clause);
	pf_asm_here(a, in_use);
}

/* gen_spec_end() - commit() or discard(): the buffer is free for others; what happened to which turn of it is recorded at @off. */
static void gen_spec_end(struct pf_gen *g, const struct pf_dexpr *call, uint32_t off)
{
	struct pf_asm *a = &g->a;
	gen_spec_id(g, call);
	pf_asm_mov(a, R4, R0);
	pf_asm_mov(a, R5, R2);
	pf_asm_mov(a, R3, R2);
	pf_asm_alui(a, BPF_ADD, R3, 1);
	pf_asm_mov(a, R0, R2);
	pf_asm_exchange(a, R1, 0, R3);
	pf_asm_jumpr(a, BPF_JNE, R0, R5, g->next_clause); /* somebody else was faster */
	pf_asm_alui(a, BPF_LSH, R5, PF_SPEC_ID_BITS);
	pf_asm_alu(a, BPF_OR, R5, R4);
	pf_asm_store(a, 8, R7, (int)off, R5);
}

/* gen_signal() - raise() and stop(). */
static void gen_signal(struct pf_gen *g, const struct pf_dexpr *call)
{
	if (call->func->id == PF_DF_STOP)
		pf_asm_const(&g->a, R0, 19); /* SIGSTOP */
	else
		pf_gen_expr(g, call->args[0]);
	pf_asm_mov(&g->a, R1, R0);
	pf_asm_call(&g->a, BPF_FUNC_send_signal);
}

/* field_argument() - expression of field @i of a call: the arguments that are recorded, in order. */
static const struct pf_dexpr *field_argument(const struct pf_dexpr *call, unsigned i)
{
	if (call->func->flags & PF_DFF_KEY) /* stack(), sym(): the call itself */
		return call;
	for (unsigned n = 0; n < call->n_args; n++) {
		const struct pf_dexpr *arg = call->args[n];
		bool data = arg->op != PF_DX_AGG && !(n == 0 && call->format);
		if (data && i-- == 0)
			return arg;
	}
	return NULL;
}

/* gen_tracemem() - constant bytes from an address, then how many of them to show. */
static void gen_tracemem(struct pf_gen *g, const struct pf_dexpr *call, const struct pf_action *action, uint32_t base)
{
	struct pf_asm *a = &g->a;
	pf_gen_expr(g, call->args[0]);
	pf_gen_copy(g, base + action->fields[0].off, (uint32_t)call->args[1]->value);
	if (call->n_args > 2)
		pf_gen_expr(g, call->args[2]);
	else
		pf_asm_const(a, R0, (uint64_t)call->args[1]->value);
	pf_asm_store(a, 8, R7, (int)(base + action->fields[1].off), R0);
}

void pf_gen_action(struct pf_gen *g, const struct pf_dstmt *s)
{
	struct pf_asm *a = &g->a;
	const struct pf_action *action = s->host;
	const struct pf_dexpr *call = s->expr;
	uint32_t base = g->t->scratch_record + (uint32_t)sizeof(struct pf_record_head);
	g->action++;
	switch (call->func->id) {
	case PF_DF_EXIT:
		gen_exit(g, call);
		break;
	case PF_DF_SPECULATE:
		gen_spec_id(g, call);
		pf_asm_alui(a, BPF_LSH, R2, PF_SPEC_ID_BITS);
		pf_asm_alu(a, BPF_OR, R2, R0);
		pf_asm_store(a, 8, R7, offsetof(struct pf_scratch_head, speculation), R2);
		break;
	case PF_DF_COMMIT:
	case PF_DF_DISCARD:
		gen_spec_end(g, call, base + action->fields[0].off);
		break;
	case PF_DF_RAISE:
	case PF_DF_STOP:
		gen_signal(g, call);
		break;
	case PF_DF_TRACEMEM:
		gen_tracemem(g, call, action, base);
		break;
	case PF_DF_PRINT:
	case PF_DF_PCAP:
	case PF_DF_CHILL:
		pf_gen_fail(g, call, "%s( ) is not supported yet", call->func->name);
		break;
	default:
		for (unsigned i = 0; action && i < action->n_fields; i++)
			pf_gen_field(g, field_argument(call, i), &action->fields[i], base, false);
		break;
	}
	if (action && action->present >= 0)
		pf_asm_storei(a, 1, R7, (int)base + action->present, 1);
}

void pf_gen_emit_record(struct pf_gen *g, uint32_t size, uint16_t flags, bool wake)
{
	struct pf_asm *a = &g->a;
	int base = (int)g->t->scratch_record;
	pf_label fine = pf_asm_label(a);
	pf_asm_storei(a, 4, R7, base + (int)offsetof(struct pf_record_head, clause), (int32_t)g->clause->id);
	pf_asm_store(a, 4, R7, base + (int)offsetof(struct pf_record_head, probe), R8);
	pf_gen_time(g);
	pf_asm_store(a, 8, R7, base + (int)offsetof(struct pf_record_head, time_ns), R0);
	pf_asm_call(a, BPF_FUNC_get_smp_processor_id);
	pf_asm_store(a, 2, R7, base + (int)offsetof(struct pf_record_head, cpu), R0);
	pf_asm_storei(a, 2, R7, base + (int)offsetof(struct pf_record_head, flags), flags);
	pf_asm_load(a, 8, R1, R7, offsetof(struct pf_scratch_head, speculation));
	pf_asm_store(a, 4, R7, base + (int)offsetof(struct pf_record_head, speculation), R1);
	pf_asm_map(a, R1, PF_MAP_RING);
	pf_gen_scratch_address(g, R2, (uint32_t)base);
	pf_asm_const(a, R3, (uint32_t)sizeof(struct pf_record_head) + size);
	pf_asm_const(a, R4, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
	pf_asm_call(a, BPF_FUNC_ringbuf_output);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, fine);
	pf_gen_drop(g, PF_DROP_PRINCIPAL);
	pf_asm_here(a, fine);
}
