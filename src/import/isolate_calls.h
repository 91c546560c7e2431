/* import/isolate_calls.h - between the two files of the recorder's end: the process (isolate.c), and what is said (isolate_calls.c). */
#ifndef PF_IMPORT_ISOLATE_CALLS_H
#define PF_IMPORT_ISOLATE_CALLS_H

#include "import/isolate.h"

/* isolate.c: pf_iso_begin() - a call's message up to its arguments. Return: false, the process cannot be called now. pf_iso_end() - send it, do
 * what comes until it has returned or its time is over. Return: the callback's result.
 * pf_iso_is_ready() - once per interval: look after one that was late or is to be started again. */
bool pf_iso_begin(struct pf_module *m, enum pf_call which);
int pf_iso_end(struct pf_module *m);
bool pf_iso_is_ready(struct pf_module *m);

/* isolate_calls.c: callbacks for the recorder. pf_iso_take() - do what a message says. Return: 0, or -EPROTO. pf_iso_refuse() - answer, but do
 * nothing. pf_iso_init_again() - Init and InitInterval of a process that was started again. */
struct perfolio_module pf_iso_stand_ins(uint64_t mask);
int pf_iso_take(struct pf_module *m, int kind, struct pf_wire_fields *f);
int pf_iso_take_return(struct pf_module *m, struct pf_wire_fields *f);
int pf_iso_refuse(struct pf_iso *iso, int kind, struct pf_wire_fields *f);
int pf_iso_init_again(struct pf_module *m);

#endif
