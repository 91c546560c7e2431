/* record/launch.c - start a logger with its end of a control channel. Between fork and exec there are only calls that a process with
 * threads may make. */
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

enum { FIRST_FREE = PF_LAUNCH_FD + 2, NEWS_FD = PF_LAUNCH_FD + 1 };

/* @news: where the child says why it cannot be run, -1: nowhere; @n_fds: more than any descriptor may be */
struct child {
	const struct pf_launch *l;
	int news;
	int n_fds;
};

static void say(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text)); /* there is nobody else to tell */
}

static _Noreturn void give_up(const struct child *c, int error)
{
	if (c->news >= 0)
		(void)!write(c->news, &error, sizeof(error)); /* without it the parent sees the status */
	if (c->l->late) {
		const char *why = strerrordesc_np(error);
		say(c->l->argv[0]);
		say(": cannot run ");
		say(c->l->program);
		say(": ");
		say(why ? why : "unknown error");
		say("\n");
	}
	_exit(1);
}

static void set_signals(bool deaf)
{
	for (int i = 1; i < NSIG; i++) {
		struct sigaction action;
		if (sigaction(i, NULL, &action) < 0)
			continue;
		bool keep = deaf && (i == SIGINT || i == SIGQUIT || i == SIGHUP);
		if (action.sa_handler == SIG_DFL || (keep && action.sa_handler == SIG_IGN))
			continue;
		action = (struct sigaction){ .sa_handler = SIG_DFL };
		(void)sigaction(i, &action, NULL); /* KILL and STOP are as they are */
	}
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_others(int n_fds)
{
	if (syscall(SYS_close_range, FIRST_FREE, ~0U, 0) == 0)
		return;
	for (int fd = FIRST_FREE; fd < n_fds; fd++)
		(void)close(fd); /* kernels before 5.9 */
}

static _Noreturn void become(const struct child *c)
{
	const struct pf_launch *l = c->l;
	if (dup2(l->fd, PF_LAUNCH_FD) < 0 || (l->dir_fd >= 0 && fchdir(l->dir_fd) < 0))
		give_up(c, errno);
	struct child moved = *c;
	moved.news = c->news < 0 ? -1 : dup3(c->news, NEWS_FD, O_CLOEXEC);
	if (moved.news < 0)
		(void)close(NEWS_FD);
	if (l->err_fd >= 0 && dup2(l->err_fd, STDERR_FILENO) < 0)
		give_up(&moved, errno);
	if (l->out_is_err)
		(void)dup2(STDERR_FILENO, STDOUT_FILENO); /* without one there is no other */
	close_others(c->n_fds);
	set_signals(l->deaf);
	union { /* execv(2) does not write to them */
		const char *const *words;
		char *const *argv;
	} argv = { .words = l->argv };
	(void)execv(l->program, argv.argv);
	give_up(&moved, errno);
}

/* Descriptors for which become() has no other use. Return: the same or another one. */
static int above(int fd)
{
	if (fd >= FIRST_FREE)
		return fd;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	int error = errno;
	(void)close(fd);
	errno = error;
	return high;
}

static int news_pipe(int *ret_read, int *ret_write)
{
	int pair[2];
	if (pipe2(pair, O_CLOEXEC) < 0)
		return -errno;
	*ret_read = above(pair[0]);
	*ret_write = above(pair[1]);
	return *ret_read < 0 || *ret_write < 0 ? -EMFILE : 0;
}

/* What the child could not do; the pipe ends without a word when it runs. */
static int wait_for_exec(int fd, pid_t pid)
{
	int error = 0;
	ssize_t n;
	do {
		n = read(fd, &error, sizeof(error));
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(error) || error <= 0)
		return 0;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return -error;
}

int pf_launch(const struct pf_launch *l, pid_t *ret_pid)
{
	pf_autoclose int news_in = -1;
	pf_autoclose int news_out = -1;
	pf_autoclose int fd = fcntl(l->fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	pf_autoclose int dir_fd = l->dir_fd < 0 ? -1 : fcntl(l->dir_fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	pf_autoclose int err_fd = l->err_fd < 0 ? -1 : fcntl(l->err_fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	if (fd < 0 || (l->dir_fd >= 0 && dir_fd < 0) || (l->err_fd >= 0 && err_fd < 0))
		return -errno;
	int rc = l->late ? 0 : news_pipe(&news_in, &news_out);
	if (rc < 0)
		return rc;
	struct rlimit limit = { .rlim_cur = 1024 };
	(void)getrlimit(RLIMIT_NOFILE, &limit); /* else the usual one */
	struct pf_launch placed = *l;
	placed.fd = fd;
	placed.dir_fd = dir_fd;
	placed.err_fd = err_fd;
	const struct child c = { &placed, news_out, limit.rlim_cur > 1 << 20 ? 1 << 20 : (int)limit.rlim_cur };

	sigset_t all, before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler of ours is to run in the child */
	pid_t pid = fork();
	if (pid == 0)
		become(&c);
	int error = errno;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return -error;
	if (!l->late) {
		(void)close(PF_TAKE_FD(news_out));
		rc = wait_for_exec(news_in, pid);
		if (rc < 0)
			return rc;
	}
	*ret_pid = pid;
	return 0;
}
