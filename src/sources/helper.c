/* sources/helper.c - a child in a process group of its own, read through a pipe that does not wait. */
#include "sources/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "base/time.h"

enum { CHUNK = 16 * 1024 };

int pf_helper_start(struct pf_helper *h, const char *const *argv, int64_t wait_ns)
{
	int ends[2];
	if (h->pid > 0)
		return 0;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	(void)fcntl(ends[1], F_SETFL, 0); /* the child may wait */
	const struct pf_spawn program = { .argv = argv, .out = ends[1] };
	int rc = pf_spawn(&program, &h->pid);
	(void)close(ends[1]); /* only the child writes */
	if (rc < 0) {
		(void)close(ends[0]); /* nobody writes */
		h->pid = 0;
		return rc;
	}
	pf_buf_clear(&h->text);
	h->fd = ends[0];
	h->until_ns = pf_time_mono_ns() + wait_ns;
	return 0;
}

/* It and its children. */
static void end(struct pf_helper *h, bool kill_it)
{
	if (kill_it)
		(void)kill(-h->pid, SIGKILL); /* it may be gone already */
	while (waitpid(h->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	(void)close(h->fd); /* only read from */
	h->pid = 0;
}

/* Return: 1 the output has ended; 0 nothing now; negative errno. */
static int read_output(struct pf_helper *h)
{
	for (;;) {
		char *to = pf_buf_reserve(&h->text, CHUNK);
		if (!to)
			return -ENOMEM;
		ssize_t got = read(h->fd, to, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno == EAGAIN ? 0 : -errno;
		h->text.n += (size_t)got;
		h->text.p[h->text.n] = '\0';
		if (got == 0)
			return 1;
		if (h->text.n > PF_HELPER_OUTPUT_MAX)
			return -EFBIG;
	}
}

int pf_helper_poll(struct pf_helper *h)
{
	if (h->pid <= 0)
		return 0;
	int rc = read_output(h);
	if (rc == 0 && pf_time_mono_ns() > h->until_ns)
		rc = -ETIMEDOUT;
	if (rc != 0)
		end(h, true); /* what has closed its output is of no further use */
	return rc;
}

void pf_helper_done(struct pf_helper *h)
{
	if (h->pid > 0)
		end(h, true);
	pf_buf_done(&h->text);
}
