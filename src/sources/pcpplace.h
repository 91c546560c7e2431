/* sources/pcpplace.h - where values of PCP's metrics go in samples, whether they come from an archive or from a pmcd. A metric that a group knows by
 * name lands in that group's row, so that every view of the group works; the others get rows as they are described. */
#ifndef PF_SOURCES_PCPPLACE_H
#define PF_SOURCES_PCPPLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/meta.h"
#include "model/group.h"
#include "model/sample.h"

struct pf_err;
struct pf_notice;

/* Place of one metric. @index -1: nowhere. @type, @scale, @counter: of the row, which may differ from the metric's own. */
struct pf_pcp_target {
	int index;
	enum pf_type type;
	uint8_t period;
	bool counter;
	struct pf_scale scale;
	struct pf_indom *domain;
};

/* @groups: whose rows may take them, NULL-terminated; NULL: none. @letters: those of groups that got one and have a view are added, room for @size */
struct pf_pcp_placing {
	const struct pf_group *const *groups;
	struct pf_catalog *catalog;
	char *letters;
	size_t size;
};

/* pf_pcp_place_can() - has it a type and semantics that samples have? */
bool pf_pcp_place_can(const struct pf_pcp_metric *m);

/* pf_pcp_place() - into the row of a group, or of whoever else knows the metric. Return: 1 done; 0 it needs a row of its own; -EEXIST with why it can
 * have none; other negative errno. */
int pf_pcp_place(const struct pf_pcp_placing *p, const struct pf_pcp_metric *m, struct pf_pcp_target *ret_target,
		 struct pf_err *err);

/* @n metrics that nobody knows yet, and where they are going to be. */
struct pf_pcp_own {
	const struct pf_pcp_metric **metrics;
	struct pf_pcp_target **targets;
	unsigned n;
};

/* pf_pcp_place_own() - rows as described, when all that others know have theirs. One with the name or number of another, and those beyond the limit
 * of a catalog, have none, which is told of @path. Return: 0 or -ENOMEM. */
int pf_pcp_place_own(struct pf_catalog *cat, const struct pf_pcp_own *own, const char *path,
		     const struct pf_notice *notice, struct pf_err *err);

/* pf_pcp_place_again() - the metric is described anew. Return: do its values still go to the same row? */
bool pf_pcp_place_again(const struct pf_catalog *cat, const struct pf_pcp_metric *m, struct pf_pcp_target *t);

/* pf_pcp_place_domain() - period and domain, when no more metrics are added: that may move the catalog's tables. */
void pf_pcp_place_domain(const struct pf_catalog *cat, struct pf_pcp_target *t);

/**
 * pf_pcp_place_slot() - slot of the instance @id in the catalog, which is in the sample @seq then. One without a name is called by its number.
 * @dom: names of instances; NULL: none are known. @hint: in/out, as for pf_pcp_domain_find()
 * @ret_serial: of the instance, 0: it has no name
 *
 * Return: the slot, or -ENOMEM.
 */
int pf_pcp_place_slot(const struct pf_pcp_target *t, struct pf_pcp_domain *dom, int32_t id, unsigned *hint,
		      uint64_t seq, uint64_t *ret_serial);

/**
 * struct pf_pcp_taker - who puts values into samples.
 * @metric_of: as in struct pf_pcp_into
 * @strange: is told of each value that is not what its metric is said to be, and why; NULL: nobody wants that
 * @kept: is told of each value, with the serial of its instance, 0: it has no name; NULL: nobody wants that. Return: 0 or -ENOMEM
 */
struct pf_pcp_taker {
	int (*metric_of)(const void *arg, uint32_t pmid);
	int (*kept)(void *arg, const struct pf_pcp_target *t, unsigned slot, uint64_t serial, union pf_value value);
	void (*strange)(void *arg, const struct pf_pcp_target *t, const char *why);
	void *arg;
};

/* pf_pcp_take_set() - all values of a set of type @type into their cells. @dom: names of its instances; NULL: none are known. Return: 0 or
 * -ENOMEM. */
int pf_pcp_take_set(const struct pf_pcp_taker *taker, const struct pf_pcp_set *set, int32_t type,
		    const struct pf_pcp_target *t, struct pf_pcp_domain *dom, struct pf_sample *sample);

/* pf_pcp_place_members() - all instances of @dom exist in the sample @seq, whether they have values or not. Return: 0 or -ENOMEM. */
int pf_pcp_place_members(struct pf_pcp_domain *dom, struct pf_indom *catalog, uint64_t seq);

#endif
