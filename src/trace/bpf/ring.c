/* bpf/ring.c - the consumer's side of the kernel's ring buffer. Source: Documentation/bpf/ringbuf.rst. */
#include <unistd.h>

#include "trace/bpf/consume.h"

enum { RECORD_HEAD = 8 };
#define RECORD_BUSY    (UINT32_C(1) << 31)
#define RECORD_DISCARD (UINT32_C(1) << 30)

int pf_ring_drain(struct pf_trace *t, int (*fn)(struct pf_trace *t, const uint8_t *record, uint32_t n, void *arg),
		  void *arg)
{
	const struct pf_ring *ring = &t->ring;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const uint64_t *producer = (const void *)ring->producer;
	const uint8_t *data = ring->producer + page;
	uint64_t at = __atomic_load_n(ring->consumer, __ATOMIC_ACQUIRE);
	int n = 0;
	for (;;) {
		uint64_t end = __atomic_load_n(producer, __ATOMIC_ACQUIRE);
		if (at >= end)
			return n;
		const uint8_t *record = data + (at & (ring->size - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)(const void *)record, __ATOMIC_ACQUIRE);
		if (head & RECORD_BUSY)
			return n;
		uint32_t size = head & ~(RECORD_BUSY | RECORD_DISCARD);
		int rc = 0;
		if (!(head & RECORD_DISCARD)) {
			rc = fn(t, record + RECORD_HEAD, size, arg);
			n++;
		}
		at += (size + RECORD_HEAD + 7) & ~UINT64_C(7);
		__atomic_store_n(ring->consumer, at, __ATOMIC_RELEASE);
		if (rc < 0)
			return rc;
	}
}
