/* engine/parts.h - what live runs and playback have in common: opened parts, and one sample's way through them. */
#ifndef PF_ENGINE_PARTS_H
#define PF_ENGINE_PARTS_H

#include "base/loop.h"
#include "base/outlet.h"
#include "engine/plan.h"
#include "engine/plots.h"
#include "engine/scripts.h"
#include "engine/stop.h"
#include "model/select.h"
#include "perfolio/module.h"
#include "sources/source.h"

struct pf_err;

/**
 * struct pf_parts - what is open.
 * @fd: where output goes; @own_fd: it is a file of ours; @out, @plain: the same as an outlet, which may be another
 * @loop: what is served between samples
 * @plots: names and tops of plot files, which are chosen before the sink is opened
 * @view: the plan's, completed with what only an open source knows; @letters: those really shown
 * @echo: text of -d4 and --grep that waits for its turn
 */
struct pf_parts {
	const struct pf_plan *plan;
	int fd;
	bool own_fd;
	struct pf_outlet *out;
	struct pf_outlet_fd plain;
	struct pf_loop loop;
	struct pf_catalog *catalog;
	struct pf_chosen named; /* --metrics, --instances */
	struct pf_select select;
	struct pf_frames frames;
	struct pf_import *import;
	struct perfolio_state state;
	struct pf_scripts scripts;
	int64_t shown_interval_ns; /* nominal, of the samples shown; 0 unknown */
	bool wants_verbose;	   /* a module said so */
	bool wants_roll;	   /* a script asked for new files */
	bool asked_verbose;	   /* by letters that the recording lacks */
	bool has_view;		   /* a sample of the archive had something of the view */
	struct pf_source *source;
	struct pf_sink *sink;
	struct pf_stop stop;
	struct pf_plots plots;
	struct pf_view_options view;
	struct pf_view_options module_view; /* what modules that draw for themselves see of it */
	char letters[PF_LETTERS_MAX];
	char chosen[PF_LETTERS_MAX]; /* by a script, if @has_chosen */
	bool has_chosen;
	char plot_letters[PF_LETTERS_MAX]; /* where only some of those shown are plotted */
	char extra[PF_LETTERS_MAX];	   /* see pf_view_options.stats_extra */
	const struct pf_group *groups[PF_GROUPS_MAX + 1];
	unsigned bases[PF_GROUPS_MAX];
	bool filters_told;
	struct pf_buf links; /* live: speeds of interfaces */
	struct pf_buf echo;
	struct pf_buf datetime;
	struct pf_buf filler;
};

/* pf_parts_open() - output, catalog, modules, signals. pf_parts_close() - close whatever is open, completing the output; the first
 * error of all, or @rc if that is one already. */
int pf_parts_open(struct pf_parts *p, const struct pf_plan *plan, struct pf_err *err);
int pf_parts_close(struct pf_parts *p, int rc, struct pf_err *err);

/* pf_parts_exporter() - start an exporter in Perl, if there is one and it has not been: @letters would be shown, and are replaced if it or a
 * module chose others. */
int pf_parts_exporter(struct pf_parts *p, char letters[PF_LETTERS_MAX], struct pf_err *err);

/* pf_parts_select() - take @letters as those to show: their groups, their place in the catalog. */
int pf_parts_select(struct pf_parts *p, const char *letters, struct pf_err *err);

/* pf_parts_view() - the view that the selected letters and the protocols need. pf_parts_open_sink() - open it; a view that is open is
 * completed first. */
const struct pf_sink_kind *pf_parts_view(const struct pf_parts *p);
int pf_parts_open_sink(struct pf_parts *p, int64_t interval_ns, struct pf_err *err);
int pf_parts_close_sink(struct pf_parts *p, struct pf_err *err);

/* pf_parts_baseline() - a sample that only serves as predecessor. pf_parts_show() - one for the eyes. */
int pf_parts_baseline(struct pf_parts *p, const struct pf_step *step, struct pf_err *err);
int pf_parts_show(struct pf_parts *p, const struct pf_step *step, struct pf_err *err);

/* pf_parts_lacks() - is it a sample of an archive that has nothing of what the lines of the view are made of? A recorder whose metrics have intervals of
 * their own makes such. What does not change, and is told with each sample, does not count. No sample is, before one that has something. */
bool pf_parts_lacks(struct pf_parts *p, const struct pf_step *step);

/* pf_parts_flush() - what the view holds back, if there is a view. -EPIPE comes without a sentence. */
int pf_parts_flush(struct pf_parts *p, struct pf_err *err);

/* pf_parts_fatal() - has a module said that the program ends? Only under `collectl`. */
int pf_parts_fatal(const struct pf_parts *p, struct pf_err *err);

/* pf_parts_echo() - write the text that waits. */
int pf_parts_echo(struct pf_parts *p);

/* pf_parts_headings() - append the headings among the lines of the file @fd that a text view was written to. @first: only those of the first
 * section, and what stands before them, as collectl does. */
int pf_parts_headings(int fd, bool first, struct pf_buf *out);

/* pf_parts_root() - the folder that stands for "/", opened; the caller closes. */
int pf_parts_root(const struct pf_plan *plan, struct pf_err *err);

#endif
