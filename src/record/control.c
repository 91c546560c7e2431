/* record/control.c - the control channel of one logger. */
#include "record/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/loop.h"
#include "base/time.h"
#include "engine/stop.h"

/* How long a last dialog stays; how many requests for the state are answered in a second. */
enum { LINGER_MS = 60000, ANSWERS = 32 };

/**
 * struct pf_control - @watch: of the channel, its fd is -1 when it is closed or none is listened to any more.
 * @fd: the same while there is somebody to tell something; @line: what came in of a line
 * @asked: requests for the state in the second from @since_ns on, @unanswered: those of them that were too many
 * @unique: what the launcher holds a file of; @options: for dialogs, unless the line has its own
 */
struct pf_control {
	struct pf_watch watch;
	struct pf_control_setup setup;
	struct pf_loop loop;
	struct pf_dialogs *dialogs;
	int fd;
	bool stop;
	bool replay;
	int64_t since_ns;
	unsigned asked;
	unsigned unanswered;
	char *folio;
	char *creator;
	char *unique;
	char *options;
	char line[PF_CONTROL_LINE];
	size_t n;
};

static void show(struct pf_control *c, enum pf_dialog_kind kind, struct pf_view options)
{
	struct pf_dialog_about about = {
		.folio = c->folio, .creator = c->creator, .replay = c->replay, .pid = getpid()
	};
	if (c->setup.quiet)
		return;
	c->setup.about(c->setup.arg, &about);
	options = pf_view_trim(options);
	pf_autofree char *own = options.n > 0 ? pf_view_dup(options) : NULL;
	const char *words = own ? own : c->options;
	pf_dialogs_put(c->dialogs, kind, &about, words ? words : "");
}

static void tell_unanswered(struct pf_control *c)
{
	struct pf_buf b = { 0 };
	if (c->unanswered == 0)
		return;
	pf_buf_fmt(
		&b,
		"Warning: %u requests for the state of the recording came within a second of others and were not answered\n",
		c->unanswered);
	(void)pf_io_write_all(c->setup.log_fd, b.p, b.n); /* there is nowhere else to say it */
	pf_buf_done(&b);
	c->unanswered = 0;
}

/* Whoever asks without end is not to keep us from recording, nor to fill the log. */
static void show_state(struct pf_control *c, struct pf_view options)
{
	int64_t now = pf_time_mono_ns();
	if (c->setup.quiet)
		return;
	if (now - c->since_ns >= PF_NS_PER_SEC) {
		tell_unanswered(c);
		c->since_ns = now;
		c->asked = 0;
	}
	if (c->asked == ANSWERS) {
		c->unanswered++;
		return;
	}
	c->asked++;
	show(c, PF_DIALOG_STATUS, options);
}

static void stop_listening(struct pf_control *c)
{
	if (c->watch.fd < 0)
		return;
	tell_unanswered(c);
	pf_loop_forget(&c->loop, &c->watch);
	c->watch.fd = -1;
	c->n = 0;
}

static void hang_up(struct pf_control *c)
{
	stop_listening(c);
	pf_closep(&c->fd);
	c->fd = -1;
}

/* Nobody steers any more. */
static void lost(struct pf_control *c)
{
	stop_listening(c);
	if (c->setup.quiet) {
		c->stop = true;
		return;
	}
	hang_up(c);
	show(c, PF_DIALOG_LOST, PF_VIEW(""));
}

static void keep(char **text, struct pf_view v)
{
	free(*text);
	*text = pf_view_dup(v); /* without it a dialog says less, or a file stays: no harm */
}

static void tell_illegal(const struct pf_control *c, struct pf_view line)
{
	struct pf_buf b = { 0 };
	if (c->setup.quiet)
		return;
	pf_buf_str(&b, "Error: illegal recording session control message: \"");
	pf_escape_text(&b, line);
	pf_buf_str(&b, "\"\n");
	(void)pf_io_write_all(c->setup.log_fd, b.p, b.n); /* there is nowhere else to say it */
	pf_buf_done(&b);
}

static void obey(struct pf_control *c, struct pf_view line)
{
	char tag = line.n > 0 ? line.p[0] : '\0';
	struct pf_view text = { line.p + (line.n > 0), line.n - (line.n > 0) };
	switch (tag) {
	case 'V':
		return; /* there is but one version */
	case 'F':
		keep(&c->folio, text);
		return;
	case 'P':
		keep(&c->creator, text);
		return;
	case 'U':
		keep(&c->unique, text);
		return;
	case 'R':
		c->replay = true;
		keep(&c->options, pf_view_trim(text));
		return;
	case '?':
		show_state(c, text);
		return;
	case 'S':
		c->setup.numbers(c->setup.arg);
		return;
	case 'D':
		(void)setsid(); /* the end of the launcher's terminal is not ours any more; fails only where that is so already */
		hang_up(c);
		show(c, PF_DIALOG_DETACH, text);
		return;
	case 'Q':
		stop_listening(c);
		pf_dialogs_drop(c->dialogs); /* what they say is over */
		show(c, PF_DIALOG_QUIT, text);
		c->stop = true;
		return;
	default:
		tell_illegal(c, line);
		lost(c);
	}
}

static void obey_lines(struct pf_control *c)
{
	struct pf_view rest = { c->line, c->n }, line;
	while (c->watch.fd >= 0 && memchr(rest.p, '\n', rest.n) && pf_view_line(&rest, &line) == 0)
		obey(c, line);
	if (c->watch.fd < 0)
		return;
	memmove(c->line, rest.p, rest.n);
	c->n = rest.n;
	if (c->n == sizeof(c->line))
		lost(c);
}

static void ready(struct pf_watch *w, uint32_t events)
{
	(void)events;
	struct pf_control *c = (struct pf_control *)w;
	ssize_t n = read(w->fd, c->line + c->n, sizeof(c->line) - c->n);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0) {
		c->n += (size_t)n;
		obey_lines(c);
		return;
	}
	if (c->unique)
		(void)unlink(c->unique); /* the launcher could not tidy up */
	lost(c);
}

static int watch(struct pf_control *c, struct pf_err *err)
{
	int rc = pf_loop_open(&c->loop, err);
	if (rc == 0)
		rc = pf_dialogs_new(&c->dialogs, &c->loop, c->setup.log_fd, err);
	if (rc < 0 || c->fd < 0)
		return rc;
	(void)fcntl(c->fd, F_SETFD, FD_CLOEXEC); /* inherited, but not for the commands of modules */
	c->watch.fd = c->fd;
	rc = pf_loop_add(&c->loop, &c->watch, EPOLLIN);
	if (rc < 0)
		return pf_err_set(err, -EINVAL, "-x %d: not a pipe or socket: %s", c->fd, strerror(-rc));
	return 0;
}

int pf_control_open(struct pf_control **ret_control, const struct pf_control_setup *setup, struct pf_err *err)
{
	struct pf_control *c = calloc(1, sizeof(*c));
	if (!c)
		return pf_err_set(err, -ENOMEM, "no memory");
	c->watch = (struct pf_watch){ .fd = -1, .ready = ready };
	c->setup = *setup;
	c->loop.fd = -1;
	c->fd = setup->fd;
	int rc = watch(c, err);
	if (rc < 0) {
		(void)pf_control_close(c);
		return rc;
	}
	*ret_control = c;
	return 0;
}

int pf_control_fd(const struct pf_control *c)
{
	return c->loop.fd;
}

bool pf_control_serve(struct pf_control *c)
{
	pf_loop_serve(&c->loop);
	pf_dialogs_reap(c->dialogs);
	return c->stop || pf_dialogs_answer(c->dialogs) == PF_DIALOG_STOP;
}

void pf_control_tell(struct pf_control *c, struct pf_view line)
{
	struct pollfd to = { .fd = c->fd, .events = POLLOUT };
	if (c->fd >= 0 && poll(&to, 1, 0) == 1 && (to.revents & POLLOUT))
		(void)pf_io_write_all(c->fd, line.p, line.n); /* a line fits, then */
}

void pf_control_linger(struct pf_control *c, struct pf_stop *signals)
{
	int64_t until = pf_time_mono_ns() + LINGER_MS * PF_NS_PER_MS;
	while (c->stop && pf_dialogs_open(c->dialogs) && !pf_stop_check(signals)) {
		int64_t left = until - pf_time_mono_ns();
		struct pollfd fds[] = { { .fd = c->loop.fd, .events = POLLIN },
					{ .fd = signals->fd, .events = POLLIN } };
		if (left <= 0 || (poll(fds, PF_N(fds), (int)(left / PF_NS_PER_MS) + 1) < 0 && errno != EINTR))
			return;
		pf_loop_serve(&c->loop);
	}
}

struct pf_control *pf_control_close(struct pf_control *c)
{
	if (!c)
		return NULL;
	hang_up(c);
	c->dialogs = pf_dialogs_free(c->dialogs);
	pf_loop_close(&c->loop);
	free(c->folio);
	free(c->creator);
	free(c->unique);
	free(c->options);
	free(c);
	return NULL;
}
