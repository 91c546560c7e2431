/* modules/feed/scrape.h - what openmetrics and exec have in common: a text per interval goes into the raw file line by line, between two lines
 * that say how it was got, and comes back to be analysed, at once or in playback. */
#ifndef PF_MODULES_FEED_SCRAPE_H
#define PF_MODULES_FEED_SCRAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <perfolio/module.h>

#include "aside.h"
#include "base/buf.h"
#include "values.h"

/**
 * struct pf_scrape - one target.
 * @type: of its records; @what: as the user gave it
 * @feed: NULL: @file is read directly; @limit, @lines: bytes and lines of one text
 * @asked: the first question was asked; @failing: there are none now; @told_ns, @told_well: when that was told, and that it is over
 * @got_ns: wall clock when the last text was asked for; @up, @took_s: of it, as its records tell; @open: between its two lines
 * @good, @bytes: of this text; @bad: all lines up to now that were left out; @told_bad: said once
 */
struct pf_scrape {
	struct perfolio_ctx *ctx;
	char type[80];
	const char *what;
	struct pf_feed *feed;
	const char *file;
	size_t limit;
	uint64_t lines;
	struct pf_buf text;
	struct pf_buf line;
	int64_t got_ns;
	bool asked;
	bool failing;
	int64_t told_ns;
	bool told_well;
	bool told_bad;

	struct pf_values values;
	double up, took_s;
	bool strict;
	bool open;
	uint64_t good, bad, bytes;
	int numbers[6];
};

/* What becomes of the lines of a text. */
struct pf_scrape_use {
	void (*begin)(void *arg, bool strict);
	void (*line)(void *arg, struct pf_view line);
	void (*end)(void *arg);
	void *arg;
};

/* pf_scrape_get() - GetData. pf_scrape_analyze() - Analyze. pf_scrape_bad() - count a line that is left out, and say so the first time. */
void pf_scrape_get(struct pf_scrape *s);
void pf_scrape_analyze(struct pf_scrape *s, const char *data, const struct pf_scrape_use *use);
void pf_scrape_bad(struct pf_scrape *s, unsigned line, const char *why);
void pf_scrape_done(struct pf_scrape *s);

/* One option that stands before the target: KEY=TEXT, KEY=NUMBER above 0 and up to @max, KEY=TIME, which is @seconds then, or KEY alone. */
struct pf_scrape_option {
	const char *key; /* with its = */
	double max;
	double *number;
	double *seconds;
	const char **text;
	bool *flag;
};

/**
 * pf_scrape_options() - take the options, of which there are @n kinds, off the front of @args, which is cut up.
 * Return: 0, or -EINVAL, which the user was told.
 */
int pf_scrape_options(struct perfolio_ctx *ctx, char **args, const struct pf_scrape_option *options, unsigned n);

#endif
