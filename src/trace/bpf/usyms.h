/* bpf/usyms.h - what code addresses of processes mean, also when the process has ended: the kernel tells of every mapping as it is made. */
#ifndef PF_TRACE_BPF_USYMS_H
#define PF_TRACE_BPF_USYMS_H

#include <stdint.h>

#include "model/event.h"

struct pf_usyms;

/**
 * pf_usyms_open() - from now on the mappings of processes are kept: of those that exist now, and of those to come.
 * Without the right to hear of them, processes are looked at when an address of theirs is asked for. -ENOMEM.
 */
int pf_usyms_open(struct pf_usyms **ret_usyms);
struct pf_usyms *pf_usyms_close(struct pf_usyms *u);

/* pf_usyms_listen() - take in what the kernel told since the last call; often enough, before its room is full. */
void pf_usyms_listen(struct pf_usyms *u);

/* pf_usyms_frame() - module, function and distance of @address of process @pid at @time_ns (monotonic clock; UINT64_MAX: the last there was).
 * Texts live as long as @u. *@ret_base: where the function or, with @of_module, the module begins; @address if unknown. */
void pf_usyms_frame(struct pf_usyms *u, int pid, uint64_t address, uint64_t time_ns, bool of_module, struct pf_frame *f,
		    uint64_t *ret_base);

#endif
