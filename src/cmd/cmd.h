/* cmd/cmd.h - one row per command. A new command is a new file and one line in cmd/list.c. */
#ifndef PF_CMD_CMD_H
#define PF_CMD_CMD_H

#include <stdbool.h>

/* Exit statuses of our own commands; a program called by a peer's name keeps the peer's. */
enum pf_exit {
	PF_EXIT_OK = 0,
	PF_EXIT_ERROR = 1,
	PF_EXIT_USAGE = 2,
	PF_EXIT_LOSS = 3,     /* recovered, but something was lost */
	PF_EXIT_UNUSABLE = 4, /* nothing could be made of the input */
};

/**
 * struct pf_cmd - a command.
 * @name: word behind `perfolio`; NULL: it is only called by @alias
 * @alias: program name of the peer that it also answers to, or NULL
 * @summary: one line for `perfolio --help`
 * @run: argv[0] is the command's own word; @called is the alias it was started by, NULL under `perfolio`
 */
struct pf_cmd {
	const char *name;
	const char *alias;
	const char *summary;
	int (*run)(int argc, char **argv, const char *called);
};

extern const struct pf_cmd *const pf_cmds[]; /* NULL-terminated */

extern const struct pf_cmd pf_cmd_watch;
extern const struct pf_cmd pf_cmd_replay;
extern const struct pf_cmd pf_cmd_record;
extern const struct pf_cmd pf_cmd_convert;
extern const struct pf_cmd pf_cmd_info;
extern const struct pf_cmd pf_cmd_verify;
extern const struct pf_cmd pf_cmd_folio;
extern const struct pf_cmd pf_cmd_mkaf;
extern const struct pf_cmd pf_cmd_log;
extern const struct pf_cmd pf_cmd_modules;
extern const struct pf_cmd pf_cmd_trace;
extern const struct pf_cmd pf_cmd_doctor;

#endif
