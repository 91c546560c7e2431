/* bpf/consume.h - records out of the ring become events. */
#ifndef PF_TRACE_BPF_CONSUME_H
#define PF_TRACE_BPF_CONSUME_H

#include "trace/bpf/session.h"

/* pf_ring_drain() - hand every record that is complete to @fn and free its room; @fn's negative result ends it.
 * Return: number of records, or what @fn returned. */
int pf_ring_drain(struct pf_trace *t, int (*fn)(struct pf_trace *t, const uint8_t *record, uint32_t n, void *arg),
		  void *arg);

/* Where events go. @n: how many went */
struct pf_outlet {
	pf_event_fn *fn;
	void *arg;
	struct pf_err *err;
	int n;
};

/* pf_decode() - one record of the ring: event, work for the consumer, or both. */
int pf_decode(struct pf_trace *t, const uint8_t *record, uint32_t n, void *outlet);

/* pf_spec_keep() - a record of a speculation waits for commit() or discard(). @turn: as the record's head tells. Return: 0 or -ENOMEM. */
int pf_spec_keep(struct pf_trace *t, uint32_t turn, const uint8_t *record, uint32_t n);

/* pf_spec_end() - hand the records of this turn to @fn (NULL: nobody wants them) in their order, and forget them. Return: 0 or what @fn returned
 * if negative. */
int pf_spec_end(struct pf_trace *t, uint32_t turn, int (*fn)(void *arg, const uint8_t *record, uint32_t n), void *arg);

/* pf_decode_drops() - report what was dropped since the last look. */
int pf_decode_drops(struct pf_trace *t, struct pf_outlet *out);

#endif
