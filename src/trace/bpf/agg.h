/* bpf/agg.h - aggregations as user space sees them: read, merged over the CPUs, sorted, divided. Nothing is ever reset in the kernel,
 * so no update is lost. */
#ifndef PF_TRACE_BPF_AGG_H
#define PF_TRACE_BPF_AGG_H

#include "trace/bpf/session.h"

struct pf_err;

/**
 * pf_agg_record() - one or several aggregations with equal keys as a record; everything lives in the event's arena.
 * @format, @text: of printa(), or NULL: then ret_record->agg.text is NULL
 */
int pf_agg_record(struct pf_trace *t, struct pf_dagg *const *aggs, size_t n, const struct pf_dformat *format,
		  struct pf_record *ret_record, struct pf_err *err);

/* pf_agg_clear() - zero the values, keep the keys. */
void pf_agg_clear(struct pf_trace *t, const struct pf_dagg *agg);

/* pf_agg_trunc() - keep the @keep largest (negative: smallest) values; 0: none. */
int pf_agg_trunc(struct pf_trace *t, const struct pf_dagg *agg, int64_t keep, struct pf_err *err);

#endif
