/* base/spawn.c - posix_spawn(3) where it can do what is asked, fork(2) where it cannot: it has no PR_SET_PDEATHSIG. */
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

/* Neither call writes to argv; its type is older than const. */
static char *const *words(const struct pf_spawn *s)
{
	return (char *const *)(uintptr_t)s->argv;
}

static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	(void)sigemptyset(&none); /* these cannot fail */
	(void)sigfillset(&all);
	int rc = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (rc == 0)
		rc = posix_spawnattr_setpgroup(attr, 0);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(attr, &none);
	return rc == 0 ? posix_spawnattr_setsigdefault(attr, &all) : rc;
}

static int set_files(posix_spawn_file_actions_t *files, int out)
{
	int rc = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(files, out, STDOUT_FILENO);
	return rc == 0 ? posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) : rc;
}

static int by_spawn(const struct pf_spawn *s, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = posix_spawn_file_actions_init(&files);
	if (rc != 0)
		return -rc;
	rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		rc = set_attributes(&attr);
		if (rc == 0)
			rc = set_files(&files, s->out);
		if (rc == 0)
			rc = posix_spawnp(ret_pid, s->argv[0], &files, &attr, words(s), environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&files);
	return -rc;
}

/* The new process; what fails here shows as status 127, as in a shell. */
static _Noreturn void become(const struct pf_spawn *s, pid_t parent)
{
	sigset_t none;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)setpgid(0, 0);
	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_DFL); /* KILL and STOP are so anyhow */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool ready = null >= 0 && dup2(s->out, STDOUT_FILENO) >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
		     dup2(null, STDERR_FILENO) >= 0;
	if (ready && getppid() == parent) /* else nobody would be told of our end any more */
		(void)execvp(s->argv[0], words(s));
	_exit(127);
}

static int by_fork(const struct pf_spawn *s, pid_t *ret_pid)
{
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		become(s, parent);
	(void)setpgid(pid, pid); /* both sides do it, so that it is done when either goes on */
	*ret_pid = pid;
	return 0;
}

int pf_spawn(const struct pf_spawn *s, pid_t *ret_pid)
{
	return s->with_us ? by_fork(s, ret_pid) : by_spawn(s, ret_pid);
}
