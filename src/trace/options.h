/* trace/options.h - options of the D language and its run time: names, kinds, defaults, and the values chosen. */
#ifndef PF_TRACE_OPTIONS_H
#define PF_TRACE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;

/* Options whose value this program looks at; the others are only checked and kept. */
enum pf_option_id {
	PF_OPT_AGGPERCPU,
	PF_OPT_AGGRATE,
	PF_OPT_AGGSIZE,
	PF_OPT_AGGSORTKEY,
	PF_OPT_AGGSORTKEYPOS,
	PF_OPT_AGGSORTPOS,
	PF_OPT_AGGSORTREV,
	PF_OPT_ARGREF,
	PF_OPT_BUFPOLICY,
	PF_OPT_BUFRESIZE,
	PF_OPT_BUFSIZE,
	PF_OPT_CLEANRATE,
	PF_OPT_CPP,
	PF_OPT_CPU,
	PF_OPT_DEFAULTARGS,
	PF_OPT_DESTRUCTIVE,
	PF_OPT_DROPTAGS,
	PF_OPT_DYNVARSIZE,
	PF_OPT_EMPTY,
	PF_OPT_ERRTAGS,
	PF_OPT_EVALTIME,
	PF_OPT_FLOWINDENT,
	PF_OPT_LOCKMEM,
	PF_OPT_MAXFRAMES,
	PF_OPT_NORESOLVE,
	PF_OPT_NSPEC,
	PF_OPT_OFORMAT,
	PF_OPT_PRINTSIZE,
	PF_OPT_PSPEC,
	PF_OPT_QUIET,
	PF_OPT_QUIETRESIZE,
	PF_OPT_RAWBYTES,
	PF_OPT_SCRATCHSIZE,
	PF_OPT_SPECSIZE,
	PF_OPT_STACKFRAMES,
	PF_OPT_STACKINDENT,
	PF_OPT_STATUSRATE,
	PF_OPT_STDC,
	PF_OPT_STRSIZE,
	PF_OPT_SWITCHRATE,
	PF_OPT_TEMPORAL,
	PF_OPT_TREE,
	PF_OPT_USTACKFRAMES,
	PF_OPT_VERBOSE,
	PF_OPT_ZDEFS,
	PF_OPT_OTHER,
	N_PF_OPTS
};

/**
 * struct pf_trace_options - the values chosen.
 * @set: somebody chose the value
 * @oformat: the words of option oformat, owned
 * @check_oformat: 0 text, 1 json, 2 xml, 3 html, or -EINVAL: formats are known elsewhere. NULL: any words will do.
 */
struct pf_trace_options {
	int64_t value[N_PF_OPTS];
	bool set[N_PF_OPTS];
	char *oformat;
	int (*check_oformat)(const char *words);
};

void pf_trace_options_init(struct pf_trace_options *o);
void pf_trace_options_done(struct pf_trace_options *o);

/**
 * pf_trace_options_set() - by name. @active: tracing has begun; some options cannot change then.
 * The error is the reason alone: "Invalid option name", "Invalid value for specified option" ...
 */
int pf_trace_options_set(struct pf_trace_options *o, const char *name, const char *value, bool active,
			 struct pf_err *err);

/* pf_trace_options_get() - numeric value; -1 for unknown names. */
int64_t pf_trace_options_get(const struct pf_trace_options *o, const char *name);

#endif
