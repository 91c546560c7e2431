/* model/catalog.h - every metric and instance of one stream. Names that outlive a sample belong to it.
 * Metrics get an index in order of addition; instances of a domain get a slot in order of discovery. Samples are addressed by
 * (metric index, slot), so nothing is looked up by name while sampling. */
#ifndef PF_MODEL_CATALOG_H
#define PF_MODEL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/view.h"
#include "model/metric.h"

struct pf_about_teller;
struct pf_err;
struct pf_group;
struct pf_remap;
struct pf_select;

/* Longest instance name kept; longer ones are cut. So many metrics has a recording of any kind, for whoever reads, writes or checks one. */
enum { PF_NAME_MAX = 256, PF_METRICS_MAX = 1 << 20 };

/* One instance. @id is the external number of PCP archives; @seen the sequence number of the last sample that had it; @born tells one that
 * uses a number again from the one that had it before (start time of a process); @came: the sample that had it first; @next: chain of equal hashes, slot + 1; @role: enum
 * pf_role, 0 as long as nobody asked (model/select.h). */
struct pf_instance {
	const char *name;
	int32_t id;
	unsigned next;
	uint64_t seen;
	uint64_t born;
	uint64_t came;
	uint8_t role;
};

/* An instance domain: @instances[slot]. A slot is used again once its instance has vanished and a new one comes. @last, @before: the two
 * latest samples that had instances, which are not neighbours for groups that are sampled more rarely. @by_id: slot + 1 by external
 * number, where instances are looked up by that (pf_indom_numbered()). @keeps: no slot is used again. @expected: pf_indom_expect(), 0 if nobody knows. @group: whose instances they are, NULL as long as nobody asked. */
struct pf_indom {
	uint32_t id;
	const struct pf_group *group;
	bool keeps;
	uint64_t last;
	uint64_t before;
	unsigned *by_id;
	unsigned n_by_id;
	struct pf_instance *instances;
	unsigned n;
	unsigned cap;
	unsigned expected;
	uint64_t changed; /* sequence number of the last sample that added or lost an instance */
	uint64_t taken;	  /* how often a slot became another instance's, or its instance got another name */
	int32_t next_id;
	unsigned *heads;   /* by hash of the name, @cap of them: 1 + first slot, 0 is none */
	unsigned *links;   /* by slot: 1 + next slot of the same hash */
	uint64_t full_seq; /* in the sample of this number, no slot before @full has become free */
	unsigned full;
};

/* What carries an instance, as far as the host tells (/sys): see docs/devices.md. */
enum pf_device {
	PF_DEVICE_UNKNOWN,
	PF_DEVICE_OWN,	 /* a whole disk, a port: what moves there is counted nowhere else */
	PF_DEVICE_ABOVE, /* stands on others, is part of another, or only in memory */
};

/* Asks the host about a disk or an interface. */
struct pf_device_look {
	enum pf_device (*look)(void *arg, uint32_t indom, struct pf_view name);
	void *arg;
};

/* @metric_sums: by metric, of which metric's instances it is the sum, UINT32_MAX: none. @select: which instances are wanted, NULL: all;
 * @remap: other names for disks, NULL: none; @wanted: patterns of names (glob(7)), NULL-terminated, outside which metrics are @hidden from those
 * who tell of everything, NULL: all are wanted; @keeps_slots: of domains made from now on; set before metrics are added. @instances: the same for names of instances. These belong to whoever set them. @device: set by a source that can tell. */
struct pf_catalog {
	const struct pf_metric **metrics;
	unsigned n_metrics;
	unsigned cap_metrics;
	unsigned *metric_domains; /* index into domains by metric, UINT_MAX for singular metrics */
	uint8_t *metric_periods;  /* enum pf_period by metric */
	bool any_second;
	unsigned *metric_sums;
	bool *hidden;	   /* by metric */
	unsigned *by_name; /* 2 * cap_metrics places each: number + 1 of the first metric of a name or PMID, 0 free */
	unsigned *by_pmid;
	const struct pf_select *select;
	const struct pf_remap *remap;
	const char *const *wanted;
	const char *const *instances;
	bool keeps_slots;
	struct pf_device_look device;
	struct pf_about_teller *tellers; /* sources that have notes: model/about.h */
	uint64_t n_tellers;		 /* that there ever were */
	struct pf_indom **domains;
	unsigned n_domains;
	struct pf_arena
		owned; /* rows and names that a source made up from its recording; live as long as the catalog */
};

/* How often a group is sampled: at each interval, or at each second interval (B of -i A:B), which may be many of the first. */
enum pf_period { PF_EACH_INTERVAL, PF_SECOND_INTERVAL };

struct pf_catalog *pf_catalog_new(void);
struct pf_catalog *pf_catalog_free(struct pf_catalog *cat); /* returns NULL */

/**
 * pf_catalog_add() - add @n metric rows that stay valid as long as the catalog.
 * @ret_base: index of the first; the others follow
 *
 * Return: 0, -ENOMEM, or -EEXIST with both names when a PMID or name is there already with another meaning.
 */
int pf_catalog_add(struct pf_catalog *cat, const struct pf_metric *rows, unsigned n, unsigned *ret_base,
		   struct pf_err *err);

/* pf_catalog_clash() - a metric that is there already with the name or number of @row but another meaning, so that @row cannot be added. */
const struct pf_metric *pf_catalog_clash(const struct pf_catalog *cat, const struct pf_metric *row);

/* pf_catalog_names() - is a metric called so? "disk.dev" stands for all that is below it, too. */
bool pf_catalog_names(const char *pattern, const char *name);

/* pf_catalog_find() - index of the metric of that name, or -ENOENT. */
int pf_catalog_find(const struct pf_catalog *cat, struct pf_view name);

/* pf_catalog_indom() - the domain, made when first asked for; NULL without memory. */
struct pf_indom *pf_catalog_indom(struct pf_catalog *cat, uint32_t id);

/* pf_catalog_domain_of() - the domain of a metric, NULL for singular metrics. */
static inline struct pf_indom *pf_catalog_domain_of(const struct pf_catalog *cat, unsigned metric)
{
	return cat->metric_domains[metric] == UINT32_MAX ? NULL : cat->domains[cat->metric_domains[metric]];
}

/**
 * pf_indom_slot() - slot of the instance @name, added if new.
 * @hint: slot to try first (the same line of the same file usually names the same instance)
 * @id: external number for a new instance, or -1 for the next free one
 * @seq: sequence number of the sample being built
 *
 * Return: slot, or -ENOMEM.
 */
int pf_indom_slot(struct pf_indom *dom, struct pf_view name, unsigned hint, int32_t id, uint64_t seq);

/* pf_indom_stays() - the instance that had @slot in the sample before is in the sample @seq, too. */
void pf_indom_stays(struct pf_indom *dom, unsigned slot, uint64_t seq);

/**
 * pf_indom_numbered() - slot of the instance that is known by its number; a domain uses either this or pf_indom_slot().
 * @born: an instance with the same number that was born at another time is another one and gets a slot of its own
 * @name: of the instance from now on
 *
 * Return: slot, or -ENOMEM.
 */
int pf_indom_numbered(struct pf_indom *dom, int32_t id, uint64_t born, struct pf_view name, uint64_t seq);

/* pf_indom_find_numbered() - slot of the instance with that number that the sample @seq has, or -ENOENT. */
int pf_indom_find_numbered(const struct pf_indom *dom, int32_t id, uint64_t seq);

/* pf_indom_expect() - about @n instances are to come; room for a few more is made at once, where the cells need it. */
void pf_indom_expect(struct pf_indom *dom, unsigned n);

/* pf_indom_find() - the slot of @name, looked for at @hint first, or -1. */
int pf_indom_find(const struct pf_indom *dom, struct pf_view name, unsigned hint);

#endif
