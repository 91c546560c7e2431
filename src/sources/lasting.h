/* sources/lasting.h - values of an archive that hold until another one comes: those of discrete metrics. The value of an instance ends with it. */
#ifndef PF_SOURCES_LASTING_H
#define PF_SOURCES_LASTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/sample.h"

struct pf_pcp_meta;

/* @serial: of the instance that it is of, 0: no value. @text, @room: a string, which is ours. */
struct pf_lasting_value {
	uint64_t serial;
	union pf_value v;
	char *text;
	size_t room;
};

/* One metric: where its values go, @values by slot. @domain: index into the domains, UINT_MAX for a single value. @any: there is one. */
struct pf_lasting {
	unsigned index;
	enum pf_type type;
	uint8_t period;
	unsigned domain;
	bool any;
	struct pf_lasting_value *values;
	unsigned n;
};

/* The instances that exist: @slots of them, @serials by slot, 0: none. @number: of the domain in the archive; @followed: changes of the archive
 * that it is up to date with. */
struct pf_lasting_domain {
	unsigned number;
	struct pf_indom *catalog;
	size_t followed;
	unsigned *slots;
	unsigned n;
	unsigned cap;
	uint64_t *serials;
	unsigned n_serials;
};

/* @version: counts up whenever something that holds changes. */
struct pf_lastings {
	uint64_t version;
	struct pf_lasting *holds;
	unsigned n;
	struct pf_lasting_domain *domains;
	unsigned n_domains;
};

/**
 * pf_lastings_add() - a metric whose values hold.
 * @hold: where they go; @number, @catalog: its domain in the archive and in the catalog, NULL for a single value
 *
 * Return: its number, or -ENOMEM.
 */
int pf_lastings_add(struct pf_lastings *h, const struct pf_lasting *hold, unsigned number, struct pf_indom *catalog);
void pf_lastings_done(struct pf_lastings *h);

/* pf_lasting_take() - a value that came. @serial: of its instance (formats/pcp/meta.h), 1 for a single value. Return: 0 or -ENOMEM. */
int pf_lasting_take(struct pf_lastings *h, unsigned number, unsigned slot, uint64_t serial, union pf_value v);

/* pf_lasting_forget() - the metric has no values any more. pf_lastings_forget(): none has. pf_lastings_any(): does any value hold? */
void pf_lasting_forget(struct pf_lastings *h, unsigned number);
void pf_lastings_forget(struct pf_lastings *h);
bool pf_lastings_any(const struct pf_lastings *h);

/* pf_lastings_follow() - instances are those that @meta knows now. Return: 0 or -ENOMEM. pf_lastings_follows(): are they already? */
bool pf_lastings_follows(const struct pf_lastings *h, const struct pf_pcp_meta *meta);
int pf_lastings_follow(struct pf_lastings *h, const struct pf_pcp_meta *meta);

/* pf_lastings_put() - what holds into the sample, where nothing newer is. Return: 0 or -ENOMEM. */
int pf_lastings_put(const struct pf_lastings *h, struct pf_sample *sample);

#endif
