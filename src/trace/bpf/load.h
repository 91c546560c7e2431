/* bpf/load.h - a session's way into the kernel: maps, programs, attachments, and the refusals put into words. */
#ifndef PF_TRACE_BPF_LOAD_H
#define PF_TRACE_BPF_LOAD_H

#include "trace/bpf/session.h"

struct pf_asm;

/* pf_maps_make() - create every map of the session and map the shared ones into memory. */
int pf_maps_make(struct pf_trace *t, struct pf_err *err);
void pf_maps_close(struct pf_trace *t);

/* pf_session_load() - plan, generate, make maps, load; nothing is attached yet. */
int pf_session_load(struct pf_trace *t, struct pf_err *err);

/* pf_session_attach() - let the loaded programs fire; they do nothing while the session is not active. */
int pf_session_attach(struct pf_trace *t, struct pf_err *err);

/* pf_session_keep_fd() - an attachment that lasts as long as the session; the descriptor is ours now, also on failure. */
int pf_session_keep_fd(struct pf_trace *t, int fd);

/* pf_session_add_tick() - have @program fired every @period_ns by the consumer. */
int pf_session_add_tick(struct pf_trace *t, struct pf_program *program, int64_t period_ns);

/* pf_session_detach() - close everything in the kernel; attachments first, which may take a while. */
void pf_session_detach(struct pf_trace *t);

/* pf_capabilities() - effective ones of this process as bits, 0 if they cannot be read. */
uint64_t pf_capabilities(void);

/* pf_locked_down() - is the kernel locked down so far that programs may not read its memory? False also if it does not tell. */
bool pf_locked_down(void);

/* pf_refused() - the sentence for a refusal by bpf(2): which capability or facility is missing. */
int pf_refused(struct pf_err *err, int rc, const char *what);

#endif
