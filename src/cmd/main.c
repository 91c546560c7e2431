/* cmd/main.c - which command is meant: `perfolio NAME` or the name the program was called by. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "cmd/cmd.h"
#include "cmd/say.h"

static const struct pf_cmd *find_by(const char *name, bool by_alias)
{
	for (unsigned i = 0; pf_cmds[i]; i++) {
		const char *have = by_alias ? pf_cmds[i]->alias : pf_cmds[i]->name;
		if (have && strcmp(have, name) == 0)
			return pf_cmds[i];
	}
	return NULL;
}

static int usage(FILE *to)
{
	(void)fputs("usage: perfolio [COMMAND] [ARGUMENTS]\n\n", to);
	for (unsigned i = 0; pf_cmds[i]; i++) {
		if (pf_cmds[i]->name)
			(void)fprintf(to, "  %-9s %s\n", pf_cmds[i]->name, pf_cmds[i]->summary);
	}
	(void)fputs("\nWithout a command: watch. `perfolio COMMAND --help` tells more; perfolio(1) tells all.\n", to);
	return to == stderr ? PF_EXIT_USAGE : PF_EXIT_OK;
}

/* A recording is meant to be shown; else the command that is spelled nearly so. */
static int no_command(const char *word)
{
	struct pf_nearest near = { .word = pf_view_of(word) };
	for (unsigned i = 0; pf_cmds[i]; i++) {
		if (pf_cmds[i]->name)
			pf_nearest_offer(&near, pf_view_of(pf_cmds[i]->name));
	}
	if (near.best.n > 0)
		pf_say(stderr, "perfolio: no command '%s'; was %.*s meant?", word, (int)near.best.n, near.best.p);
	else
		pf_say(stderr, "perfolio: no command '%s'; %s", word,
		       access(word, F_OK) == 0 ? "a recording is shown by `perfolio replay FILE`"
					       : "see perfolio --help");
	return PF_EXIT_USAGE;
}

/* `perfolio help COMMAND` */
static int help_of(char *command)
{
	char word[] = "--help";
	char *argv[] = { command, word, NULL };
	const struct pf_cmd *cmd = find_by(command, false);
	return cmd ? cmd->run(2, argv, NULL) : no_command(command);
}

/* Whoever starts us with 0, 1 or 2 closed must not get text into the first file that is opened: they stay unusable, but taken. */
static void take_standard_files(void)
{
	int fd;
	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		(void)close(fd);
}

static int dispatch(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "perfolio";

	const struct pf_cmd *cmd = find_by(called, true);
	if (cmd)
		return cmd->run(argc, argv, called);

	if (argc > 2 && strcmp(argv[1], "help") == 0)
		return help_of(argv[2]);
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0))
		return usage(stdout);
	if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
		(void)puts("perfolio " PF_VERSION);
		return PF_EXIT_OK;
	}
	if (argc > 1 && argv[1][0] != '-') {
		cmd = find_by(argv[1], false);
		if (cmd)
			return cmd->run(argc - 1, argv + 1, NULL);
		return no_command(argv[1]);
	}
	return pf_cmd_watch.run(argc, argv, NULL);
}

/* What was printed through stdio may fail as late as here; a reader who is gone does not mind. */
int main(int argc, char **argv)
{
	take_standard_files();
	int status = dispatch(argc, argv);
	if (fflush(stdout) != 0 && errno != EPIPE && status == PF_EXIT_OK) {
		pf_say(stderr, "%s: cannot write the output: %s", program_invocation_short_name, strerror(errno));
		status = PF_EXIT_ERROR;
	}
	return status;
}
