/* bpf/gen_sub.c - subroutines that are a few instructions or one helper call each. Strings have gen_text.c. */
#include "base/err.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/gen.h"

/* swap() - R0 between the byte orders; eBPF runs little endian here. */
static void swap(struct pf_gen *g, int bits)
{
	struct bpf_insn insn = { .code = BPF_ALU | BPF_END | BPF_TO_BE, .imm = bits };
	pf_asm_emit(&g->a, insn);
}

/* gen_speculation() - take the first free buffer: the turn becomes odd. */
static void gen_speculation(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	int64_t nspec = g->t->options.value[PF_OPT_NSPEC];
	pf_label got = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_asm_map_value(a, R1, PF_MAP_STATE, offsetof(struct pf_state, speculations));
	for (int64_t id = 1; id <= nspec && id < 64; id++) {
		pf_label next = pf_asm_label(a);
		pf_asm_load(a, 4, R0, R1, 4 * (int)id);
		pf_asm_jumpi(a, BPF_JSET, R0, 1, next);
		pf_asm_mov(a, R2, R0);
		pf_asm_mov(a, R5, R0);
		pf_asm_alui(a, BPF_ADD, R2, 1);
		pf_asm_const(a, R3, (uint64_t)id);
		pf_asm_exchange(a, R1, 4 * (int)id, R2);
		pf_asm_jumpr(a, BPF_JEQ, R0, R5, got);
		pf_asm_here(a, next);
	}
	pf_gen_drop(g, PF_DROP_SPECUNAVAIL);
	pf_asm_const(a, R0, 0);
	pf_asm_jump(a, done);
	pf_asm_here(a, got);
	pf_asm_mov(a, R0, R3);
	pf_asm_here(a, done);
}

/* gen_strlen() - count by copying; the helper returns the length with the NUL. */
static void gen_strlen(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	struct pf_str s;
	pf_gen_string(g, e->args[0], &s);
	uint32_t off = pf_gen_scratch(g, pf_round8(s.max + 1));
	pf_gen_string_address(g, &s, R3);
	pf_gen_scratch_address(g, R1, off);
	pf_asm_const(a, R2, s.max + 1);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel_str);
	pf_asm_alui(a, BPF_SUB, R0, 1);
}

/* gen_lock() - the first word of a lock, @size bytes: the owner and flags of a struct mutex, the counts of an rwlock_t. */
static void gen_lock(struct pf_gen *g, const struct pf_dexpr *e, unsigned size)
{
	pf_gen_expr(g, e->args[0]);
	pf_gen_read_word(g, size);
}

/* gen_mutex() - mutexes: the owner is a task with flags in the lowest three bits. */
static void gen_mutex(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	gen_lock(g, e, 8);
	pf_asm_alui(a, BPF_AND, R0, ~7);
	if (e->func->id == PF_DF_MUTEX_OWNER)
		return;
	unsigned owner = pf_gen_push(g);
	pf_label no = pf_asm_label(a);
	pf_asm_call(a, BPF_FUNC_get_current_task);
	pf_asm_mov(a, R2, R0);
	pf_gen_pop(g, owner, R1);
	pf_asm_const(a, R0, 0);
	pf_asm_jumpr(a, BPF_JNE, R1, R2, no);
	pf_asm_const(a, R0, 1);
	pf_asm_here(a, no);
}

/* gen_rwlock() - rwlock_t: the low byte is full while a writer holds it, readers count from bit 9 on. */
static void gen_rwlock(struct pf_gen *g, const struct pf_dexpr *e)
{
	enum { WRITER = 0xff, READERS = 9 };
	struct pf_asm *a = &g->a;
	bool readers = e->func->id == PF_DF_RW_READ_HELD;
	pf_label no = pf_asm_label(a);
	gen_lock(g, e, 4);
	pf_asm_mov(a, R1, R0);
	if (readers)
		pf_asm_alui(a, BPF_RSH, R1, READERS);
	else
		pf_asm_alui(a, BPF_AND, R1, WRITER);
	pf_asm_const(a, R0, 0);
	pf_asm_jumpi(a, readers ? BPF_JEQ : BPF_JNE, R1, readers ? 0 : WRITER, no);
	pf_asm_const(a, R0, 1);
	pf_asm_here(a, no);
}

/* task_word() - @size bytes of the task at R0. */
static void task_word(struct pf_gen *g, const struct pf_dexpr *e, const char *member, unsigned size)
{
	struct pf_asm *a = &g->a;
	uint32_t off = 0;
	struct pf_err err = { 0 };
	if ((!g->t->btf && pf_btf_open(&g->t->btf, &err) < 0) ||
	    pf_btf_member(g->t->btf, "task_struct", member, &off) < 0) {
		pf_gen_fail(g, e, "%s( ): this kernel does not tell where a task has its %s", e->func->name, member);
		return;
	}
	pf_asm_mov(a, R3, R0);
	pf_asm_alui(a, BPF_ADD, R3, (int32_t)off);
	pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, size, R0, FP, FRAME_TMP);
}

/* gen_progenyof() - is the process or one of its ancestors, 32 generations up, the one asked for? */
static void gen_progenyof(struct pf_gen *g, const struct pf_dexpr *e)
{
	enum { GENERATIONS = 32 };
	struct pf_asm *a = &g->a;
	pf_label again = pf_asm_label(a);
	pf_label yes = pf_asm_label(a);
	pf_label no = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	uint32_t task = pf_gen_scratch(g, 8);
	pf_gen_expr(g, e->args[0]);
	pf_asm_extend(a, R0, 4, false);
	unsigned wanted = pf_gen_push(g);
	pf_asm_call(a, BPF_FUNC_get_current_task);
	pf_asm_store(a, 8, R7, (int)task, R0);
	pf_asm_storei(a, 8, FP, FRAME_TMP2, GENERATIONS);
	pf_asm_here(a, again);
	pf_asm_load(a, 8, R0, R7, (int)task);
	task_word(g, e, "tgid", 4);
	pf_gen_peek(g, wanted, R1);
	pf_asm_jumpr(a, BPF_JEQ, R0, R1, yes);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, no);
	pf_asm_load(a, 8, R0, R7, (int)task);
	task_word(g, e, "real_parent", 8);
	pf_asm_store(a, 8, R7, (int)task, R0);
	pf_asm_load(a, 8, R1, FP, FRAME_TMP2);
	pf_asm_alui(a, BPF_SUB, R1, 1);
	pf_asm_store(a, 8, FP, FRAME_TMP2, R1);
	pf_asm_jumpi(a, BPF_JNE, R1, 0, again);
	pf_asm_here(a, no);
	pf_asm_const(a, R0, 0);
	pf_asm_jump(a, done);
	pf_asm_here(a, yes);
	pf_asm_const(a, R0, 1);
	pf_asm_here(a, done);
	g->spilled--;
}

void pf_gen_call(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	switch (e->func->id) {
	case PF_DF_RAND:
		pf_asm_call(a, BPF_FUNC_get_prandom_u32);
		pf_asm_alui(a, BPF_AND, R0, INT32_MAX);
		break;
	case PF_DF_GETMAJOR:
		pf_gen_expr(g, e->args[0]);
		pf_asm_extend(a, R0, 4, false);
		pf_asm_alui(a, BPF_RSH, R0, 20);
		break;
	case PF_DF_GETMINOR:
		pf_gen_expr(g, e->args[0]);
		pf_asm_alui(a, BPF_AND, R0, 0xfffff);
		break;
	case PF_DF_HTONS:
	case PF_DF_NTOHS:
		pf_gen_expr(g, e->args[0]);
		swap(g, 16);
		break;
	case PF_DF_HTONL:
	case PF_DF_NTOHL:
		pf_gen_expr(g, e->args[0]);
		swap(g, 32);
		break;
	case PF_DF_HTONLL:
	case PF_DF_NTOHLL:
		pf_gen_expr(g, e->args[0]);
		swap(g, 64);
		break;
	case PF_DF_ALLOCA:
	case PF_DF_BCOPY:
	case PF_DF_COPYIN:
	case PF_DF_COPYINTO:
		pf_gen_memory_call(g, e);
		break;
	case PF_DF_STRTOLL:
		pf_gen_strtoll(g, e);
		break;
	case PF_DF_MUTEX_TYPE_ADAPTIVE:
	case PF_DF_MUTEX_TYPE_SPIN:
		pf_gen_expr(g, e->args[0]);
		pf_asm_const(a, R0, e->func->id == PF_DF_MUTEX_TYPE_ADAPTIVE);
		break;
	case PF_DF_MUTEX_OWNED:
	case PF_DF_MUTEX_OWNER:
		gen_mutex(g, e);
		break;
	case PF_DF_RW_ISWRITER:
	case PF_DF_RW_READ_HELD:
	case PF_DF_RW_WRITE_HELD:
		gen_rwlock(g, e);
		break;
	case PF_DF_PROGENYOF:
		gen_progenyof(g, e);
		break;
	case PF_DF_SPECULATION:
		gen_speculation(g);
		break;
	case PF_DF_STRLEN:
		gen_strlen(g, e);
		break;
	case PF_DF_INDEX:
	case PF_DF_RINDEX:
		pf_gen_index(g, e);
		break;
	default:
		pf_gen_fail(g, e, "%s( ) is not supported yet", e->func->name);
		break;
	}
}
