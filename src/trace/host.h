/* trace/host.h - this machine as the D front end sees it. */
#ifndef PF_TRACE_HOST_H
#define PF_TRACE_HOST_H

#include "trace/bpf/session.h"

struct pf_dhost pf_trace_host(struct pf_trace *t);

/* pf_trace_demand() - have the providers add probes that exist only because @desc asks for them. */
int pf_trace_demand(struct pf_trace *t, const struct pf_ddesc *desc, struct pf_err *err);

bool pf_trace_matches(const struct pf_ddesc *desc, const struct pf_probe *probe);

#endif
