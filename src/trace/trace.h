/* trace/trace.h - the only door to tracing: D text in, events out. */
#ifndef PF_TRACE_TRACE_H
#define PF_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/notice.h"
#include "model/event.h"

struct pf_buf;
struct pf_err;
struct pf_trace;

/* pf_trace_open() - nothing is loaded into the kernel yet. */
int pf_trace_open(struct pf_trace **ret_trace, const struct pf_notice *notice, struct pf_err *err);
struct pf_trace *pf_trace_close(struct pf_trace *t);

/* pf_trace_setopt() - D run-time and compile-time options ("strsize", "quiet", "bufsize" ...). -EINVAL: bad name or value. */
int pf_trace_setopt(struct pf_trace *t, const char *name, const char *value, struct pf_err *err);

/* pf_trace_getopt() - numeric value of an option; switches 0 or 1. */
int64_t pf_trace_getopt(const struct pf_trace *t, const char *name);

/* pf_trace_check_oformat() - who knows the words of option oformat: 0 text, 1 json, 2 xml, 3 html, or -EINVAL.
 * pf_trace_oformat() - the words that were set, also by the program; NULL: none. */
void pf_trace_check_oformat(struct pf_trace *t, int (*check)(const char *words));
const char *pf_trace_oformat(const struct pf_trace *t);

/* How text is to look; a program can change it with setopt(). */
struct pf_trace_text {
	bool quiet, flowindent, rawbytes;
	unsigned stackindent;
};
void pf_trace_text(const struct pf_trace *t, struct pf_trace_text *ret_text);

/* pf_trace_target() - what $target is; before the first compile. */
void pf_trace_target(struct pf_trace *t, pid_t pid);

/* Where D text comes from: a file, or the argument of -n -P -m -f -i. */
enum pf_d_origin { PF_D_SCRIPT, PF_D_NAME, PF_D_PROVIDER, PF_D_MODULE, PF_D_FUNCTION, PF_D_ID };

/* One program. @where: file name, or the option's text, for messages; @argc, @argv: values of $0, $1 ... */
struct pf_trace_program {
	enum pf_d_origin origin;
	const char *where;
	const char *text;
	int argc;
	const char *const *argv;
};

/**
 * pf_trace_compile() - compile one more program; clauses keep the order of the calls.
 * @ret_probes: (clause, probe) pairs matched
 * Errors say "line N:" and the offending token, in the words of the D language.
 */
int pf_trace_compile(struct pf_trace *t, const struct pf_trace_program *program, unsigned *ret_probes,
		     struct pf_err *err);

/* pf_trace_go() - load, attach, fire BEGIN. Errors name the missing capability or facility and what works instead. */
int pf_trace_go(struct pf_trace *t, struct pf_err *err);

/* pf_trace_stop() - fire END, stop firing; remaining records can still be consumed. */
int pf_trace_stop(struct pf_trace *t, struct pf_err *err);

typedef int pf_event_fn(void *arg, const struct pf_event *event);

/**
 * pf_trace_consume() - hand every pending event to @fn, in order of time.
 * @timeout_ms: wait so long for the first, 0 not at all, -1 until something comes or a signal
 * Return: number of events; -EINTR; what @fn returned if negative.
 */
int pf_trace_consume(struct pf_trace *t, int timeout_ms, pf_event_fn *fn, void *arg, struct pf_err *err);

/* pf_trace_aggregations() - one PF_EVENT_AGGREGATIONS event with every aggregation that has rows, sorted as the options say.
 * @unprinted_only: without those that a printa() printed. No event if there is nothing. */
int pf_trace_aggregations(struct pf_trace *t, bool unprinted_only, pf_event_fn *fn, void *arg, struct pf_err *err);

/* pf_trace_exited() - did the program call exit()? Then *ret_status. */
bool pf_trace_exited(const struct pf_trace *t, int *ret_status);

/* How sure an interface is: of its names and of what it means, from the least on; and what it depends on. Numbered as libdtrace does. */
enum pf_stability {
	PF_STABILITY_INTERNAL,
	PF_STABILITY_PRIVATE,
	PF_STABILITY_OBSOLETE,
	PF_STABILITY_EXTERNAL,
	PF_STABILITY_UNSTABLE,
	PF_STABILITY_EVOLVING,
	PF_STABILITY_STABLE,
	PF_STABILITY_STANDARD,
};

enum pf_dependency {
	PF_DEPENDS_UNKNOWN,
	PF_DEPENDS_CPU,
	PF_DEPENDS_PLATFORM,
	PF_DEPENDS_GROUP,
	PF_DEPENDS_ISA,
	PF_DEPENDS_COMMON,
};

struct pf_trace_stability {
	enum pf_stability names, data;
	enum pf_dependency dependency;
};
const char *pf_stability_name(enum pf_stability s);   /* "Evolving" */
const char *pf_dependency_name(enum pf_dependency d); /* "Common" */

/* pf_trace_stability() - the least sure that the program compiled last needs, for its probes and for its statements. */
void pf_trace_stability(const struct pf_trace *t, struct pf_trace_stability *ret_probes,
			struct pf_trace_stability *ret_statements);

/* pf_trace_probe_stability() - of a listed probe and of its arguments. */
void pf_trace_probe_stability(const struct pf_trace *t, int id, struct pf_trace_stability *ret_probe,
			      struct pf_trace_stability *ret_args);

/* pf_trace_probe_arg() - text of the type of args[@n] of a listed probe, and its name or "". Both live as long as the session.
 * Return: 0; -ERANGE: it has no such argument; -ENOENT: nothing is known of its arguments. */
int pf_trace_probe_arg(struct pf_trace *t, int id, unsigned n, const char **ret_type, const char **ret_name);

/* pf_trace_library() - compile every *.d of a folder as libraries: types, inlines, translators; no clauses. */
int pf_trace_library(struct pf_trace *t, const char *folder, struct pf_err *err);

/* pf_trace_code() - the instructions of everything compiled, annotated, as text; nothing is loaded. */
int pf_trace_code(struct pf_trace *t, struct pf_buf *out, struct pf_err *err);

/* pf_trace_list() - every probe that matches a description (NULL: all), by id order. @origin: what a single word in it means. */
int pf_trace_list(struct pf_trace *t, enum pf_d_origin origin, const char *pattern,
		  int (*fn)(void *arg, const struct pf_probe_name *probe), void *arg, struct pf_err *err);

#endif
