/* engine/hardware.h - subsystems that need hardware which most hosts have not: left out, with a sentence, where it is not there. */
#ifndef PF_ENGINE_HARDWARE_H
#define PF_ENGINE_HARDWARE_H

#include <stdbool.h>

struct pf_err;
struct pf_plan;

/**
 * struct pf_interconnect - the adapters of a host, in the order of their names.
 * @states: as a raw file's header has them: for each adapter its ports, 1 for an active one, 0 else: "10:10"
 */
struct pf_interconnect {
	unsigned n_hcas;
	unsigned n_active;
	char states[256];
};

/* pf_hardware_interconnect() - look; all 0 and "" if there is none. */
void pf_hardware_interconnect(int root_fd, struct pf_interconnect *ret);

/**
 * pf_hardware_check() - take letters out of a plan for a live host that cannot have data here.
 *
 * Return: 0; 1 if nothing is left to do, which has been told; negative errno with a sentence.
 */
int pf_hardware_check(struct pf_plan *plan, struct pf_err *err);

#endif
