/* record/session_channel.c - what is said to loggers, what they tell, and what becomes of them. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "record/logger.h"
#include "record/session_inside.h"

/* A program that was given the descriptor may have closed it, and have another file there by now. */
static bool is_ours(const struct pf_session_host *h)
{
	struct stat st;
	return h->fd >= 0 && fstat(h->fd, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_ino == h->ino;
}

void pf_session_let_go(struct pf_session_host *h)
{
	if (is_ours(h))
		(void)close(h->fd); /* nothing more to learn */
	h->fd = -1;
}

void pf_session_forget(struct pf_session *s, unsigned i)
{
	s->hosts[i].fd = -1;
}

void pf_session_one_line(struct pf_buf *b, const char *text)
{
	for (const char *p = text; *p; p++)
		pf_buf_char(b, *p == '\n' ? ' ' : *p);
}

static int put(struct pf_session_host *h, enum pf_session_request request, const char *options)
{
	if (h->fd < 0)
		return -EPIPE;
	if (!is_ours(h)) {
		h->fd = -1;
		return -EBADF;
	}
	struct pf_buf line = { 0 };
	pf_buf_char(&line, (char)request);
	pf_session_one_line(&line, options ? options : "");
	pf_buf_char(&line, '\n');
	int rc = line.failed;
	ssize_t n = rc == 0 ? send(h->fd, line.p, line.n, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
	if (n < 0)
		rc = -errno;
	else if ((size_t)n < line.n)
		rc = -EAGAIN; /* a logger that does not read is not waited for */
	pf_buf_done(&line);
	if (rc == -EPIPE)
		pf_session_let_go(h);
	return rc;
}

static int ask(const struct pf_session *s, struct pf_session_host *h, enum pf_session_request request,
	       const char *options)
{
	int rc = put(h, request, options);
	if (request != PF_SESSION_STOP && request != PF_SESSION_DETACH)
		return rc;
	h->on = false;
	h->stopped = request == PF_SESSION_STOP;
	h->detached = request == PF_SESSION_DETACH;
	if (h->detached || s->spec.form == PF_SESSION_PMLOGGER)
		pf_session_let_go(h);
	else if (rc < 0 && is_ours(h))
		(void)shutdown(h->fd, SHUT_WR); /* it reads that, if not the request */
	return rc;
}

int pf_session_ask(struct pf_session *s, unsigned i, enum pf_session_request request, const char *options)
{
	if (pf_session_phase(s) != PF_SESSION_ON)
		return -EINVAL;
	if (i != PF_SESSION_ALL)
		return i < s->n_hosts && s->hosts[i].on ? ask(s, &s->hosts[i], request, options) : -EINVAL;
	int rc = 0;
	for (unsigned k = 0; k < s->n_hosts; k++) {
		int one = s->hosts[k].on ? ask(s, &s->hosts[k], request, options) : 0;
		rc = one < 0 ? one : rc;
	}
	return rc;
}

static void take_line(struct pf_session_host *h, struct pf_view line)
{
	struct pf_view word;
	uint64_t ns;
	if (pf_view_word(&line, &word) < 0)
		return;
	switch (word.p[0]) {
	case PF_LOGGER_TELL_READY:
		h->ready = true;
		return;
	case PF_LOGGER_TELL_END:
		h->told_end = pf_view_next_u64(&line, &h->samples) == 0 && pf_view_next_u64(&line, &h->bytes) == 0;
		return;
	case PF_LOGGER_TELL_STATE:
		h->n_told++;
		if (pf_view_next_u64(&line, &h->samples) == 0 && pf_view_next_u64(&line, &h->bytes) == 0 &&
		    pf_view_next_u64(&line, &ns) == 0)
			h->last_ns = (int64_t)ns;
		return;
	case PF_LOGGER_TELL_GROWTH:
		(void)pf_view_next_u64(&line, &h->growth); /* without it nothing is told */
		return;
	}
}

bool pf_session_read(struct pf_session *s, unsigned i)
{
	struct pf_session_host *h = &s->hosts[i];
	if (h->fd < 0)
		return false;
	ssize_t n = is_ours(h) ? recv(h->fd, h->in + h->in_n, sizeof(h->in) - h->in_n, MSG_DONTWAIT) : 0;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		pf_session_let_go(h);
		return false;
	}
	h->in_n += (size_t)n;
	struct pf_view rest = { h->in, h->in_n };
	while (memchr(rest.p, '\n', rest.n)) {
		struct pf_view line;
		(void)pf_view_line(&rest, &line); /* there is one */
		take_line(h, line);
	}
	h->in_n = rest.n < sizeof(h->in) ? rest.n : 0; /* no line is as long as that */
	memmove(h->in, rest.p, h->in_n);
	return true;
}

/* Return: is it still running? */
static bool reap(struct pf_session *s, unsigned i)
{
	struct pf_session_host *h = &s->hosts[i];
	int status;
	if (h->pid <= 0 || h->status != -1 || h->lost)
		return false;
	pid_t pid = waitpid(h->pid, &status, WNOHANG);
	if (pid == 0 || (pid < 0 && errno != ECHILD))
		return true;
	if (pid == h->pid)
		h->status = status;
	else
		h->lost = true;
	while (pf_session_read(s, i))
		; /* its last words */
	if (pid == h->pid)
		pf_session_let_go(h);
	return false;
}

unsigned pf_session_reap(struct pf_session *s)
{
	unsigned running = 0;
	for (unsigned i = 0; i < s->n_hosts; i++)
		running += reap(s, i);
	return running;
}

void pf_session_stop(struct pf_session *s)
{
	(void)pf_session_ask(s, PF_SESSION_ALL, PF_SESSION_STOP, NULL); /* a logger that is gone needs no telling */
}

void pf_session_kill(struct pf_session *s)
{
	for (unsigned i = 0; i < s->n_hosts; i++) {
		const struct pf_session_host *h = &s->hosts[i];
		if (h->pid > 0 && h->status == -1 && !h->lost && !h->detached)
			(void)kill(h->pid, SIGKILL); /* it may have ended just now */
	}
}

/* Of a text its last line that has anything. */
static struct pf_view last_line(struct pf_view text)
{
	while (text.n > 0 && text.p[text.n - 1] == '\n')
		text.n--;
	const char *before = text.n > 0 ? memrchr(text.p, '\n', text.n) : NULL;
	return before ? (struct pf_view){ before + 1, text.n - (size_t)(before + 1 - text.p) } : text;
}

char *pf_session_last_words(const struct pf_session *s, unsigned host)
{
	enum { END = 4096 };
	static const char *const names[] = { "perfolio log: ", "perfolio: " };
	char end[END];
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%s.log", pf_session_file_name(s->hosts[host].base)) < 0)
		path = NULL;
	pf_autoclose int fd = path ? openat(s->dir_fd, path, O_RDONLY | O_CLOEXEC) : -1;
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	ssize_t n = size <= 0 ? 0 : pread(fd, end, END, size > END ? size - END : 0);
	struct pf_view line = n <= 0 ? (struct pf_view){ end, 0 } : last_line((struct pf_view){ end, (size_t)n });
	for (unsigned i = 0; i < PF_N(names); i++) {
		size_t skip = strlen(names[i]);
		if (line.n > skip && memcmp(line.p, names[i], skip) == 0)
			line = (struct pf_view){ line.p + skip, line.n - skip };
	}
	return line.n > 0 ? strndup(line.p, line.n) : NULL;
}
