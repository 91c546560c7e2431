/* sources/scout.h - reads a recording ahead of somebody who wants to know whether a metric comes again, and keeps nothing but that. */
#ifndef PF_SOURCES_SCOUT_H
#define PF_SOURCES_SCOUT_H

#include "sources/source.h"

/* @last_ns: by metric, when it was seen last. @ended: all was read. */
struct pf_scout {
	struct pf_source *source;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	int64_t *last_ns;
	unsigned n;
	bool ended;
};

/**
 * pf_scout_comes() - does the recording of @spec have anything of @metric behind @time_ns?
 * @metric: its number in a catalog that nothing but a source of @spec filled
 *
 * Return: 1 yes, 0 no; negative errno: it cannot be read.
 */
int pf_scout_comes(struct pf_scout *s, const struct pf_source_spec *spec, unsigned metric, int64_t time_ns,
		   struct pf_err *err);
void pf_scout_done(struct pf_scout *s);

#endif
