/* import/exec.c - a command in a process group of its own, with a deadline. */
#include "import/exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/spawn.h"
#include "base/time.h"

enum { CHUNK = 16 * 1024 };

/* Everything up to the end of the pipe. */
static int read_output(int fd, size_t limit, int64_t until_ns, struct pf_buf *out)
{
	for (;;) {
		int64_t left = until_ns - pf_time_mono_ns();
		if (left <= 0)
			return -ETIMEDOUT;
		int64_t ms = left / PF_NS_PER_MS + 1;
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		int n = poll(&ready, 1, ms < 1000 ? (int)ms : 1000);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n <= 0)
			continue;
		char *to = pf_buf_reserve(out, CHUNK);
		if (!to)
			return out->failed;
		ssize_t got = read(fd, to, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		out->n += (size_t)got;
		out->p[out->n] = '\0';
		if (out->n > limit)
			return -EFBIG;
		if (got == 0)
			return 0;
	}
}

/* The output has ended; the command may still be busy. Return: 0 or -ETIMEDOUT. */
static int wait_end(pid_t pid, int64_t until_ns)
{
	pf_autoclose int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* Linux 5.3 */
	for (;;) {
		int64_t left = until_ns - pf_time_mono_ns();
		if (fd < 0 || left <= 0)
			return -ETIMEDOUT;
		int64_t ms = left / PF_NS_PER_MS + 1;
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		if (poll(&ready, 1, ms < 1000 ? (int)ms : 1000) > 0)
			return 0;
	}
}

int pf_exec_shell(const char *command, size_t limit, int64_t wait_ns, struct pf_buf *out, struct pf_err *err)
{
	pf_buf_clear(out);
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return pf_err_set(err, -errno, "'%.80s': %s", command, strerror(errno));
	pf_autoclose int from = ends[0];
	pid_t pid = 0;
	const struct pf_spawn shell = { .argv = (const char *const[]){ "/bin/sh", "-c", command, NULL },
					.out = ends[1] };
	int rc = pf_spawn(&shell, &pid);
	(void)close(ends[1]); /* only the child writes */
	if (rc < 0)
		return pf_err_set(err, rc, "'%.80s' cannot be started: %s", command, strerror(-rc));

	int64_t until_ns = pf_time_mono_ns() + wait_ns;
	rc = read_output(from, limit, until_ns, out);
	if (rc == 0)
		rc = wait_end(pid, until_ns);
	if (rc < 0)
		(void)kill(-pid, SIGKILL); /* it may be gone already */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (rc == -ETIMEDOUT)
		return pf_err_set(err, rc, "'%.80s' took more than %.3g seconds and was ended", command,
				  (double)wait_ns / (double)PF_NS_PER_SEC);
	if (rc == -EFBIG)
		return pf_err_set(err, rc, "'%.80s' wrote more than %zu bytes and was ended", command, limit);
	return rc < 0 ? pf_err_set(err, rc, "'%.80s': %s", command, strerror(-rc)) : 0;
}
