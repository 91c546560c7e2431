/* groups/expected.c - Source: programs of PCP 6.0.3, which end with "unknown metric name" where an archive does not describe one of these, though
 * they need no value of it. The kernel of a 64-bit host has no high memory, for example; pmcd describes its metrics without values. */
#include "groups/expected.h"

#include <stddef.h>
#include <string.h>

#include "groups/list.h"

const char *const pf_expected[] = {
	"mem.util.highFree", /* pcp free */
	"mem.util.highTotal",	      "mem.util.lowFree",
	"mem.util.lowTotal",	      "kernel.percpu.intr", /* pcp mpstat, whatever it is to show */
	"proc.runq.runnable",				    /* pmrep :sar-q, beside the load */
	"network.interface.baudrate",			    /* pmrep :sar-n-DEV, where no interface tells it */
	"network.interface.duplex",   NULL,
};

const struct pf_metric *pf_expected_row(const char *name)
{
	for (unsigned g = 0; pf_groups[g]; g++) {
		for (unsigned m = 0; m < pf_groups[g]->n_metrics; m++) {
			if (strcmp(pf_groups[g]->metrics[m].name, name) == 0)
				return &pf_groups[g]->metrics[m];
		}
	}
	return NULL;
}
