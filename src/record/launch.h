/* record/launch.h - start a logger with its end of a control channel. */
#ifndef PF_RECORD_LAUNCH_H
#define PF_RECORD_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* The descriptor that a logger finds its control channel at. */
enum { PF_LAUNCH_FD = 3 };

/**
 * struct pf_launch - what is started.
 * @program: path of the program; @argv: its words, ended by NULL
 * @fd: what becomes descriptor PF_LAUNCH_FD; standard input and output are ours, and nothing else is
 * @dir_fd: its working folder, -1: ours
 * @err_fd: its standard error, -1: ours
 * @out_is_err: its standard output goes where its standard error goes
 * @deaf: signals that we ignore because whoever started us wants so (INT, QUIT, HUP) stay ignored there; all others are as by default
 * @late: a program that cannot be run shows only as one that ended with status 1, after a sentence on standard error
 */
struct pf_launch {
	const char *program;
	const char *const *argv;
	int fd;
	int dir_fd;
	int err_fd;
	bool out_is_err;
	bool deaf;
	bool late;
};

/* pf_launch() - @ret_pid is for waitpid(2), which is the caller's to call. May be called with threads around. Return: 0 or negative errno. */
int pf_launch(const struct pf_launch *l, pid_t *ret_pid);

#endif
