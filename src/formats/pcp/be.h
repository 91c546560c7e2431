/* formats/pcp/be.h - big-endian bytes, bounded. A cursor takes numbers off the front of a view and remembers when they ran out, so that one
 * check at the end of a record is enough; what was not there reads as 0. */
#ifndef PF_FORMATS_PCP_BE_H
#define PF_FORMATS_PCP_BE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/view.h"

/* @rest: what has not been taken yet. @ran_out: something was asked for that is not there; stays set. */
struct pf_be {
	struct pf_view rest;
	bool ran_out;
};

static inline struct pf_be pf_be_of(struct pf_view v)
{
	return (struct pf_be){ .rest = v };
}

uint32_t pf_be_u16(struct pf_be *c);
uint64_t pf_be_u64(struct pf_be *c);

/* Words are what archives are made of; so these are inline. */
static inline uint32_t pf_be_word(const char *p)
{
	uint32_t w;
	memcpy(&w, p, sizeof(w));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(w) : w;
}

static inline uint32_t pf_be_u32(struct pf_be *c)
{
	if (c->ran_out || c->rest.n < 4) {
		c->ran_out = true;
		return 0;
	}
	uint32_t w = pf_be_word(c->rest.p);
	c->rest.p += 4;
	c->rest.n -= 4;
	return w;
}

static inline int32_t pf_be_i32(struct pf_be *c)
{
	return (int32_t)pf_be_u32(c);
}

/* pf_be_bytes() - the next @n bytes; an empty view when they are not all there. */
struct pf_view pf_be_bytes(struct pf_be *c, size_t n);

/* pf_be_items() - the bytes of @n items of @size bytes each; checks for overflow, so that @n may come straight from a file. */
struct pf_view pf_be_items(struct pf_be *c, uint32_t n, size_t size);

/* pf_be_get_u32() - the word at @off of @v, 0 beyond its end. */
static inline uint32_t pf_be_get_u32(struct pf_view v, size_t off)
{
	return off > v.n || v.n - off < 4 ? 0 : pf_be_word(v.p + off);
}

static inline uint64_t pf_be_get_u64(struct pf_view v, size_t off)
{
	return off > v.n || v.n - off < 8 ? 0 : (uint64_t)pf_be_word(v.p + off) << 32 | pf_be_word(v.p + off + 4);
}

/* Appending. */
void pf_be_put_u32(struct pf_buf *b, uint32_t v);
void pf_be_put_u64(struct pf_buf *b, uint64_t v);

/* pf_be_set_u32() - overwrite the word at @off, which must have been appended already. */
void pf_be_set_u32(struct pf_buf *b, size_t off, uint32_t v);

#endif
