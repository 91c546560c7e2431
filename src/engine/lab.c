/* engine/lab.c - the process in which modules are looked at. Its standard files are /dev/null; it dies with whoever asked. */
#include "engine/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"

enum { CHUNK = 64 * 1024, REPORT_MAX = 64 << 20, SLICE_MS = 100 };

void pf_lab_say(const struct pf_lab *lab, const char *word, const char *format, ...)
{
	char line[8192];
	int n = snprintf(line, sizeof(line), "%s\t", word);
	va_list ap;
	va_start(ap, format);
	int more = vsnprintf(line + n, sizeof(line) - (size_t)n - 1, format, ap);
	va_end(ap);
	size_t len = more < 0 ? 0 : strlen(line);
	for (size_t i = 0; i < len; i++) {
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
			line[i] = '?';
	}
	line[len] = '\n';
	(void)pf_io_write_all(lab->fd, line, len + 1); /* whoever asked may be gone; this process ends soon, then */
}

static _Noreturn void child(void (*work)(void *arg, const struct pf_lab *lab), void *arg, const struct pf_lab *lab)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGPIPE, SIG_DFL);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd);
	work(arg, lab);
	_exit(0);
}

/* Is the child where it was for too long? @idle_since: when it was last seen outside of callbacks. */
static bool is_late(const struct pf_lab_where *where, int64_t wait_ns, int64_t idle_since)
{
	int64_t since = __atomic_load_n(&where->since_ns, __ATOMIC_ACQUIRE);
	return pf_time_mono_ns() - (since ? since : idle_since) > wait_ns;
}

/* Everything that the child says, until it ends or is ended. */
static int collect(int fd, pid_t pid, const struct pf_lab_where *where, int64_t wait_ns, struct pf_buf *out,
		   struct pf_lab_end *end)
{
	int64_t heard = pf_time_mono_ns();
	for (;;) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		int n = poll(&ready, 1, SLICE_MS);
		if (!end->late && (is_late(where, wait_ns, heard) || out->n > REPORT_MAX)) {
			end->late = true;
			(void)kill(pid, SIGKILL);
		}
		if (n <= 0)
			continue;
		char *to = pf_buf_reserve(out, CHUNK);
		if (!to)
			return out->failed;
		ssize_t got = read(fd, to, CHUNK);
		if (got == 0 || (got < 0 && errno != EINTR))
			return 0;
		out->n += got > 0 ? (size_t)got : 0;
		out->p[out->n] = '\0';
		heard = pf_time_mono_ns();
	}
}

/* The pipe closes when the process ends; one that closed it and goes on is ended after a second. */
static int reap(pid_t pid)
{
	int status = 0;
	for (int i = 0; i < 1000 / 5; i++) {
		if (waitpid(pid, &status, WNOHANG) != 0)
			return status;
		(void)poll(NULL, 0, 5);
	}
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

int pf_lab_run(void (*work)(void *arg, const struct pf_lab *lab), void *arg, int64_t wait_ns, struct pf_buf *out,
	       struct pf_lab_end *ret_end, struct pf_err *err)
{
	struct pf_lab_where *where =
		mmap(NULL, sizeof(*where), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (where == MAP_FAILED)
		return pf_err_set(err, -ENOMEM, "no memory");
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0) {
		int rc = -errno;
		(void)munmap(where, sizeof(*where));
		return pf_err_set(err, rc, "pipe: %s", strerror(-rc));
	}
	pf_autoclose int from = ends[0];
	const struct pf_lab lab = { .fd = ends[1], .where = where };
	struct pf_lab_end end = { 0 };
	pid_t pid = fork();
	int rc = pid < 0 ? -errno : 0;
	if (pid == 0)
		child(work, arg, &lab);
	(void)close(ends[1]); /* only the child writes */
	int status = 0;
	if (pid > 0) {
		rc = collect(from, pid, where, wait_ns, out, &end);
		status = reap(pid);
		end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		(void)snprintf(end.callback, sizeof(end.callback), "%.*s", (int)sizeof(where->callback) - 1,
			       where->callback);
	}
	(void)munmap(where, sizeof(*where));
	if (rc < 0)
		return pf_err_set(err, rc, "a process to look at modules in: %s", strerror(-rc));
	*ret_end = end;
	return 0;
}
