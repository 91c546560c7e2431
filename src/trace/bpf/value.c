/* bpf/value.c - from the bytes of a record or key to values of the model. */
#include "trace/bpf/value.h"

#include <errno.h>
#include <string.h>

#include "trace/bpf/syms.h"

/* word() - one aligned 64-bit number; the buffers are aligned to 8. */
static uint64_t word(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

int64_t pf_value_int(const struct pf_field *f, const uint8_t *data)
{
	uint64_t v = word(data + f->off);
	unsigned unused = f->size < 8 ? 64 - 8 * f->size : 0;
	v <<= unused;
	return f->is_signed ? (int64_t)v >> unused : (int64_t)(v >> unused);
}

struct pf_datum pf_value_datum(const struct pf_field *f, const uint8_t *data)
{
	struct pf_datum d = { .kind = PF_DATUM_INT, .size = (uint8_t)f->size };
	switch (f->kind) {
	case PF_FIELD_TEXT:
		d.kind = PF_DATUM_TEXT;
		d.text.p = (const char *)data + f->off;
		d.text.n = strnlen(d.text.p, f->size);
		break;
	case PF_FIELD_BYTES:
		d.kind = PF_DATUM_BYTES;
		d.text.p = (const char *)data + f->off;
		d.text.n = f->size;
		break;
	default:
		d.kind = f->is_signed ? PF_DATUM_INT : PF_DATUM_UINT;
		d.i = pf_value_int(f, data);
		break;
	}
	return d;
}

/* stack_of() - addresses up to the first zero, resolved. */
static int stack_of(struct pf_trace *t, const uint8_t *pcs, size_t bytes, int pid, struct pf_stack *ret_stack)
{
	size_t n = bytes / 8;
	struct pf_frame *frames = pf_arena_alloc(&t->event_arena, (n ? n : 1) * sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	size_t used = 0;
	for (; used < n && word(pcs + 8 * used); used++)
		pf_syms_frame(t, pid, word(pcs + 8 * used), &frames[used]);
	*ret_stack = (struct pf_stack){ frames, used, pid };
	return 0;
}

int pf_value_key(struct pf_trace *t, const struct pf_field *f, const uint8_t *data, struct pf_key *k)
{
	static const enum pf_key_kind kinds[] = {
		[PF_FIELD_INT] = PF_KEY_VALUE,	 [PF_FIELD_TEXT] = PF_KEY_VALUE,    [PF_FIELD_BYTES] = PF_KEY_VALUE,
		[PF_FIELD_STACK] = PF_KEY_STACK, [PF_FIELD_USTACK] = PF_KEY_USTACK, [PF_FIELD_SYM] = PF_KEY_SYM,
		[PF_FIELD_MOD] = PF_KEY_MOD,	 [PF_FIELD_USYM] = PF_KEY_USYM,	    [PF_FIELD_UADDR] = PF_KEY_UADDR,
		[PF_FIELD_UMOD] = PF_KEY_UMOD,
	};
	const uint8_t *p = data + f->off;
	*k = (struct pf_key){ .kind = kinds[f->kind] };
	switch (f->kind) {
	case PF_FIELD_INT:
	case PF_FIELD_TEXT:
	case PF_FIELD_BYTES:
		k->value = pf_value_datum(f, data);
		return 0;
	case PF_FIELD_STACK: {
		uint64_t bytes = word(p);
		return stack_of(t, p + 8, bytes < f->size - 8 ? bytes : f->size - 8, 0, &k->stack);
	}
	case PF_FIELD_USTACK: {
		uint64_t bytes = word(p + 8);
		return stack_of(t, p + 16, bytes < f->size - 16 ? bytes : f->size - 16, (int)word(p), &k->stack);
	}
	case PF_FIELD_SYM:
	case PF_FIELD_MOD:
		return stack_of(t, p, 8, 0, &k->stack);
	default:
		return stack_of(t, p + 8, 8, (int)word(p), &k->stack);
	}
}
