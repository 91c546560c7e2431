/* base/meter.h - what taking a sample costs, source by source: CPU time, bytes, reads, the slowest of them. Clocks are only read by those
 * who have a meter; without one nothing is measured and nothing costs anything. */
#ifndef PF_BASE_METER_H
#define PF_BASE_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

enum { PF_METER_NONE = -1, PF_METER_NAME_SIZE = 256 };

/* One source: a file, the files of one pattern, a module. All but @slowest_ns, which is of this sample, count from the start. */
struct pf_meter_source {
	char *name;
	uint64_t cpu_ns;
	uint64_t bytes;
	uint64_t reads;
	int64_t slowest_ns;
};

/**
 * struct pf_meter - what is known up to now.
 * @begin_ns, @end_ns: when taking the sample began and ended, wall clock; @span_ns: how long that took, by the monotonic clock
 * @slowest_ns: the slowest read of this sample, @slowest_name of which file; -1 and "" if there was none
 * @samples: taken so far; @late: those that took longer than @late_ns (0: none is)
 */
struct pf_meter {
	struct pf_meter_source *sources;
	unsigned n_sources;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t span_ns;
	int64_t slowest_ns;
	char slowest_name[PF_METER_NAME_SIZE];
	uint64_t samples;
	uint64_t late;
	int64_t late_ns;
	int64_t begin_mono;
	int64_t cpu_ns;
};

struct pf_meter *pf_meter_new(void);		    /* NULL: no memory */
struct pf_meter *pf_meter_free(struct pf_meter *m); /* returns NULL */

/* pf_meter_source() - the number of the source @name, added if it is new; PF_METER_NONE without memory, then nothing is counted. */
int pf_meter_source(struct pf_meter *m, const char *name);

/* pf_meter_begin() - a sample begins. pf_meter_end() - it is taken. */
void pf_meter_begin(struct pf_meter *m);
void pf_meter_end(struct pf_meter *m);

/* pf_meter_start() - the moment before a read, 0 without a meter. */
static inline int64_t pf_meter_start(const struct pf_meter *m)
{
	return m ? pf_time_mono_ns() : 0;
}

/**
 * pf_meter_read() - a read of @bytes from @source that began at @start_ns has ended.
 *
 * Return: is it the slowest of this sample so far? Then the caller writes into @slowest_name of which file it was.
 */
bool pf_meter_read(struct pf_meter *m, int source, int64_t start_ns, uint64_t bytes);

/* pf_meter_read_named() - the same with the name of the file. */
void pf_meter_read_named(struct pf_meter *m, int source, int64_t start_ns, uint64_t bytes, const char *name);

/* pf_meter_lap() - CPU time since the last lap, or since the beginning, was for @source. */
void pf_meter_lap(struct pf_meter *m, int source);

#endif
