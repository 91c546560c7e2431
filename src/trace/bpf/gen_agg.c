/* bpf/gen_agg.c - aggregating functions. Values are per CPU; user space only reads them. A value is the generation it belongs to and
 * the components; clear() moves the generation on, and a CPU that finds an older one starts from zero. */
#include "trace/bpf/gen.h"

/* lowest() - the smallest value that falls into @bucket, not the first; their labels are the values nearest to zero. */
static int64_t lowest(const struct pf_dagg *agg, unsigned bucket)
{
	int64_t label = pf_dagg_bucket_low(agg, bucket);
	return label > 0 ? label : pf_dagg_bucket_low(agg, bucket - 1) + 1;
}

/* gen_tree() - R0 = number of the bucket that R1 falls into, one of first..last, by comparing with their lowest values. */
static void gen_tree(struct pf_gen *g, const struct pf_dagg *agg, unsigned first, unsigned last, pf_label done)
{
	struct pf_asm *a = &g->a;
	if (first == last) {
		pf_asm_const(a, R0, first);
		pf_asm_jump(a, done);
		return;
	}
	unsigned middle = first + (last - first + 1) / 2;
	pf_label upper = pf_asm_label(a);
	pf_asm_const(a, R2, (uint64_t)lowest(agg, middle));
	pf_asm_jumpr(a, BPF_JSGE, R1, R2, upper);
	gen_tree(g, agg, first, middle - 1, done);
	pf_asm_here(a, upper);
	gen_tree(g, agg, middle, last, done);
}

/* gen_linear() - lquantize: R0 = bucket of R1. */
static void gen_linear(struct pf_gen *g, const struct pf_dagg *agg)
{
	struct pf_asm *a = &g->a;
	pf_label above = pf_asm_label(a);
	pf_label done = pf_asm_label(a);
	int64_t levels = (agg->limit - agg->base) / agg->step;
	pf_asm_const(a, R0, 0);
	pf_asm_const(a, R2, (uint64_t)agg->base);
	pf_asm_jumpr(a, BPF_JSLT, R1, R2, done);
	pf_asm_const(a, R0, (uint64_t)levels + 1);
	pf_asm_const(a, R3, (uint64_t)(agg->base + levels * agg->step));
	pf_asm_jumpr(a, BPF_JSGE, R1, R3, above);
	pf_asm_mov(a, R0, R1);
	pf_asm_alu(a, BPF_SUB, R0, R2);
	pf_asm_const(a, R3, (uint64_t)agg->step);
	pf_asm_alu(a, BPF_DIV, R0, R3);
	pf_asm_alui(a, BPF_ADD, R0, 1);
	pf_asm_here(a, above);
	pf_asm_here(a, done);
}

/* gen_bucket() - add the increment to the bucket of the value. */
static void gen_bucket(struct pf_gen *g, const struct pf_dagg *agg, const struct pf_agg *host, unsigned value,
		       int increment)
{
	struct pf_asm *a = &g->a;
	pf_label done = pf_asm_label(a);
	pf_label inside = pf_asm_label(a);
	pf_gen_peek(g, value, R1);
	if (agg->kind == PF_AGG_LQUANTIZE)
		gen_linear(g, agg);
	else
		gen_tree(g, agg, 0, host->words - 1, done);
	pf_asm_here(a, done);
	pf_asm_jumpi(a, BPF_JLE, R0, (int32_t)host->words - 1, inside);
	pf_asm_const(a, R0, host->words - 1);
	pf_asm_here(a, inside);
	pf_asm_alui(a, BPF_LSH, R0, 3);
	pf_asm_alu(a, BPF_ADD, R9, R0);
	if (increment >= 0)
		pf_gen_peek(g, (unsigned)increment, R1);
	else
		pf_asm_const(a, R1, 1);
	pf_asm_atomic_add(a, R9, 8, R1);
}

/* gen_extreme() - min() and max(): word 0 counts, word 1 is the value. */
static void gen_extreme(struct pf_gen *g, bool maximum, unsigned value)
{
	struct pf_asm *a = &g->a;
	pf_label store = pf_asm_label(a);
	pf_label keep = pf_asm_label(a);
	pf_gen_peek(g, value, R1);
	pf_asm_load(a, 8, R2, R9, 8);
	pf_asm_jumpi(a, BPF_JEQ, R2, 0, store);
	pf_asm_load(a, 8, R3, R9, 16);
	pf_asm_jumpr(a, maximum ? BPF_JSLE : BPF_JSGE, R1, R3, keep);
	pf_asm_here(a, store);
	pf_asm_store(a, 8, R9, 16, R1);
	pf_asm_here(a, keep);
	pf_asm_const(a, R1, 1);
	pf_asm_atomic_add(a, R9, 8, R1);
}

/* gen_square() - add the square of the value, 128 bits wide, to words 2 (low) and 3. */
static void gen_square(struct pf_gen *g, unsigned value)
{
	struct pf_asm *a = &g->a;
	pf_label positive = pf_asm_label(a);
	pf_label no_carry = pf_asm_label(a);
	pf_label no_carry2 = pf_asm_label(a);
	pf_gen_peek(g, value, R1);
	pf_asm_jumpi(a, BPF_JSGE, R1, 0, positive);
	pf_asm_alui(a, BPF_NEG, R1, 0);
	pf_asm_here(a, positive);
	pf_asm_mov(a, R2, R1);
	pf_asm_alui(a, BPF_RSH, R2, 32); /* upper half */
	pf_asm_extend(a, R1, 4, false);	 /* lower half */
	pf_asm_mov(a, R3, R1);
	pf_asm_alu(a, BPF_MUL, R3, R2); /* their product, needed twice at 2^32 */
	pf_asm_alu(a, BPF_MUL, R1, R1);
	pf_asm_alu(a, BPF_MUL, R2, R2);
	pf_asm_mov(a, R4, R3);
	pf_asm_alui(a, BPF_LSH, R4, 33);
	pf_asm_alui(a, BPF_RSH, R3, 31);
	pf_asm_alu(a, BPF_ADD, R2, R3);
	pf_asm_alu(a, BPF_ADD, R1, R4);
	pf_asm_jumpr(a, BPF_JGE, R1, R4, no_carry);
	pf_asm_alui(a, BPF_ADD, R2, 1);
	pf_asm_here(a, no_carry);
	pf_asm_load(a, 8, R3, R9, 24);
	pf_asm_alu(a, BPF_ADD, R3, R1);
	pf_asm_store(a, 8, R9, 24, R3);
	pf_asm_jumpr(a, BPF_JGE, R3, R1, no_carry2);
	pf_asm_alui(a, BPF_ADD, R2, 1);
	pf_asm_here(a, no_carry2);
	pf_asm_atomic_add(a, R9, 32, R2);
}

/* gen_renew() - R9 points to the value: if it is of an older generation, start from zero. */
static void gen_renew(struct pf_gen *g, const struct pf_dagg *agg, const struct pf_agg *host)
{
	struct pf_asm *a = &g->a;
	uint32_t gen_off = g->t->state_gens + 8 * agg->id;
	pf_label current = pf_asm_label(a);
	pf_asm_map_value(a, R1, PF_MAP_STATE, gen_off);
	pf_asm_load(a, 8, R2, R1, 0);
	pf_asm_load(a, 8, R3, R9, 0);
	pf_asm_jumpr(a, BPF_JEQ, R2, R3, current);
	uint32_t bytes = host->words * 8;
	if (host->words <= 8) {
		for (uint32_t i = 0; i < bytes; i += 8)
			pf_asm_storei(a, 8, R9, (int)(8 + i), 0);
		pf_asm_store(a, 8, R9, 0, R2);
	} else {
		for (uint32_t i = 0; i < bytes; i += g->t->zeros) {
			pf_asm_mov(a, R1, R9);
			pf_asm_alui(a, BPF_ADD, R1, (int32_t)(8 + i));
			pf_asm_const(a, R2, bytes - i < g->t->zeros ? bytes - i : g->t->zeros);
			pf_asm_map_value(a, R3, PF_MAP_CONSTS, 0);
			pf_asm_call(a, BPF_FUNC_probe_read_kernel);
		}
		pf_asm_map_value(a, R1, PF_MAP_STATE, gen_off);
		pf_asm_load(a, 8, R2, R1, 0);
		pf_asm_store(a, 8, R9, 0, R2);
	}
	pf_asm_here(a, current);
}

/* gen_find() - R9 = the value for the keys, made if it is not there; jumps to @give_up if it cannot be made. */
static void gen_find(struct pf_gen *g, const struct pf_dstmt *s, const struct pf_agg *host, pf_label give_up)
{
	struct pf_asm *a = &g->a;
	pf_label have = pf_asm_label(a);
	uint32_t key = pf_gen_scratch(g, host->key_size);
	if (s->n_keys) {
		pf_asm_storei(a, 8, R7, (int)key, (int32_t)s->agg->id);
		pf_gen_keys(g, s->keys, s->n_keys, host->keys, key);
	} else {
		pf_asm_storei(a, 4, R7, (int)key, (int32_t)host->slot);
	}
	pf_asm_map(a, R1, (int)host->map);
	pf_gen_scratch_address(g, R2, key);
	pf_asm_call(a, BPF_FUNC_map_lookup_elem);
	pf_asm_jumpi(a, BPF_JNE, R0, 0, have);
	if (s->n_keys) {
		pf_asm_map(a, R1, (int)host->map);
		pf_gen_scratch_address(g, R2, key);
		pf_asm_map_value(a, R3, PF_MAP_CONSTS, 0);
		pf_asm_const(a, R4, BPF_NOEXIST); /* another CPU may have been faster: no loss */
		pf_asm_call(a, BPF_FUNC_map_update_elem);
		pf_asm_map(a, R1, (int)host->map);
		pf_gen_scratch_address(g, R2, key);
		pf_asm_call(a, BPF_FUNC_map_lookup_elem);
		pf_asm_jumpi(a, BPF_JNE, R0, 0, have);
	}
	pf_gen_drop(g, PF_DROP_AGGREGATION);
	pf_asm_jump(a, give_up);
	pf_asm_here(a, have);
	pf_asm_mov(a, R9, R0);
}

void pf_gen_aggregate(struct pf_gen *g, const struct pf_dstmt *s)
{
	struct pf_asm *a = &g->a;
	const struct pf_dagg *agg = s->agg;
	const struct pf_agg *host = agg->host;
	pf_label done = pf_asm_label(a);
	unsigned value = 0;
	int increment = -1;
	if (s->value) {
		pf_gen_expr(g, s->value);
		value = pf_gen_push(g);
	}
	if (s->increment) {
		pf_gen_expr(g, s->increment);
		increment = (int)pf_gen_push(g);
	}
	gen_find(g, s, host, done);
	gen_renew(g, agg, host);
	switch (agg->kind) {
	case PF_AGG_COUNT:
		pf_asm_const(a, R1, 1);
		pf_asm_atomic_add(a, R9, 8, R1);
		break;
	case PF_AGG_SUM:
		pf_gen_peek(g, value, R1);
		pf_asm_atomic_add(a, R9, 8, R1);
		break;
	case PF_AGG_MIN:
	case PF_AGG_MAX:
		gen_extreme(g, agg->kind == PF_AGG_MAX, value);
		break;
	case PF_AGG_AVG:
	case PF_AGG_STDDEV:
		pf_asm_const(a, R1, 1);
		pf_asm_atomic_add(a, R9, 8, R1);
		pf_gen_peek(g, value, R1);
		pf_asm_atomic_add(a, R9, 16, R1);
		if (agg->kind == PF_AGG_STDDEV)
			gen_square(g, value);
		break;
	default:
		gen_bucket(g, agg, host, value, increment);
		break;
	}
	pf_asm_here(a, done);
}
