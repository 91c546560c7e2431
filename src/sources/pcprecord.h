/* sources/pcprecord.h - what records of an archive say to samples, and how their values get there. */
#ifndef PF_SOURCES_PCPRECORD_H
#define PF_SOURCES_PCPRECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "formats/pcp/damage.h"
#include "formats/pcp/reader.h"
#include "formats/pcp/shape.h"
#include "sources/complete.h"
#include "sources/lasting.h"
#include "sources/pcpabout.h"
#include "sources/pcpplace.h"
#include "sources/pcpplan.h"
#include "sources/pcpsteady.h"
#include "sources/source.h"

enum { PF_ARCHIVE_LETTERS = 32 };

/* Where values of one metric of the archive go. @seq: sample that it was in last; @discrete: its semantics; @lasting: its number among those whose
 * values hold until other ones come, -1: they do not. @strange: it had values that are not its, which was told */
struct pf_archive_target {
	struct pf_pcp_target to;
	uint64_t seq;
	int lasting;
	bool discrete;
	bool strange;
};

/**
 * struct pf_archive_source - @targets run parallel to the reader's metrics.
 * @joins: records are joined for views (sources/pcparchive.c); @holds: what is not told has not changed; @voids: also what only ends; @moves: the sample has what is
 * not discrete; @first: it is the first one of all or behind a mark; @largest: metrics in its largest record
 * @skip_ns: records before may be passed over once the first ones were read, which may have what is recorded only once; INT64_MIN: none
 * @plans: by the index of the shape. @alone: that of the only record of the sample so far, NULL: it has several, or was not taken as planned; targets of its
 * are not told yet that they were in the sample, if @untold
 * @n_read: records; @taken_ns: time of the one that is being taken
 * @damage: values that were left out, still to be told
 * @ahead: a record was read that belongs to the next sample: @next; or what ended the last one: @next_rc with @next_err
 */
struct pf_archive_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_pcp_reader *reader;
	struct pf_pcp_about about;
	struct pf_archive_target *targets;
	struct pf_lastings lastings;
	struct pf_complete complete;
	char letters[PF_ARCHIVE_LETTERS];
	bool joins, holds, voids;
	bool moves, first;
	uint32_t largest;
	struct pf_pcp_plan plans[PF_PCP_SHAPES];
	struct pf_pcp_steady steady;
	struct pf_pcp_plan *alone;
	bool untold;
	int64_t skip_ns;
	unsigned n_read;
	int64_t taken_ns;
	struct pf_pcp_damage damage;
	bool ahead;
	struct pf_pcp_result next;
	int next_rc;
	struct pf_err next_err;
};

/* pf_archive_plan() - what is known of records of this shape; NULL: it has none. */
struct pf_pcp_plan *pf_archive_plan(struct pf_archive_source *s, const struct pf_pcp_result *result);

/* pf_archive_has_values() - does the record hold a value that anybody wants? pf_archive_wants() - has it anything to say? Where nothing is joined, each
 * record stands for what holds. */
bool pf_archive_has_values(struct pf_archive_source *s, const struct pf_pcp_result *result);
bool pf_archive_wants(struct pf_archive_source *s, const struct pf_pcp_result *result);

/* pf_archive_may_end() - may a set without values end what the metric had? Not what views keep of loggers that record it only once. */
bool pf_archive_may_end(const struct pf_archive_source *s, const struct pf_archive_target *t);

/* pf_archive_take() - what the record says into the sample. Return: 0 or -ENOMEM. */
int pf_archive_take(struct pf_archive_source *s, const struct pf_pcp_result *result, struct pf_sample *sample);

/* pf_archive_tell() - metrics of the plan were in the sample. */
void pf_archive_tell(const struct pf_pcp_plan *plan, uint64_t seq);

/**
 * pf_archive_belongs() - does the record belong to the sample @seq, which was begun with one of @time_ns?
 * What holds until told otherwise may come twice, but where nothing else was told so far, a record of such metrics is one by itself. Loggers tell
 * once at first what does not change, some of which comes again with all the rest right behind it: these are one sample, too.
 */
bool pf_archive_belongs(struct pf_archive_source *s, struct pf_pcp_result result, int64_t time_ns, uint64_t seq);

#endif
