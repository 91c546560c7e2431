/* cmd/startup.h - the first pass over a command line: which settings file, is it to be a daemon, and the words that then come first. */
#ifndef PF_CMD_STARTUP_H
#define PF_CMD_STARTUP_H

#include <stdbool.h>

#include "cmd/options.h"
#include "engine/settings.h"

/**
 * struct pf_startup - what the second pass begins with.
 * @argc, @argv: all words, those of DaemonCommands before those that were typed; copies, so that the program's title may be overwritten
 * @n_daemon: how many are of DaemonCommands
 */
struct pf_startup {
	struct pf_settings settings;
	int argc;
	char **argv;
	unsigned n_daemon;
	bool daemon;
};

/**
 * pf_startup_begin() - look for -C, -D and -d, read the settings file, join the words.
 * collectl.conf, or perfolio.conf, is looked for in the folder of the binary, in ../../etc seen from there, and in /etc. Return: 0 or negative
 * errno with a sentence: -ENOENT when the file named with -C cannot be read; none elsewhere is no error.
 */
int pf_startup_begin(struct pf_startup *s, int argc, char **argv, enum pf_flavour flavour,
		     const struct pf_notice *notice, struct pf_err *err);
void pf_startup_done(struct pf_startup *s);

#endif
