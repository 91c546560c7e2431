/* sinks/http.c - connections of the HTTP server. Each has a time to live, so that half a request or a slow reader costs no more than that. */
#include "sinks/http.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/listen.h"
#include "base/loop.h"
#include "base/sendq.h"
#include "base/time.h"

static const int64_t patience_ns = 10 * PF_NS_PER_SEC;

/* @answered: the answer is on its way; @ended: it is sent, what still comes from the other side is passed over until it hangs up;
 * @deaf: nothing more comes */
struct connection {
	struct pf_watch watch;
	struct pf_http *http;
	struct connection *next;
	struct pf_sendq queue;
	int64_t since_ns;
	size_t n;
	bool answered;
	bool ended;
	bool deaf;
	char head[PF_HTTP_REQUEST_MAX];
};

struct pf_http {
	struct pf_watch watch;
	struct pf_loop *loop;
	struct pf_http_site site;
	struct connection *connections; /* newest first */
	unsigned n;
	int spare; /* of pf_accept() */
	struct pf_buf answer;
};

static void drop(struct connection *c)
{
	struct pf_http *h = c->http;
	struct connection **at = &h->connections;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	h->n--;
	pf_loop_forget(h->loop, &c->watch);
	pf_closep(&c->watch.fd);
	pf_sendq_done(&c->queue);
	free(c);
}

static const char *reason(int status)
{
	static const struct {
		int status;
		const char *text;
	} reasons[] = { { 200, "OK" },
			{ 400, "Bad Request" },
			{ 404, "Not Found" },
			{ 405, "Method Not Allowed" },
			{ 500, "Internal Server Error" },
			{ 503, "Service Unavailable" } };
	for (unsigned i = 0; i < PF_N(reasons); i++) {
		if (reasons[i].status == status)
			return reasons[i].text;
	}
	return "Error";
}

static void compose(struct pf_buf *out, int status, const struct pf_http_page *page, bool head_only)
{
	pf_buf_clear(out);
	pf_buf_fmt(out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n", status,
		   reason(status), page->type, page->body.n);
	if (page->encoding)
		pf_buf_fmt(out, "Content-Encoding: %s\r\n", page->encoding);
	if (status == 200)
		pf_buf_str(out, "Vary: Accept, Accept-Encoding\r\n");
	if (status == 405)
		pf_buf_str(out, "Allow: GET, HEAD\r\n");
	pf_buf_str(out, "\r\n");
	if (!head_only)
		pf_buf_view(out, page->body);
}

/* @known: 1 there is a request, negative: none that can be understood. */
static void answer(struct connection *c, int known, const struct pf_http_request *request)
{
	struct pf_http *h = c->http;
	struct pf_http_page page = { .type = "text/plain; charset=utf-8" };
	bool head = known > 0 && pf_view_is(request->method, "HEAD");
	int status = known < 0					  ? 400
		     : head || pf_view_is(request->method, "GET") ? h->site.page(h->site.arg, request, &page)
								  : 405;
	char text[64];
	if (status != 200) {
		size_t n = strlen(reason(status));
		memcpy(text, reason(status), n);
		text[n] = '\n';
		page = (struct pf_http_page){ .type = "text/plain; charset=utf-8", .body = { text, n + 1 } };
	}
	compose(&h->answer, status, &page, head);
	c->answered = true;
	if (h->answer.failed || pf_sendq_put(&c->queue, pf_buf_text(&h->answer)) < 0)
		c->ended = true;
}

/* Whoever closes with unread bytes resets the connection, and the other side may lose the answer; so it goes first. */
static void go_on(struct connection *c)
{
	if (c->answered && !c->ended && pf_sendq_waiting(&c->queue) == 0) {
		c->ended = true;
		(void)shutdown(c->watch.fd, SHUT_WR); /* fails when the other side is gone, which is seen next */
	}
	uint32_t events =
		(c->deaf ? 0 : (uint32_t)EPOLLIN) | (pf_sendq_waiting(&c->queue) > 0 ? (uint32_t)EPOLLOUT : 0);
	(void)pf_loop_change(c->http->loop, &c->watch, events);
}

/* Return: is the connection still wanted? */
static bool take_in(struct connection *c)
{
	char ignored[4096];
	bool head = !c->answered && c->n < sizeof(c->head);
	char *to = head ? c->head + c->n : ignored;
	ssize_t n = recv(c->watch.fd, to, head ? sizeof(c->head) - c->n : sizeof(ignored), MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	c->deaf = n == 0;
	if (c->deaf)
		return c->answered && pf_sendq_waiting(&c->queue) > 0; /* it said all, and may still read */
	if (!head)
		return true;
	c->n += (size_t)n;
	struct pf_http_request request = { 0 };
	int rc = pf_http_request_parse((struct pf_view){ c->head, c->n }, &request);
	if (rc != 0)
		answer(c, rc, &request);
	return true;
}

static void connection_ready(struct pf_watch *w, uint32_t events)
{
	struct connection *c = (struct connection *)((char *)w - offsetof(struct connection, watch));
	bool keep = !(events & (EPOLLERR | EPOLLHUP));
	if (keep && (events & EPOLLIN))
		keep = take_in(c);
	if (keep && (events & EPOLLOUT))
		keep = pf_sendq_push(&c->queue) >= 0 && !(c->deaf && pf_sendq_waiting(&c->queue) == 0);
	if (keep)
		go_on(c);
	else
		drop(c);
}

/* The oldest connection makes room for a new one. */
static void drop_oldest(struct pf_http *h)
{
	struct connection *c = h->connections;
	while (c->next)
		c = c->next;
	drop(c);
}

static void server_ready(struct pf_watch *w, uint32_t events)
{
	struct pf_http *h = (struct pf_http *)((char *)w - offsetof(struct pf_http, watch));
	(void)events;
	int fd = pf_accept(w->fd, &h->spare);
	if (fd < 0)
		return;
	if (h->n == PF_HTTP_CONNECTIONS_MAX)
		drop_oldest(h);
	struct connection *c = calloc(1, sizeof(*c));
	if (!c) {
		pf_closep(&fd);
		return;
	}
	c->watch = (struct pf_watch){ fd, connection_ready };
	c->queue.fd = fd;
	c->http = h;
	c->since_ns = pf_time_mono_ns();
	c->next = h->connections;
	h->connections = c;
	h->n++;
	if (pf_loop_add(h->loop, &c->watch, EPOLLIN) < 0)
		drop(c);
}

void pf_http_tidy(struct pf_http *h)
{
	int64_t now = pf_time_mono_ns();
	struct connection *next;
	for (struct connection *c = h->connections; c; c = next) {
		next = c->next;
		if (now - c->since_ns > patience_ns)
			drop(c);
	}
}

int pf_http_open(struct pf_http **ret, const char *host, const char *port, const struct pf_http_site *site,
		 struct pf_loop *loop, struct pf_err *err)
{
	int fd = pf_listen(host, port);
	if (fd < 0)
		return pf_err_set(err, fd, "cannot listen at %s port %s: %s", host ? host : "all addresses,", port,
				  strerror(-fd));
	struct pf_http *h = calloc(1, sizeof(*h));
	if (!h) {
		pf_closep(&fd);
		return pf_err_set(err, -ENOMEM, "no memory");
	}
	*h = (struct pf_http){ .watch = { fd, server_ready }, .spare = -1, .loop = loop, .site = *site };
	int rc = pf_loop_add(loop, &h->watch, EPOLLIN);
	if (rc < 0) {
		(void)pf_http_close(h);
		return pf_err_set(err, rc, "epoll: %s", strerror(-rc));
	}
	*ret = h;
	return 0;
}

struct pf_http *pf_http_close(struct pf_http *h)
{
	if (!h)
		return NULL;
	while (h->connections)
		drop(h->connections);
	pf_loop_forget(h->loop, &h->watch);
	pf_closep(&h->watch.fd);
	pf_closep(&h->spare);
	pf_buf_done(&h->answer);
	free(h);
	return NULL;
}
