/* import/host.h - what the files of import/ share: one run's modules and what the host keeps for each. */
#ifndef PF_IMPORT_HOST_H
#define PF_IMPORT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "import/door.h"
#include "import/import.h"
#include "import/key.h"
#include "import/owner.h"
#include "model/catalog.h"
#include "model/cvt.h"
#include "model/sample.h"
#include "perfolio/module.h"

enum {
	PF_MODULES_MAX = 64,	/* modules of one --import */
	PF_MODULE_ITEMS = 1024, /* what the item of a PMID can count */
	PF_MODULE_METRICS_MAX = 8 * PF_MODULE_ITEMS,
	PF_MODULE_DOMAINS_MAX =
		1000, /* of one module; what the serial of an instance domain can count beside a cluster is 1024 */
	PF_MODULE_NAME_MAX = 64,	/* bytes of a module's name */
	PF_MODULE_DEPTH_MAX = 4,	/* Analyze that records, which is analysed, which records ... */
	PF_MODULE_RECORD_MAX = 1 << 20, /* bytes of one record */
	PF_MODULE_RECORDS_MAX =
		100000, /* records of one module in one interval, unless --import-records says otherwise */
	PF_MODULE_ANSWERS_MAX = 20000,	/* of an isolated module, where each is analysed at once (--import-answers) */
	PF_MODULE_MEMORY_MB = 512,	/* of its process (--import-memory) */
	PF_MODULE_BYTES_MAX = 32 << 20, /* and their bytes */
	PF_MODULE_WORDS_MAX = 100	/* messages in one interval */
};

struct pf_iso;

/* Growing text as modules see it. */
struct perfolio_text {
	struct pf_buf *buf;
};

/**
 * struct pf_declared - one declared metric.
 * @row: of the catalog, at @index there, with texts of ours
 * @name: full name, "hello.total"; @heading: at most 8 bytes; @domain: as declared, NULL for a single value
 * @total, @counted: for the totals of the brief view; @hint: slot of the last instance
 */
struct pf_declared {
	struct pf_metric row;
	unsigned index;
	char name[160];
	char heading[12];
	char *domain;
	char *help;
	unsigned hint;
	double total;
	uint64_t counted;
	bool aside; /* no column of brief and plot */
};

/* A file that getproc reads again and again, with the expression that ends it. @fd: held open, or -1. */
struct pf_held_file {
	char *path;
	int fd;
	bool told;
	char *last;
	struct pf_key last_key;
};

/**
 * struct pf_module - one loaded module.
 * @ctx: what the module is given; stays the first member
 * @is: copy of the module's struct; members that its size does not cover are NULL here
 * @off: no callback is called any more; @script: it is one; @told_*: said once
 * @failed: set by error() and taken when the callback has returned
 * @declared: each where it stays, since the catalog points to its row; @clusters: of their PMIDs, one per PF_MODULE_ITEMS of them
 * @domains: names of instance domains, each of one of @declared
 */
struct pf_module {
	struct perfolio_ctx ctx;
	struct pf_import *imp;
	void *handle;
	char *path;
	char *alias; /* NULL: none */
	char *args;
	char *key;
	struct perfolio_module is;
	struct perfolio_setup setup; /* what Init said; options and key are copied, the metrics are the module's */
	struct pf_key match;
	bool summary;
	bool detail;
	bool off;
	bool script;
	bool exports; /* it is no module but an exporter */
	bool appends; /* PERFOLIO_APPENDS */
	bool lists;   /* PERFOLIO_LISTS */
	bool told_record;
	bool told_metric;
	bool told_value; /* a value that does not fit was set */
	bool initialised;
	struct pf_iso *iso; /* NULL: it runs in this process */
	unsigned n_records; /* in this interval; @n_bytes of them; @n_dropped beyond the limits; @n_words: messages */
	size_t n_bytes;
	uint64_t n_dropped;
	unsigned n_words;
	bool told_flood;
	bool told_slow; /* GetData took longer than it may */
	struct pf_err failed;
	struct pf_declared **declared;
	unsigned n_declared;
	unsigned cap_declared;
	unsigned clusters[PF_MODULE_METRICS_MAX / PF_MODULE_ITEMS];
	const char *domains[PF_MODULE_DOMAINS_MAX];
	unsigned n_domains;
	int meter_source;
	uint64_t n_recorded; /* bytes of records since the start */
	struct pf_held_file *files;
	unsigned n_files;
};

/**
 * struct pf_import - all modules of one run.
 * @host: lent to the modules; @told: the state that it shows them; @state: stand-in if the run brings none
 * @scratch: texts of the records being analysed, one per depth
 * @text: of getproc and getexec; @cell: of drawing; @lines: of verbose
 * @fatal: text of the error() that ends the program, or last words of a script
 * @path: folders of modules; @scripts: what the run lends to scripts; @door, @script: the interpreter, once one is needed
 */
struct pf_import {
	struct pf_module *modules;
	unsigned n;
	const struct pf_notice *notice;
	bool exit_on_error;
	struct pf_owner owner; /* the process that calls */
	bool isolate;	       /* all modules */
	int64_t deadline_ns;   /* of a callback */
	unsigned records;      /* of one module in one interval */
	unsigned answers;      /* of an isolated one */
	unsigned memory_mb;
	int64_t exec_ns;	      /* that getexec waits for a command */
	struct pf_line_filter filter; /* for getproc and getexec */
	struct pf_cvt_style style;
	struct pf_catalog *catalog;
	struct pf_sample *sample;
	struct pf_meter *meter;
	const struct pf_import_watch *watch;
	struct perfolio_host host;
	struct perfolio_state *told;
	struct perfolio_state state;
	int root_fd;
	void (*line)(void *arg, struct pf_view tag, struct pf_view line);
	void *line_arg;
	void (*second_line)(void *arg, struct pf_view tag, struct pf_view line); /* NULL: @line */
	void *second_arg;
	bool analyze;
	unsigned depth;
	struct pf_buf scratch[PF_MODULE_DEPTH_MAX];
	struct pf_buf text;
	struct pf_buf cell;
	struct pf_buf lines;
	struct pf_err fatal;
	const char *const *path;
	struct pf_import_scripts scripts;
	void *door_handle;
	const struct pf_script_door *door;
	struct pf_script *script;
	struct pf_script_host script_host;
	struct pf_module *exporter; /* in Perl, or NULL; @step: what it is called for */
	const struct pf_step *step;
};

static inline struct pf_module *pf_module_of(struct perfolio_ctx *ctx)
{
	return (struct pf_module *)ctx;
}

/* Is there a member in a struct that begins with its size? */
#define PF_HAS(s, member)                                                                                              \
	((s)->size >= offsetof(__typeof__(*(s)), member) + sizeof((s)->member)) /* NOLINT(bugprone-sizeof-expression) */

/* find.c: find and open NAME; fills path, is, and what its kind needs. */
int pf_module_load(struct pf_module *m, const char *name, const char *const *path, struct pf_err *err);

/* native.c: check and open the shared object at @m->path. pf_module_check_file() - may this file run in our process? */
int pf_module_open_native(struct pf_module *m, struct pf_err *err);
int pf_module_check_file(const char *path, bool shared_object, struct pf_err *err);

/* script.c: the same for a script; what was opened for scripts is closed when all modules are done. */
int pf_module_open_script(struct pf_module *m, struct pf_err *err);
void pf_module_scripts_done(struct pf_import *imp);

/* limits.c: pf_module_deadline() - of a callback. */
int64_t pf_module_deadline(const struct pf_import_limits *limits, int64_t interval_ns);

/* helpers.c: pf_module_new_interval() - what a module may say in one interval begins anew. */
void pf_module_new_interval(struct pf_module *m);

/* exporter.c: --export NAME[,ARGS...] of a file in Perl; pf_module_give() - what module @i has for it. */
int pf_module_open_exporter(struct pf_import *imp, const char *text, const char *const *path, struct pf_err *err);
void pf_module_close_exporter(struct pf_import *imp);
void pf_module_give(struct pf_import *imp, unsigned i, char kind, const struct pf_step *step,
		    struct perfolio_export *to);

/* pf_module_accept() - copy what @given has of a module's struct, or say why it is refused. pf_module_check_name() - is it one? */
int pf_module_check_name(const char *name, struct pf_err *err);
int pf_module_accept(struct perfolio_module *ret_is, const struct perfolio_module *given, struct pf_err *err);

/* helpers.c: the functions that the host lends. */
extern const struct perfolio_host pf_host_functions;
/* pf_module_record() - one record; with @tag "" the line brings its own. The line may hold several lines. @second: it belongs to the second
 * interval, so into its file if there are two. */
void pf_module_record(struct pf_module *m, struct pf_view tag, struct pf_view line, bool second);

/* proc.c: getproc and getexec. */
int pf_module_getproc(struct perfolio_ctx *ctx, int kind, const char *file, const char *tag, unsigned skip,
		      unsigned max, const char *last);
int pf_module_getexec(struct perfolio_ctx *ctx, int kind, const char *command, const char *tag);
int pf_module_open_file(struct perfolio_ctx *ctx, const char *path);
void pf_module_files_done(struct pf_module *m);

/* declare.c: declared metrics into the catalog: those of Init, and later ones. pf_module_declare() - Return: number of the metric, or negative
 * errno, told once. */
int pf_module_declare_all(struct pf_module *m, const struct perfolio_setup *setup, struct pf_err *err);
int pf_module_declare(struct perfolio_ctx *ctx, const struct perfolio_metric *metric);
void pf_module_undeclare(struct pf_module *m);
void pf_module_set(struct pf_module *m, uint32_t metric, const char *instance, enum perfolio_type given,
		   union pf_value v);

/* draw.c: views of declared metrics. */
void pf_module_brief(struct pf_module *m, int type, const struct pf_step *step, struct pf_buf *out);
void pf_module_verbose(struct pf_module *m, bool print_header, bool home, const struct pf_step *step,
		       struct pf_buf *out);
/* list.c: verbose of modules with PERFOLIO_LISTS. pf_module_value() - what one cell shows, counters as rates. Return: false if there is none. */
void pf_module_list(struct pf_module *m, bool print_header, bool home, const struct pf_step *step, struct pf_buf *out);
bool pf_module_value(const struct pf_module *m, const struct pf_step *step, unsigned i, unsigned slot, double *ret_v);
void pf_module_plot(struct pf_module *m, int type, const struct pf_step *step, struct pf_buf *out);
void pf_module_export(struct pf_module *m, char kind, const struct pf_step *step, struct perfolio_export *to);

#endif
