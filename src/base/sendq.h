/* base/sendq.h - bytes that wait for a connection which must not be waited for. */
#ifndef PF_BASE_SENDQ_H
#define PF_BASE_SENDQ_H

#include <stdint.h>

#include "base/buf.h"

/* @fd: not owned, does not block; @bytes from @head on are not sent yet. */
struct pf_sendq {
	int fd;
	struct pf_buf bytes;
	size_t head;
};

static inline size_t pf_sendq_waiting(const struct pf_sendq *q)
{
	return q->bytes.n - q->head;
}

/* pf_sendq_put() - send @text behind what waits; what the connection does not take now waits. Return: 0 or negative errno. */
int pf_sendq_put(struct pf_sendq *q, struct pf_view text);

/* pf_sendq_push() - send what waits, as far as it is taken. Return: 1 something still waits; 0 nothing; negative errno. */
int pf_sendq_push(struct pf_sendq *q);

/* pf_sendq_drain() - the same, waiting until @deadline (monotonic). */
int pf_sendq_drain(struct pf_sendq *q, int64_t deadline_ns);

void pf_sendq_done(struct pf_sendq *q);

#endif
