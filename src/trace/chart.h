/* trace/chart.h - the distributions of quantize(), lquantize() and llquantize() as text. */
#ifndef PF_TRACE_CHART_H
#define PF_TRACE_CHART_H

#include "base/buf.h"
#include "model/event.h"

/* pf_chart_range() - the part of the table that is shown: one bucket beyond the outermost that are not zero; [first, end). */
void pf_chart_range(const struct pf_agg_value *v, size_t *ret_first, size_t *ret_end);

/* pf_chart() - header line and one line for each bucket shown. */
void pf_chart(struct pf_buf *out, const struct pf_agg_value *v);

#endif
