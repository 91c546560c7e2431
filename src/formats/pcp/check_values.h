/* formats/pcp/check_values.h - the last pass of a check, in parts: records, their sets of values, what is missing between them. */
#ifndef PF_FORMATS_PCP_CHECK_VALUES_H
#define PF_FORMATS_PCP_CHECK_VALUES_H

#include "base/time.h"
#include "formats/pcp/check_state.h"
#include "formats/pcp/damage.h"

/* So many different lengths of intervals are told apart; so many of the longest are kept. */
enum { PF_PCP_GAPS_LENGTHS = 64, PF_PCP_GAPS_KEPT = 64 };

/* How far apart records are: how often @about so many milliseconds, @ms in all; and the longest times. */
struct pf_pcp_gaps {
	struct {
		int64_t about;
		int64_t ms;
		uint64_t times;
	} lengths[PF_PCP_GAPS_LENGTHS];
	unsigned n_lengths;
	struct {
		int64_t from_ns;
		int64_t until_ns;
	} longest[PF_PCP_GAPS_KEPT];
	unsigned n_longest;
	unsigned shortest;
};

/* pf_pcp_gaps_add() - records of these times follow one another; @mark: the second one is a mark. */
void pf_pcp_gaps_add(struct pf_pcp_gaps *g, int64_t from_ns, int64_t until_ns, bool mark);
void pf_pcp_gaps_tell(const struct pf_pcp_gaps *g, const struct pf_pcp_check *c);

/* The last value of a metric's instance. @epoch: since the mark of that number it goes on; @record: the record that had it;
 * @strange: it was told that the instance is not known */
struct pf_pcp_last {
	double value;
	int64_t time_ns;
	uint64_t record;
	uint32_t epoch;
	bool strange;
};

/* A metric as it was seen in values. @known: what .meta says of it, NULL: nothing; @domain, @hint: for pf_pcp_meta_member(); @form: of its
 * values, 0 none yet, else 1 more. @unnamed: of so many values the instance was not there at that time, of which the first is @instance, @from_ns and
 * @until_ns the first and the last time */
struct pf_pcp_seen {
	const struct pf_pcp_check_metric *known;
	unsigned domain;
	unsigned hint;
	uint32_t form;
	int32_t instance;
	uint64_t unnamed;
	int64_t from_ns;
	int64_t until_ns;
};

/**
 * struct pf_pcp_values - the pass.
 * @series: PMID and instance, by which @last is found; @pmids: PMIDs, by which @metrics is found
 * @epoch: counts marks and damage; @number: records so far; @last_ns: time of the one before; @ended: which only ended values
 * @missing, @missing_end: volumes that are not there, in front of the record that comes next; 0 none
 * @entries: of the index, by place; @next_entry: the first that was not reached yet
 */
struct pf_pcp_values {
	struct pf_pcp_check *c;
	struct pf_pcp_file file;
	int32_t volume;
	struct pf_pcp_meta meta;
	struct pf_pcp_damage damage;
	struct pf_pcp_check_table series;
	struct pf_pcp_last *last;
	size_t cap_last;
	struct pf_pcp_check_table pmids;
	struct pf_pcp_seen *metrics;
	size_t cap_metrics;
	uint32_t epoch;
	uint64_t number;
	int64_t last_ns;
	bool ended;
	struct pf_pcp_gaps gaps;
	unsigned missing;
	unsigned missing_end;
	const struct pf_pcp_check_entry **entries;
	size_t n_entries;
	size_t next_entry;
};

/* pf_pcp_values_sets() - all values of a record. Return: 0; 1: a peer gives up; -ENOMEM. */
int pf_pcp_values_sets(struct pf_pcp_values *p, struct pf_pcp_result *r);

/* pf_pcp_values_unnamed() - all records were seen: which metrics had values of instances that were not there, each once. */
void pf_pcp_values_unnamed(struct pf_pcp_values *p);

#endif
