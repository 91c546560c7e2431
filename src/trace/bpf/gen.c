/* bpf/gen.c - the frame of a program: entry, clauses one after the other, faults, the ERROR function. */
#include "trace/bpf/gen.h"

#include <errno.h>
#include <stdarg.h>

#include "base/err.h"
#include "base/sentence.h"

void pf_gen_fail(struct pf_gen *g, const struct pf_dexpr *e, const char *fmt, ...)
{
	if (g->rc < 0)
		return;
	char why[256];
	va_list args;
	va_start(args, fmt);
	pf_sentence(why, sizeof(why), NULL, fmt, args);
	va_end(args);
	g->rc = pf_err_set(g->err, -EOPNOTSUPP, "line %u: %s",
			   e	       ? e->pos.line
			   : g->clause ? g->clause->pos.line
				       : 0,
			   why);
}

uint32_t pf_gen_scratch(struct pf_gen *g, uint32_t size)
{
	uint32_t off = g->scratch_next;
	g->scratch_next += pf_round8(size);
	if (g->scratch_next > g->t->scratch_size)
		g->t->scratch_size = g->scratch_next;
	if (g->scratch_next > SCRATCH_LIMIT)
		pf_gen_fail(g, NULL,
			    "too many strings or keys in one statement for the kernel's %u bytes; a smaller "
			    "strsize helps",
			    SCRATCH_LIMIT);
	return off;
}

uint32_t pf_gen_keep(struct pf_gen *g, uint32_t size)
{
	uint32_t off = pf_gen_scratch(g, size + 8);
	if (!g->t->scratch_own)
		g->t->scratch_own = off;
	g->t->scratch_base = g->scratch_next;
	return off;
}

unsigned pf_gen_push(struct pf_gen *g)
{
	unsigned slot = g->spilled++;
	if (slot >= N_SPILLS) {
		pf_gen_fail(g, NULL, "expression is nested too deeply");
		slot = 0;
	}
	pf_asm_store(&g->a, 8, FP, FRAME_SPILL - 8 * ((int)slot + 1), R0);
	return slot;
}

void pf_gen_peek(struct pf_gen *g, unsigned slot, int reg)
{
	pf_asm_load(&g->a, 8, reg, FP, FRAME_SPILL - 8 * ((int)slot + 1));
}

void pf_gen_pop(struct pf_gen *g, unsigned slot, int reg)
{
	pf_gen_peek(g, slot, reg);
	g->spilled--;
}

void pf_gen_checkpoint(struct pf_gen *g)
{
	enum { JUMPS = 20 };
	struct pf_asm *a = &g->a;
	pf_label join = pf_asm_label(a);
	pf_asm_load(a, 8, R0, R7, offsetof(struct pf_scratch_head, zero));
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, join);
	for (int i = 0; i < JUMPS; i++) {
		pf_label next = pf_asm_label(a);
		pf_asm_jumpi(a, BPF_JEQ, R0, 0, next);
		pf_asm_here(a, next);
	}
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, join);
}

void pf_gen_scratch_address(struct pf_gen *g, int reg, uint32_t off)
{
	pf_asm_mov(&g->a, reg, R7);
	pf_asm_alui(&g->a, BPF_ADD, reg, (int32_t)off);
}

void pf_gen_time(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	pf_label have = pf_asm_label(a);
	int off = offsetof(struct pf_scratch_head, time_ns);
	pf_asm_load(a, 8, R0, R7, off);
	pf_asm_jumpi(a, BPF_JNE, R0, 0, have);
	pf_asm_call(a, BPF_FUNC_ktime_get_ns);
	pf_asm_store(a, 8, R7, off, R0);
	pf_asm_here(a, have);
}

void pf_gen_drop(struct pf_gen *g, enum pf_drop_kind kind)
{
	struct pf_asm *a = &g->a;
	pf_label none = pf_asm_label(a);
	pf_asm_storei(a, 4, FP, FRAME_KEY, 0);
	pf_asm_map(a, R1, PF_MAP_DROPS);
	pf_asm_mov(a, R2, FP);
	pf_asm_alui(a, BPF_ADD, R2, FRAME_KEY);
	pf_asm_call(a, BPF_FUNC_map_lookup_elem);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, none);
	pf_asm_const(a, R1, 1);
	pf_asm_atomic_add(a, R0, 8 * (int)kind, R1);
	pf_asm_here(a, none);
}

void pf_gen_fault(struct pf_gen *g, enum pf_fault code, int address)
{
	struct pf_asm *a = &g->a;
	if (address >= 0)
		pf_asm_store(a, 8, R7, offsetof(struct pf_scratch_head, fault_address), address);
	else
		pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, fault_address), 0);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, fault_code), (int32_t)code);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, fault_pc), (int32_t)a->n);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, fault_action), g->action);
	pf_asm_jump(a, g->fault);
}

/* gen_statements() - a list of statements; strings and keys in scratch live no longer than one of them. */
static void gen_statements(struct pf_gen *g, const struct pf_dstmt *s)
{
	struct pf_asm *a = &g->a;
	for (; s && !g->rc; s = s->next) {
		a->line = s->pos.line;
		g->scratch_next = g->t->scratch_base;
		g->spilled = 0;
		switch (s->kind) {
		case PF_DS_EXPR:
			if (pf_gen_is_string(s->expr) && s->expr->op != PF_DX_ASSIGN) {
				struct pf_str unused;
				pf_gen_string(g, s->expr, &unused);
			} else {
				pf_gen_expr(g, s->expr);
			}
			break;
		case PF_DS_ACTION:
			pf_gen_action(g, s);
			break;
		case PF_DS_AGG:
			pf_gen_aggregate(g, s);
			break;
		case PF_DS_IF: {
			pf_label otherwise = pf_asm_label(a);
			pf_label done = pf_asm_label(a);
			pf_gen_condition(g, s->expr, otherwise);
			gen_statements(g, s->then);
			if (s->otherwise)
				pf_asm_jump(a, done);
			pf_asm_here(a, otherwise);
			gen_statements(g, s->otherwise);
			pf_asm_here(a, done);
			break;
		}
		}
	}
}

/* clear_presence() - no action of the clause has been reached yet. */
static void clear_presence(struct pf_gen *g)
{
	for (const struct pf_action *action = g->plan->actions; action; action = action->next) {
		if (action->present >= 0)
			pf_asm_storei(&g->a, 1, R7,
				      (int)(g->t->scratch_record + sizeof(struct pf_record_head)) + action->present, 0);
	}
}

/* gen_fault_exit() - what a clause does after a fault: tell the consumer, then the ERROR clauses. */
static void gen_fault_exit(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	if (g->in_error) {
		pf_gen_drop(g, PF_DROP_DBLERROR);
		return;
	}
	int data = (int)(g->t->scratch_record + sizeof(struct pf_record_head));
	static const int from[] = { offsetof(struct pf_scratch_head, fault_code),
				    offsetof(struct pf_scratch_head, fault_pc),
				    offsetof(struct pf_scratch_head, fault_address),
				    offsetof(struct pf_scratch_head, fault_action) };
	for (int i = 0; i < 4; i++) {
		pf_asm_load(a, 8, R1, R7, from[i]);
		pf_asm_store(a, 8, R7, data + 8 * i, R1);
	}
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, speculation), 0);
	pf_gen_emit_record(g, sizeof(struct pf_record_fault), PF_RECORD_FAULT, true);
	if (g->has_error) {
		pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, fault_clause), (int32_t)g->clause->id);
		pf_asm_store(a, 8, R7, offsetof(struct pf_scratch_head, fault_probe), R8);
		pf_asm_mov(a, R1, R6);
		pf_asm_mov(a, R2, R7);
		pf_asm_call_local(a, g->error_function);
	}
}

/* gen_clause() - predicate, body, record. @mask_bit: position in the table row's masks, -1: always enabled here. */
static void gen_clause(struct pf_gen *g, const struct pf_dclause *c, int mask_bit)
{
	struct pf_asm *a = &g->a;
	a->line = c->pos.line;
	g->clause = c;
	g->plan = c->host;
	g->action = -1;
	g->spilled = 0;
	g->scratch_next = g->t->scratch_base;
	g->next_clause = pf_asm_label(a);
	g->fault = pf_asm_label(a);

	if (mask_bit >= 0) {
		pf_asm_load(a, 8, R1, FP, FRAME_ROW);
		pf_asm_load(a, 4, R1, R1, (int)offsetof(struct pf_table_row, clauses) + mask_bit / 32 * 4);
		pf_asm_alui(a, BPF_RSH, R1, mask_bit % 32);
		pf_asm_alui(a, BPF_AND, R1, 1);
		pf_asm_jumpi(a, BPF_JEQ, R1, 0, g->next_clause);
	}
	if (c->predicate)
		pf_gen_condition(g, c->predicate, g->next_clause);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, speculation), 0);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, used), 0);
	clear_presence(g);
	gen_statements(g, c->stmts);
	g->action = -1;
	if (g->plan->event)
		pf_gen_emit_record(g, g->plan->data_size, 0, (c->flags & PF_DC_EXITS) != 0);
	pf_asm_jump(a, g->next_clause);

	pf_asm_here(a, g->fault);
	gen_fault_exit(g);
	pf_asm_here(a, g->next_clause);
}

/* enabled_on() - is @c to run on a probe of this program? */
static bool enabled_on(const struct pf_gen *g, const struct pf_dclause *c, const struct pf_probe *probe)
{
	const struct pf_plan *plan = c->host;
	for (size_t i = 0; plan && i < plan->n_probes; i++) {
		const struct pf_probe *have = g->t->probes.rows[plan->probes[i] - 1];
		if (probe ? have == probe : have->provider == g->provider && have->slot == g->probe->slot)
			return true;
	}
	return false;
}

/* gen_error_function() - the ERROR clauses as a function of (context, scratch). */
static void gen_error_function(struct pf_gen *g, const struct pf_probe *error)
{
	struct pf_asm *a = &g->a;
	const struct pf_provider *provider = g->provider;
	const struct pf_probe *probe = g->probe;
	unsigned table = g->table;
	pf_asm_here(a, g->error_function);
	pf_asm_mov(a, R6, R1);
	pf_asm_mov(a, R7, R2);
	pf_asm_const(a, R8, (uint64_t)error->name.id);
	g->in_error = true;
	g->provider = error->provider;
	g->probe = error;
	g->table = 0;
	for (const struct pf_dclause *c = g->t->prog->clauses; c; c = c->next) {
		if (enabled_on(g, c, error))
			gen_clause(g, c, -1);
	}
	pf_asm_const(a, R0, 0);
	pf_asm_exit(a);
	g->in_error = false;
	g->provider = provider;
	g->probe = probe;
	g->table = table;
}

/* leave_if_zero() - nothing to do if @reg is 0; left on the spot, for no jump reaches the end of a long program. */
static void leave_if_zero(struct pf_gen *g, int reg)
{
	pf_label stay = pf_asm_label(&g->a);
	pf_asm_jumpi(&g->a, BPF_JNE, reg, 0, stay);
	pf_asm_const(&g->a, R0, 0);
	pf_asm_exit(&g->a);
	pf_asm_here(&g->a, stay);
}

/* gen_entry() - find out whether to run at all, and for which probe. */
static void gen_entry(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	pf_asm_mov(a, R6, R1);
	if (g->provider != &pf_provider_dtrace) {
		pf_asm_map_value(a, R1, PF_MAP_STATE, offsetof(struct pf_state, active));
		pf_asm_load(a, 4, R1, R1, 0);
		leave_if_zero(g, R1);
	}
	if (g->table) {
		g->provider->number(g);
		pf_asm_store(a, 4, FP, FRAME_KEY, R0);
		pf_asm_map(a, R1, (int)g->table);
		pf_asm_mov(a, R2, FP);
		pf_asm_alui(a, BPF_ADD, R2, FRAME_KEY);
		pf_asm_call(a, BPF_FUNC_map_lookup_elem);
		leave_if_zero(g, R0);
		pf_asm_load(a, 4, R8, R0, offsetof(struct pf_table_row, probe));
		leave_if_zero(g, R8);
		pf_asm_store(a, 8, FP, FRAME_ROW, R0);
	} else {
		pf_asm_const(a, R8, (uint64_t)g->probe->name.id);
	}
	pf_asm_storei(a, 4, FP, FRAME_KEY, (int32_t)g->index);
	pf_asm_map(a, R1, PF_MAP_SCRATCH);
	pf_asm_mov(a, R2, FP);
	pf_asm_alui(a, BPF_ADD, R2, FRAME_KEY);
	pf_asm_call(a, BPF_FUNC_map_lookup_elem);
	leave_if_zero(g, R0);
	pf_asm_mov(a, R7, R0);
	pf_asm_storei(a, 8, R7, offsetof(struct pf_scratch_head, time_ns), 0);
	for (const struct pf_dvar *v = g->t->prog->vars[PF_DV_THIS]; v; v = v->next) {
		const struct pf_variable *host = v->host;
		if (host)
			pf_gen_zero(g, host->off, host->size <= 64 ? host->size : 8);
	}
}

int pf_gen_program(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	const struct pf_probe *error = g->t->probes.rows[2]; /* providers/dtrace.c: BEGIN, END, ERROR */
	g->error_function = pf_asm_label(a);
	g->has_error = error->enabled;
	gen_entry(g);
	int bit = 0;
	for (const struct pf_dclause *c = g->t->prog->clauses; c; c = c->next) {
		if (enabled_on(g, c, g->table ? NULL : g->probe))
			gen_clause(g, c, g->table ? bit++ : -1);
	}
	pf_asm_const(a, R0, 0);
	pf_asm_exit(a);
	if (g->has_error && !g->rc)
		gen_error_function(g, error);
	if (g->rc < 0)
		return g->rc;
	return pf_asm_link(a, g->err);
}
