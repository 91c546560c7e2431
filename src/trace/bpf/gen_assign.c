/* bpf/gen_assign.c - assignment, ++ and --: where a value goes, evaluated once, and how it gets there. */
#include "trace/bpf/gen.h"

/* binary_of() - the operation inside a compound assignment. */
static enum pf_dexpr_op binary_of(enum pf_dexpr_op op)
{
	switch (op) {
	case PF_DX_ASSIGN_MUL:
		return PF_DX_MUL;
	case PF_DX_ASSIGN_DIV:
		return PF_DX_DIV;
	case PF_DX_ASSIGN_MOD:
		return PF_DX_MOD;
	case PF_DX_ASSIGN_ADD:
		return PF_DX_ADD;
	case PF_DX_ASSIGN_SUB:
		return PF_DX_SUB;
	case PF_DX_ASSIGN_SHL:
		return PF_DX_SHL;
	case PF_DX_ASSIGN_SHR:
		return PF_DX_SHR;
	case PF_DX_ASSIGN_AND:
		return PF_DX_AND;
	case PF_DX_ASSIGN_XOR:
		return PF_DX_XOR;
	default:
		return PF_DX_OR;
	}
}

/* An lvalue of any kind, evaluated once: a whole variable, or an address in a spill slot. @inside: it is of a part of a variable, a
 * pointer that the verifier knows; else a number that must lie in memory of alloca() or copyin() to be written to. */
struct target {
	bool is_place, inside;
	struct pf_place place;
	unsigned address;
};

/* Where a bit-field is: @bytes at @first bytes from the start of the record, bits from @shift on. */
struct bits {
	uint32_t first;
	unsigned bytes, shift;
};

/* bits_of() - the unit of the member's type if the field lies in one, else the bytes that it touches; false if these are more than 8. */
static bool bits_of(const struct pf_dexpr *e, struct bits *ret)
{
	unsigned n = e->member->bits;
	uint64_t unit = pf_gen_sizeof(e->member->type);
	if (unit >= 1 && unit <= 8 && e->bit_offset % (unit * 8) + n <= unit * 8) {
		uint64_t first = e->bit_offset / (unit * 8) * unit;
		*ret = (struct bits){ (uint32_t)first, (unsigned)unit, (unsigned)(e->bit_offset - first * 8) };
		return true;
	}
	unsigned shift = (unsigned)(e->bit_offset % 8);
	unsigned bytes = (shift + n + 7) / 8;
	*ret = (struct bits){ (uint32_t)(e->bit_offset / 8), bytes <= 2 ? bytes : bytes <= 4 ? 4 : 8, shift };
	return bytes <= 8;
}

void pf_gen_read_bits(struct pf_gen *g, const struct pf_dexpr *e)
{
	unsigned n = e->member->bits;
	struct bits b;
	if (!bits_of(e, &b)) {
		pf_gen_fail(g, e, "bit-field '%s' lies across two words", e->member->name);
		return;
	}
	pf_gen_address(g, e->args[0]);
	pf_asm_alui(&g->a, BPF_ADD, R0, (int32_t)b.first);
	pf_gen_read_word(g, b.bytes);
	pf_asm_alui(&g->a, BPF_LSH, R0, (int32_t)(64 - b.shift - n));
	pf_asm_alui(&g->a, pf_dtype_is_signed(e->type) ? BPF_ARSH : BPF_RSH, R0, (int32_t)(64 - n));
}

/* root() - the variable that a member or element is part of; NULL: it is in memory. */
static const struct pf_dexpr *root(const struct pf_dexpr *e)
{
	while (e->op == PF_DX_MEMBER || (e->op == PF_DX_INDEX && !pf_gen_is_string(e->args[0])))
		e = e->args[0];
	return e->op == PF_DX_VAR ? e : NULL;
}

static bool is_bits(const struct pf_dexpr *e)
{
	return e->op == PF_DX_MEMBER && e->member->bits;
}

/* gen_target() - @give_up: where to go if an element cannot be made. */
static void gen_target(struct pf_gen *g, const struct pf_dexpr *e, struct target *t, pf_label give_up)
{
	struct bits b = { 0 };
	*t = (struct target){ .is_place = e->op == PF_DX_VAR, .inside = root(e) != NULL };
	if (t->is_place) {
		pf_gen_place(g, e, &t->place);
		return;
	}
	if (is_bits(e) && !bits_of(e, &b)) {
		pf_gen_fail(g, e, "bit-field '%s' lies across two words", e->member->name);
		return;
	}
	g->make_absent = t->inside;
	g->cannot_make = give_up;
	pf_gen_address(g, is_bits(e) ? e->args[0] : e);
	g->make_absent = false;
	if (b.first)
		pf_asm_alui(&g->a, BPF_ADD, R0, (int32_t)b.first);
	t->address = pf_gen_push(g);
}

static void load_target(struct pf_gen *g, const struct pf_dexpr *e, const struct target *t)
{
	struct bits b;
	if (t->is_place) {
		pf_gen_place_load(g, &t->place, e->type);
	} else if (is_bits(e) && bits_of(e, &b)) {
		pf_gen_peek(g, t->address, R0);
		pf_gen_read_word(g, b.bytes);
		pf_asm_alui(&g->a, BPF_LSH, R0, (int32_t)(64 - b.shift - e->member->bits));
		pf_asm_alui(&g->a, pf_dtype_is_signed(e->type) ? BPF_ARSH : BPF_RSH, R0,
			    (int32_t)(64 - e->member->bits));
	} else {
		pf_gen_peek(g, t->address, R0);
		pf_gen_read_word(g, (unsigned)pf_gen_sizeof(e->type));
		pf_gen_extend(g, e->type);
	}
}

/* writable() - R1 = a pointer to @size bytes at the target's address that may be stored to; a fault if that is no memory of ours. */
static void writable(struct pf_gen *g, const struct target *t, uint32_t size)
{
	pf_gen_peek(g, t->address, R1);
	if (!t->inside)
		pf_gen_own_memory(g, size);
}

/* mix_bits() - R2, the new value of a bit-field at R1, becomes the whole unit. */
static void mix_bits(struct pf_gen *g, const struct bits *b, unsigned n)
{
	struct pf_asm *a = &g->a;
	uint64_t mask = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
	pf_asm_const(a, R3, mask);
	pf_asm_alu(a, BPF_AND, R2, R3);
	pf_asm_alui(a, BPF_LSH, R2, (int32_t)b->shift);
	pf_asm_const(a, R3, ~(mask << b->shift));
	pf_asm_load(a, b->bytes, R4, R1, 0);
	pf_asm_alu(a, BPF_AND, R4, R3);
	pf_asm_alu(a, BPF_OR, R2, R4);
}

/* store_target() - the value in spill slot @value. */
static void store_target(struct pf_gen *g, const struct pf_dexpr *e, const struct target *t, unsigned value)
{
	struct bits b = { 0 };
	if (t->is_place) {
		pf_gen_place_store(g, &t->place, e->type, value);
		return;
	}
	bool part = is_bits(e) && bits_of(e, &b);
	unsigned size = part ? b.bytes : (unsigned)pf_gen_sizeof(e->type);
	writable(g, t, size);
	pf_gen_peek(g, value, R2);
	if (part)
		mix_bits(g, &b, e->member->bits);
	pf_asm_store(&g->a, size, R1, 0, R2);
}

/* value_of() - what an assignment is worth: what the target holds now, which a bit-field may have cut. */
static void value_of(struct pf_gen *g, const struct pf_dexpr *lvalue)
{
	if (!is_bits(lvalue))
		return;
	int32_t spare = (int32_t)(64 - lvalue->member->bits);
	pf_asm_alui(&g->a, BPF_LSH, R0, spare);
	pf_asm_alui(&g->a, pf_dtype_is_signed(lvalue->type) ? BPF_ARSH : BPF_RSH, R0, spare);
}

static void release(struct pf_gen *g, const struct target *t)
{
	if (!t->is_place)
		g->spilled--;
}

void pf_gen_step(struct pf_gen *g, const struct pf_dexpr *e)
{
	const struct pf_dexpr *lvalue = e->args[0];
	bool post = e->op == PF_DX_POSTINC || e->op == PF_DX_POSTDEC;
	bool down = e->op == PF_DX_PREDEC || e->op == PF_DX_POSTDEC;
	pf_label give_up = pf_asm_label(&g->a);
	struct target t;
	gen_target(g, lvalue, &t, give_up);
	load_target(g, lvalue, &t);
	unsigned old = pf_gen_push(g);
	pf_asm_const(&g->a, R1, (uint64_t)e->step);
	pf_asm_alu(&g->a, down ? BPF_SUB : BPF_ADD, R0, R1);
	pf_gen_extend(g, lvalue->type);
	value_of(g, lvalue);
	unsigned value = pf_gen_push(g);
	store_target(g, lvalue, &t, value);
	pf_gen_pop(g, value, R0);
	pf_gen_pop(g, old, post ? R0 : R1);
	release(g, &t);
	pf_asm_here(&g->a, give_up);
}

/* gen_build() - the members of a translated structure, to scratch at @off. */
static void gen_build(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off);

/* gen_whole() - a string, structure or array of @size bytes, to scratch at @off. */
static void gen_whole(struct pf_gen *g, const struct pf_dexpr *from, uint32_t off, uint32_t size, bool text, bool pad)
{
	if (text) {
		pf_gen_string_to(g, from, off, size, pad);
		return;
	}
	pf_gen_zero(g, off, pf_round8(size));
	if (from->op == PF_DX_BUILD) {
		gen_build(g, from, off);
	} else if (from->op == PF_DX_COND) {
		pf_label otherwise = pf_asm_label(&g->a);
		pf_label done = pf_asm_label(&g->a);
		pf_gen_condition(g, from->args[0], otherwise);
		gen_whole(g, from->args[1], off, size, text, pad);
		pf_asm_jump(&g->a, done);
		pf_asm_here(&g->a, otherwise);
		gen_whole(g, from->args[2], off, size, text, pad);
		pf_asm_here(&g->a, done);
	} else if (from->op == PF_DX_COMMA) {
		pf_gen_expr(g, from->args[0]);
		gen_whole(g, from->args[1], off, size, text, pad);
	} else if (from->op == PF_DX_ASSIGN) {
		pf_gen_assign(g, from);
		gen_whole(g, from->args[0], off, size, text, pad);
	} else if (from->op != PF_DX_INT) {
		pf_gen_address(g, from);
		pf_gen_copy(g, off, (uint32_t)pf_gen_sizeof(from->type));
	}
}

static void gen_build(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off)
{
	for (unsigned i = 0; i < e->n_args && !g->rc; i++) {
		const struct pf_dmember *m = e->build[i];
		uint32_t at = off + (uint32_t)(m->bit_offset / 8);
		uint32_t size = (uint32_t)pf_gen_sizeof(m->type);
		uint32_t kept = g->scratch_next;
		bool text = pf_dtype_is_string(m->type) || pf_dtype_is_char_array(m->type);
		if (m->bits) {
			pf_gen_fail(g, e, "bit-field '%s' cannot be translated as part of a whole structure", m->name);
		} else if (pf_dtype_is_scalar(m->type)) {
			pf_gen_expr(g, e->args[i]);
			pf_asm_store(&g->a, size, R7, (int)at, R0);
		} else if (text && pf_gen_is_string(e->args[i])) {
			pf_gen_string_to(g, e->args[i], at, size, false);
		} else {
			uint32_t part = pf_gen_scratch(g, pf_round8(size));
			gen_whole(g, e->args[i], part, size, false, false);
			pf_gen_scratch_address(g, R0, part);
			pf_gen_copy(g, at, size);
		}
		g->scratch_next = kept;
	}
}

/* assign_bytes() - string, structure or array. */
static void assign_bytes(struct pf_gen *g, const struct pf_dexpr *e)
{
	const struct pf_dexpr *to = e->args[0];
	const struct pf_dexpr *from = e->args[1];
	bool text = pf_gen_is_string(to);
	pf_label give_up = pf_asm_label(&g->a);
	struct target t;
	gen_target(g, to, &t, give_up);
	bool dynamic = t.is_place && t.place.kind == PLACE_MAP;
	if (dynamic && from->op == PF_DX_INT && from->value == 0) {
		pf_gen_place_delete(g, &t.place);
		pf_asm_here(&g->a, give_up);
		return;
	}
	uint32_t size = text ? g->t->strslot : (uint32_t)pf_gen_sizeof(to->type);
	uint32_t off = pf_gen_scratch(g, t.is_place ? t.place.v->size : pf_round8(size));
	gen_whole(g, from, off, size, text, dynamic || !t.is_place);
	if (t.is_place) {
		pf_gen_place_store_bytes(g, &t.place, off);
	} else {
		size = (uint32_t)pf_gen_sizeof(to->type);
		writable(g, &t, size);
		pf_asm_const(&g->a, R2, size);
		pf_gen_scratch_address(g, R3, off);
		pf_asm_call(&g->a, BPF_FUNC_probe_read_kernel);
	}
	release(g, &t);
	pf_asm_here(&g->a, give_up);
}

void pf_gen_assign(struct pf_gen *g, const struct pf_dexpr *e)
{
	const struct pf_dexpr *to = e->args[0];
	const struct pf_dexpr *from = e->args[1];
	if (pf_gen_is_string(to) || pf_dtype_is_record(to->type) || pf_dtype_is_array(to->type)) {
		assign_bytes(g, e);
		return;
	}
	pf_label give_up = pf_asm_label(&g->a);
	struct target t;
	gen_target(g, to, &t, give_up);
	if (e->op == PF_DX_ASSIGN) {
		if (t.is_place && t.place.kind == PLACE_MAP && from->op == PF_DX_INT && from->value == 0) {
			pf_gen_place_delete(g, &t.place);
			pf_asm_const(&g->a, R0, 0);
			pf_asm_here(&g->a, give_up);
			return;
		}
		pf_gen_expr(g, from);
	} else {
		load_target(g, to, &t);
		pf_gen_extend(g, e->calc);
		unsigned left = pf_gen_push(g);
		pf_gen_expr(g, from);
		pf_asm_mov(&g->a, R1, R0);
		pf_gen_pop(g, left, R0);
		pf_gen_binary(g, binary_of(e->op), e->calc);
		pf_gen_extend(g, to->type);
	}
	value_of(g, to);
	unsigned value = pf_gen_push(g);
	store_target(g, to, &t, value);
	pf_gen_pop(g, value, R0);
	release(g, &t);
	pf_asm_here(&g->a, give_up);
}
