/* formats/pcp/preproc.h - what stands before pmlogger's configuration is read: %include, %define, %undef, %ifdef, %ifndef, %else, %endif, and %NAME
 * or %{NAME} for what was defined. Facts: pmcpp -rs of PCP 6.0.3, as seen to work. Files are read by whoever calls.
 *
 * Differences: a last line without newline counts; %shell runs nothing. */
#ifndef PF_FORMATS_PCP_PREPROC_H
#define PF_FORMATS_PCP_PREPROC_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/view.h"

/* Text that results, files that are open in one another, names that are defined, all that was read. */
enum { PF_PREPROC_MAX = 16 << 20, PF_PREPROC_DEPTH = 5, PF_PREPROC_MACROS = 1000 };

/**
 * struct pf_preproc_input - where the text comes from.
 * @name: of the file, for positions; @text: of it
 * @include: append the file of that name to @ret_text; 0 or negative errno; NULL: there are none
 */
struct pf_preproc_input {
	const char *name;
	struct pf_view text;
	int (*include)(void *arg, const char *name, struct pf_buf *ret_text);
	void *arg;
};

/* Where a line of the result comes from. */
struct pf_preproc_place {
	const char *file;
	unsigned line;
};

/* @text: lines, each of them from @places; @end: the line behind the last that was read; @names: where the files' names are. All of it is freed by
 * pf_preproc_done(). */
struct pf_preproc {
	struct pf_buf text;
	struct pf_preproc_place *places;
	unsigned n_places;
	unsigned cap_places;
	struct pf_preproc_place end;
	struct pf_arena names;
};

/* What is wrong with a directive, and where. @what NULL: nothing. When the text ended too soon, there is no @directive, and @at.line is 0. */
struct pf_preproc_error {
	struct pf_preproc_place at;
	char directive[256];
	const char *what;
	unsigned opened; /* line of an %ifdef that nothing ends, else 0 */
};

/**
 * pf_preproc_run() - do what the directives say.
 * @ret: what came of it, also what was before an error
 *
 * Return: 0; -EINVAL with @ret_error; -ENOMEM; -EFBIG.
 */
int pf_preproc_run(struct pf_preproc *ret, const struct pf_preproc_input *in, struct pf_preproc_error *ret_error);
void pf_preproc_done(struct pf_preproc *p);

#endif
