/* engine/devices.c - what filters matched, told once when the first sample is there. */
#include "engine/devices.h"

#include "model/select.h"

void pf_devices_tell(const struct pf_plan *plan, const struct pf_catalog *cat, const struct pf_sample *sample)
{
	const struct pf_request *req = plan->req;
	const struct {
		char letter;
		const char *text;
		const char *name;
		const char *what;
	} filters[] = { { 'c', req->cpu_filter, "--cpufilt", "CPUs" },
			{ 'd', req->disk_filter, "--dskfilt", "disks" },
			{ 'n', req->net_filter, "--netfilt", "interfaces" },
			{ 'j', req->int_filter, "--intfilt", "interrupts" } };
	for (unsigned i = 0; i < sizeof(filters) / sizeof(filters[0]) && !req->as_peer; i++) {
		unsigned kept, all;
		if (!filters[i].text || !pf_select_count(cat, filters[i].letter, sample, &kept, &all))
			continue;
		if (kept == 0)
			pf_notice(plan->notice, PF_WARNING, "%s '%s' keeps none of %u %s", filters[i].name,
				  filters[i].text, all, filters[i].what);
		else
			pf_notice(plan->notice, PF_INFO, "%s '%s' keeps %u of %u %s", filters[i].name, filters[i].text,
				  kept, all, filters[i].what);
	}
}
