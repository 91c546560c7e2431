/* modules/feed/aside.c - our end: one process per feed, started when first asked. */
#include "aside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"

enum { BACKOFF_LAST = 60, GRACE = 2, END_MS = 1000, KILL_MS = 200 };

/* @pid 0: none runs. @asked_ns: 0, or when (monotonic) the open question was asked; @failures: in a row; @not_before: of the next question
 * @command: process group of its command, in memory that both share */
struct pf_feed {
	struct pf_feed_spec spec;
	pid_t pid;
	int control;
	int memory;
	int64_t asked_ns;
	unsigned failures;
	int64_t not_before;
	volatile pid_t *command;
};

struct pf_feed *pf_feed_new(const struct pf_feed_spec *spec)
{
	struct pf_feed *feed = calloc(1, sizeof(*feed));
	if (!feed)
		return NULL;
	feed->spec = *spec;
	feed->control = feed->memory = -1;
	void *shared = mmap(NULL, sizeof(*feed->command), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		free(feed);
		return NULL;
	}
	feed->command = shared;
	return feed;
}

/* Has it ended, within that time? */
static bool is_gone(pid_t pid, int wait_ms)
{
	int waited = 0;
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (waited >= wait_ms)
			return false;
		(void)poll(NULL, 0, 5);
		waited += 5;
	}
	return true;
}

/* It ends when its end of the line hangs up; if it does not, it is ended. */
static void end(struct pf_feed *feed, bool now)
{
	if (feed->control >= 0)
		(void)close(feed->control);
	if (feed->memory >= 0)
		(void)close(feed->memory);
	feed->control = feed->memory = -1;
	if (feed->pid == 0)
		return;
	/* One that fetches has nothing to end, and does not listen meanwhile. */
	bool gone = !now && feed->spec.kind != PF_FEED_URL && is_gone(feed->pid, END_MS);
	if (!gone) {
		(void)kill(feed->pid, SIGKILL);
		(void)is_gone(feed->pid, KILL_MS); /* if the kernel holds it, it is left behind */
		if (*feed->command > 1)
			(void)kill(-*feed->command, SIGKILL);
	}
	*feed->command = 0;
	feed->pid = 0;
	feed->asked_ns = 0;
}

struct pf_feed *pf_feed_free(struct pf_feed *feed)
{
	if (feed) {
		end(feed, false);
		(void)munmap((void *)(uintptr_t)feed->command, sizeof(*feed->command));
		free(feed);
	}
	return NULL;
}

/* In the new process: nothing of the recorder's stays open, no signal blocked. */
static _Noreturn void become_helper(const struct pf_feed *feed, int control, int memory, pid_t parent)
{
	enum { CONTROL = 3, MEMORY = 4, FREE = 5, SPARE = 64 };
	int spare_control = fcntl(control, F_DUPFD, SPARE);
	int spare_memory = fcntl(memory, F_DUPFD, SPARE);
	int null = open("/dev/null", O_RDWR);
	if (spare_control < 0 || spare_memory < 0 || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
	    dup2(null, 2) < 0 || dup2(spare_control, CONTROL) < 0 || dup2(spare_memory, MEMORY) < 0)
		_exit(1);
	(void)close_range(FREE, ~0U, 0); /* Linux 5.9; before, they stay open and do no harm but live longer */
	(void)fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
	(void)fcntl(MEMORY, F_SETFD, FD_CLOEXEC);
	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_DFL);
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setpgid(0, 0); /* what is typed on a terminal is for the recorder */
	/* A command's helper learns by its line that the recorder is gone, and ends the command first. */
	if (feed->spec.kind == PF_FEED_URL)
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	pf_feed_serve(&feed->spec, CONTROL, MEMORY, feed->command);
}

static int start(struct pf_feed *feed)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	int memory = memfd_create("perfolio-feed", MFD_CLOEXEC);
	pid_t parent = getpid();
	pid_t pid = memory < 0 ? -1 : fork();
	if (pid == 0)
		become_helper(feed, ends[1], memory, parent);
	int rc = pid < 0 ? -errno : 0;
	(void)close(ends[1]);
	if (rc < 0) {
		(void)close(ends[0]);
		if (memory >= 0)
			(void)close(memory);
		return rc;
	}
	feed->pid = pid;
	feed->control = ends[0];
	feed->memory = memory;
	return 0;
}

/* The longer it fails, the more rarely it is tried. */
static void note_result(struct pf_feed *feed, int rc)
{
	if (rc == 0) {
		feed->failures = 0;
		return;
	}
	int64_t seconds = feed->failures < 6 ? INT64_C(1) << feed->failures : BACKOFF_LAST;
	feed->failures++;
	feed->not_before = pf_time_mono_ns() + seconds * PF_NS_PER_SEC;
}

void pf_feed_ask(struct pf_feed *feed)
{
	int64_t now = pf_time_mono_ns();
	if (feed->asked_ns != 0 || (feed->failures > 0 && now < feed->not_before))
		return;
	if (feed->pid == 0 && start(feed) < 0) {
		note_result(feed, -EAGAIN);
		return;
	}
	if (send(feed->control, "?", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) {
		end(feed, true);
		note_result(feed, -ECHILD);
		return;
	}
	feed->asked_ns = now;
}

static int failed(struct pf_feed *feed, int rc, const char *why, struct pf_feed_answer *ret_answer)
{
	*ret_answer = (struct pf_feed_answer){ .rc = rc, .at_ns = pf_time_wall_ns() };
	(void)snprintf(ret_answer->why, sizeof(ret_answer->why), "%s", why);
	end(feed, true);
	note_result(feed, rc);
	return 1;
}

static int take_text(const struct pf_feed *feed, int64_t size, struct pf_buf *text)
{
	pf_buf_clear(text);
	if (size < 0 || (uint64_t)size > feed->spec.limit)
		return -EFBIG;
	char *to = pf_buf_reserve(text, (size_t)size + 1);
	if (!to)
		return -ENOMEM;
	if (pread(feed->memory, to, (size_t)size, 0) != size)
		return -EIO;
	text->n = (size_t)size;
	text->p[text->n] = '\0';
	return 0;
}

int pf_feed_take(struct pf_feed *feed, int wait_ms, struct pf_feed_answer *ret_answer, struct pf_buf *text)
{
	if (feed->asked_ns == 0)
		return 0;
	struct pollfd ready = { .fd = feed->control, .events = POLLIN };
	if (poll(&ready, 1, wait_ms) <= 0) {
		if (pf_time_mono_ns() - feed->asked_ns < feed->spec.timeout_ns + GRACE * PF_NS_PER_SEC)
			return 0;
		return failed(feed, -ETIMEDOUT, "no answer in time", ret_answer);
	}
	ssize_t n = recv(feed->control, ret_answer, sizeof(*ret_answer), MSG_DONTWAIT);
	if (n != sizeof(*ret_answer))
		return failed(feed, -ECHILD, "the process that gets it has ended", ret_answer);
	ret_answer->why[sizeof(ret_answer->why) - 1] = '\0';
	feed->asked_ns = 0;
	if (ret_answer->rc == 0)
		ret_answer->rc = take_text(feed, ret_answer->size, text);
	note_result(feed, ret_answer->rc);
	return 1;
}
