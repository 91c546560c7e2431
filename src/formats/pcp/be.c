/* formats/pcp/be.c - big-endian bytes, bounded. */
#include "formats/pcp/be.h"

#include <assert.h>

struct pf_view pf_be_bytes(struct pf_be *c, size_t n)
{
	if (c->ran_out || n > c->rest.n) {
		c->ran_out = true;
		return (struct pf_view){ "", 0 };
	}
	struct pf_view v = { c->rest.p, n };
	c->rest.p += n;
	c->rest.n -= n;
	return v;
}

struct pf_view pf_be_items(struct pf_be *c, uint32_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow((size_t)n, size, &bytes)) {
		c->ran_out = true;
		return (struct pf_view){ "", 0 };
	}
	return pf_be_bytes(c, bytes);
}

static uint64_t join(struct pf_view v)
{
	uint64_t x = 0;
	for (size_t i = 0; i < v.n; i++)
		x = x << 8 | (unsigned char)v.p[i];
	return x;
}

uint32_t pf_be_u16(struct pf_be *c)
{
	return (uint32_t)join(pf_be_bytes(c, 2));
}

uint64_t pf_be_u64(struct pf_be *c)
{
	return join(pf_be_bytes(c, 8));
}

void pf_be_put_u32(struct pf_buf *b, uint32_t v)
{
	const unsigned char bytes[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8),
					 (unsigned char)v };
	pf_buf_add(b, bytes, sizeof(bytes));
}

void pf_be_put_u64(struct pf_buf *b, uint64_t v)
{
	pf_be_put_u32(b, (uint32_t)(v >> 32));
	pf_be_put_u32(b, (uint32_t)v);
}

void pf_be_set_u32(struct pf_buf *b, size_t off, uint32_t v)
{
	if (b->failed)
		return; /* the bytes are not there; the failure is seen when the record is complete */
	assert(off + 4 <= b->n);
	for (unsigned i = 0; i < 4; i++)
		b->p[off + i] = (char)(unsigned char)(v >> (24 - 8 * i));
}
