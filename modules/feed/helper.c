/* modules/feed/helper.c - the process that waits in the recorder's place. It is a loop over its line to the recorder and the output of its
 * command, so it can always be asked, always ends with the recorder, and ends the command and all of its process group before. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aside.h"
#include "base/io.h"
#include "base/spawn.h"
#include "base/time.h"

enum { CHUNK = 64 * 1024, FOREVER_MS = -1, RESTART_LAST = 60 };

/**
 * struct helper - state.
 * @pid: of the command, 0: none runs; @out: its output, -1 once that has ended; @watch: its pidfd
 * @started_ns, @wall_ns: of the command that runs; @asked: a question waits for its answer
 * @text: its output so far; @lost: bytes of it that were dropped
 * @starts: of a command that should stay, in a row; @not_before: of the next start
 */
struct helper {
	const struct pf_feed_spec *spec;
	int control;
	int memory;
	pid_t pid;
	int out;
	int watch;
	int64_t started_ns;
	int64_t wall_ns;
	bool asked;
	struct pf_buf text;
	int64_t lost;
	unsigned starts;
	int64_t not_before;
	int status;
	volatile pid_t *command; /* @pid for the recorder to see */
};

static void stop(struct helper *h)
{
	if (h->out >= 0)
		(void)close(h->out);
	if (h->watch >= 0)
		(void)close(h->watch);
	h->out = h->watch = -1;
	if (h->pid == 0)
		return;
	(void)kill(-h->pid, SIGKILL); /* the group, also where the command itself is gone */
	(void)kill(h->pid, SIGKILL);
	while (waitpid(h->pid, &h->status, 0) < 0 && errno == EINTR)
		continue;
	h->pid = 0;
	*h->command = 0;
}

static _Noreturn void leave(struct helper *h)
{
	stop(h);
	_exit(0);
}

static void answer(struct helper *h, struct pf_feed_answer *a, struct pf_view text)
{
	a->size = (int64_t)text.n;
	if (a->rc == 0 && (ftruncate(h->memory, 0) < 0 || lseek(h->memory, 0, SEEK_SET) < 0 ||
			   pf_io_write_all(h->memory, text.p, text.n) < 0)) {
		a->rc = -EIO;
		(void)snprintf(a->why, sizeof(a->why), "no memory for the text");
	}
	h->asked = false;
	if (send(h->control, a, sizeof(*a), MSG_NOSIGNAL) < 0)
		leave(h); /* the recorder has gone meanwhile */
}

static int start(struct helper *h)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid_t pid = 0;
	const struct pf_spawn shell = { .argv = (const char *const[]){ "/bin/sh", "-c", h->spec->what, NULL },
					.out = ends[1],
					.with_us = true };
	int rc = pf_spawn(&shell, &pid);
	(void)close(ends[1]);
	if (rc < 0) {
		(void)close(ends[0]);
		return rc;
	}
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*h->command = h->pid = pid;
	h->out = ends[0];
	h->watch = (int)syscall(SYS_pidfd_open, pid, 0); /* Linux 5.3 */
	if (h->watch >= 0)
		(void)fcntl(h->watch, F_SETFD, FD_CLOEXEC);
	h->started_ns = pf_time_mono_ns();
	h->wall_ns = pf_time_wall_ns();
	return 0;
}

/* How many bytes at the front are whole lines. */
static size_t whole_lines(const struct pf_buf *text)
{
	const char *end = text->n > 0 ? memrchr(text->p, '\n', text->n) : NULL;
	return end ? (size_t)(end - text->p) + 1 : 0;
}

/* A stream that is not asked for long keeps its latest lines; one line without an end is dropped piece by piece. */
static void make_room(struct helper *h)
{
	struct pf_buf *t = &h->text;
	if (t->n + CHUNK <= h->spec->limit)
		return;
	size_t drop = t->n / 2;
	const char *line = memchr(t->p + drop, '\n', t->n - drop);
	drop = line ? (size_t)(line - t->p) + 1 : t->n;
	memmove(t->p, t->p + drop, t->n - drop);
	t->n -= drop;
	h->lost += (int64_t)drop;
}

static void fail(struct helper *h, int rc, const char *why)
{
	struct pf_feed_answer a = { .rc = rc, .at_ns = h->wall_ns, .took_ns = pf_time_mono_ns() - h->started_ns };
	(void)snprintf(a.why, sizeof(a.why), "%s", why);
	pf_buf_clear(&h->text);
	answer(h, &a, (struct pf_view){ "", 0 });
}

/* Take what there is, in one gulp, so that the recorder's questions are not kept waiting by a flood. */
static void read_output(struct helper *h)
{
	if (h->spec->kind == PF_FEED_STREAM)
		make_room(h);
	char *to = pf_buf_reserve(&h->text, CHUNK);
	ssize_t n = to ? read(h->out, to, CHUNK) : -1;
	if (n < 0 && (errno == EAGAIN || errno == EINTR) && to)
		return;
	if (n <= 0) {
		(void)close(h->out);
		h->out = -1;
		return;
	}
	h->text.n += (size_t)n;
	h->text.p[h->text.n] = '\0';
	if (h->spec->kind == PF_FEED_ONCE && h->text.n > h->spec->limit) {
		char why[80];
		(void)snprintf(why, sizeof(why), "it wrote more than %zu bytes and was ended", h->spec->limit);
		stop(h);
		fail(h, -EFBIG, why);
	}
}

/* The command has ended by itself. */
static void ended(struct helper *h)
{
	stop(h);
	if (h->spec->kind == PF_FEED_STREAM) {
		int64_t now = pf_time_mono_ns();
		h->starts = now - h->started_ns > RESTART_LAST * PF_NS_PER_SEC ? 0 : h->starts;
		h->not_before = now + (h->starts < 6 ? INT64_C(1) << h->starts : RESTART_LAST) * PF_NS_PER_SEC;
		h->starts++;
		return;
	}
	bool bad = !WIFEXITED(h->status) || WEXITSTATUS(h->status) != 0;
	if (bad && h->text.n == 0) {
		char why[80];
		if (WIFEXITED(h->status))
			(void)snprintf(why, sizeof(why), "it wrote nothing and ended with status %d",
				       WEXITSTATUS(h->status));
		else
			(void)snprintf(why, sizeof(why), "it wrote nothing and was ended by signal %d",
				       WTERMSIG(h->status));
		fail(h, -ENODATA, why);
		return;
	}
	struct pf_feed_answer a = { .at_ns = h->wall_ns, .took_ns = pf_time_mono_ns() - h->started_ns };
	answer(h, &a, pf_buf_text(&h->text));
	pf_buf_clear(&h->text);
}

static void answer_stream(struct helper *h)
{
	size_t n = h->pid == 0 ? h->text.n : whole_lines(&h->text);
	struct pf_feed_answer a = { .at_ns = pf_time_wall_ns(), .lost = h->lost };
	if (n == 0 && h->pid == 0) {
		if (WIFEXITED(h->status))
			(void)snprintf(a.why, sizeof(a.why), "it has ended with status %d and will be started again",
				       WEXITSTATUS(h->status));
		else
			(void)snprintf(a.why, sizeof(a.why), "it was ended by signal %d and will be started again",
				       WTERMSIG(h->status));
		a.rc = -ENODATA;
	}
	answer(h, &a, (struct pf_view){ h->text.p ? h->text.p : "", n });
	if (n > 0)
		memmove(h->text.p, h->text.p + n, h->text.n - n);
	h->text.n -= n;
	h->lost = 0;
}

/* Whatever can be done without waiting. */
static void advance(struct helper *h)
{
	int64_t now = pf_time_mono_ns();
	bool once = h->spec->kind == PF_FEED_ONCE;
	if (h->pid == 0 && (once ? h->asked : now >= h->not_before) && start(h) < 0) {
		h->started_ns = now;
		h->wall_ns = pf_time_wall_ns();
		h->not_before = now + PF_NS_PER_SEC;
		if (once)
			fail(h, -EAGAIN, "it cannot be started");
		return;
	}
	if (once && h->pid != 0 && now - h->started_ns >= h->spec->timeout_ns) {
		char why[80];
		(void)snprintf(why, sizeof(why), "it took more than %.1f seconds and was ended",
			       (double)h->spec->timeout_ns / (double)PF_NS_PER_SEC);
		stop(h);
		fail(h, -ETIMEDOUT, why);
	}
	if (!once && h->asked)
		answer_stream(h);
}

/* Until something has to be done without having been told. */
static int patience_ms(const struct helper *h)
{
	int64_t until;
	if (h->spec->kind == PF_FEED_ONCE && h->pid != 0)
		until = h->started_ns + h->spec->timeout_ns;
	else if (h->spec->kind == PF_FEED_STREAM && h->pid == 0)
		until = h->not_before;
	else
		return FOREVER_MS;
	int64_t left = until - pf_time_mono_ns();
	return left <= 0 ? 0 : left < 60 * PF_NS_PER_SEC ? (int)(left / PF_NS_PER_MS) + 1 : 60000;
}

/* One question or the end of the recorder. */
static void listen_to(struct helper *h)
{
	char byte;
	ssize_t n = recv(h->control, &byte, 1, MSG_DONTWAIT);
	if (n == 1) {
		h->asked = true;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		leave(h);
	}
}

static _Noreturn void serve_command(struct helper *h)
{
	for (;;) {
		advance(h);
		struct pollfd on[2] = {
			{ .fd = h->control, .events = POLLIN },
			{ .fd = h->out >= 0 ? h->out : h->watch, .events = POLLIN },
		};
		if (poll(on, 2, patience_ms(h)) <= 0)
			continue;
		if (on[0].revents)
			listen_to(h);
		if (on[1].revents && h->out >= 0)
			read_output(h);
		else if (on[1].revents && h->pid != 0)
			ended(h);
		if (h->pid != 0 && h->out < 0 && h->watch < 0)
			ended(h); /* nothing tells when it ends, so it ends now */
	}
}

static _Noreturn void serve_url(struct helper *h)
{
	void *handle = dlopen(h->spec->curl, RTLD_NOW | RTLD_LOCAL);
	void *found = handle ? dlsym(handle, "pf_feed_fetch") : NULL;
	pf_feed_fetch_fn *fetch;
	memcpy(&fetch, &found, sizeof(fetch)); /* POSIX has functions where ISO C has only objects */
	for (;;) {
		char byte;
		ssize_t n = recv(h->control, &byte, 1, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n != 1)
			leave(h);
		struct pf_feed_answer a = { .at_ns = pf_time_wall_ns() };
		int64_t start_ns = pf_time_mono_ns();
		if (fetch) {
			a.rc = fetch(h->spec->what, h->spec->timeout_ns, h->spec->limit, &h->text, &a);
		} else {
			a.rc = -ENOTSUP;
			(void)snprintf(a.why, sizeof(a.why), "%s cannot be loaded", h->spec->curl);
		}
		a.took_ns = pf_time_mono_ns() - start_ns;
		answer(h, &a, pf_buf_text(&h->text));
	}
}

_Noreturn void pf_feed_serve(const struct pf_feed_spec *spec, int control, int memory, volatile pid_t *command)
{
	struct helper h = {
		.spec = spec, .control = control, .memory = memory, .out = -1, .watch = -1, .command = command
	};
	if (spec->kind == PF_FEED_URL)
		serve_url(&h);
	serve_command(&h);
}
