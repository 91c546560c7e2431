/* import/import.h - the modules of one run: loaded, called in order, drawn. Sources feed them, sinks call their drawing. */
#ifndef PF_IMPORT_IMPORT_H
#define PF_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/notice.h"
#include "model/cvt.h"
#include "model/group.h"
#include "model/sample.h"

struct pf_err;
struct pf_import;
struct pf_meter;
struct perfolio_export;
struct perfolio_state;

struct pf_script_cell;
struct pf_script_var;

/* Where the modules of collectl are installed. */
#define PF_IMPORT_COLLECTL_FOLDER "/usr/share/collectl"

/**
 * struct pf_import_scripts - what a run lends to modules that are scripts.
 * @vars: the variables of collectl that they read (import/door.h), ended by one without a name; live as long as the modules
 * @changed: one of them was written; @say: text that a script prints; @send: text for whoever reads the output,
 *           @ends: a record ends with it; each may be NULL
 */
struct pf_import_scripts {
	const struct pf_script_var *vars;
	void (*changed)(void *arg, const char *name, const char *value);
	void (*say)(void *arg, const char *text, size_t n);
	void (*send)(void *arg, const char *text, size_t n, bool ends);
	void *arg;
};

/**
 * struct pf_import_watch - somebody who looks on, for `perfolio modules`; each may be NULL.
 * @begin, @end: of a callback, by its name in struct perfolio_module; they nest where a record is analysed
 * @value: a declared metric, by its index in the catalog, was given a value
 * @said: what a module says by itself, in place of the notice
 */
struct pf_import_watch {
	void (*begin)(void *arg, const char *callback);
	void (*end)(void *arg);
	void (*value)(void *arg, unsigned metric);
	void (*said)(void *arg, char severity, const char *text);
	void *arg;
};

/**
 * struct pf_import_limits - what modules may take.
 * @isolate: all modules run in processes of their own, else those with ",isolate" behind their arguments
 * @deadline_ns: for a callback; 0: half an interval, at least a second. An isolated one is late then, of others GetData is told of
 * @records: of one module in one interval; 0: PF_MODULE_RECORDS_MAX
 * @answers: of them, of an isolated one, where each is analysed at once; 0: PF_MODULE_ANSWERS_MAX
 * @memory_mb: that the process of an isolated one may hold; 0: PF_MODULE_MEMORY_MB
 */
struct pf_import_limits {
	bool isolate;
	int64_t deadline_ns;
	unsigned records;
	unsigned answers;
	unsigned memory_mb;
};

/* pf_import_deadline(), pf_import_records() ... - the texts behind --import-deadline, --import-records ... Return: 0, or -EINVAL with a sentence. */
int pf_import_deadline(const char *text, int64_t *ret_ns, struct pf_err *err);
int pf_import_records(const char *text, unsigned *ret_n, struct pf_err *err);
int pf_import_answers(const char *text, unsigned *ret_n, struct pf_err *err);
int pf_import_memory(const char *text, unsigned *ret_mb, struct pf_err *err);

/**
 * struct pf_import_setup - how the modules are run.
 * @file, @args: instead of @spec: this file alone, whatever its path looks like, with these arguments or NULL
 * @watch: NULL for none
 * @limits: what modules may take; @interval_ns: of the run, 0: none
 * @spec: the text behind --import: NAME[,ARGS][:NAME[,ARGS]...]; split at ':', each at its first ','; NULL: no modules
 * @lines: which lines of the recorder's own files are recorded; kinds of getproc and getexec look at it; variants 0: as usual
 * @exporter: the text behind --export: NAME[,ARGS...] if that is one in Perl, else NULL; it is loaded after the modules
 * @path: folders searched after NAME itself, NULL-terminated
 * @state: values that modules read (datetime, interval ...); the run updates them, the import host only lends them
 * @style: how short numbers are written (-w, -og)
 * @scripts: for modules in Perl
 * @exit_on_error: a module's error() ends the program (collectl by name) instead of disabling the module
 */
struct pf_import_setup {
	const char *spec;
	const char *file;
	const char *args;
	const struct pf_import_watch *watch;
	struct pf_import_limits limits;
	int64_t interval_ns;
	struct pf_line_filter lines;
	const char *exporter;
	const char *const *path;
	struct perfolio_state *state;
	struct pf_cvt_style style;
	bool exit_on_error;
	struct pf_import_scripts scripts;
	const struct pf_notice *notice;
};

/**
 * pf_import_open() - load all, then Init in reverse order of the list; metrics that they declare go into @cat.
 * Refused in one sentence, naming each place that was tried: a missing file, a file that is no module, another major version, a file or
 * folder that somebody else may write.
 */
int pf_import_open(struct pf_import **ret_import, const struct pf_import_setup *setup, struct pf_catalog *cat,
		   struct pf_err *err);

/* pf_import_close() - unload all; returns NULL. The rows of declared metrics go with it: close sources and sinks that use the catalog
 * before, free the catalog after. */
struct pf_import *pf_import_close(struct pf_import *imp);

/* pf_import_fatal() - under @exit_on_error: what a module said to error() since the start, NULL while none did. The run ends with it. */
const struct pf_err *pf_import_fatal(const struct pf_import *imp);

/* pf_import_root() - files that modules name are below this folder; the descriptor must stay open. Without it they are where they say. */
void pf_import_root(struct pf_import *imp, int root_fd);

/**
 * pf_import_path() - folders for pf_import_setup.path: the build tree's modules, $PERFOLIO_MODULES, the installed ones.
 * @ret_folders: NULL-terminated; the caller frees with pf_import_path_free(), which returns NULL
 */
int pf_import_path(char ***ret_folders, struct pf_err *err);
char **pf_import_path_free(char **folders);

/**
 * struct pf_import_facts - what a loaded module says of itself; all texts live as long as the module.
 * @callbacks: names of those that it has, ended by NULL
 * @withdrawn: Init took it back, or it failed; it has no key then
 */
struct pf_import_facts {
	const char *name;
	const char *version;
	const char *path;
	const char *key;
	bool script;
	bool summary;
	bool detail;
	bool withdrawn;
	const char *callbacks[16];
};

/* pf_import_facts() - of module @i of the list. Return: false past the end. */
bool pf_import_facts(const struct pf_import *imp, unsigned i, struct pf_import_facts *ret_facts);

/* pf_import_has_scripts() - is one of them a script, which may print what it likes? */
bool pf_import_has_scripts(const struct pf_import *imp);

/* Facts for the plan: how many modules have a summary, a detail view; 0 for NULL. */
unsigned pf_import_n_summary(const struct pf_import *imp);
unsigned pf_import_n_detail(const struct pf_import *imp);

/* Module by module, in list order: name and key; NULL past the end. The key is the extension of a detail plot file. */
const char *pf_import_key(const struct pf_import *imp, unsigned i);
bool pf_import_has_detail(const struct pf_import *imp, unsigned i);

/* Where raw text of modules goes while GetData runs (NULL: nowhere), and whether it is analysed at once. */
void pf_import_tap(struct pf_import *imp, void (*line)(void *arg, struct pf_view tag, struct pf_view line), void *arg,
		   bool analyze);

/* pf_import_second_tap() - where records go that a script says belong to the second interval, if not to the same place. */
void pf_import_second_tap(struct pf_import *imp, void (*line)(void *arg, struct pf_view tag, struct pf_view line),
			  void *arg);

/* The sample that declared values are set into, from interval to interval. */
void pf_import_sample(struct pf_import *imp, struct pf_sample *sample);

/* pf_import_meter() - count in @m what GetData costs, each module a source called "module NAME"; NULL: no more. */
void pf_import_meter(struct pf_import *imp, struct pf_meter *m);

/* pf_import_moment() - before GetData: when it is called, and where the second interval is: @counted2 of @limit2 cycles, equal in those that
 * sample what belongs to it; 0 of 0 if nothing does. */
void pf_import_moment(struct pf_import *imp, int64_t time_ns, uint64_t counted2, uint64_t limit2);
void pf_import_get_data(struct pf_import *imp);
/* pf_import_wants() - does the key of a module match? The same answer for the same @type through the whole run. */
bool pf_import_wants(const struct pf_import *imp, struct pf_view type);
void pf_import_analyze(struct pf_import *imp, struct pf_view type,
		       struct pf_view data); /* every module whose key matches */
void pf_import_init_interval(struct pf_import *imp);
void pf_import_interval_end(struct pf_import *imp);
void pf_import_get_header(struct pf_import *imp, const char *header);
void pf_import_update_header(struct pf_import *imp, struct pf_buf *header);

/* Drawing, all modules in list order, appended to @out. Modules without the callback are drawn from their declared metrics.
 * Types and kinds as in perfolio/module.h. @before: under exit_on_error, what collectl has in the variable that the first module appends to. */
void pf_import_brief(struct pf_import *imp, int type, const struct pf_step *step, struct pf_buf *out);
void pf_import_verbose(struct pf_import *imp, bool print_header, bool home, const struct pf_step *step,
		       struct pf_view before, struct pf_buf *out);
/* @which: only the module of this place in the list, below 0: all */
void pf_import_plot(struct pf_import *imp, int which, int type, const struct pf_step *step, struct pf_buf *out);

/* pf_import_n_instances() - of declared detail metrics up to now: when it grows, plots have more columns. */
unsigned pf_import_n_instances(const struct pf_import *imp);

/* pf_import_n_columns() - of declared metrics in brief up to now. */
unsigned pf_import_n_columns(const struct pf_import *imp);

/**
 * pf_import_cell() - a variable that the exporter in Perl reads. @array: an array of that name;
 * "NAME{KEY}": the one below that key of the hash that $NAME refers to.
 *
 * pf_import_set() gives it a number; @index below 0: the variable, else its element; @field: of the hash in that element, or NULL.
 * pf_import_set_text() - a text. pf_import_empty() - an array without elements. A cell of NULL is left alone.
 */
struct pf_script_cell *pf_import_cell(struct pf_import *imp, const char *name, bool array);
void pf_import_set(struct pf_import *imp, struct pf_script_cell *cell, int index, const char *field, double number);
void pf_import_set_text(struct pf_import *imp, struct pf_script_cell *cell, int index, const char *field,
			const char *text);
void pf_import_empty(struct pf_import *imp, struct pf_script_cell *cell);

/* pf_import_start_exporter() - its Init, if there is one and it has not been called; what is shown must be known by then.
 * pf_import_run_exporter() - its function of each interval. Return: 0, or negative errno when it ended. */
int pf_import_start_exporter(struct pf_import *imp, struct pf_err *err);
int pf_import_run_exporter(struct pf_import *imp, const struct pf_step *step, struct pf_err *err);

/* pf_import_export() - values for an exporter; @kind 'l', 'g' or 's' as in collectl's PrintExport. */
void pf_import_export(struct pf_import *imp, char kind, const struct pf_step *step, struct perfolio_export *to);

#endif
