/* base/program.c - looking for programs as execvp(3) does. */
#include "base/program.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int pf_program_find(const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/') || !path)
		return !path || access(name, X_OK) == 0 ? 0 : -errno;
	int rc = -ENOENT;
	for (const char *p = path; p;) {
		const char *end = strchrnul(p, ':');
		char file[PATH_MAX];
		int n = snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - p), p, end == p ? "" : "/", name);
		if (n > 0 && (size_t)n < sizeof(file)) {
			if (access(file, X_OK) == 0)
				return 0;
			if (errno == EACCES)
				rc = -EACCES;
		}
		p = *end ? end + 1 : NULL;
	}
	return rc;
}

/* Neither call of posix_spawn(3) writes to argv; its type is older than const. */
static int spawn(const char *const *argv, int out, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, all;
	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	int rc = posix_spawn_file_actions_init(&actions);
	if (rc != 0)
		return -rc;
	rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		if (out >= 0)
			rc = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
		(void)posix_spawnattr_setsigmask(&attr, &none);
		(void)posix_spawnattr_setsigdefault(&attr, &all);
		(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		if (rc == 0)
			rc = posix_spawnp(ret_pid, argv[0], &actions, &attr, (char *const *)(uintptr_t)argv, environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

int pf_program_run(const char *const *argv, int out, int *ret_status)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	pid_t pid;
	int status = 0;
	(void)sigaction(SIGINT, &ignore, &interrupt);
	(void)sigaction(SIGQUIT, &ignore, &quit);
	int rc = spawn(argv, out, &pid);
	while (rc == 0 && waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			rc = -errno;
	}
	(void)sigaction(SIGINT, &interrupt, NULL);
	(void)sigaction(SIGQUIT, &quit, NULL);
	if (rc == 0)
		*ret_status = status;
	return rc;
}
