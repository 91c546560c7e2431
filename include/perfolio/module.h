/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * perfolio/module.h - the interface of import modules.
 *
 * An import module adds its own data to what perfolio samples, records, replays and shows. It is a shared object that exports one
 * symbol, `perfolio_module`, and links to nothing of perfolio: the host lends its functions in struct perfolio_host.
 * A module may do either or both of:
 *   - declare its metrics (struct perfolio_setup) and set their values; then every view and format is drawn for it;
 *   - set Print callbacks, which then draw in place of that.
 * The eleven callbacks, their order and their meaning are those of collectl's import API; perfolio-module(3) has the details.
 *
 * Versions: MAJOR changes when old modules would break; such modules are refused. MINOR grows with every appended member.
 * Every struct that crosses the border begins with its size, and a member is used only if the size covers it.
 *
 *   1.0  2026-11-30  first
 *   1.1  2026-11-30  perfolio_setup.flags, perfolio_host.open_file and declare
 *   1.2  2026-11-30  perfolio_ctx.name, PERFOLIO_LISTS, metrics with an empty heading
 *   1.3  2026-11-30  perfolio_state.peer
 */
#ifndef PERFOLIO_MODULE_H
#define PERFOLIO_MODULE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERFOLIO_MODULE_MAJOR 1u
#define PERFOLIO_MODULE_MINOR 3u

/* Bytes of a text that cvt() makes, with its NUL. */
#define PERFOLIO_CVT_SIZE 40

/* Types, semantics and unit words of declared metrics; the numbers are PCP's. */
enum perfolio_type {
	PERFOLIO_S32 = 0,
	PERFOLIO_U32 = 1,
	PERFOLIO_S64 = 2,
	PERFOLIO_U64 = 3,
	PERFOLIO_FLOAT = 4,
	PERFOLIO_DOUBLE = 5,
	PERFOLIO_STRING = 6
};

enum perfolio_semantics { PERFOLIO_COUNTER = 1, PERFOLIO_INSTANT = 3, PERFOLIO_DISCRETE = 4 };

/* Units by their usual words: "", "count", "byte", "Kbyte", "Mbyte", "nanosec", "microsec", "millisec", "sec". */

/* One declared metric. @name: dotted, below the module's name: "val" of module "hello" becomes "hello.val".
 * @domain: NULL for a single value, else the name of the instance domain ("cpu", "gpu").
 * @heading: column heading, at most 8 bytes, or NULL: the last part of the name; since 1.2, "": no column of brief and plot, for those of
 * which there are hundreds. All rows of an array have the same @size. */
struct perfolio_metric {
	uint32_t size; /* sizeof(struct perfolio_metric) */
	const char *name;
	const char *domain;
	enum perfolio_type type;
	enum perfolio_semantics semantics;
	const char *units;
	const char *heading;
	const char *help;
};

/* What Init tells the host, which has set @size before. Init must set @options and @key; both are copied. */
struct perfolio_setup {
	uint32_t size;
	const char *options; /* "s" summary, "d" detail, "sd" both */
	const char *key;     /* record types are matched against it as a regular expression, unanchored */
	const struct perfolio_metric *metrics; /* with all its texts valid until the module is unloaded; NULL: none */
	uint32_t n_metrics;
	uint32_t flags; /* PERFOLIO_APPENDS, since 1.1, PERFOLIO_LISTS */
};

/* PrintVerbose appends to its lines and does not begin them anew. It makes a difference by the name `collectl` alone, where the lines
 * of whoever drew before still stand there and are shown a second time, as collectl shows them. */
#define PERFOLIO_APPENDS 1u
/* Verbose is one line per value, for modules whose metrics are too many to be columns. Since 1.2. */
#define PERFOLIO_LISTS 2u

/* Growing text of the host. */
struct perfolio_text;

struct perfolio_ctx;

/* Values for exporters that are pushed by PrintExport. @format: printf form of one double, NULL for a rounded integer. @gauge: average, do not sum. */
struct perfolio_export {
	uint32_t size;
	void *host;
	void (*summary)(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
			const char *format, const char *group, const char *title);
	void (*detail)(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
		       const char *format, const char *group, const char *title);
	void (*text)(struct perfolio_export *to, const char *text); /* kinds that are plain text */
};

/* Facts that change; read them when called, do not keep copies. */
struct perfolio_state {
	uint32_t size;
	const char *datetime;	 /* time text of this interval with a trailing blank, "" when times are off */
	const char *mini_filler; /* blanks as wide as the time title, "" when off */
	const char *rate;	 /* "/sec", or "/int" with -on */
	const char *separator;	 /* of the plot format */
	double int_secs;	 /* seconds of the interval; 1 with -on */
	const char *interval;	 /* main interval in seconds, as the user typed it: "1" or "1:60" */
	uint64_t mini_instances; /* intervals since totals were reset */
	int64_t time_ns;	 /* wall clock of this sample */
	int show_col_headers;	 /* only headings are wanted: print them and return */
	int playback;
	int recording;		   /* raw text goes to a file and is not analysed */
	uint64_t counted2, limit2; /* of the second interval: equal in a cycle that samples processes and slabs */
	const char *host;	   /* whose data it is; "" until known */
	const char *subsys;	   /* letters of the subsystems shown, "" for modules alone */
	int verbose, plot;	   /* the view: verbose, plot; neither: brief or a document */
	int debug;		   /* bits of -d */
	int peer;		   /* since 1.3: the program was called collectl, whose bytes count */
};

/* What the host lends. All functions may be called from any callback. Texts need not be kept: the host copies. */
struct perfolio_host {
	uint32_t size;
	uint32_t major, minor;
	const char *version; /* of perfolio */
	const struct perfolio_state *state;

	/* One record "TYPE DATA": into the raw file if one is open; handed to Analyze at once when data is being interpreted.
	 * TYPE is one word that does not begin with '#' or '>'. DATA needs no newline; each line of it becomes a record. */
	void (*record)(struct perfolio_ctx *ctx, const char *type, const char *data);
	/* Lines of FILE as records of type TAG; kinds as in perfolio-module(3). Skip @skip lines, then at most @max (0: no limit),
	 * stop at a line that matches @last (NULL: none). Returns 1, or 0 if the file cannot be opened. */
	int (*getproc)(struct perfolio_ctx *ctx, int kind, const char *file, const char *tag, unsigned skip,
		       unsigned max, const char *last);
	/* Lines of COMMAND's output as records of type "TAG:". The shell runs it, as in collectl. Returns as getproc. */
	int (*getexec)(struct perfolio_ctx *ctx, int kind, const char *command, const char *tag);

	/* Text. */
	void (*add)(struct perfolio_text *to, const char *text);
	void (*addf)(struct perfolio_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
	/* Short form of a number in at most @width characters; into @buf of at least
	 * PERFOLIO_CVT_SIZE bytes, which is returned. @unit: what the value counts, 0 ones, 1 K, 2 M. Plain: cvt(ctx, v, 4, 0, 0, buf).
	 * With -w the number is not shortened. */
	const char *(*cvt)(const struct perfolio_ctx *ctx, double value, int width, int unit, int div1024, char *buf);
	/* A difference that went below zero because a counter of 2^32 wrapped. */
	double (*fix)(double delta);

	/* Values of declared metrics for the sample being built; @instance NULL for single values. Index: order of declaration.
	 * Set them in GetData, Analyze or IntervalEnd; what is not set in an interval has no value in it. */
	void (*set_u64)(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, uint64_t value);
	void (*set_i64)(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, int64_t value);
	void (*set_double)(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, double value);
	void (*set_string)(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, const char *value);

	/* Messages: severity 'I', 'W', 'E'. error(): this module cannot go on and is switched off; under `collectl` the program ends
	 * with status 1. It returns like any function: return from the callback after it. */
	void (*logmsg)(struct perfolio_ctx *ctx, char severity, const char *text);
	void (*error)(struct perfolio_ctx *ctx, const char *text);

	/* Since 1.1. Open a file of the sampled host for reading: below the folder of --root where that is used. A descriptor, which is the
	 * module's to close, or a negative errno. */
	int (*open_file)(struct perfolio_ctx *ctx, const char *path);

	/* Since 1.1. Declare one more metric, in any callback but Init: what is only known once the data is there. All its texts are copied.
	 * Its number for the set functions, or a negative errno: -EEXIST there is one of that name, -E2BIG too many. */
	int (*declare)(struct perfolio_ctx *ctx, const struct perfolio_metric *metric);
};

/* What the host keeps for one loaded module. @own is the module's to use. @name: what it goes by in this run, its own or the one of
 * --import NAME=ALIAS; since 1.2. */
struct perfolio_ctx {
	uint32_t size;
	const struct perfolio_host *host;
	void *own;
	const char *name;
};

/* PrintBrief types. */
enum perfolio_brief {
	PERFOLIO_BRIEF_TITLE = 1,  /* heading line 1 */
	PERFOLIO_BRIEF_NAMES = 2,  /* heading line 2 */
	PERFOLIO_BRIEF_VALUES = 3, /* data line */
	PERFOLIO_BRIEF_RESET = 4,  /* totals back to zero; no text */
	PERFOLIO_BRIEF_COUNT = 5,  /* add this interval to the totals; no text */
	PERFOLIO_BRIEF_TOTALS = 6  /* totals, as a data line */
};

/* PrintPlot types. */
enum perfolio_plot {
	PERFOLIO_PLOT_SUM_NAMES = 1,
	PERFOLIO_PLOT_DET_NAMES = 2,
	PERFOLIO_PLOT_SUM = 3,
	PERFOLIO_PLOT_DET = 4
};

/**
 * struct perfolio_module - the one exported symbol, named `perfolio_module`.
 *
 * All callbacks return 0, or a negative errno: the module is then switched off with one message and the recorder goes on.
 * Required: @name (a letter and letters, digits, underscores), @init, and @get_data or @analyze. Init may return PERFOLIO_DROP to
 * withdraw silently. Members that a newer header appends and an older module lacks count as NULL.
 */
#define PERFOLIO_DROP 1

struct perfolio_module {
	uint32_t size;
	uint32_t major, minor;
	const char *name;
	const char *version;

	int (*init)(struct perfolio_ctx *ctx, const char *args,
		    struct perfolio_setup *setup); /* args NULL: none given */
	int (*get_data)(struct perfolio_ctx *ctx);
	int (*analyze)(struct perfolio_ctx *ctx, const char *type, const char *data);
	int (*init_interval)(struct perfolio_ctx *ctx);
	int (*interval_end)(struct perfolio_ctx *ctx);
	int (*get_header)(struct perfolio_ctx *ctx, const char *header);
	int (*update_header)(struct perfolio_ctx *ctx, struct perfolio_text *header);
	int (*print_brief)(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line);
	int (*print_verbose)(struct perfolio_ctx *ctx, int print_header, int home, struct perfolio_text *lines);
	int (*print_plot)(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line);
	int (*print_export)(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to);
	void (*done)(struct perfolio_ctx *ctx); /* release @own; may be NULL */
};

/* Each module defines it. */
extern __attribute__((visibility("default"))) const struct perfolio_module perfolio_module;

#ifdef __cplusplus
}
#endif

#endif
