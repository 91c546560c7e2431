/* base/buf.h - text that grows; every writer appends to one of these. */
#ifndef PF_BASE_BUF_H
#define PF_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/view.h"

/**
 * struct pf_buf - @n bytes at @p, of @cap; {0} is empty. A NUL stands behind the bytes once anything was added.
 * @failed: -ENOMEM once an append found no memory; later appends do nothing, so one check at the end is enough
 */
struct pf_buf {
	char *p;
	size_t n;
	size_t cap;
	int failed;
};

void pf_buf_add(struct pf_buf *b, const void *bytes, size_t n);
void pf_buf_fmt(struct pf_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pf_buf_pad(struct pf_buf *b, char c, size_t n);
void pf_buf_u64(struct pf_buf *b, uint64_t v);
void pf_buf_i64(struct pf_buf *b, int64_t v);

/* pf_buf_reserve() - room for @n more bytes behind the text: a pointer to them (add what was used to b->n), or NULL without memory. */
char *pf_buf_reserve(struct pf_buf *b, size_t n);

/* pf_buf_done() - free; the buffer is empty and usable again. pf_buf_clear() keeps the memory. */
void pf_buf_done(struct pf_buf *b);

static inline void pf_buf_clear(struct pf_buf *b)
{
	b->n = 0;
}

static inline void pf_buf_str(struct pf_buf *b, const char *s)
{
	pf_buf_add(b, s, strlen(s));
}

static inline void pf_buf_view(struct pf_buf *b, struct pf_view v)
{
	pf_buf_add(b, v.p, v.n);
}

static inline void pf_buf_char(struct pf_buf *b, char c)
{
	if (b->failed || b->cap - b->n < 2) {
		pf_buf_add(b, &c, 1);
		return;
	}
	b->p[b->n++] = c;
	b->p[b->n] = '\0';
}

static inline struct pf_view pf_buf_text(const struct pf_buf *b)
{
	return (struct pf_view){ b->p ? b->p : "", b->n };
}

#endif
