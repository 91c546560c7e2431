/* engine/devices.h - what there is to be said about devices and filters. */
#ifndef PF_ENGINE_DEVICES_H
#define PF_ENGINE_DEVICES_H

#include "engine/plan.h"

/* pf_devices_tell() - how much each filter of the user keeps of what @sample has; one that keeps nothing is a warning. */
void pf_devices_tell(const struct pf_plan *plan, const struct pf_catalog *cat, const struct pf_sample *sample);

#endif
