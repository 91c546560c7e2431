/* sinks/pcparchive.h - what a logger wants to know of its archive, and a conversion to do with it. */
#ifndef PF_SINKS_PCPARCHIVE_H
#define PF_SINKS_PCPARCHIVE_H

#include <stdint.h>

#include "sinks/volumes.h"

struct pf_sink;

/* pf_sink_pcparchive_size() - samples written, bytes of all files. pf_sink_pcparchive_data_bytes() - of the volumes alone, also those that were
 * compressed or removed since. */
void pf_sink_pcparchive_size(const struct pf_sink *sink, uint64_t *ret_samples, uint64_t *ret_bytes);
uint64_t pf_sink_pcparchive_data_bytes(const struct pf_sink *sink);

/* The volume that is being written: @number, @bytes of it; @cause: why the one before ended. */
struct pf_archive_volume {
	unsigned number;
	enum pf_volume_cause cause;
	uint64_t bytes;
};

void pf_sink_pcparchive_volume(const struct pf_sink *sink, struct pf_archive_volume *ret);

/* pf_sink_pcparchive_next_volume() - begin one now, unless the one at hand has nothing yet. pf_sink_pcparchive_uncounted() - what is in the
 * volume so far does not count in its length. */
void pf_sink_pcparchive_next_volume(struct pf_sink *sink);
void pf_sink_pcparchive_uncounted(struct pf_sink *sink);

/* pf_sink_pcparchive_discard() - when it is closed, nothing of it is to be left. */
void pf_sink_pcparchive_discard(struct pf_sink *sink);

#endif
