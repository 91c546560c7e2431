/* import/isolate_calls.h - between the two files of the recorder's end: the process (isolate.c), and what is said (isolate_calls.c). */
#ifndef PF_IMPORT_ISOLATE_CALLS_H
#define PF_IMPORT_ISOLATE_CALLS_H

#include "import/isolate.h"

/* isolate.c: pf_iso_begin() - a call's message up to its arguments. Return: false, the process cannot be called now. pf_iso_end() - send it, do
 * what comes until it has returned or its time is over. Return: the callback's result.
 * pf_iso_put_call() - that message for any state.
 * pf_iso_is_ready() - once per interval: look after one that was late or is to be started again. */
void pf_iso_put_call(struct pf_module *m, enum pf_call which);
bool pf_iso_begin(struct pf_module *m, enum pf_call which);
int pf_iso_end(struct pf_module *m);
bool pf_iso_is_ready(struct pf_module *m);

/* isolate_calls.c: callbacks for the recorder. pf_iso_take() - do what a message says. Return: 0, or -EPROTO. pf_iso_refuse() - answer, but do
 * nothing. pf_iso_ask_init() - Init of a process that was started again, not waiting for it; pf_iso_after_init() - it has returned @rc: InitInterval. */
struct perfolio_module pf_iso_stand_ins(uint64_t mask);
int pf_iso_take(struct pf_module *m, int kind, struct pf_wire_fields *f);
int pf_iso_take_return(struct pf_module *m, struct pf_wire_fields *f);
int pf_iso_refuse(struct pf_iso *iso, int kind, struct pf_wire_fields *f);
int pf_iso_ask_init(struct pf_module *m);
void pf_iso_after_init(struct pf_module *m, int rc);

#endif
