/* model/sample.h - many values at one time.
 * A sample is a table [metric index of the catalog][slot of the domain] (slot 0 for singular metrics). A cell holds a value only if
 * its stamp equals the sample's sequence number (its lower half; see pf_frames_begin()), so a table is emptied by counting up. Values stay
 * raw; scale at the edge. */
#ifndef PF_MODEL_SAMPLE_H
#define PF_MODEL_SAMPLE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/catalog.h"

/* Which member holds is told by the metric's type: S32 S64: i; U32 U64: u; FLOAT DOUBLE: d; STRING: s; AGGREGATE: bytes; EVENTS
 * HIGHRES_EVENTS: events. What pointers lead to is in the sample's arena. */
union pf_value {
	uint64_t u;
	int64_t i;
	double d;
	const char *s;
	const struct pf_view *bytes;
	const struct pf_event_records *events;
};

/* One parameter of an event record. @metric: its index in the catalog, -1: nothing is known of it but its @pmid. No events inside events. */
struct pf_event_param {
	int metric;
	uint32_t pmid;
	enum pf_type type;
	union pf_value value;
};

/* Bits of @flags of an event record, as PCP has them. */
enum {
	PF_EVENT_POINT = 1,
	PF_EVENT_START = 2,
	PF_EVENT_END = 4,
	PF_EVENT_ID = 8,
	PF_EVENT_PARENT = 16,
};
#define PF_EVENT_MISSED UINT32_C(0x80000000)

/* Something that happened; with PF_EVENT_MISSED only that @missed others are not told. */
struct pf_event_record {
	int64_t time_ns;
	uint32_t flags;
	uint32_t missed;
	uint32_t n;
	const struct pf_event_param *params;
};

struct pf_event_records {
	uint32_t n;
	const struct pf_event_record *records;
};

/* @seq: of the sample that the values are of, which for groups of the second interval can be an older one than its table's. @error: why there is
 * no value, if @failed equals @seq. */
struct pf_cells {
	union pf_value *values;
	uint32_t *stamps;
	uint32_t seq;
	unsigned cap;
	uint32_t failed;
	int32_t error;
};

struct pf_sample {
	uint64_t seq;	 /* from 1; 0: nothing in it yet */
	int64_t time_ns; /* wall clock, nanoseconds since 1970 UTC */
	int64_t mono_ns; /* what intervals are measured by: time since boot, with suspends; equals time_ns in playback */
	const struct pf_catalog *catalog;
	struct pf_cells *cells;
	unsigned n_metrics;
	struct pf_arena arenas[2]; /* what values of this sample point to, by enum pf_period */
	bool second;		   /* groups of the second interval were sampled, too */
	uint64_t made;	/* what cells it has, as its source calls it: pf_frames_made(); 0: that has no name */
	uint64_t moved; /* how often cells that a name stands for may have gone to another place in memory */
};

/* Two samples in turn: the one being built and the one before it, which rates need. Stays with the stream's owner.
 * The table before holds, for groups of the second interval, what was sampled last: @second_mono_ns, @second_time_ns say when, if @second.
 * @sparse: told by the source: not every sample has all that is recorded, and what no sample has was not recorded.
 * @apart: told by it, too: metrics have times of their own. Then the table before keeps numbers of metrics that its own sample did not have: those of
 * @kept; @since: when, by metric, on the clock of mono_ns; PF_SINCE_NONE: it has none, PF_SINCE_BEFORE: its own sample had them. @n_names: given so far. */
#define PF_SINCE_NONE	INT64_MIN
#define PF_SINCE_BEFORE INT64_MAX
struct pf_frames {
	struct pf_catalog *catalog;
	struct pf_sample two[2];
	uint64_t seq;
	int64_t stepped_ns; /* the source puts there by how much the clock was set; else as @lost */
	uint64_t lost; /* the source counts here; pf_frames_step() hands it on, the next pf_frames_begin() empties it */
	bool second;
	bool sparse;
	bool apart;
	int64_t *since;
	unsigned *kept; /* room for n_since of them */
	unsigned n_since;
	unsigned n_kept;
	uint64_t n_names;
	int64_t second_mono_ns;
	int64_t second_time_ns;
};

/**
 * struct pf_step - what sinks are given for each sample.
 * @prev: NULL for the first sample of a stream and after a gap (then there are no rates)
 * @interval_ns: from prev to cur, 0 without prev
 * @second_ns: the same for groups of the second interval; 0 if this sample has none of their data or nothing before it. @second_wall_ns: by
 *             the wall clock
 * @stepped_ns: by how much somebody has set the wall clock since the last step, which is no part of @interval_ns; 0: it only ran on
 * @lost: reads that failed or were late since the last step; told in the output, not on stderr
 * @sparse: what is not in the sample has no value, rather than 0
 * @uniform: all rates are over @interval_ns
 * @since, @n_since: by metric, when the value in @prev was sampled, where that differs between metrics (PF_SINCE_BEFORE: with @prev); else NULL
 */
struct pf_step {
	struct pf_catalog *catalog;
	const struct pf_sample *cur;
	const struct pf_sample *prev;
	int64_t interval_ns;
	int64_t second_ns;
	int64_t second_wall_ns;
	int64_t stepped_ns;
	uint64_t lost;
	bool sparse;
	bool uniform;
	const int64_t *since;
	unsigned n_since;
};

void pf_frames_init(struct pf_frames *f, struct pf_catalog *cat);
void pf_frames_done(struct pf_frames *f);

/* pf_frames_begin() - turn: the current sample becomes the previous one; the new current one, empty, is returned (NULL: no memory). */
struct pf_sample *pf_frames_begin(struct pf_frames *f, int64_t time_ns, int64_t mono_ns);

/**
 * pf_frames_made() - the current sample, which is complete now, has the cells that this name stands for, and texts that stay what they are: in each
 * sample of that name they are the same. Where the second interval is sampled nothing has a name.
 * @name: of pf_frames_name(), which gives a new one
 */
void pf_frames_made(struct pf_frames *f, uint64_t name);
uint64_t pf_frames_name(struct pf_frames *f);

/**
 * pf_frames_again() - as pf_frames_begin(), where the next sample is to have what the last two have had: @name. It has all of its cells already, with
 * the numbers of the one before the last, which are to be overwritten.
 *
 * Return: the sample, complete and of that name; NULL: that cannot be, pf_frames_begin() is to be used.
 */
struct pf_sample *pf_frames_again(struct pf_frames *f, uint64_t name, int64_t time_ns, int64_t mono_ns);

/* pf_frames_renew() - a sample of pf_frames_again() is to become another one: it is as pf_frames_begin() gives it. Numbers of empty cells
 * are still there. */
void pf_frames_renew(struct pf_frames *f);

/* pf_sample_touched() - something was put into a complete sample. */
static inline void pf_sample_touched(struct pf_sample *s)
{
	s->made = 0;
}

/* pf_frames_current() - the current sample, to be changed. */
static inline struct pf_sample *pf_frames_current(struct pf_frames *f)
{
	return &f->two[f->seq % 2];
}

/* pf_frames_step() - the current sample with its predecessor. pf_frames_cut(): forget the predecessor (gap, new file). */
struct pf_step pf_frames_step(const struct pf_frames *f);
void pf_frames_cut(struct pf_frames *f);

/* pf_frames_part() - the current sample has no predecessor after all. */
void pf_frames_part(struct pf_frames *f);

/* pf_frames_forget_second() - the same for groups of the second interval alone, before the current sample. */
void pf_frames_forget_second(struct pf_frames *f);

/**
 * pf_time_is_gap() - is the time between two samples so long that some are missing: more than two intervals and a half, and more than a second
 * too long? A busy host alone does not do that.
 * @nominal_ns: interval that was asked for; 0: unknown, then there is no gap
 */
bool pf_time_is_gap(int64_t took_ns, int64_t nominal_ns);

/* pf_frames_settle() - the current sample is complete: an instance that came with it has nothing before. Only with @apart. */
void pf_frames_settle(struct pf_frames *f);

/* pf_step_interval() - what a metric's rates are divided by. */
static inline int64_t pf_step_interval(const struct pf_step *step, unsigned metric)
{
	if (step->uniform)
		return step->interval_ns;
	if (step->catalog->metric_periods[metric] == PF_SECOND_INTERVAL)
		return step->second_ns;
	if (!step->since)
		return step->interval_ns;
	int64_t since = metric < step->n_since ? step->since[metric] : PF_SINCE_NONE;
	if (!step->prev || since == PF_SINCE_NONE)
		return 0;
	return step->cur->mono_ns - (since == PF_SINCE_BEFORE ? step->prev->mono_ns : since);
}

/* pf_sample_room() - make cells of @metric, which the catalog has, up to @slot exist. Return: 0 or -ENOMEM. */
int pf_sample_room(struct pf_sample *s, unsigned metric, unsigned slot);

static inline bool pf_sample_has(const struct pf_sample *s, unsigned metric, unsigned slot)
{
	return metric < s->n_metrics && slot < s->cells[metric].cap &&
	       s->cells[metric].stamps[slot] == s->cells[metric].seq;
}

/* pf_sample_get() - the value; only where pf_sample_has(). */
static inline union pf_value pf_sample_get(const struct pf_sample *s, unsigned metric, unsigned slot)
{
	return s->cells[metric].values[slot];
}

static inline int pf_sample_set(struct pf_sample *s, unsigned metric, unsigned slot, union pf_value v)
{
	if (metric >= s->n_metrics || slot >= s->cells[metric].cap) {
		int rc = pf_sample_room(s, metric, slot);
		if (rc < 0)
			return rc;
	}
	s->cells[metric].values[slot] = v;
	s->cells[metric].stamps[slot] = s->cells[metric].seq;
	return 0;
}

/* pf_sample_fail() - the metric was asked for and has no values: PCP's code says why, 0: there are none. Return: 0 or -ENOMEM. */
int pf_sample_fail(struct pf_sample *s, unsigned metric, int32_t code);

static inline bool pf_sample_failed(const struct pf_sample *s, unsigned metric, int32_t *ret_code)
{
	if (metric >= s->n_metrics || s->cells[metric].failed != s->cells[metric].seq)
		return false;
	*ret_code = s->cells[metric].error;
	return true;
}

#endif
