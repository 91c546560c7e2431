/* engine/plots.h - plot files: their names, and what stands at their top. */
#ifndef PF_ENGINE_PLOTS_H
#define PF_ENGINE_PLOTS_H

#include "base/buf.h"
#include "sinks/plotfiles.h"

struct pf_err;
struct pf_parts;
struct pf_plan;
struct pf_play_file;
struct pf_source_info;

/**
 * struct pf_plots - of one run.
 * @files: for the sink; its texts are @base and @header
 * @made: names that this run has made files of, each behind a NUL, so that it goes on behind what it wrote itself
 */
struct pf_plots {
	struct pf_plot_files files;
	struct pf_buf base;
	struct pf_buf header;
	struct pf_buf made;
};

void pf_plots_done(struct pf_plots *p);

/* pf_plots_base() - append what a name begins with: TARGET/ if TARGET is a folder or ends in '/', else TARGET-. pf_plots_folder() - make
 * the folder in which that is, if it is not there: one level, as collectl does. */
void pf_plots_base(struct pf_buf *out, const struct pf_plan *plan, const char *target);
int pf_plots_folder(const struct pf_plan *plan, const char *target, struct pf_err *err);

/* pf_plots_live() - files of this host, beginning @now_ns, below @header. Return: 0 or negative errno. */
int pf_plots_live(struct pf_plots *p, const struct pf_plan *plan, const char *host, struct pf_view header,
		  int64_t now_ns, struct pf_err *err);

/**
 * pf_plots_choose() - files of a recording.
 * @ret_same: they are those that were chosen last, so the sink that is open goes on
 *
 * Return: 1 go on; 0 what is there must not be touched, which was told, so this recording is left out; negative errno.
 */
int pf_plots_choose(struct pf_plots *p, const struct pf_plan *plan, const struct pf_play_file *f, bool *ret_same,
		    struct pf_err *err);

/* pf_plots_header() - the lines at the top: those of the recording that @run plays, what is made of it, and lines of the modules of now.
 * Those that modules had recorded stay, except under the peer's name. */
int pf_plots_header(struct pf_plots *p, struct pf_parts *run, struct pf_err *err);

#endif
