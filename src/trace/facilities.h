/* trace/facilities.h - what tracing needs of this host, and whether it is there. */
#ifndef PF_TRACE_FACILITIES_H
#define PF_TRACE_FACILITIES_H

#include <stdbool.h>

/* @detail: what was found, or why it is missing; @advice: how to get it, "" if there is nothing to do. Texts live until the call returns. */
typedef void pf_facility_fn(void *arg, const char *name, bool works, const char *detail, const char *advice);

/* pf_trace_facilities() - try each thing, cheapest first; nothing stays attached. */
void pf_trace_facilities(pf_facility_fn *fn, void *arg);

#endif
