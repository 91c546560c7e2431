/* import/door.h - the door to import modules that are scripts. A language lives in a shared object of its own (modules/perl is the one
 * there is), so that only it links the interpreter. It exports one symbol, `pf_script_door`, links to nothing of perfolio and is built
 * together with it: this border is no public interface, the two builds must be the same.
 *
 * A script's functions become the callbacks of a struct perfolio_module; from there on the host knows no difference. */
#ifndef PF_IMPORT_DOOR_H
#define PF_IMPORT_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfolio/module.h"

struct pf_script;      /* an interpreter with the modules that were loaded into it */
struct pf_script_cell; /* a variable of it */

/* What stands behind @at of a variable. */
enum pf_script_type {
	PF_SCRIPT_TEXT,
	PF_SCRIPT_INT,
	PF_SCRIPT_U64,
	PF_SCRIPT_DOUBLE,
	PF_SCRIPT_NS,
	PF_SCRIPT_WHOLE,
	PF_SCRIPT_MICROS
};

/**
 * struct pf_script_var - a variable that scripts read, under the name that collectl gives it.
 * @at: const char *, int, uint64_t, double; int64_t nanoseconds told as seconds, whole seconds, microseconds of the second
 * @late: the value is not there yet while Init runs
 * @told: the host is told when a callback changed it
 */
struct pf_script_var {
	const char *name;
	enum pf_script_type type;
	const void *at;
	bool late;
	bool told;
};

/* How a script came to its end: @status is the one that the program would end with. @text: last words, NULL for exit(). */
struct pf_script_end {
	int status;
	const char *text;
};

/**
 * struct pf_script_host - what the host lends, beside the functions of struct perfolio_host.
 * @vars: ended by one without a name
 * @folder: where the modules of collectl are installed, as scripts see it
 * @changed: a variable with @told has a new value; "newLog" is none but asks for new output files
 * @line: one record with its type at the front; @second: it belongs to what is sampled each second interval
 * @say: text for standard output; @send: text for whoever reads the output, @ends: a record of an exporter ends with it
 * @n_modules, @give: how many modules there are, and the values of one of them for an exporter
 * @text, @replace: a growing text as functions that append to a line are given it
 * @ended: the module called exit() or died; none of its callbacks is to be called any more
 * @strict: a function that is missing ends the program, as in collectl
 */
struct pf_script_host {
	uint32_t size;
	const struct perfolio_host *lent;
	const struct pf_script_var *vars;
	const char *folder;
	void *arg;
	void (*changed)(void *arg, const char *name, const char *value);
	void (*line)(struct perfolio_ctx *ctx, const char *text, size_t n, bool second);
	void (*say)(void *arg, const char *text, size_t n);
	void (*send)(void *arg, const char *text, size_t n, bool ends);
	unsigned (*n_modules)(void *arg);
	void (*give)(void *arg, unsigned module, char kind, struct perfolio_export *to);
	const char *(*text)(const struct perfolio_text *text, size_t *ret_n);
	void (*replace)(struct perfolio_text *text, const char *with, size_t n);
	void (*ended)(struct perfolio_ctx *ctx, const struct pf_script_end *end);
	bool strict;
};

/**
 * struct pf_script_door - the exported symbol.
 * @build: PF_VERSION of the build
 * @ending: of the files that it can load, without the dot
 * @load: compile a file and describe it; @prefix is that of its functions. The texts of @ret_is live as long as the script.
 *        0, or negative errno with a sentence in @why.
 * @start, @run: an exporter, a file that was loaded: its Init function with @args, which commas divide; its function of each interval.
 *               0, or negative errno when it ended, as told to @ended
 * @cell: find a variable of an exporter; lives as long as the script, NULL without memory. @set: make it a number, or @text if that is
 *        not NULL; @index below 0: the variable itself, else its element; @field: of the hash in that element, or NULL. @empty: an array
 * @flush: values that the PrintExport functions of all modules pushed, if the host is strict; else they are handed on at once
 */
struct pf_script_door {
	uint32_t size;
	const char *build;
	const char *ending;
	int (*open)(struct pf_script **ret_script, const struct pf_script_host *host, char *why, size_t why_size);
	int (*load)(struct pf_script *script, const char *path, const char *prefix, struct perfolio_ctx *ctx,
		    struct perfolio_module *ret_is, char *why, size_t why_size);
	int (*start)(struct pf_script *script, struct perfolio_ctx *ctx, const char *args);
	int (*run)(struct pf_script *script, struct perfolio_ctx *ctx);
	struct pf_script_cell *(*cell)(struct pf_script *script, const char *name, bool array);
	void (*set)(struct pf_script *script, struct pf_script_cell *cell, int index, const char *field, double number,
		    const char *text);
	void (*empty)(struct pf_script *script, struct pf_script_cell *cell);
	void (*flush)(struct pf_script *script, char kind, struct perfolio_export *to);
	void (*close)(struct pf_script *script);
};

#endif
