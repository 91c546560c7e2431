/* groups/labels.c - labels of metrics. Source: archives of pmlogger and answers of pmcd 6.0.3 (pmdumplog -e, pminfo -l); pmLookupLabels(3): those of
 * an item stand over those of its domain and of its indom. */
#include "groups/labels.h"

#include <string.h>

enum { DOMAIN_SHIFT = 22 };

/* clang-format off */
#define AGENT(name)	   { { "agent", "\"" name "\"" } }
#define DEVICE(type)	   { { "device_type", type } }
#define PER(type, name)	   { { "device_type", type }, { "indom_name", "\"per " name "\"" } }
#define DOMAIN(number)	   PF_OF_DOMAIN, number, number
#define OWN(domain)	   PF_OF_ITEM, PF_PMID(domain, 4095, 0), PF_PMID(domain, 4095, 1023)
#define LINUX(serial)	   PF_OF_INDOM, PF_INDOM(PF_DOMAIN_LINUX, serial), PF_INDOM(PF_DOMAIN_LINUX, serial)
#define ON_LINUX(serial)   PF_INDOM(PF_DOMAIN_LINUX, serial)
#define PROC(serial)	   PF_OF_INDOM, PF_INDOM(PF_DOMAIN_PROC, serial), PF_INDOM(PF_DOMAIN_PROC, serial)
#define ITEMS(first, last) PF_OF_ITEM, PF_PMID(PF_DOMAIN_LINUX, 0, first), PF_PMID(PF_DOMAIN_LINUX, 0, last)
#define CPU		   "\"cpu\""
#define BLOCK		   "\"block\""
#define INTERFACE	   "\"interface\""
#define MEMORY		   "\"memory\""
#define NODE		   "\"numa_node\""

const struct pf_labels_row pf_labels_rows[PF_LABELS_ROWS] = {
	{ DOMAIN(PF_DOMAIN_LINUX), AGENT("linux") },
	{ DOMAIN(PF_DOMAIN_PROC), AGENT("proc") },
	/* What those agents do not have comes from here, although it is in their domains. A label of the cluster would do, but libpcp 6.0.3 leaves that
	 * out for metrics without instances. */
	{ OWN(PF_DOMAIN_LINUX), AGENT("perfolio") },
	{ OWN(PF_DOMAIN_PROC), AGENT("perfolio") },
	{ LINUX(0), PER(CPU, "cpu") },
	{ LINUX(1), PER(BLOCK, "disk") },
	{ LINUX(3), PER(INTERFACE, "interface") },
	{ LINUX(4), PER("\"irq\"", "irq") },
	{ LINUX(12), PER(MEMORY, "slab") },
	{ LINUX(17), PER(INTERFACE, "interface") },
	{ LINUX(19), PER(NODE, "numa_node") },
	{ LINUX(31), PER("[" MEMORY "," NODE "]", "buddy per numa_node") },
	{ LINUX(32), PER("[" MEMORY "," NODE "]", "zone per numa_node") },
	{ LINUX(36), { { "indom_name", "\"per softirq\"" } } },
	{ LINUX(40), PER("[\"irq\"," CPU "]", "cpu, per irq") },
	{ LINUX(41), PER(CPU, "cpu, per softirq") },
	{ PROC(17), DEVICE(BLOCK) },
	{ PROC(24), DEVICE(MEMORY) },
	/* kernel.all.cpu and kernel.pernode.cpu */
	{ ITEMS(20, 23), DEVICE(CPU) },
	{ ITEMS(34, 35), DEVICE(CPU) },
	{ ITEMS(53, 55), DEVICE(CPU) },
	{ ITEMS(60, 60), DEVICE(CPU) },
	{ ITEMS(78, 78), DEVICE(CPU) },
	{ ITEMS(81, 82), DEVICE(CPU) },
	{ ITEMS(62, 71), DEVICE("[" NODE "," CPU "]") },
	{ ITEMS(77, 77), DEVICE("[" NODE "," CPU "]") },
	{ ITEMS(85, 86), DEVICE("[" NODE "," CPU "]") },
};

/* Processes are left out: their domain changes all the time, and each change would tell all of them again. Their numbers stand in their names. */
static const struct pf_instance_labels instance_rows[] = {
	{ ON_LINUX(0), { { "cpu", 1, "cpu" } } },
	{ ON_LINUX(1), { { "device_name", 1, NULL } } },
	{ ON_LINUX(3), { { "interface", 1, NULL } } },
	{ ON_LINUX(4), { { "irq", 1, NULL } } },
	{ ON_LINUX(19), { { "numa_node", 1, "node" } } },
	{ ON_LINUX(31), { { "numa_node", 1, "node" }, { "order", 2, "order" }, { "zone", 3, NULL } } },
	{ ON_LINUX(32), { { "numa_node", 1, "node" }, { "zone", 2, NULL } } },
	{ ON_LINUX(33), { { "lowmem_reserved", 1, "lowmem_reserved" }, { "numa_node", 2, "node" }, { "zone", 3, NULL } } },
	{ ON_LINUX(40), { { "cpu", 1, "cpu" }, { "irq", 2, NULL } } },
	{ ON_LINUX(41), { { "cpu", 1, "cpu" }, { "softirq", 2, NULL } } },
};
/* clang-format on */

const struct pf_instance_labels *pf_labels_instances(uint32_t indom)
{
	for (size_t i = 0; i < sizeof(instance_rows) / sizeof(instance_rows[0]); i++) {
		if (instance_rows[i].indom == indom)
			return &instance_rows[i];
	}
	return NULL;
}

/* Cut the part behind the last "::" off. Return: false if there is none left. */
static bool last_part(struct pf_view *rest, struct pf_view *ret_part)
{
	if (!rest->p)
		return false;
	for (size_t at = rest->n; at >= 2; at--) {
		if (rest->p[at - 1] != ':' || rest->p[at - 2] != ':')
			continue;
		*ret_part = (struct pf_view){ rest->p + at, rest->n - at };
		rest->n = at - 2;
		return true;
	}
	*ret_part = *rest;
	rest->p = NULL;
	return true;
}

bool pf_labels_value(const struct pf_instance_label *label, struct pf_view instance, struct pf_view *ret_value)
{
	struct pf_view part = { 0 };
	uint64_t number;
	for (unsigned i = 0; i < label->last; i++) {
		if (!last_part(&instance, &part))
			return false;
	}
	if (label->lead) {
		if (!pf_view_starts(part, label->lead))
			return false;
		size_t n = strlen(label->lead);
		part = (struct pf_view){ part.p + n, part.n - n };
		if (pf_view_u64(part, &number) < 0)
			return false;
	}
	*ret_value = part;
	return true;
}

uint32_t pf_labels_ident(const struct pf_metric *m, enum pf_owner owner)
{
	switch (owner) {
	case PF_OF_DOMAIN:
		return m->pmid >> DOMAIN_SHIFT;
	case PF_OF_INDOM:
		return m->indom;
	case PF_OF_CONTEXT:
	case PF_OF_CLUSTER:
	case PF_OF_ITEM:
	case PF_OF_INSTANCES:
		break;
	}
	return m->pmid;
}

bool pf_labels_has(const struct pf_labels_row *row, const struct pf_metric *m)
{
	uint32_t ident = pf_labels_ident(m, row->owner);
	return ident >= row->first && ident <= row->last;
}
