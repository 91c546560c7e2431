/* base/outlet_listen.c - text to all who connect. Nobody is waited for: a client that is too far behind loses its connection. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/listen.h"
#include "base/loop.h"
#include "base/notice.h"
#include "base/outlet.h"
#include "base/sendq.h"
#include "base/time.h"

static const int64_t last_wait_ns = 1 * PF_NS_PER_SEC; /* for all clients together */

struct server;

/**
 * struct client
 * @fresh: it had at most the preface, so what divides pieces is left out
 * @deaf: it said that it will send nothing more, which is its right
 */
struct client {
	struct pf_watch watch;
	struct server *server;
	struct client *next;
	struct pf_sendq queue;
	bool fresh;
	bool deaf;
};

struct server {
	struct pf_outlet base;
	struct pf_watch watch;
	struct pf_loop *loop;
	struct client *clients;
	unsigned n_clients;
	int spare; /* of pf_accept() */
	bool full; /* that clients are turned away was told */
	struct pf_buf preface;
	const struct pf_notice *notice;
};

static void drop(struct client *c, const char *why)
{
	struct server *s = c->server;
	struct client **at = &s->clients;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	s->n_clients--;
	if (why)
		pf_notice(s->notice, PF_WARNING, "a client %s, its connection is closed", why);
	if (s->loop)
		pf_loop_forget(s->loop, &c->watch);
	pf_closep(&c->watch.fd);
	pf_sendq_done(&c->queue);
	free(c);
}

static void watch_for(struct client *c)
{
	uint32_t events = c->deaf ? 0 : EPOLLIN;
	events |= pf_sendq_waiting(&c->queue) > 0 ? EPOLLOUT : 0;
	if (c->server->loop)
		(void)pf_loop_change(c->server->loop, &c->watch, events);
}

/* Return: is the client still there? */
static bool send_to(struct client *c, struct pf_view text)
{
	if (pf_sendq_waiting(&c->queue) > PF_OUTLET_BEHIND_MAX) {
		drop(c, "reads too slowly");
		return false;
	}
	bool waited = pf_sendq_waiting(&c->queue) > 0;
	if (pf_sendq_put(&c->queue, text) < 0) {
		drop(c, NULL);
		return false;
	}
	if (waited != (pf_sendq_waiting(&c->queue) > 0))
		watch_for(c);
	return true;
}

/* What clients say is read and forgotten. */
static void client_ready(struct pf_watch *w, uint32_t events)
{
	struct client *c = (struct client *)((char *)w - offsetof(struct client, watch));
	char words[4096];
	if (events & (EPOLLERR | EPOLLHUP)) {
		drop(c, NULL);
		return;
	}
	if (events & EPOLLIN) {
		ssize_t n = recv(w->fd, words, sizeof(words), MSG_DONTWAIT);
		c->deaf = n == 0;
	}
	if ((events & EPOLLOUT) && pf_sendq_push(&c->queue) < 0) {
		drop(c, NULL);
		return;
	}
	watch_for(c);
}

/* Told once, until there is room again: somebody who tries all the time must not fill the log. */
static void turn_away(struct server *s)
{
	if (!s->full)
		pf_notice(s->notice, PF_WARNING, "too many clients: others are turned away");
	s->full = true;
}

static void accept_one(struct server *s, int fd)
{
	struct client *c = s->n_clients < PF_OUTLET_CLIENTS_MAX ? calloc(1, sizeof(*c)) : NULL;
	if (!c) {
		turn_away(s);
		pf_closep(&fd);
		return;
	}
	s->full = false;
	*c = (struct client){
		.watch = { fd, client_ready }, .server = s, .next = s->clients, .queue = { .fd = fd }, .fresh = true
	};
	s->clients = c;
	s->n_clients++;
	if (pf_loop_add(s->loop, &c->watch, EPOLLIN) < 0)
		drop(c, NULL);
	else if (s->preface.n > 0)
		(void)send_to(c, pf_buf_text(&s->preface));
}

static void server_ready(struct pf_watch *w, uint32_t events)
{
	struct server *s = (struct server *)((char *)w - offsetof(struct server, watch));
	(void)events;
	int fd = pf_accept(w->fd, &s->spare);
	if (fd >= 0)
		accept_one(s, fd);
	else if (fd == -EMFILE || fd == -ENFILE)
		turn_away(s);
}

static int put(struct pf_outlet *o, struct pf_view text, size_t divider)
{
	struct server *s = (struct server *)o;
	struct client *next;
	for (struct client *c = s->clients; c; c = next) {
		next = c->next;
		struct pf_view part = text;
		if (c->fresh)
			part = (struct pf_view){ text.p + divider, text.n - divider };
		c->fresh = false;
		(void)send_to(c, part);
	}
	return 0;
}

static int preface(struct pf_outlet *o, struct pf_view text)
{
	struct server *s = (struct server *)o;
	if (!s->base.latecomers)
		return 0;
	pf_buf_clear(&s->preface);
	pf_buf_view(&s->preface, text);
	return s->preface.failed;
}

static int attach(struct pf_outlet *o, struct pf_loop *loop)
{
	struct server *s = (struct server *)o;
	s->loop = loop;
	return loop ? pf_loop_add(loop, &s->watch, EPOLLIN) : 0;
}

static void close_server(struct pf_outlet *o)
{
	struct server *s = (struct server *)o;
	int64_t deadline = pf_time_mono_ns() + last_wait_ns;
	while (s->clients) {
		bool slow = pf_sendq_drain(&s->clients->queue, deadline) == 1;
		drop(s->clients, slow ? "has not read all" : NULL);
	}
	pf_closep(&s->watch.fd);
	pf_closep(&s->spare);
	pf_buf_done(&s->preface);
	free(s);
}

static const struct pf_outlet_kind kind_server = {
	.put = put, .preface = preface, .attach = attach, .close = close_server
};

int pf_outlet_listen(struct pf_outlet **ret, const char *port, bool reminds, const struct pf_notice *notice)
{
	int fd = pf_listen(NULL, port);
	if (fd < 0)
		return fd;
	struct server *s = calloc(1, sizeof(*s));
	if (!s) {
		pf_closep(&fd);
		return -ENOMEM;
	}
	*s = (struct server){ .base = { .kind = &kind_server, .framed = true, .latecomers = reminds },
			      .watch = { fd, server_ready },
			      .spare = -1,
			      .notice = notice };
	*ret = &s->base;
	return 0;
}
