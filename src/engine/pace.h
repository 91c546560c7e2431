/* engine/pace.h - when the next sample is due and when recordings roll. Due times stand on a grid of the wall clock; waiting is done by the
 * monotonic clock, so a wall clock that steps costs at most one odd interval and never a heap of files. */
#ifndef PF_ENGINE_PACE_H
#define PF_ENGINE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/roll.h"
#include "engine/stop.h"

struct pf_loop;
struct pf_plan;

/**
 * struct pf_pace
 * @interval_ns: 0: back to back; @base_ns: a point of the grid; @end_ns: monotonic end of -R, INT64_MAX without
 * @ahead_ns: what the wall clock is ahead of the time since boot; it changes when somebody sets the clock
 * @roll: NULL without -r; @roll_at_ns: next boundary
 */
struct pf_pace {
	int64_t interval_ns;
	int64_t base_ns;
	int64_t end_ns;
	int64_t ahead_ns;
	const struct pf_roll *roll;
	int64_t roll_at_ns;
};

enum pf_pace_event { PF_PACE_DUE, PF_PACE_STOP, PF_PACE_FLUSH, PF_PACE_KEYS };

/* What two clocks say at one moment. A test makes its own. */
struct pf_pace_now {
	int64_t wall_ns;
	int64_t boot_ns;
};

struct pf_pace_now pf_pace_now(void);

/* pf_pace_begin() - the grid begins: by the name collectl on a whole second, with --align (and as a daemon) on a multiple of the interval,
 * else at once. The first sample is due at @base_ns. */
void pf_pace_begin(struct pf_pace *p, const struct pf_plan *plan, struct pf_pace_now now);

/* pf_pace_tell_first() - lists of processes and slabs begin only when their interval has passed twice; whoever has to wait for them longer
 * than a moment, or will not get any before the run ends, is told so. Nothing is said under the name collectl, which has its own words. */
void pf_pace_tell_first(const struct pf_plan *plan);

/* pf_pace_due() - the first point of the grid behind @now; with an interval of 0 that is now. */
int64_t pf_pace_due(const struct pf_pace *p, struct pf_pace_now now);

/* pf_pace_is_over() - does @due_ns lie behind the end of -R? */
bool pf_pace_is_over(const struct pf_pace *p, int64_t due_ns, struct pf_pace_now now);

/**
 * pf_pace_wait() - wait as long as it is from now to @due_ns, or until a signal comes; meanwhile serve whoever reads.
 * @keys_fd: where somebody may type, -1: nowhere
 *
 * Return: PF_PACE_STOP when the run is to end, PF_PACE_FLUSH when USR1 came, PF_PACE_KEYS when something was typed or the terminal has
 * another size (then wait again), PF_PACE_DUE.
 */
enum pf_pace_event pf_pace_wait(struct pf_stop *stop, struct pf_loop *loop, int keys_fd, int64_t due_ns);

/**
 * pf_pace_stepped() - by how much somebody has set the wall clock since this was asked last; 0 if it only runs on.
 * After a step the next boundary is the first one behind @now, so that a step over many of them is no reason to roll.
 */
int64_t pf_pace_stepped(struct pf_pace *p, struct pf_pace_now now);

/* pf_pace_rolls() - has a boundary come? If so, the next one is chosen. */
bool pf_pace_rolls(struct pf_pace *p, struct pf_pace_now now);

#endif
