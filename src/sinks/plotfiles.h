/* sinks/plotfiles.h - what plots on disk need beyond a view: where the files are, what stands at their top. */
#ifndef PF_SINKS_PLOTFILES_H
#define PF_SINKS_PLOTFILES_H

#include <stdbool.h>

/* PF_FILES_NEW: refuse what is there already. PF_FILES_APPEND, PF_FILES_ANEW: go on behind it, empty it. */
enum pf_files_mode { PF_FILES_NEW, PF_FILES_APPEND, PF_FILES_ANEW };

/**
 * struct pf_plot_files - choices for pf_sink_plotfiles.
 * @base: path without the extension that tells the kind: "FOLDER/HOST-20261130"
 * @header: lines that stand before each heading
 * @plain: not packed
 * @no_lists: no files of processes and slabs, which a raw file beside has
 */
struct pf_plot_files {
	const char *base;
	const char *header;
	enum pf_files_mode mode;
	bool plain;
	bool no_lists;
};

struct pf_collectl_writer;
struct pf_err;
struct pf_notice;

/**
 * pf_plot_file_create() - make one of them. What is appended to is mended first: a row that was cut off is ended, a packed file that was cut
 * off is closed behind its last whole part, a damaged one gets another name.
 * @extension: the kind, in which everything that has no place in a name becomes '_'
 */
int pf_plot_file_create(struct pf_collectl_writer **ret_writer, const struct pf_plot_files *files,
			const char *extension, const struct pf_notice *notice, struct pf_err *err);

#endif
