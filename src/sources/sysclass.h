/* sources/sysclass.h - what /sys says about a disk or an interface: whether it carries traffic of its own. Asked once per name. */
#ifndef PF_SOURCES_SYSCLASS_H
#define PF_SOURCES_SYSCLASS_H

#include "model/catalog.h"

/**
 * pf_sysclass_look() - for struct pf_device_look.
 * @arg: pointer to the descriptor of the folder that stands for "/"
 * @indom: domain of disks or of interfaces
 *
 * Return: PF_DEVICE_UNKNOWN where /sys says nothing, or the domain is neither.
 */
enum pf_device pf_sysclass_look(void *arg, uint32_t indom, struct pf_view name);

#endif
