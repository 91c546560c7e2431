/* sources/pmcdask.h - the conversation with a pmcd: what it is asked, step after step, and what became known so far. Up to a window of questions are on
 * their way at a time, so that a far host does not cost a round trip for each. Nothing blocks: whoever goes on says until when. */
#ifndef PF_SOURCES_PMCDASK_H
#define PF_SOURCES_PMCDASK_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/domain.h"
#include "formats/pcp/pdu.h"
#include "model/pick.h"
#include "sources/pcpplace.h"
#include "sources/pmcdlink.h"

struct pf_err;

/* As many as one request can name; bytes of a name. */
enum { PF_PMCD_METRICS_MAX = 16000, PF_PMCD_NAME_MAX = 1000 };

/* Whoever tells more than that beside values is not believed to be a host: bytes of notes, of all instances together, and how many those are. */
enum { PF_PMCD_NOTES_BYTES = 64 << 20, PF_PMCD_INSTANCES_BYTES = 64 << 20, PF_PMCD_INSTANCES_MAX = 250000 };

enum pf_pmcd_step {
	PF_PMCD_HELLO,
	PF_PMCD_HOST_NAMES,
	PF_PMCD_HOST_VALUES,
	PF_PMCD_TRAVERSE,
	PF_PMCD_NAMES,
	PF_PMCD_DESCS,
	PF_PMCD_TEXTS,
	PF_PMCD_LABELS,
	PF_PMCD_FETCH, /* all is known: from here on for each sample */
	PF_PMCD_INSTANCES,
	PF_PMCD_DONE, /* the values are there */
};

/* One metric that is wanted. @is: as it was described first; @now: last, its PMID UINT32_MAX if the pmcd does not know it; @name is theirs, too.
 * @to.index -1: it has no place. @placed: it has one, and that was noted; @refused: its values are not wanted. @told: of a change. @has_texts: they were asked for.
 * @instances_sum: of the instances that had values last */
struct pf_pmcd_metric {
	char *name;
	struct pf_pcp_metric is;
	struct pf_pcp_metric now;
	struct pf_pcp_target to;
	bool placed;
	bool refused;
	bool told;
	bool has_texts;
	uint64_t instances_sum;
};

/* @last: sample that had values of it last; @marked: the one in which all of its instances were noted; @bytes: of what was told of its instances;
 * @stale: they are to be asked for */
struct pf_pmcd_domain {
	struct pf_pcp_domain is;
	uint64_t last;
	uint64_t marked;
	size_t bytes;
	bool stale;
};

/* What is known beside values, in the order in which it became known: a metric of the number @ident; the PDU of labels, or a help text, as they came.
 * @type: enum pf_owner or type of the text. */
struct pf_pmcd_note {
	enum pf_about_kind kind;
	uint32_t type;
	uint32_t ident;
	int64_t time_ns;
	char *bytes;
	size_t n;
};

/**
 * struct pf_pmcd_ask
 * @roots, @patterns: where in the name space to look, and what is wanted of that (pf_catalog_names()); NULL-terminated or NULL
 * @wants_notes: texts and labels are asked for
 * @described: all metrics have a new @now: give them places; called between DESCS and TEXTS
 * @names: indexes of @metrics by hash of the name, 1 + index, 0 is none; @cap_names of them, a power of two
 * @note_bytes: of all notes; @too_many_notes: there are more, which were left out
 * @step, @sent, @got: questions of the step; @unasked: messages in a row that were no answers; @todo: numbers of what the step asks for, @n_todo
 * @changes: PF_PDU_* bits since somebody looked
 * @time_ns: the host's clock when it was asked who it is; @pid, @seqnum: which process answers, and how often its agents changed; 0 unknown
 * @picks: what is to be fetched, NULL: all that has a place; @rows: by index of the catalog whose values go there, -1: none
 * @profile: the message that says of which instances, @told: the one that the pmcd knows
 * @pmids, @fetched: what is fetched, and which metric each is, @n_fetched; @result: what came, in @bytes
 */
struct pf_pmcd_ask {
	struct pf_pmcd_link link;
	const char *const *roots;
	const char *const *patterns;
	bool wants_notes;
	int (*described)(void *arg, struct pf_err *err);
	void *arg;
	uint32_t features;
	enum pf_pmcd_step step;
	uint32_t sent;
	uint32_t got;
	unsigned unasked;
	uint32_t changes;
	char host[257];
	char zone[257];
	char place[257];
	int64_t time_ns;
	uint32_t host_pmids[5];
	uint64_t pid;
	uint32_t seqnum;
	const struct pf_picks *picks;
	int *rows;
	unsigned n_rows;
	struct pf_buf profile;
	struct pf_buf told;
	struct pf_pmcd_metric *metrics;
	unsigned n_metrics;
	unsigned cap_metrics;
	bool too_many;
	unsigned *names;
	unsigned cap_names;
	struct pf_pmcd_domain *domains;
	unsigned n_domains;
	struct pf_pmcd_note *notes;
	size_t n_notes;
	size_t note_bytes;
	bool too_many_notes;
	uint64_t *todo;
	uint32_t n_todo;
	uint32_t cap_todo;
	uint32_t *pmids;
	unsigned *fetched;
	unsigned n_fetched;
	struct pf_buf bytes;
	struct pf_pcp_result result;
	uint64_t seq; /* of the sample before */
};

void pf_pmcd_ask_done(struct pf_pmcd_ask *a);

/* pf_pmcd_ask_add() - @name is wanted. Return: 0, also if it was already; -ENOMEM. */
int pf_pmcd_ask_add(struct pf_pmcd_ask *a, struct pf_view name);

/* pf_pmcd_ask_domain() - number of the domain, which is made if it is new. Return: that, or -ENOMEM. */
int pf_pmcd_ask_domain(struct pf_pmcd_ask *a, uint32_t indom);

/* pf_pmcd_ask_from() - go on with that step: HELLO on a new connection, an earlier one to ask again. */
void pf_pmcd_ask_from(struct pf_pmcd_ask *a, enum pf_pmcd_step step);

/**
 * pf_pmcd_ask_until() - go on until @step is reached, but no longer than until @until_ns (monotonic).
 *
 * Return: 1 it is; 0 not yet; negative errno with a sentence: the connection is lost, or -ENOMEM.
 */
int pf_pmcd_ask_until(struct pf_pmcd_ask *a, enum pf_pmcd_step step, int64_t until_ns, struct pf_err *err);

#endif
