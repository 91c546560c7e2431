/* bpf/gen_var.c - variables of the program and built-in variables. */
#include "trace/bpf/gen.h"

#include <errno.h>

#include "base/err.h"
#include "trace/bpf/btf.h"

void pf_gen_thread_key(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	pf_label have = pf_asm_label(a);
	pf_asm_call(a, BPF_FUNC_get_current_pid_tgid);
	pf_asm_extend(a, R0, 4, false);
	pf_asm_jumpi(a, BPF_JNE, R0, 0, have);
	/* One idle thread for each CPU, all of number 0. */
	pf_asm_call(a, BPF_FUNC_get_smp_processor_id);
	pf_asm_const(a, R1, UINT64_C(1) << 31);
	pf_asm_alu(a, BPF_OR, R0, R1);
	pf_asm_here(a, have);
}

void pf_gen_keys(struct pf_gen *g, struct pf_dexpr *const *keys, unsigned n, const struct pf_field *fields,
		 uint32_t off)
{
	for (unsigned i = 0; i < n; i++)
		pf_gen_field(g, keys[i], &fields[i], off, true);
}

void pf_gen_place(struct pf_gen *g, const struct pf_dexpr *e, struct pf_place *ret_place)
{
	const struct pf_dvar *var = e->var;
	const struct pf_variable *v = var->host;
	*ret_place = (struct pf_place){ .v = v };
	if (var->scope == PF_DV_THIS) {
		ret_place->kind = PLACE_SCRATCH;
		return;
	}
	if (var->scope == PF_DV_GLOBAL && !var->is_assoc) {
		ret_place->kind = PLACE_STATE;
		return;
	}
	ret_place->kind = PLACE_MAP;
	ret_place->key = pf_gen_scratch(g, v->key_size);
	pf_gen_keys(g, e->args, e->n_args, v->keys, ret_place->key);
	if (var->scope == PF_DV_SELF) {
		pf_gen_thread_key(g);
		pf_asm_store(&g->a, 4, R7, (int)ret_place->key, R0);
	} else {
		pf_asm_storei(&g->a, 4, R7, (int)ret_place->key, 0);
	}
	pf_asm_storei(&g->a, 4, R7, (int)ret_place->key + 4, (int32_t)(2 * var->id + (var->scope == PF_DV_SELF)));
}

/* look_up() - the element of a map place: its address or 0 in R0. */
static void look_up(struct pf_gen *g, const struct pf_place *place)
{
	pf_asm_map(&g->a, R1, (int)place->v->map);
	pf_gen_scratch_address(g, R2, place->key);
	pf_asm_call(&g->a, BPF_FUNC_map_lookup_elem);
}

void pf_gen_place_address(struct pf_gen *g, const struct pf_place *place, pf_label absent)
{
	switch (place->kind) {
	case PLACE_STATE:
		pf_asm_map_value(&g->a, R0, PF_MAP_STATE, place->v->off);
		break;
	case PLACE_SCRATCH:
		pf_gen_scratch_address(g, R0, place->v->off);
		break;
	case PLACE_MAP:
		look_up(g, place);
		pf_asm_jumpi(&g->a, BPF_JEQ, R0, 0, absent);
		break;
	}
}

void pf_gen_place_load(struct pf_gen *g, const struct pf_place *place, struct pf_dtype *type)
{
	struct pf_asm *a = &g->a;
	pf_label absent = pf_asm_label(a);
	(void)type;
	if (place->kind == PLACE_SCRATCH) {
		pf_asm_load(a, 8, R0, R7, (int)place->v->off);
	} else {
		pf_gen_place_address(g, place, absent);
		pf_asm_load(a, 8, R0, R0, 0);
	}
	pf_asm_here(a, absent); /* R0 is 0 then */
}

/* update() - put @value (address in R3) into the map. */
static void update(struct pf_gen *g, const struct pf_place *place)
{
	struct pf_asm *a = &g->a;
	pf_label fine = pf_asm_label(a);
	pf_asm_map(a, R1, (int)place->v->map);
	pf_gen_scratch_address(g, R2, place->key);
	pf_asm_const(a, R4, BPF_ANY);
	pf_asm_call(a, BPF_FUNC_map_update_elem);
	pf_asm_jumpi(a, BPF_JEQ, R0, 0, fine);
	pf_gen_drop(g, PF_DROP_DYNAMIC);
	pf_asm_here(a, fine);
}

void pf_gen_place_make(struct pf_gen *g, const struct pf_place *place)
{
	struct pf_asm *a = &g->a;
	pf_label absent = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	pf_gen_place_address(g, place, absent);
	if (place->kind == PLACE_MAP) {
		pf_asm_jump(a, done);
		pf_asm_here(a, absent);
		pf_asm_map_value(a, R3, PF_MAP_CONSTS, 0);
		update(g, place);
		look_up(g, place);
		pf_asm_jumpi(a, BPF_JEQ, R0, 0, g->cannot_make);
		pf_asm_here(a, done);
	}
}

void pf_gen_place_store(struct pf_gen *g, const struct pf_place *place, struct pf_dtype *type, unsigned value)
{
	struct pf_asm *a = &g->a;
	pf_label absent = pf_asm_label(a);
	(void)type; /* integers are kept extended, whatever their size */
	if (place->kind == PLACE_SCRATCH) {
		pf_gen_peek(g, value, R1);
		pf_asm_store(a, 8, R7, (int)place->v->off, R1);
		return;
	}
	pf_gen_place_address(g, place, absent);
	pf_gen_peek(g, value, R1);
	pf_asm_store(a, 8, R0, 0, R1);
	if (place->kind == PLACE_MAP) {
		pf_label done = pf_asm_label(a);
		pf_asm_jump(a, done);
		pf_asm_here(a, absent);
		pf_asm_mov(a, R3, FP);
		pf_asm_alui(a, BPF_ADD, R3, FRAME_SPILL - 8 * ((int)value + 1));
		update(g, place);
		pf_asm_here(a, done);
	}
}

void pf_gen_place_store_bytes(struct pf_gen *g, const struct pf_place *place, uint32_t from)
{
	struct pf_asm *a = &g->a;
	if (place->kind == PLACE_MAP) {
		pf_gen_scratch_address(g, R3, from);
		update(g, place);
		return;
	}
	pf_gen_place_address(g, place, 0);
	pf_asm_mov(a, R1, R0);
	pf_asm_const(a, R2, place->v->size);
	pf_gen_scratch_address(g, R3, from);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
}

void pf_gen_place_delete(struct pf_gen *g, const struct pf_place *place)
{
	pf_asm_map(&g->a, R1, (int)place->v->map);
	pf_gen_scratch_address(g, R2, place->key);
	pf_asm_call(&g->a, BPF_FUNC_map_delete_elem);
}

/* task_member() - @size bytes of the current task's member @path; @of NULL: start from the task, else from the pointer in R0. */
static void task_member(struct pf_gen *g, const struct pf_dexpr *e, bool from_task, const char *path, unsigned size)
{
	struct pf_asm *a = &g->a;
	uint32_t off = 0;
	struct pf_err err = { 0 };
	if (!g->t->btf && pf_btf_open(&g->t->btf, &err) < 0) {
		pf_gen_fail(g, e, "%s: %s", e->builtin->name, err.text);
		return;
	}
	if (pf_btf_member(g->t->btf, "task_struct", path, &off) < 0) {
		pf_gen_fail(g, e, "%s: this kernel's task_struct has no member %s", e->builtin->name, path);
		return;
	}
	if (from_task)
		pf_asm_call(a, BPF_FUNC_get_current_task);
	pf_asm_mov(a, R3, R0);
	pf_asm_alui(a, BPF_ADD, R3, (int32_t)off);
	pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, size);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, size, R0, FP, FRAME_TMP);
}

/* gen_frames() - of the stack up to @most frames: R0 = how many there are, or the address in the second one, 0 if there is none. */
static void gen_frames(struct pf_gen *g, uint32_t most, bool user, bool second)
{
	enum { STACK_USER = 1 << 8 };
	struct pf_asm *a = &g->a;
	pf_label fine = pf_asm_label(a);
	pf_label none = pf_asm_label(a);
	uint32_t off = pf_gen_scratch(g, 8 * most);
	pf_asm_mov(a, R1, R6);
	pf_gen_scratch_address(g, R2, off);
	pf_asm_const(a, R3, 8 * most);
	/* From inside a raw tracepoint the first frame of the kernel is this very program. */
	pf_asm_const(a, R4, user ? STACK_USER : g->provider->type == BPF_PROG_TYPE_RAW_TRACEPOINT);
	pf_asm_call(a, BPF_FUNC_get_stack);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, fine);
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, fine);
	if (!second) {
		pf_asm_alui(a, BPF_RSH, R0, 3);
		return;
	}
	pf_asm_mov(a, R1, R0);
	pf_asm_const(a, R0, 0);
	pf_asm_jumpi(a, BPF_JLT, R1, 16, none);
	pf_asm_load(a, 8, R0, R7, (int)off + 8);
	pf_asm_here(a, none);
}

/* gen_uregs() - the general registers stand in struct pt_regs in the order of their numbers; the others are known to the thread. */
static void gen_uregs(struct pf_gen *g, const struct pf_dexpr *e)
{
	enum { IN_ORDER = 21 };
	static const struct {
		const char *path;
		unsigned size;
	} others[] = {
		{ "thread.ds", 2 },	 { "thread.es", 2 },	  { "thread.fsindex", 2 },
		{ "thread.gsindex", 2 }, { "thread.trap_nr", 8 },
	};
	struct pf_asm *a = &g->a;
	const struct pf_dexpr *index = e->args[0];
	if (index->op == PF_DX_INT && index->value >= IN_ORDER) {
		task_member(g, e, true, others[index->value - IN_ORDER].path, others[index->value - IN_ORDER].size);
		return;
	}
	pf_label inside = pf_asm_label(a);
	pf_gen_expr(g, index);
	pf_asm_jumpi(a, BPF_JLT, R0, IN_ORDER, inside);
	pf_gen_fault(g, PF_FAULT_BOUNDS, R0);
	pf_asm_here(a, inside);
	pf_asm_alui(a, BPF_LSH, R0, 3);
	unsigned off = pf_gen_push(g);
	pf_asm_call(a, BPF_FUNC_get_current_task_btf);
	pf_asm_mov(a, R1, R0);
	pf_asm_call(a, BPF_FUNC_task_pt_regs);
	pf_asm_mov(a, R3, R0);
	pf_gen_pop(g, off, R1);
	pf_asm_alu(a, BPF_ADD, R3, R1);
	pf_asm_storei(a, 8, FP, FRAME_TMP, 0);
	pf_asm_mov(a, R1, FP);
	pf_asm_alui(a, BPF_ADD, R1, FRAME_TMP);
	pf_asm_const(a, R2, 8);
	pf_asm_call(a, BPF_FUNC_probe_read_kernel);
	pf_asm_load(a, 8, R0, FP, FRAME_TMP);
}

/* gen_errno() - the error of the system call that returns; elsewhere not known. */
static void gen_errno(struct pf_gen *g)
{
	struct pf_asm *a = &g->a;
	if (!g->provider->syscall_return || g->probe->slot == 0) {
		pf_asm_const(a, R0, 0);
		return;
	}
	pf_label none = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	g->provider->arg(g, 0);
	pf_asm_jumpi(a, BPF_JSGE, R0, 0, none);
	pf_asm_jumpi(a, BPF_JSLT, R0, -4095, none);
	pf_asm_alui(a, BPF_NEG, R0, 0);
	pf_asm_jump(a, done);
	pf_asm_here(a, none);
	pf_asm_const(a, R0, 0);
	pf_asm_here(a, done);
}

/* gen_identity() - pid, tid, uid, gid: halves of what a helper returns. */
static void gen_identity(struct pf_gen *g, int helper, bool upper)
{
	pf_asm_call(&g->a, helper);
	if (upper)
		pf_asm_alui(&g->a, BPF_RSH, R0, 32);
	else
		pf_asm_extend(&g->a, R0, 4, false);
}

static void gen_walltime(struct pf_gen *g)
{
	pf_gen_time(g);
	pf_asm_map_value(&g->a, R1, PF_MAP_STATE, offsetof(struct pf_state, wall_offset_ns));
	pf_asm_load(&g->a, 8, R1, R1, 0);
	pf_asm_alu(&g->a, BPF_ADD, R0, R1);
}

/* gen_arg() - argN and args[N]. */
static void gen_arg(struct pf_gen *g, const struct pf_dexpr *e, int64_t n)
{
	if (g->provider->arg && n >= 0 && n < 64)
		g->provider->arg(g, (unsigned)n);
	else
		pf_asm_const(&g->a, R0, 0);
	if (e->builtin->id == PF_DB_ARGS)
		pf_gen_extend(g, e->type);
}

/* gen_place_of_execution() - where it runs and in what. False: none of these. */
static bool gen_place_of_execution(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	switch (e->builtin->id) {
	case PF_DB_CPU:
		pf_asm_call(a, BPF_FUNC_get_smp_processor_id);
		return true;
	case PF_DB_LGRP:
		pf_asm_call(a, BPF_FUNC_get_numa_node_id);
		return true;
	case PF_DB_PSET:
	case PF_DB_CHIP:
	case PF_DB_IPL:
		pf_asm_const(a, R0, 0);
		return true;
	case PF_DB_CGROUP:
		pf_asm_call(a, BPF_FUNC_get_current_cgroup_id);
		return true;
	case PF_DB_CURTHREAD:
		pf_asm_call(a, BPF_FUNC_get_current_task);
		return true;
	case PF_DB_PPID:
		task_member(g, e, true, "real_parent", 8);
		task_member(g, e, false, "tgid", 4);
		return true;
	case PF_DB_VTIMESTAMP:
		task_member(g, e, true, "se.sum_exec_runtime", 8);
		return true;
	default:
		return false;
	}
}

void pf_gen_builtin(struct pf_gen *g, const struct pf_dexpr *e)
{
	struct pf_asm *a = &g->a;
	enum pf_dbuiltin_id id = e->builtin->id;
	if (id <= PF_DB_ARG9) {
		gen_arg(g, e, (int64_t)id - PF_DB_ARG0);
		return;
	}
	if (gen_place_of_execution(g, e))
		return;
	switch (id) {
	case PF_DB_ARGS:
		gen_arg(g, e, e->args[0]->value);
		break;
	case PF_DB_PID:
		gen_identity(g, BPF_FUNC_get_current_pid_tgid, true);
		break;
	case PF_DB_TID:
		gen_identity(g, BPF_FUNC_get_current_pid_tgid, false);
		break;
	case PF_DB_UID:
		gen_identity(g, BPF_FUNC_get_current_uid_gid, false);
		break;
	case PF_DB_GID:
		gen_identity(g, BPF_FUNC_get_current_uid_gid, true);
		break;
	case PF_DB_TIMESTAMP:
		pf_gen_time(g);
		break;
	case PF_DB_WALLTIMESTAMP:
		gen_walltime(g);
		break;
	case PF_DB_ID:
		pf_asm_mov(a, R0, R8);
		break;
	case PF_DB_EPID:
		pf_asm_const(a, R0, (uint64_t)(g->clause->id + 1) << 32);
		pf_asm_alu(a, BPF_OR, R0, R8);
		break;
	case PF_DB_ERRNO:
		gen_errno(g);
		break;
	case PF_DB_CALLER:
	case PF_DB_UCALLER:
		gen_frames(g, 2, id == PF_DB_UCALLER, true);
		break;
	case PF_DB_STACKDEPTH:
	case PF_DB_USTACKDEPTH:
		gen_frames(g, (uint32_t)g->t->options.value[PF_OPT_MAXFRAMES], id == PF_DB_USTACKDEPTH, false);
		break;
	case PF_DB_UREGS:
		gen_uregs(g, e);
		break;
	default:
		pf_gen_fail(g, e, "variable %s is not supported yet", e->builtin->name);
		break;
	}
}
