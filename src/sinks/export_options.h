/* sinks/export_options.h - what stands behind --export: NAME[,ARGUMENT...], as data. */
#ifndef PF_SINKS_EXPORT_OPTIONS_H
#define PF_SINKS_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;
struct pf_sink_kind;

/* What becomes of the values of several intervals that make one report. */
enum pf_export_fold { PF_FOLD_LAST, PF_FOLD_AVERAGE, PF_FOLD_MAX, PF_FOLD_MIN, PF_FOLD_TOTAL };

/* d=MASK; for lexpr, TIME adds the time of day to the time line and QUIET prints no values. */
enum {
	PF_EXPORT_PRINT = 1,
	PF_EXPORT_PRINT_SENT = 2,
	PF_EXPORT_DUMP = 4,
	PF_EXPORT_TIME = 4,
	PF_EXPORT_QUIET = 8,
	PF_EXPORT_NO_SOCKET = 8,
};

enum { PF_EXPORT_WORD = 256 };

/**
 * struct pf_export_options - one exporter's arguments.
 * @kind: the sink, NULL: no export
 * @help: h: its usage is wanted
 * @host, @port: of gexpr and graphite
 * @interval_ns: i=, 0: every interval; @subsys: s=, "": all that are shown
 * @changes: co; @ttl: after so many reports without a change a value is told again
 * @align: begins with a whole minute
 * @host, @port of openmetrics: where to serve; @port "": it is not served. @host "": all addresses
 * @file: f=, lexpr: snapshot instead of text on the terminal
 * @prefix, @postfix, @escape, @full_name, @delay_ns: b= p= e= f r= of graphite
 * @extension: x=, an import module whose values lexpr tells behind all others, and what it is to be given: "NAME[,ARGS]"
 * @ganglia: gexpr: 'g' only the names of ganglia, 'G' those and the rest, 0 neither
 */
struct pf_export_options {
	const struct pf_sink_kind *kind;
	bool help;
	char host[PF_EXPORT_WORD];
	char port[8];
	int64_t interval_ns;
	char subsys[64];
	enum pf_export_fold fold;
	bool changes;
	unsigned ttl;
	unsigned debug;
	bool align;
	char file[PF_EXPORT_WORD];
	char extension[PF_EXPORT_WORD];
	char prefix[PF_EXPORT_WORD];
	char postfix[PF_EXPORT_WORD];
	char escape;
	bool full_name;
	int64_t delay_ns;
	char ganglia;
};

/* pf_export_is_script() - is it the name of a file in Perl? Where it stands with its path or its ending, or no exporter of ours has it. */
bool pf_export_is_script(const char *text);

/**
 * pf_export_options_parse() - take the text behind --export apart.
 *
 * Return: 0 or -EINVAL with a sentence.
 */
int pf_export_options_parse(const char *text, struct pf_export_options *ret, struct pf_err *err);

/* pf_export_usage() - the text that h asks for. */
const char *pf_export_usage(const struct pf_export_options *options);

#endif
