/* bpf/plan.c - where everything lives: constants, variables, aggregations, and the layout of every clause's record. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "trace/bpf/gen.h"

int pf_map_add(struct pf_trace *t, enum bpf_map_type type, uint32_t key, uint32_t value, uint32_t max, uint32_t flags)
{
	if (t->n_maps == t->cap_maps) {
		size_t cap = t->cap_maps ? t->cap_maps * 2 : 16;
		struct pf_map *more = reallocarray(t->maps, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->maps = more;
		t->cap_maps = cap;
	}
	t->maps[t->n_maps] = (struct pf_map){ type, key, value, max, flags, -1, NULL };
	return (int)t->n_maps++;
}

uint32_t pf_plan_text_max(const struct pf_trace *t, const struct pf_dexpr *e)
{
	uint64_t most = (uint64_t)t->options.value[PF_OPT_STRSIZE];
	uint64_t n = most;
	switch (e->op) {
	case PF_DX_INT:
		n = 0;
		break;
	case PF_DX_STRING:
		n = strlen(e->string->text);
		break;
	case PF_DX_BUILTIN:
		if (e->builtin->id == PF_DB_EXECNAME)
			n = 15;
		else if (e->builtin->id >= PF_DB_PROBEFUNC && e->builtin->id <= PF_DB_PROBEPROV)
			n = e->builtin->id == PF_DB_PROBEFUNC ? 127 : 63;
		break;
	case PF_DX_COND: {
		uint32_t first = pf_plan_text_max(t, e->args[1]);
		uint32_t second = pf_plan_text_max(t, e->args[2]);
		n = first > second ? first : second;
		break;
	}
	case PF_DX_COMMA:
		return pf_plan_text_max(t, e->args[1]);
	case PF_DX_CAST:
		return pf_plan_text_max(t, e->args[0]);
	case PF_DX_STRINGOF:
		if (pf_dtype_is_char_array(e->args[0]->type) && pf_gen_sizeof(e->args[0]->type))
			n = pf_gen_sizeof(e->args[0]->type);
		break;
	case PF_DX_CALL:
		if (e->func->id == PF_DF_LLTOSTR)
			n = e->n_args > 1 ? 64 : 20;
		else if (e->func->id >= PF_DF_INET_NTOA && e->func->id <= PF_DF_INET_NTOP)
			n = 45;
		else if (e->func->id == PF_DF_LINK_NTOP)
			n = 59;
		else if (e->func->id == PF_DF_COPYINSTR && e->n_args > 1 && e->args[1]->op == PF_DX_INT &&
			 e->args[1]->value > 0)
			n = (uint64_t)e->args[1]->value;
		else if (e->func->id == PF_DF_STRJOIN)
			n = (uint64_t)pf_plan_text_max(t, e->args[0]) + pf_plan_text_max(t, e->args[1]);
		else if (e->func->id == PF_DF_SUBSTR || e->func->id == PF_DF_TOUPPER || e->func->id == PF_DF_TOLOWER ||
			 e->func->id == PF_DF_STRCHR || e->func->id == PF_DF_STRRCHR || e->func->id == PF_DF_STRSTR)
			n = pf_plan_text_max(t, e->args[0]);
		break;
	default:
		break;
	}
	return (uint32_t)(n < most ? n : most);
}

/* stack_frames() - how many frames stack(n) or ustack(n) wants. */
static uint32_t stack_frames(const struct pf_trace *t, const struct pf_dexpr *e, bool user)
{
	int64_t n = t->options.value[user ? PF_OPT_USTACKFRAMES : PF_OPT_STACKFRAMES];
	if (e->op == PF_DX_CALL && e->n_args > 0 && e->args[0]->op == PF_DX_INT)
		n = e->args[0]->value;
	int64_t most = t->options.value[PF_OPT_MAXFRAMES];
	return (uint32_t)(n < 1 ? 1 : n > most ? most : n);
}

/* plan_call() - a value that only some functions make: a stack, a symbol. False: an ordinary one. */
static bool plan_call(struct pf_trace *t, const struct pf_dexpr *e, struct pf_field *f)
{
	if (e->op != PF_DX_CALL)
		return false;
	switch (e->func->id) {
	case PF_DF_STACK:
		*f = (struct pf_field){ .kind = PF_FIELD_STACK, .size = 8 + 8 * stack_frames(t, e, false) };
		return true;
	case PF_DF_USTACK:
	case PF_DF_JSTACK:
		*f = (struct pf_field){ .kind = PF_FIELD_USTACK, .size = 16 + 8 * stack_frames(t, e, true) };
		return true;
	case PF_DF_SYM:
	case PF_DF_FUNC:
		*f = (struct pf_field){ .kind = PF_FIELD_SYM, .size = 8 };
		return true;
	case PF_DF_MOD:
		*f = (struct pf_field){ .kind = PF_FIELD_MOD, .size = 8 };
		return true;
	case PF_DF_USYM:
	case PF_DF_UFUNC:
		*f = (struct pf_field){ .kind = PF_FIELD_USYM, .size = 16 };
		return true;
	case PF_DF_UADDR:
		*f = (struct pf_field){ .kind = PF_FIELD_UADDR, .size = 16 };
		return true;
	case PF_DF_UMOD:
		*f = (struct pf_field){ .kind = PF_FIELD_UMOD, .size = 16 };
		return true;
	default:
		return false;
	}
}

int pf_plan_field(struct pf_trace *t, const struct pf_dexpr *e, struct pf_field *f)
{
	if (plan_call(t, e, f)) {
		t->wants_usyms |= f->kind == PF_FIELD_USTACK || f->kind >= PF_FIELD_USYM;
		return 0;
	}
	*f = (struct pf_field){ .kind = PF_FIELD_INT, .size = 8 };
	uint64_t size = pf_gen_sizeof(e->type);
	if (pf_gen_is_string(e)) {
		f->kind = PF_FIELD_TEXT;
		f->size = pf_plan_text_max(t, e) + 1;
	} else if (pf_dtype_is_scalar(e->type)) {
		f->is_signed = !pf_dtype_is_pointer(e->type) && pf_dtype_is_signed(e->type);
		f->size = (uint32_t)size; /* of the D type; the slot has 8 bytes */
	} else if (size && size <= SCRATCH_LIMIT / 2) {
		f->kind = pf_dtype_is_char_array(e->type) ? PF_FIELD_TEXT : PF_FIELD_BYTES;
		f->size = f->kind == PF_FIELD_TEXT ? (uint32_t)size + 1 : (uint32_t)size;
	} else {
		return -EOPNOTSUPP;
	}
	return 0;
}

/* place() - give a field its offset; the next free one. */
static uint32_t place(struct pf_field *f, uint32_t off)
{
	f->off = off;
	return off + (f->kind == PF_FIELD_INT ? 8 : pf_round8(f->size));
}

/* plan_keys() - fields for a tuple of key types, as far as the types tell. */
static int plan_keys(struct pf_trace *t, struct pf_dtype *const *types, unsigned n, uint32_t off,
		     struct pf_field **ret_fields, uint32_t *ret_size)
{
	struct pf_field *fields = pf_arena_alloc(&t->arena, (n ? n : 1) * sizeof(*fields));
	if (!fields)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		struct pf_dexpr any = { .op = PF_DX_VAR, .type = types[i] };
		int rc = pf_plan_field(t, &any, &fields[i]);
		if (rc < 0)
			return rc;
		off = place(&fields[i], off);
	}
	*ret_fields = fields;
	*ret_size = off;
	return 0;
}

/* same_map() - a map of that layout, which others use already, or -1. Kinds of maps are few, so a program cannot have too many. */
static int same_map(const struct pf_trace *t, enum bpf_map_type type, uint32_t key, uint32_t value)
{
	for (size_t i = N_PF_MAPS; i < t->n_maps; i++) {
		const struct pf_map *m = &t->maps[i];
		if (m->type == type && m->key_size == key && m->value_size == value)
			return (int)i;
	}
	return -1;
}

static int plan_variable(struct pf_trace *t, struct pf_dvar *v, uint32_t *state, uint32_t *scratch, struct pf_err *err)
{
	if (v->host)
		return 0;
	struct pf_variable *host = pf_arena_alloc(&t->arena, sizeof(*host));
	if (!host)
		return pf_err_set(err, -ENOMEM, "no memory");
	bool text = pf_dtype_is_string(v->type);
	host->size = text ? t->strslot : pf_round8(pf_gen_sizeof(v->type));
	if (!host->size)
		host->size = 8;
	if (v->scope == PF_DV_THIS) {
		host->off = *scratch;
		*scratch += host->size;
	} else if (v->scope == PF_DV_GLOBAL && !v->is_assoc) {
		host->off = *state;
		*state += host->size;
	} else {
		int rc = plan_keys(t, v->key_types, v->n_keys, 8, &host->keys, &host->key_size);
		if (rc < 0)
			return pf_err_set(err, rc, "line %u: keys of %s cannot be kept", v->pos.line, v->name);
		int64_t most = t->options.value[PF_OPT_DYNVARSIZE] / (int64_t)(host->key_size + host->size + 48);
		rc = same_map(t, BPF_MAP_TYPE_HASH, host->key_size, host->size);
		if (rc < 0)
			rc = pf_map_add(t, BPF_MAP_TYPE_HASH, host->key_size, host->size,
					(uint32_t)(most < 1 ? 1 : most), BPF_F_NO_PREALLOC);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory");
		host->map = (unsigned)rc;
	}
	v->host = host;
	return 0;
}

/* plan_agg() - components of a value; the keys' sizes were collected by grow_keys(). */
static int plan_agg(struct pf_trace *t, struct pf_dagg *agg, struct pf_err *err)
{
	static const uint32_t words[] = { [PF_AGG_COUNT] = 1, [PF_AGG_SUM] = 1, [PF_AGG_MIN] = 2,
					  [PF_AGG_MAX] = 2,   [PF_AGG_AVG] = 2, [PF_AGG_STDDEV] = 4 };
	struct pf_agg *host = agg->host;
	if (!host || !agg->func)
		return 0;
	host->words = agg->kind <= PF_AGG_STDDEV ? words[agg->kind] : agg->n_buckets;
	uint32_t off = 8;
	for (unsigned i = 0; i < agg->n_keys; i++)
		off = place(&host->keys[i], off);
	host->key_size = agg->n_keys ? off : 4;
	uint32_t size = 8 + 8 * host->words;
	host->shared = size > SCRATCH_LIMIT;
	int64_t most = agg->n_keys ? t->options.value[PF_OPT_AGGSIZE] / (int64_t)(host->key_size + size + 48) : 1;
	enum bpf_map_type type = host->shared  ? agg->n_keys ? BPF_MAP_TYPE_HASH : BPF_MAP_TYPE_ARRAY
				 : agg->n_keys ? BPF_MAP_TYPE_PERCPU_HASH
					       : BPF_MAP_TYPE_PERCPU_ARRAY;
	int rc = host->shared ? -1 : same_map(t, type, host->key_size, size);
	if (rc >= 0 && !agg->n_keys)
		host->slot = t->maps[rc].max_entries++;
	if (rc < 0)
		rc = pf_map_add(t, type, host->key_size, size, (uint32_t)(most < 1 ? 1 : most),
				agg->n_keys ? BPF_F_NO_PREALLOC : 0);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory");
	host->map = (unsigned)rc;
	if (size > t->zeros)
		t->zeros = pf_round8(size);
	return 0;
}

/* grow_keys() - one use of an aggregation: a slot is as long as the longest text that any use can bring. */
static int grow_keys(struct pf_trace *t, struct pf_dagg *agg, struct pf_dexpr *const *keys, unsigned n)
{
	struct pf_agg *host = agg->host;
	if (!host) {
		host = pf_arena_alloc(&t->arena, sizeof(*host));
		if (!host)
			return -ENOMEM;
		host->normal = 1;
		host->keys = pf_arena_alloc(&t->arena, (n ? n : 1) * sizeof(*host->keys));
		if (!host->keys)
			return -ENOMEM;
		agg->host = host;
	}
	for (unsigned i = 0; i < n; i++) {
		struct pf_field f;
		int rc = pf_plan_field(t, keys[i], &f);
		if (rc < 0)
			return rc;
		if (f.size >= host->keys[i].size)
			host->keys[i] = f;
	}
	return 0;
}

/* plan_fields() - what an action records. */
static int plan_fields(struct pf_trace *t, struct pf_action *action, uint32_t *off)
{
	const struct pf_dexpr *call = action->call;
	action->fields = pf_arena_alloc(&t->arena, (call->n_args + 2) * sizeof(*action->fields));
	if (!action->fields)
		return -ENOMEM;
	int rc = 0;
	if (call->func->flags & PF_DFF_KEY) {
		rc = pf_plan_field(t, call, &action->fields[action->n_fields++]);
	} else if (call->func->id == PF_DF_TRACEMEM) {
		action->fields[0] = (struct pf_field){ .kind = PF_FIELD_BYTES, .size = (uint32_t)call->args[1]->value };
		action->fields[1] = (struct pf_field){ .kind = PF_FIELD_INT, .size = 8 };
		action->n_fields = 2;
		if (call->args[1]->value > SCRATCH_LIMIT / 2)
			rc = -EOPNOTSUPP;
	} else {
		for (unsigned i = 0; i < call->n_args && !rc; i++) {
			if (call->args[i]->op != PF_DX_AGG && !(i == 0 && call->format))
				rc = pf_plan_field(t, call->args[i], &action->fields[action->n_fields++]);
		}
	}
	for (unsigned i = 0; i < action->n_fields && !rc; i++)
		*off = place(&action->fields[i], *off);
	return rc;
}

/* plan_statements() - collect the actions and what the aggregations need. @conditional: below an if. */
static int plan_statements(struct pf_trace *t, struct pf_dclause *c, struct pf_dstmt *s, bool conditional,
			   struct pf_err *err)
{
	struct pf_plan *plan = c->host;
	for (; s; s = s->next) {
		int rc = 0;
		if (s->kind == PF_DS_IF) {
			rc = plan_statements(t, c, s->then, true, err);
			if (!rc)
				rc = plan_statements(t, c, s->otherwise, true, err);
			if (rc < 0)
				return rc;
		} else if (s->kind == PF_DS_AGG) {
			rc = grow_keys(t, s->agg, s->keys, s->n_keys);
		} else if (s->kind == PF_DS_ACTION && !s->host) {
			struct pf_action *action = pf_arena_alloc(&t->arena, sizeof(*action));
			if (!action)
				return pf_err_set(err, -ENOMEM, "no memory");
			*action = (struct pf_action){ .call = s->expr, .present = -1 };
			if (conditional) {
				action->present = (int)plan->data_size;
				plan->data_size += 8;
			}
			s->host = action;
			*plan->end = action;
			plan->end = &action->next;
			plan->n_actions++;
			rc = plan_fields(t, action, &plan->data_size);
			enum pf_dfunc_id id = s->expr->func->id;
			bool silent = id == PF_DF_RAISE || id == PF_DF_STOP || id == PF_DF_SPECULATE;
			plan->event |= !silent;
			plan->visible |= !silent && id != PF_DF_COMMIT && id != PF_DF_DISCARD;
		}
		if (rc < 0)
			return pf_err_set(err, rc, "line %u: %s", s->pos.line,
					  rc == -ENOMEM ? "no memory" : "a value of this type cannot be recorded");
	}
	return 0;
}

/* plan_strings() - where each constant is, behind the zeros. */
static int plan_strings(struct pf_trace *t, struct pf_err *err)
{
	pf_buf_clear(&t->consts);
	pf_buf_pad(&t->consts, 0, t->zeros);
	for (struct pf_dstring *s = t->prog->strings; s; s = s->next) {
		s->offset = t->consts.n;
		size_t n = s->n;
		pf_buf_add(&t->consts, s->text, n);
		pf_buf_pad(&t->consts, 0, pf_round8(n + 1) - n);
	}
	return t->consts.failed ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

int pf_plan_program(struct pf_trace *t, struct pf_err *err)
{
	t->strslot = pf_round8((uint64_t)t->options.value[PF_OPT_STRSIZE] + 1);
	t->zeros = t->strslot > 512 ? t->strslot : 512;
	if (t->options.value[PF_OPT_SCRATCHSIZE] > t->zeros &&
	    t->options.value[PF_OPT_SCRATCHSIZE] <= SCRATCH_LIMIT / 4)
		t->zeros = pf_round8((uint64_t)t->options.value[PF_OPT_SCRATCHSIZE]);
	uint32_t record = sizeof(struct pf_record_fault);
	for (struct pf_dclause *c = t->prog->clauses; c; c = c->next) {
		struct pf_plan *plan = c->host;
		if (!plan)
			continue;
		plan->end = &plan->actions;
		plan->event = plan->visible = (c->flags & PF_DC_DEFAULT) != 0;
		int rc = plan_statements(t, c, c->stmts, false, err);
		if (rc < 0)
			return rc;
		if (plan->data_size > record)
			record = plan->data_size;
	}
	t->state_gens = pf_round8(sizeof(struct pf_state));
	uint32_t state = t->state_gens + 8 * t->prog->n_aggs;
	uint32_t scratch = sizeof(struct pf_scratch_head);
	static const enum pf_dscope scopes[] = { PF_DV_GLOBAL, PF_DV_SELF, PF_DV_THIS };
	for (unsigned i = 0; i < 3; i++) {
		for (struct pf_dvar *v = t->prog->vars[scopes[i]]; v; v = v->next) {
			int rc = plan_variable(t, v, &state, &scratch, err);
			if (rc < 0)
				return rc;
		}
	}
	for (struct pf_dagg *agg = t->prog->aggs; agg; agg = agg->next) {
		int rc = plan_agg(t, agg, err);
		if (rc < 0)
			return rc;
	}
	t->state_size = state;
	t->scratch_record = scratch;
	t->scratch_base = scratch + (uint32_t)sizeof(struct pf_record_head) + pf_round8(record);
	t->scratch_size = t->scratch_base;
	if (t->scratch_base > SCRATCH_LIMIT)
		return pf_err_set(err, -E2BIG, "a clause records %u bytes; the limit is %u: a smaller strsize helps",
				  record, SCRATCH_LIMIT);
	return plan_strings(t, err);
}
