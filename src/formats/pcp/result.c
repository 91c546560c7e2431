/* formats/pcp/result.c - records of values in PCP archives. Source: LOGARCHIVE(5), observed bytes.
 * Offsets of value blocks count words from two words before the record's first length word (they were made for the wire, where a longer
 * head stands before the values). */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "formats/pcp/record.h"

enum { IN_PLACE = 0, BLOCKS = 1, STATIC_BLOCKS = 2, ORIGIN_WORDS = 2, BLOCK_HEAD = 4, END_LEN = 4 };

static size_t head_len(unsigned version)
{
	return version >= 3 ? 20 : 16; /* with the first length word */
}

int pf_pcp_result_decode(struct pf_view rec, unsigned version, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	if (rec.n < head_len(version) + 4)
		return pf_err_set(err, -EBADMSG, "record of %zu bytes is too short", rec.n);
	struct pf_be c = pf_be_of((struct pf_view){ rec.p + 4, rec.n - 8 });
	struct pf_pcp_result r = { .rec = rec };
	r.time_ns = pf_pcp_time(&c, version);
	r.n = pf_be_u32(&c);
	r.cursor = c;
	if (r.time_ns < 0)
		return pf_err_set(err, -EBADMSG, "impossible time");
	if (r.n > c.rest.n / 8)
		return pf_err_set(err, -EBADMSG, "%u metrics in a record of %zu bytes", r.n, rec.n);
	*ret_result = r;
	return 0;
}

int pf_pcp_result_next(struct pf_pcp_result *r, struct pf_pcp_set *ret_set, struct pf_err *err)
{
	enum { HEAD = 8, HEAD_OF_VALUES = 12, PAIR = 8 };
	struct pf_view *rest = &r->cursor.rest;
	if (r->n == 0)
		return 0;
	size_t need = HEAD;
	int32_t n = rest->n >= HEAD ? (int32_t)pf_be_word(rest->p + 4) : 0;
	if (n > 0)
		need = HEAD_OF_VALUES + (size_t)n * PAIR;
	if (rest->n < need)
		return pf_err_set(err, -EBADMSG, "%u more value sets than the record of %zu bytes can hold", r->n,
				  r->rec.n);
	*ret_set = (struct pf_pcp_set){ .pmid = pf_be_word(rest->p), .n = n, .rec = r->rec, .wire = r->wire };
	if (n > 0) {
		ret_set->form = pf_be_word(rest->p + HEAD);
		ret_set->pairs = (struct pf_view){ rest->p + HEAD_OF_VALUES, need - HEAD_OF_VALUES };
		if (ret_set->form > STATIC_BLOCKS)
			return pf_err_set(err, -EBADMSG, "values in the unknown form %u", ret_set->form);
	}
	rest->p += need;
	rest->n -= need;
	r->n--;
	return 1;
}

static int block_at(const struct pf_pcp_set *set, uint32_t words, struct pf_pcp_value *v, struct pf_err *err)
{
	struct pf_view rec = set->rec;
	size_t origin = set->wire ? 0 : ORIGIN_WORDS;
	size_t end = rec.n - (set->wire ? 0 : END_LEN);
	size_t off = ((size_t)words - origin) * 4;
	if (words < origin || off > end || end - off < BLOCK_HEAD)
		return pf_err_set(err, -EBADMSG, "a value lies outside the record");
	uint32_t head = pf_be_get_u32(rec, off);
	uint32_t len = head & UINT32_C(0xffffff);
	if (len < BLOCK_HEAD || len > end - off)
		return pf_err_set(err, -EBADMSG, "a value of %u bytes lies partly outside the record", len);
	v->type = (int32_t)(head >> 24);
	v->bytes = (struct pf_view){ rec.p + off + BLOCK_HEAD, len - BLOCK_HEAD };
	return 0;
}

int pf_pcp_set_get(const struct pf_pcp_set *set, uint32_t i, struct pf_pcp_value *ret_value, struct pf_err *err)
{
	size_t off = (size_t)i * 8;
	if (off >= set->pairs.n)
		return pf_err_set(err, -EBADMSG, "no value %u", i);
	struct pf_pcp_value v = { .inst = (int32_t)pf_be_get_u32(set->pairs, off), .type = -1 };
	if (set->form == IN_PLACE) {
		v.bytes = (struct pf_view){ set->pairs.p + off + 4, 4 };
	} else {
		int rc = block_at(set, pf_be_get_u32(set->pairs, off + 4), &v, err);
		if (rc < 0)
			return rc;
	}
	*ret_value = v;
	return 0;
}

/* Blocks follow one another in the order of their values. @next: in/out, where one is to be, 0 before the first, which is at *ret_first. */
static int check_blocks(const struct pf_pcp_set *set, size_t *next, size_t *ret_first, struct pf_err *err)
{
	for (uint32_t i = 0; set->form != IN_PLACE && set->n > 0 && i < (uint32_t)set->n; i++) {
		struct pf_pcp_value v;
		int rc = pf_pcp_set_get(set, i, &v, err);
		if (rc < 0)
			return rc;
		size_t from = (size_t)(v.bytes.p - set->rec.p) - BLOCK_HEAD;
		if (*next == 0)
			*ret_first = from;
		else if (from != *next)
			return pf_err_set(err, -EBADMSG, "a value is at byte %zu of the record, and should be at %zu",
					  from, *next);
		*next = (from + BLOCK_HEAD + v.bytes.n + 3) & ~(size_t)3;
	}
	return 0;
}

int pf_pcp_result_check(struct pf_view rec, unsigned version, struct pf_err *err)
{
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	size_t next = 0;
	size_t first = 0;
	int rc = pf_pcp_result_decode(rec, version, &r, err);
	if (rc < 0)
		return rc;
	while ((rc = pf_pcp_result_next(&r, &set, err)) == 1) {
		rc = check_blocks(&set, &next, &first, err);
		if (rc < 0)
			return rc;
	}
	if (rc < 0)
		return rc;
	size_t end = rec.n - END_LEN;
	size_t sets = (size_t)(r.cursor.rest.p - rec.p);
	size_t begin = next > 0 ? first : end;
	if (begin != sets || (next > 0 && next != end))
		return pf_err_set(err, -EBADMSG,
				  "its metrics end at byte %zu of the record, its values fill %zu to %zu of %zu", sets,
				  begin, next > 0 ? next : end, end);
	return 0;
}

bool pf_pcp_value_fits(const struct pf_pcp_value *v, int32_t type)
{
	bool word = type == PF_S32 || type == PF_U32 || type == PF_FLOAT;
	if (v->type < 0)
		return word;
	if (v->type != type)
		return false;
	return type < PF_S32 || type > PF_DOUBLE || v->bytes.n == (word ? 4u : 8u);
}

int pf_pcp_value_u64(const struct pf_pcp_value *v, int32_t type, uint64_t *ret_v)
{
	switch (type) {
	case PF_S32:
		if (v->bytes.n != 4)
			return -EBADMSG;
		*ret_v = (uint64_t)(int64_t)(int32_t)pf_be_get_u32(v->bytes, 0);
		return 0;
	case PF_U32:
		if (v->bytes.n != 4)
			return -EBADMSG;
		*ret_v = pf_be_get_u32(v->bytes, 0);
		return 0;
	case PF_S64:
	case PF_U64:
		if (v->bytes.n != 8)
			return -EBADMSG;
		*ret_v = pf_be_get_u64(v->bytes, 0);
		return 0;
	default:
		return -EBADMSG;
	}
}

int pf_pcp_value_double(const struct pf_pcp_value *v, int32_t type, double *ret_v)
{
	if (type == PF_FLOAT && v->bytes.n == 4) {
		uint32_t bits = pf_be_get_u32(v->bytes, 0);
		float f;
		memcpy(&f, &bits, sizeof(f));
		*ret_v = (double)f;
		return 0;
	}
	if (type == PF_DOUBLE && v->bytes.n == 8) {
		uint64_t bits = pf_be_get_u64(v->bytes, 0);
		memcpy(ret_v, &bits, sizeof(*ret_v));
		return 0;
	}
	uint64_t u;
	int rc = pf_pcp_value_u64(v, type, &u);
	if (rc < 0)
		return rc;
	*ret_v = type == PF_S32 || type == PF_S64 ? (double)(int64_t)u : (double)u;
	return 0;
}

struct pf_view pf_pcp_value_text(const struct pf_pcp_value *v)
{
	return (struct pf_view){ v->bytes.p, strnlen(v->bytes.p, v->bytes.n) };
}

void pf_pcp_build_begin(struct pf_pcp_build *b)
{
	pf_buf_clear(&b->sets);
	pf_buf_clear(&b->blocks);
	pf_buf_clear(&b->patches);
	b->n_sets = 0;
}

void pf_pcp_build_set(struct pf_pcp_build *b, uint32_t pmid, enum pf_type type)
{
	pf_be_put_u32(&b->sets, pmid);
	b->set_head = b->sets.n;
	pf_be_put_u32(&b->sets, 0);
	pf_be_put_u32(&b->sets, type == PF_S32 || type == PF_U32 ? IN_PLACE : BLOCKS);
	b->n_sets++;
	b->n_values = 0;
	b->type = type;
}

/* One (instance, value) pair; the value of a block is its offset, which is known when all sets are. */
static void put_pair(struct pf_pcp_build *b, int32_t inst, uint32_t value, bool is_block)
{
	pf_be_put_u32(&b->sets, (uint32_t)inst);
	if (is_block)
		pf_be_put_u32(&b->patches, (uint32_t)b->sets.n);
	pf_be_put_u32(&b->sets, value);
	b->n_values++;
	pf_be_set_u32(&b->sets, b->set_head, b->n_values);
}

void pf_pcp_build_bits(struct pf_pcp_build *b, int32_t inst, uint64_t bits)
{
	if (b->type == PF_S32 || b->type == PF_U32) {
		put_pair(b, inst, (uint32_t)bits, false);
		return;
	}
	bool wide = b->type != PF_FLOAT;
	put_pair(b, inst, (uint32_t)b->blocks.n, true);
	pf_be_put_u32(&b->blocks, (uint32_t)b->type << 24 | (BLOCK_HEAD + (wide ? 8u : 4u)));
	if (wide)
		pf_be_put_u64(&b->blocks, bits);
	else
		pf_be_put_u32(&b->blocks, (uint32_t)bits);
}

enum { BLOCK_MAX = 0xffffff };

static void put_block(struct pf_pcp_build *b, int32_t inst, struct pf_view bytes, bool terminate)
{
	if (bytes.n > BLOCK_MAX - BLOCK_HEAD - 1)
		bytes.n = BLOCK_MAX - BLOCK_HEAD - 1;
	put_pair(b, inst, (uint32_t)b->blocks.n, true);
	uint32_t len = BLOCK_HEAD + (uint32_t)bytes.n + terminate;
	pf_be_put_u32(&b->blocks, (uint32_t)b->type << 24 | len);
	pf_buf_view(&b->blocks, bytes);
	pf_buf_pad(&b->blocks, '\0', terminate);
	pf_buf_pad(&b->blocks, '~', (4 - len % 4) % 4);
}

void pf_pcp_build_block(struct pf_pcp_build *b, int32_t inst, struct pf_view bytes)
{
	put_block(b, inst, bytes, false);
}

void pf_pcp_build_fail(struct pf_pcp_build *b, uint32_t pmid, int32_t code)
{
	pf_be_put_u32(&b->sets, pmid);
	pf_be_put_u32(&b->sets, (uint32_t)code);
	b->n_sets++;
}

void pf_pcp_build_text(struct pf_pcp_build *b, int32_t inst, struct pf_view text)
{
	put_block(b, inst, text, true);
}

size_t pf_pcp_build_bytes(const struct pf_pcp_build *b, unsigned version)
{
	return head_len(version) + b->sets.n + b->blocks.n + 4;
}

void pf_pcp_build_form(struct pf_pcp_build *b, uint32_t pmid, uint32_t form)
{
	pf_be_put_u32(&b->sets, pmid);
	b->set_head = b->sets.n;
	pf_be_put_u32(&b->sets, 0);
	pf_be_put_u32(&b->sets, form);
	b->n_sets++;
	b->n_values = 0;
}

void pf_pcp_build_value(struct pf_pcp_build *b, const struct pf_pcp_value *v, uint32_t form, int32_t type)
{
	if (form == IN_PLACE) {
		put_pair(b, v->inst, pf_be_get_u32(v->bytes, 0), false);
		return;
	}
	put_pair(b, v->inst, (uint32_t)b->blocks.n, true);
	uint32_t len = BLOCK_HEAD + (uint32_t)v->bytes.n;
	pf_be_put_u32(&b->blocks, (uint32_t)(v->type < 0 ? type : v->type) << 24 | len);
	pf_buf_view(&b->blocks, v->bytes);
	pf_buf_pad(&b->blocks, '~', (4 - len % 4) % 4);
}

int pf_pcp_build_end(struct pf_pcp_build *b, unsigned version, int64_t time_ns, struct pf_buf *out)
{
	size_t sets_at = head_len(version);
	size_t blocks_at = sets_at + b->sets.n;
	size_t len = pf_pcp_build_bytes(b, version);
	if (b->sets.failed || b->blocks.failed || b->patches.failed)
		return -ENOMEM;
	if (len > PF_PCP_RECORD_MAX)
		return -EMSGSIZE;

	struct pf_be patches = pf_be_of(pf_buf_text(&b->patches));
	while (patches.rest.n > 0) {
		size_t at = pf_be_u32(&patches);
		uint32_t off = pf_be_get_u32(pf_buf_text(&b->sets), at);
		pf_be_set_u32(&b->sets, at, (uint32_t)((blocks_at + off) / 4) + ORIGIN_WORDS);
	}
	pf_be_put_u32(out, (uint32_t)len);
	pf_pcp_put_time(out, version, time_ns);
	pf_be_put_u32(out, b->n_sets);
	pf_buf_view(out, pf_buf_text(&b->sets));
	pf_buf_view(out, pf_buf_text(&b->blocks));
	pf_be_put_u32(out, (uint32_t)len);
	return out->failed;
}

void pf_pcp_build_done(struct pf_pcp_build *b)
{
	pf_buf_done(&b->sets);
	pf_buf_done(&b->blocks);
	pf_buf_done(&b->patches);
}
