/* engine/plan.h - a request checked and turned into choices. Whatever cannot work is refused here, in one sentence, before anything
 * is opened, written or started. */
#ifndef PF_ENGINE_PLAN_H
#define PF_ENGINE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "engine/chosen.h"
#include "engine/moment.h"
#include "engine/request.h"
#include "engine/roll.h"
#include "engine/settings.h"
#include "formats/text/doc.h"
#include "import/import.h"
#include "model/group.h"
#include "sinks/export_options.h"
#include "sinks/sink.h"
#include "sinks/tee.h"

struct pf_err;
struct pf_outlet;

enum { PF_LETTERS_MAX = 64, PF_GROUPS_MAX = 64 };

/**
 * struct pf_plan - what is going to be done.
 * @letters: subsystems to show or record; in playback those asked for, "" if all that were recorded; @add, @drop: of -s+X-Y
 * @interval_ns: [0] main, [1] processes and slabs, [2] environment; 0: back to back
 * @wait_text: how long it takes until the first interval is shown, in seconds
 * @second_every: processes and slabs are sampled every so many samples; @third_every: the same for sensors; @env: what of them is shown
 * @pmcd: host whose pmcd is asked instead of sampling this one, NULL: none
 * @interval_text: main interval as modules see it: in seconds; @interval_words has its text if units were typed
 * @offset_ns: of --offset; below 0 it counts from --thru or the end. @step_ns: of --interpolate, 0: as recorded
 * @count: intervals to show, -1 without end; @runtime_ns: 0 without end
 * @import_limits: what modules may take
 * @late_ns: a sample that takes longer is late (--cost), 0: none is
 * @verbose_wanted: asked for in so many words or by a sub-option; capital letters add to it once the letters are known
 * @export: of --export and --vmstat; its kind is NULL without
 * @tcp_given, @nfs_given: --tcpfilt, --nfsfilt; else a recording's own choice holds
 * @outlet: of -A, opened by whoever made the plan and closed there; NULL: text goes to --output or the terminal
 * @roll: -r, if @rolls
 * @filters: --cpufilt and its like; @disk_lines, @net_lines: --rawdskfilt and its like, NULL: as usual; @remap: --dskremap
 * @metrics, @instances: of those switches, which only documents of recordings have
 * @doc: format of --oformat; PF_FORMAT_TEXT: a text view
 */
struct pf_plan {
	const struct pf_request *req;
	const struct pf_settings *settings; /* never NULL */
	const struct pf_notice *notice;
	char letters[PF_LETTERS_MAX];
	char add[PF_LETTERS_MAX];
	char drop[PF_LETTERS_MAX];
	bool drop_all;
	bool letters_given;
	int64_t interval_ns[3];
	unsigned second_every;
	unsigned third_every;
	struct pf_env_options *env;
	char wait_text[32];
	char header_interval[64]; /* intervals as a raw file's header has them */
	const char *interval_text;
	char interval_words[64];
	const char *pmcd;
	int64_t count;
	int64_t runtime_ns;
	int64_t late_ns;
	struct pf_import_limits import_limits;
	bool rolls;
	struct pf_roll roll;
	struct pf_patterns metrics;
	struct pf_patterns instances;
	struct pf_moment from;
	struct pf_moment thru;
	int64_t offset_ns;
	int64_t step_ns;
	bool verbose_wanted;
	bool tcp_given;
	bool nfs_given;
	struct pf_outlet *outlet;
	struct pf_limits limits;
	struct pf_doc_options doc;
	struct pf_export_options export;
	struct pf_view_options view;
	struct pf_instance_filter *filters;
	struct pf_choice *disk_lines;
	struct pf_choice *net_lines;
	struct pf_remap *remap;
	char nfs_rows[64]; /* --nfsfilt as a filter of rows */
	char separator[2];
	bool no_process_io;    /* --procopts I */
	bool no_new_processes; /* --procopts p */
	bool threads;	       /* --procopts t */
	struct pf_users *users;
	struct pf_process_filter *process_filter;
	char *slab_words;
	const char **slab_prefixes;
};

/**
 * pf_plan_make() - check a request and choose.
 * @req, @notice: stay valid as long as the plan
 *
 * Return: 0; -EINVAL with a sentence for whoever typed it; -ENOTSUP for what is known but not to be had (yet).
 */
int pf_plan_make(struct pf_plan *plan, const struct pf_request *req, const struct pf_notice *notice,
		 struct pf_err *err);
void pf_plan_done(struct pf_plan *plan);

/* pf_plan_tree_depth() - levels of cgroups that are looked at, counted from the top, which is one; 0: all. */
static inline unsigned pf_plan_tree_depth(const struct pf_plan *plan)
{
	return plan->req->has_cgroup_depth ? (unsigned)plan->req->cgroup_depth + 1 : 0;
}

/* pf_plan_records() - does raw text go to files? Plots and exporters use -f for themselves, unless --rawtoo wants
 * both or the exporter's text goes to a connection. */
static inline bool pf_plan_records(const struct pf_plan *plan)
{
	const struct pf_request *req = plan->req;
	bool other = req->plot || (plan->export.kind && !req->address);
	return req->filename && (req->raw_too || !other);
}

/* pf_plan_plots() - do plots go to files? */
static inline bool pf_plan_plots(const struct pf_plan *plan)
{
	return plan->req->filename && plan->req->plot;
}

/* pf_plan_shows() - is anything made of the values, beside raw text? If not, nothing is parsed. */
static inline bool pf_plan_shows(const struct pf_plan *plan)
{
	const struct pf_request *req = plan->req;
	bool sent = req->address && !req->as_peer; /* collectl sends nothing while it records */
	return !pf_plan_records(plan) || plan->export.kind || req->plot || sent;
}

/**
 * pf_plan_groups() - the groups that @letters select, in the order in which they are sampled.
 * @ret_groups: NULL-terminated
 *
 * Return: how many.
 */
unsigned pf_plan_groups(const char *letters, const struct pf_group *ret_groups[PF_GROUPS_MAX + 1]);

/* pf_plan_sink() - the view for these letters and modules: brief, verbose, plot or a document. pf_plan_sinks() - all that samples go to:
 * that view, and what else goes on beside it. Return: how many, at least 1. */
const struct pf_sink_kind *pf_plan_sink(const struct pf_plan *plan, const char *letters,
					const struct pf_import *import);
unsigned pf_plan_sinks(const struct pf_plan *plan, const struct pf_sink_kind *view,
		       const struct pf_sink_kind *ret_kinds[PF_TEE_MAX]);

/* pf_plan_area() - the view above the list of --top, for the letters that are not of the list; NULL: nothing stands there. */
const struct pf_sink_kind *pf_plan_area(const struct pf_plan *plan, const char *letters,
					const struct pf_import *import);

/* Letters (engine/letters.c). pf_letters_parse() takes -s apart; pf_letters_final() applies additions and removals to a base set. */
int pf_letters_parse(struct pf_plan *plan, const char *text, struct pf_err *err);
void pf_letters_final(const struct pf_plan *plan, const char *base, char ret_letters[PF_LETTERS_MAX]);
/* @letters without the CPUs that a plot has because of interrupts. */
void pf_letters_unplotted(const struct pf_plan *plan, const char *letters, char ret_letters[PF_LETTERS_MAX]);
/* Take the interconnect out of @letters unless @recorded has it: a host without one has no zeros to show. */
void pf_letters_interconnect(const char *recorded, char letters[PF_LETTERS_MAX]);
bool pf_letters_known(char letter); /* to collectl */
bool pf_letters_have(char letter);  /* a group here serves it */

/* Processes and slabs (engine/plan_lists.c): sub-options and filters; intervals completed and checked; --tworaw. */
int pf_plan_lists(struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err);
void pf_plan_lists_done(struct pf_plan *plan);
void pf_plan_interval_text(struct pf_plan *plan);
int pf_plan_intervals(struct pf_plan *plan, const char *letters, struct pf_err *err);
int pf_plan_two_raw(const struct pf_plan *plan, const char *letters, struct pf_err *err);

/* The own cost (engine/plan_cost.c). pf_plan_cost_letters() - add those that --cost wants to @letters; @recorded: what the recording has,
 * NULL live. pf_plan_cost_limit() - from when on a sample is late. */
void pf_plan_cost_letters(const struct pf_plan *plan, const char *recorded, char letters[PF_LETTERS_MAX]);
int pf_plan_cost_limit(struct pf_plan *plan, struct pf_err *err);

/* CPUs, disks, interfaces and interrupts (engine/plan_devices.c): sub-options and filters. */
int pf_plan_devices(struct pf_plan *plan, const char *letters, struct pf_err *err);
void pf_plan_devices_done(struct pf_plan *plan);

/* pf_plan_lines() - which lines of files are read and recorded; what it points to is the plan's. */
struct pf_line_filter pf_plan_lines(const struct pf_plan *plan);
/* pf_plan_limits() - exceptions (engine/plan_limits.c). */
int pf_plan_limits(struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err);

/* --top (engine/plan_top.c): checked and taken into the view; the letter of what is listed, 0 without --top. pf_letters_top() - add it.
 * @alone: nothing else is shown. */
int pf_plan_top(struct pf_plan *plan, bool playback, struct pf_err *err);
char pf_plan_top_letter(const struct pf_request *req);
void pf_letters_top(struct pf_plan *plan, bool alone);

/* Sub-options that choose parts of a subsystem (engine/protocols.c). pf_plan_protocols() - --tcpfilt, --nfsfilt, --nfsopts, as asked for.
 * pf_plan_tcp(), pf_plan_nfs() - PF_TCP_* or PF_NFS_* of @words. Return: 0 or -EINVAL. */
int pf_plan_protocols(struct pf_plan *plan, struct pf_err *err);
int pf_plan_tcp(const char *words, uint64_t *ret_variants, struct pf_err *err);
int pf_plan_nfs(const char *words, uint64_t *ret_variants, struct pf_err *err);

/* pf_plan_variants() - variants that follow from which letters stand together. */
uint64_t pf_plan_variants(const char *letters);

/* Times (engine/times.c). */
/* @words: not only collectl's own forms, but lengths of time in all forms of base/duration.h. */
int pf_times_interval(const char *text, bool words, int64_t ret_ns[3], struct pf_err *err);
int pf_times_runtime(const char *text, bool words, int64_t *ret_ns, struct pf_err *err);
/* A length of time with a sign or without, as for --offset and --interpolate. */
int pf_times_span(const char *text, int64_t *ret_ns, struct pf_err *err);

#endif
