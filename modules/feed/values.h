/* modules/feed/values.h - metrics that are declared when they are first seen, and values for them; names, columns and limits in one place for
 * all modules that take other programs' numbers. */
#ifndef PF_MODULES_FEED_VALUES_H
#define PF_MODULES_FEED_VALUES_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include <perfolio/module.h>

#include "base/buf.h"
#include "base/view.h"

enum { PF_VALUE_NAME_MAX = 79, PF_VALUE_INSTANCE_MAX = 255 };

/* @number, @labelled: of the declared metric for values without and with an instance, -1: none, -2: refused. */
struct pf_value_metric {
	char *given;
	uint64_t hash;
	int number;
	int labelled;
};

/**
 * struct pf_values - the table of one module.
 * @max: metrics; @show: which have columns in brief and plot, if @shows
 * @names: of all declared metrics, for those that must not be below another
 */
struct pf_values {
	struct perfolio_ctx *ctx;
	unsigned max;
	regex_t show;
	bool shows;
	struct pf_value_metric *rows;
	unsigned n, cap;
	unsigned *heads;
	unsigned n_heads;
	char **names;
	unsigned n_names, cap_names;
	bool dotted;
};

/* One value: @name as the program gave it, @instance "" for none. */
struct pf_value_in {
	struct pf_view name;
	struct pf_view instance;
	bool counter;
	const char *units;
	struct pf_view help;
	double value;
};

/**
 * pf_values_init() - @show: regular expression (POSIX extended), NULL: no columns. @dotted: dots in names stay.
 * Return: 0, -EINVAL: it is none.
 */
int pf_values_init(struct pf_values *v, struct perfolio_ctx *ctx, const char *show, unsigned max, bool dotted);
void pf_values_done(struct pf_values *v);

/* pf_values_own() - declare a metric of the module itself, which counts as shown without @show. Return: its number or negative errno. */
int pf_values_own(struct pf_values *v, const char *name, const char *heading, bool counter, const char *units,
		  const char *help);

/**
 * pf_values_set() - NaN and infinities are no values.
 * Return: 0, or negative errno with the reason in @ret_why: -E2BIG too many metrics, -EEXIST two names became the same.
 */
int pf_values_set(struct pf_values *v, const struct pf_value_in *in, const char **ret_why);

/**
 * pf_values_name() - the one rule for names: what begins with the module's name and an underscore loses that; every byte but letters, digits and
 * underscores (and dots if @dotted) becomes an underscore; a part that does not begin with a letter gets an x in front; the name "scrape" gets an
 * underscore behind; what is longer than PF_VALUE_NAME_MAX ends in an underscore and 8 hexadecimal digits.
 */
void pf_values_name(struct pf_view given, const char *module, bool dotted, char ret_name[PF_VALUE_NAME_MAX + 1]);

/* pf_values_heading() - the last words of @name that fit 8 bytes, without the endings that tell units. */
void pf_values_heading(const char *name, char ret_heading[9]);

/* pf_values_units() - what a word for units means to perfolio, "" if nothing. */
const char *pf_values_units(struct pf_view word);

#endif
