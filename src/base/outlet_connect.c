/* base/outlet_connect.c - text to the one program at the other end of a connection, each line behind a prefix. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/notice.h"
#include "base/outlet.h"
#include "base/sendq.h"
#include "base/time.h"

static const int64_t last_wait_ns = 2 * PF_NS_PER_SEC;

/**
 * struct connection
 * @mid_line: the last piece ended in the middle of a line; @lost: pieces that the reader was too slow for
 * @failed: first error of the connection
 */
struct connection {
	struct pf_outlet base;
	struct pf_watch watch;
	struct pf_loop *loop;
	struct pf_sendq queue;
	char *prefix;
	char *bare;
	struct pf_buf text;
	bool mid_line;
	uint64_t lost;
	int failed;
	const struct pf_notice *notice;
};

static void add_prefixes(struct connection *c, struct pf_view text)
{
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		bool whole = line.p + line.n < text.p; /* its newline is there */
		if (!c->mid_line && !(whole && pf_view_is(line, c->bare)))
			pf_buf_str(&c->text, c->prefix);
		pf_buf_view(&c->text, line);
		if (whole)
			pf_buf_char(&c->text, '\n');
		c->mid_line = !whole;
	}
}

/* Wait for room only if something waits. */
static void watch_for(struct connection *c)
{
	if (c->loop)
		(void)pf_loop_change(c->loop, &c->watch, pf_sendq_waiting(&c->queue) > 0 ? EPOLLOUT : 0);
}

static int put(struct pf_outlet *o, struct pf_view text, size_t divider)
{
	struct connection *c = (struct connection *)o;
	(void)divider;
	if (c->failed)
		return c->failed;
	if (pf_sendq_waiting(&c->queue) > PF_OUTLET_BEHIND_MAX) {
		if (c->lost++ == 0)
			pf_notice(c->notice, PF_WARNING,
				  "the other end of the connection reads too slowly, records are left out");
		return 0;
	}
	pf_buf_clear(&c->text);
	if (c->prefix[0] != '\0') {
		add_prefixes(c, text);
		text = pf_buf_text(&c->text);
	}
	int rc = c->text.failed ? c->text.failed : pf_sendq_put(&c->queue, text);
	if (rc < 0 && rc != -ENOMEM)
		c->failed = -EPIPE; /* whatever ended it: nobody reads any more */
	watch_for(c);
	return rc == -ENOMEM ? rc : c->failed;
}

static void ready(struct pf_watch *w, uint32_t events)
{
	struct connection *c = (struct connection *)((char *)w - offsetof(struct connection, watch));
	int rc = events & EPOLLOUT ? pf_sendq_push(&c->queue) : 0;
	if (rc < 0 || (events & (EPOLLERR | EPOLLHUP))) {
		c->failed = -EPIPE;
		pf_loop_forget(c->loop, w);
		c->loop = NULL;
		return;
	}
	watch_for(c);
}

static int attach(struct pf_outlet *o, struct pf_loop *loop)
{
	struct connection *c = (struct connection *)o;
	c->loop = NULL;
	if (!loop)
		return 0;
	int rc = pf_loop_add(loop, &c->watch, pf_sendq_waiting(&c->queue) > 0 ? EPOLLOUT : 0);
	c->loop = rc == 0 ? loop : NULL;
	return rc;
}

static void close_connection(struct pf_outlet *o)
{
	struct connection *c = (struct connection *)o;
	int rc = c->failed ? c->failed : pf_sendq_drain(&c->queue, pf_time_mono_ns() + last_wait_ns);
	if (rc == 1)
		pf_notice(c->notice, PF_WARNING, "%zu bytes were not read at the other end of the connection",
			  pf_sendq_waiting(&c->queue));
	if (c->lost > 0)
		pf_notice(c->notice, PF_WARNING, "the other end of the connection missed %llu records",
			  (unsigned long long)c->lost);
	pf_closep(&c->watch.fd);
	pf_sendq_done(&c->queue);
	pf_buf_done(&c->text);
	free(c->prefix);
	free(c->bare);
	free(c);
}

static const struct pf_outlet_kind kind_connection = { .put = put, .attach = attach, .close = close_connection };

void pf_outlet_plain(struct pf_outlet *o)
{
	if (o->kind == &kind_connection)
		((struct connection *)o)->prefix[0] = '\0';
}

/* Return: a connected descriptor that does not block, or negative errno. */
static int connect_to(const struct addrinfo *a, int64_t timeout_ns)
{
	pf_autoclose int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	if (fd < 0)
		return -errno;
	if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
		return PF_TAKE_FD(fd);
	if (errno != EINPROGRESS)
		return -errno;
	struct timespec ts = { .tv_sec = timeout_ns / PF_NS_PER_SEC, .tv_nsec = timeout_ns % PF_NS_PER_SEC };
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	int rc = ppoll(&pfd, 1, &ts, NULL);
	if (rc <= 0)
		return rc == 0 ? -ETIMEDOUT : -errno;
	int error = 0;
	socklen_t n = sizeof(error);
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0)
		return -errno;
	return error ? -error : PF_TAKE_FD(fd);
}

int pf_outlet_connect(struct pf_outlet **ret, const char *host, const char *port, int64_t timeout_ns,
		      const char *prefix, const char *bare, const struct pf_notice *notice)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	if (getaddrinfo(host, port, &hints, &found) != 0)
		return -EINVAL;
	int fd = -EINVAL;
	for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
		fd = connect_to(a, timeout_ns);
	freeaddrinfo(found);
	if (fd < 0)
		return fd;
	struct connection *c = calloc(1, sizeof(*c));
	if (c) {
		*c = (struct connection){ .base = { .kind = &kind_connection, .framed = true, .one_reader = true },
					  .watch = { fd, ready },
					  .queue = { .fd = fd },
					  .prefix = strdup(prefix),
					  .bare = strdup(bare),
					  .notice = notice };
	}
	if (!c || !c->prefix || !c->bare) {
		pf_closep(&fd);
		if (c) {
			free(c->prefix);
			free(c->bare);
		}
		free(c);
		return -ENOMEM;
	}
	*ret = &c->base;
	return 0;
}
