/* sources/pcpplan.h - where the values of records of one shape go (formats/pcp/shape.h): metrics and instances are looked up with the first of them, and
 * values of the others are put where those of the first went. */
#ifndef PF_SOURCES_PCPPLAN_H
#define PF_SOURCES_PCPPLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pcp/record.h"
#include "model/sample.h"
#include "sources/pcpplace.h"
#include "sources/pcpvalue.h"

/* How a value stands in the record: 64 bits; 32 that are signed, not signed, or a float; or it must be converted. */
enum pf_pcp_form { PF_PCP_BITS64, PF_PCP_SIGNED32, PF_PCP_BITS32, PF_PCP_FLOAT32, PF_PCP_CONVERTED };

/* So many values, one after the other, that stand there in the same way. */
struct pf_pcp_stretch {
	enum pf_pcp_form form;
	unsigned n;
};

/* A cell of a sample. */
struct pf_pcp_cell {
	unsigned metric;
	unsigned slot;
};

/* What is to be known of a value that must be converted. @n: its bytes; @type: of its block */
struct pf_pcp_conversion {
	size_t n;
	int32_t type;
	uint8_t period;
	struct pf_pcp_into into;
};

/* A value of a metric whose values hold (sources/lasting.h): @serial of its instance. */
struct pf_pcp_telling {
	const struct pf_pcp_target *to;
	unsigned slot;
	uint64_t serial;
};

/* Instances of a domain that the record has. @number: of the domain in the archive; @taken, @changes: of both when their slots were looked up */
struct pf_pcp_present {
	struct pf_indom *domain;
	unsigned number;
	uint64_t taken;
	uint64_t changes;
	unsigned *slots;
	unsigned n;
	unsigned cap;
};

/* A set without values, and why. */
struct pf_pcp_failing {
	struct pf_pcp_target *to;
	int32_t code;
};

/**
 * struct pf_pcp_plan - for the records of one shape.
 * @serial: of the shape, 0: of none
 * @has_values, @has_ends, @moves: what its user found out about such records
 * @ready: the rest is known; @hopeless: it cannot be; @made: how often it was found out
 * @texts: some of the values are not numbers; @doubts: not everything that may be recorded has a value here; @second: some are of the second interval
 * @offs, @cells: of each value, where it stands and where it goes, in the order of the record; @stretches: of which form they are, @conversions of those
 * that need one
 * @targets: of sets that have values
 */
struct pf_pcp_plan {
	uint64_t serial;
	bool has_values, has_ends, moves;
	bool ready, hopeless;
	bool texts, doubts, second;
	uint64_t made;
	uint32_t *offs;
	struct pf_pcp_cell *cells;
	unsigned n_values, cap_offs, cap_cells;
	struct pf_pcp_stretch *stretches;
	unsigned n_stretches, cap_stretches;
	struct pf_pcp_conversion *conversions;
	unsigned n_conversions, cap_conversions;
	struct pf_pcp_telling *tellings;
	unsigned n_tellings, cap_tellings;
	struct pf_pcp_failing *failings;
	unsigned n_failings, cap_failings;
	struct pf_pcp_present *present;
	unsigned n_present, cap_present;
	struct pf_pcp_target **targets;
	unsigned n_targets, cap_targets;
};

void pf_pcp_plan_done(struct pf_pcp_plan *p);

/* pf_pcp_plan_begin() - nothing is known of records of the shape @serial yet. */
void pf_pcp_plan_begin(struct pf_pcp_plan *p, uint64_t serial);

/**
 * pf_pcp_plan_set() - a set whose values were taken into @sample just now, by pf_pcp_take_set().
 * @m, @meta: the metric in its archive. @tells: its values hold until others come
 *
 * Return: 1; 0 such records cannot be planned, since values of this type are not all alike, or one has no place in its row; -ENOMEM.
 */
int pf_pcp_plan_set(struct pf_pcp_plan *p, const struct pf_pcp_set *set, const struct pf_pcp_metric *m,
		    const struct pf_pcp_meta *meta, struct pf_pcp_target *t, struct pf_sample *sample, bool tells);

/* pf_pcp_plan_fail() - a set without values. Return: 1 or -ENOMEM. */
int pf_pcp_plan_fail(struct pf_pcp_plan *p, struct pf_pcp_target *t, int32_t code);

/* pf_pcp_plan_holds() - may it be used now, or are there other instances? */
bool pf_pcp_plan_holds(const struct pf_pcp_plan *p, const struct pf_pcp_meta *meta);

/* pf_pcp_plan_fits() - has each value of @rec, which has the shape, one in its row? If not, it cannot be taken as planned. */
bool pf_pcp_plan_fits(const struct pf_pcp_plan *p, struct pf_view rec);

/* pf_pcp_plan_take() - all values of @rec, which has the shape, into their cells; its instances are in the sample. @tellings are left to the user. Return:
 * 0 or -ENOMEM. */
int pf_pcp_plan_take(const struct pf_pcp_plan *p, struct pf_view rec, struct pf_sample *sample);

/* pf_pcp_plan_find() - where the cells of all values are in memory, which holds as long as sample->moved stays the same; all exist. */
void pf_pcp_plan_find(const struct pf_pcp_plan *p, const struct pf_sample *sample, union pf_value **ret_cells);

/* pf_pcp_plan_put() - the same as pf_pcp_plan_take() into cells that were found and are stamped already, but its instances are left to the user. There are
 * no texts. */
void pf_pcp_plan_put(const struct pf_pcp_plan *p, struct pf_view rec, union pf_value *const *cells,
		     struct pf_sample *sample);

/* pf_pcp_plan_stamp() - cells have their values already and are to be of the sample. Return: 0 or -ENOMEM. */
int pf_pcp_plan_stamp(const struct pf_pcp_plan *p, struct pf_sample *sample);

#endif
