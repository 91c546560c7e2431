/* engine/convert.h - one recording into another form: an archive of PCP, or a document. */
#ifndef PF_ENGINE_CONVERT_H
#define PF_ENGINE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/plan.h"

struct pf_err;
struct pf_notice;
struct pf_stop;

/**
 * struct pf_convert - what is wanted.
 * @in: whatever can be replayed; a folio means its first host, as in replay
 * @out: base name of an archive; with @doc the name of a file. Nothing is overwritten
 * @doc: format of a document; NULL: an archive
 * @metrics: patterns of the names that are wanted (model/catalog.h), NULL: all
 * @volumes: of an archive; NULL: one, not compressed
 * @from, @thru: times of the recorded host, if given
 */
struct pf_convert {
	const char *in;
	const char *out;
	const struct pf_doc_options *doc;
	const char *const *metrics;
	const struct pf_volume_options *volumes;
	struct pf_moment from;
	struct pf_moment thru;
	const struct pf_notice *notice;
	struct pf_stop *stop;
};

/* @samples: that were written; @readable: the input could be opened; @damaged: something of the input could not be read, which was told */
struct pf_convert_result {
	uint64_t samples;
	uint64_t bytes;
	bool readable;
	bool damaged;
};

/* pf_convert_run() - Return: 0; -ENODATA when there is nothing to write, and no file is left; other negative errno. */
int pf_convert_run(const struct pf_convert *c, struct pf_convert_result *ret, struct pf_err *err);

#endif
