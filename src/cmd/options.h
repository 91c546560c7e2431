/* cmd/options.h - the switches that watch, replay and `collectl` share, and what each of the three makes of errors. */
#ifndef PF_CMD_OPTIONS_H
#define PF_CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/request.h"

/* @request first; the rest only tells what to print instead of running. */
struct pf_options {
	struct pf_request request;
	const char *config;
	const char *umask;
	bool help, help_more, version, whats_new;
	bool show_defaults, show_subsys, show_files, show_options, show_suboptions, show_top;
	bool show_root_slabs, show_slab_aliases;
	struct pf_buf command_line;
	const char **operands;
	char **words; /* the command line with @usual_top where --top has no value */
	char usual_top[8];
};

enum pf_flavour { PF_FLAVOUR_WATCH, PF_FLAVOUR_REPLAY, PF_FLAVOUR_PEER };

/* pf_options_peek() - the first pass: what can be read of it, whatever else is wrong. pf_options_done() frees. */
void pf_options_peek(int argc, char **argv, enum pf_flavour flavour, struct pf_options *ret_options);

/**
 * pf_options_parse() - take a command line apart.
 * @n_before: so many words behind the first were not typed
 *
 * Return: 0, -EINVAL or -ENOTSUP with a sentence, -ENOMEM. @ret_getopt: the sentence is the peer's parser's own, which goes to stderr.
 */
int pf_options_parse(int argc, char **argv, unsigned n_before, enum pf_flavour flavour, struct pf_options *ret_options,
		     bool *ret_getopt, struct pf_err *err);
void pf_options_done(struct pf_options *o);

/* pf_options_print() - print what the user asked to read instead of a run (help, version, lists). Return: was there anything? */
bool pf_options_print(const struct pf_options *o, enum pf_flavour flavour);

/* pf_options_run() - parse, print or run; the exit status. */
int pf_options_run(int argc, char **argv, enum pf_flavour flavour);

#endif
