/* sinks/notes.h - what an archive tells beside values: notes of the recording that it is made of, or what this host says of itself. */
#ifndef PF_SINKS_NOTES_H
#define PF_SINKS_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "formats/pcp/context.h"
#include "groups/labels.h"
#include "model/about.h"
#include "model/catalog.h"

struct pf_err;
struct pf_pcp_instance;
struct pf_pcp_writer;

/* @begin_ns: time of the first sample; @context: labels of the whole; @told: the archive has some; @texts: which were written, type and number. @repeats: discrete values
 * are told each time; @expected: metrics that have to be described are; @now_ns: time of the sample at hand; @labelled: rows of labels that were told, @json: one of them */
struct pf_notes {
	struct pf_about_ear ear;
	struct pf_pcp_context context;
	bool told;
	bool repeats;
	bool expected;
	int64_t begin_ns;
	int64_t now_ns;
	uint64_t *texts;
	size_t n_texts;
	bool labelled[PF_LABELS_ROWS];
	struct pf_buf json;
};

/* pf_notes_host() - labels as pmcd gives them: of this host, if @live, or of the one that is called @host. */
void pf_notes_host(struct pf_notes *n, const char *host, bool live);

/**
 * pf_notes_put() - what is to be told before the sample of @sample_ns, whose records have the time @time_ns.
 * @described: by metric of the catalog; those that are described here are noted there
 */
int pf_notes_put(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_catalog *cat, bool *described,
		 int64_t sample_ns, int64_t time_ns, struct pf_err *err);

/* pf_notes_describe() - a metric that nobody else describes, with its labels as far as they were not told with another one. */
int pf_notes_describe(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_metric *m, struct pf_err *err);

/* pf_notes_expected() - what programs of PCP insist on (groups/expected.h), if @cat has our own metrics of this host, all of them wanted; once.
 * @described: as above */
int pf_notes_expected(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_catalog *cat, bool *described,
		      struct pf_err *err);

/* pf_notes_instances() - labels of all instances of a domain of this host, if they have any; those before hold no more. */
int pf_notes_instances(struct pf_notes *n, struct pf_pcp_writer *w, uint32_t indom,
		       const struct pf_pcp_instance *instances, uint32_t count, struct pf_err *err);
void pf_notes_done(struct pf_notes *n);

#endif
