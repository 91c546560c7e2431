/* engine/convert.h - one recording into another form: an archive of PCP, a document, or metrics for Prometheus. */
#ifndef PF_ENGINE_CONVERT_H
#define PF_ENGINE_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/plan.h"

struct pf_err;
struct pf_notice;
struct pf_stop;

enum pf_convert_form { PF_CONVERT_ARCHIVE, PF_CONVERT_DOCUMENT, PF_CONVERT_METRICS };

/**
 * struct pf_convert - what is wanted.
 * @in: whatever can be replayed; a folio means its first host, as in replay
 * @out: base name of an archive, else the name of a file. Nothing is overwritten
 * @form: PF_CONVERT_METRICS: OpenMetrics with times; @doc: format of a document
 * @metrics, @instances: patterns of the names that are wanted (model/catalog.h), NULL: all
 * @import: modules as behind --import, which know lines of raw files, NULL: none
 * @volumes: of an archive; NULL: one, not compressed; @archive_version: 2 or 3, 0 stands for 3
 * @from, @thru: times of the recorded host, if given
 */
struct pf_convert {
	const char *in;
	const char *out;
	enum pf_convert_form form;
	const struct pf_doc_options *doc;
	const char *const *metrics;
	const char *const *instances;
	const char *import;
	const struct pf_volume_options *volumes;
	unsigned archive_version;
	struct pf_moment from;
	struct pf_moment thru;
	const struct pf_notice *notice;
	struct pf_stop *stop;
};

/* @samples: that were written; @readable: the input could be opened; @damaged: something of the input could not be read, which was told;
 * @left_out: so were values that the form cannot hold; @removed: a signal came, and the archive would not be whole */
struct pf_convert_result {
	uint64_t samples;
	uint64_t bytes;
	bool readable;
	bool damaged;
	bool left_out;
	bool removed;
};

/* pf_convert_run() - An archive becomes whole, or there is none; a document that ends early is closed, so that what is there can be read.
 * Return: 0; -ENODATA when there is nothing to write, and no file is left; other negative errno. */
int pf_convert_run(const struct pf_convert *c, struct pf_convert_result *ret, struct pf_err *err);

#endif
