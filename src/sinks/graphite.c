/* sinks/graphite.c - values as lines over TCP, a connection for each report. A listener that is slow, absent or gone never holds up
 * sampling: live nothing waits here, the loop connects and sends between samples; what could not be sent waits in a queue for the next
 * report, and a queue that is full loses its oldest lines, which is told. Playback waits for the listener. */
#include "sinks/export.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/notice.h"
#include "base/time.h"
#include "sinks/times.h"

static const char order[] = "cCdDfFiImMnNlsStTxXeEgGoO";

enum { QUEUE_MAX = 1 << 20, TELL_EVERY = 5 };

static const int64_t patience_ns = 10 * PF_NS_PER_SEC; /* with one connection */
static const int64_t last_wait_ns = 2 * PF_NS_PER_SEC; /* when closing, and for each report of a playback */
static const int64_t delay_share = 2;		       /* r= waits at most the interval divided by this */

/**
 * struct graphite
 * @loop: what connects and sends while samples are waited for; NULL in playback
 * @watch: of the socket, -1: none; @ready: it is connected; @since_ns: when it was made
 * @timer: until a report is sent; its descriptor is -1 without r=
 * @queue: lines not yet sent; @head: bytes of it that are on their way
 * @failures: in a row; @lost: lines that the queue lost
 */
struct graphite {
	struct pf_export export;
	struct addrinfo *addresses;
	struct pf_loop *loop;
	struct pf_watch watch;
	struct pf_watch timer;
	bool ready;
	int64_t since_ns;
	int64_t delay_ns;
	struct pf_buf queue;
	size_t head;
	struct pf_buf host;
	int64_t time_ns;
	unsigned failures;
	uint64_t lost;
	const struct pf_notice *notice;
};

static void hang_up(struct graphite *g)
{
	if (g->loop && g->watch.fd >= 0)
		pf_loop_forget(g->loop, &g->watch);
	int fd = PF_TAKE_FD(g->watch.fd);
	pf_closep(&fd);
	g->ready = false;
}

/* Give the connection up. A line of which only a part is on its way is sent anew. */
static void fail(struct graphite *g, int error)
{
	hang_up(g);
	while (g->head > 0 && g->queue.p[g->head - 1] != '\n')
		g->head--;
	if (g->failures++ % TELL_EVERY == 0)
		pf_notice(g->notice, PF_WARNING, "graphite: %s:%s: %s; sampling goes on, values are kept for now",
			  g->export.options->host, g->export.options->port, strerror(error));
}

static void start_connection(struct graphite *g)
{
	const struct addrinfo *a = g->addresses;
	g->watch.fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	g->since_ns = pf_time_mono_ns();
	if (g->watch.fd < 0) {
		fail(g, errno);
		return;
	}
	g->ready = connect(g->watch.fd, a->ai_addr, a->ai_addrlen) == 0;
	if (!g->ready && errno != EINPROGRESS)
		fail(g, errno);
}

/* Has connecting come to an end? Return: 0 or the error. */
static int connect_result(const struct graphite *g)
{
	int error = 0;
	socklen_t n = sizeof(error);
	if (getsockopt(g->watch.fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0)
		return errno;
	return error;
}

/* Send what the socket takes. Return: is there more to send, and a connection? */
static bool push(struct graphite *g)
{
	while (g->head < g->queue.n) {
		ssize_t n = send(g->watch.fd, g->queue.p + g->head, g->queue.n - g->head, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0) {
			g->head += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		fail(g, n < 0 ? errno : EPIPE);
		return false;
	}
	return false;
}

/* All is sent: the report ends with its connection. */
static void finish(struct graphite *g)
{
	if (g->watch.fd < 0 || g->head < g->queue.n)
		return;
	hang_up(g);
	g->failures = 0;
	g->head = 0;
	pf_buf_clear(&g->queue);
}

/* Something has come of the connection, which poll(2) or the loop tell alike. */
static void proceed(struct graphite *g, bool broken)
{
	int error = broken || !g->ready ? connect_result(g) : 0;
	if (error || (broken && g->ready)) {
		fail(g, error ? error : EPIPE);
		return;
	}
	g->ready = true;
	if (!push(g))
		finish(g);
}

static void socket_ready(struct pf_watch *w, uint32_t events)
{
	struct graphite *g = (struct graphite *)((char *)w - offsetof(struct graphite, watch));
	proceed(g, (events & (EPOLLERR | EPOLLHUP)) != 0);
}

/* Live: from now on the loop connects and sends. */
static void begin(struct graphite *g)
{
	if (g->watch.fd >= 0 || g->head == g->queue.n)
		return;
	start_connection(g);
	int rc = g->watch.fd >= 0 ? pf_loop_add(g->loop, &g->watch, EPOLLOUT) : 0;
	if (rc < 0)
		fail(g, -rc);
}

/* Go on with the connection for at most @wait_ns. */
static void work(struct graphite *g, int64_t wait_ns)
{
	int64_t end = pf_time_mono_ns() + wait_ns;
	if (g->watch.fd < 0)
		start_connection(g);
	while (g->watch.fd >= 0) {
		int64_t left = end - pf_time_mono_ns();
		left = left > 0 ? left : 0;
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd pfd = { .fd = g->watch.fd, .events = POLLOUT };
		int rc = ppoll(&pfd, 1, &ts, NULL);
		if (rc < 0 && errno != EINTR)
			fail(g, errno);
		else if (rc > 0)
			proceed(g, (pfd.revents & (POLLERR | POLLHUP)) != 0);
		else if (pf_time_mono_ns() >= end)
			return;
	}
}

/* Whoever took nothing for so long is called anew. */
static void lose_patience(struct graphite *g)
{
	if (g->watch.fd >= 0 && pf_time_mono_ns() - g->since_ns > patience_ns)
		fail(g, ETIMEDOUT);
}

/* Room in the queue: drop whole lines at its front, sent ones first. */
static void trim(struct graphite *g)
{
	size_t drop = 0;
	if (g->head > 0) { /* what is sent, up to the last whole line */
		drop = g->head;
		while (drop > 0 && g->queue.p[drop - 1] != '\n')
			drop--;
	}
	bool mid_line = g->head > drop;
	uint64_t lost = 0;
	while (g->queue.n - drop > QUEUE_MAX && !mid_line) {
		const char *end = memchr(g->queue.p + drop, '\n', g->queue.n - drop);
		drop = end ? (size_t)(end - g->queue.p) + 1 : g->queue.n;
		lost++;
	}
	memmove(g->queue.p, g->queue.p + drop, g->queue.n - drop);
	g->queue.n -= drop;
	g->head = g->head > drop ? g->head - drop : 0;
	if (lost > 0 && g->lost == 0)
		pf_notice(g->notice, PF_WARNING,
			  "graphite: the listener takes too little, the oldest values are dropped");
	g->lost += lost;
}

/* Name, value and time as they are sent. */
static void add_line(struct pf_buf *out, const struct graphite *g, const struct pf_export_item *item)
{
	pf_buf_fmt(out, "%s.%s %s %lld\n", g->host.p, item->name, item->text, (long long)(g->time_ns / PF_NS_PER_SEC));
}

/* As collectl: of d= only 1, which shows what is sent, and 8, which sends nothing. */
static void tell_peer(struct graphite *g, const struct pf_export_item *item)
{
	unsigned debug = g->export.options->debug;
	if (!item->sent)
		return;
	if (debug & PF_EXPORT_PRINT)
		add_line(&g->export.text.out, g, item);
	if (!(debug & PF_EXPORT_NO_SOCKET))
		add_line(&g->queue, g, item);
}

static void tell(struct pf_export *x, const struct pf_export_item *item)
{
	struct graphite *g = (struct graphite *)x;
	unsigned debug = x->options->debug;
	if (x->view.variants & PF_AS_PEER) {
		tell_peer(g, item);
		return;
	}
	if ((debug & PF_EXPORT_PRINT) || (item->sent && (debug & PF_EXPORT_PRINT_SENT))) {
		struct pf_view_options clock = { .times = PF_TIMES_HMS, .millis = true, .zone_local = true };
		pf_times_add(&x->text.out, &clock, pf_time_wall_ns());
		pf_buf_fmt(&x->text.out, "Name: %-20s Val: %8lld TTL: %u%s\n", item->name, item->whole, item->ttl,
			   item->sent ? " sent" : "");
	}
	bool queue = item->sent && !(debug & PF_EXPORT_NO_SOCKET);
	struct pf_buf *out = queue ? &g->queue : &x->text.out;
	if (item->sent)
		add_line(out, g, item);
}

/* PREFIX HOST POSTFIX: what stands before every name. */
static int choose_host(struct graphite *g, const char *host, struct pf_err *err)
{
	const struct pf_export_options *o = g->export.options;
	struct addrinfo hints = { .ai_flags = AI_CANONNAME, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	if (o->full_name && getaddrinfo(host, NULL, &hints, &found) == 0 && found->ai_canonname)
		host = found->ai_canonname;
	pf_buf_str(&g->host, o->prefix);
	for (; *host != '\0'; host++)
		pf_buf_char(&g->host, (char)(*host == '.' && o->escape ? o->escape : *host));
	pf_buf_str(&g->host, o->postfix);
	if (found)
		freeaddrinfo(found);
	return g->host.failed ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

static int resolve(struct graphite *g, struct pf_err *err)
{
	const struct pf_export_options *o = g->export.options;
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	if (o->debug & PF_EXPORT_NO_SOCKET)
		return 0;
	int rc = getaddrinfo(o->host, o->port, &hints, &g->addresses);
	return rc == 0 ? 0 : pf_err_set(err, -EHOSTUNREACH, "graphite: host %s: %s", o->host, gai_strerror(rc));
}

static int close_graphite(struct pf_sink *s, struct pf_err *err)
{
	struct graphite *g = (struct graphite *)s;
	if (g->addresses && g->head < g->queue.n)
		work(g, last_wait_ns);
	if (g->addresses && g->head < g->queue.n)
		pf_notice(g->notice, PF_WARNING, "graphite: %zu bytes of values could not be sent",
			  g->queue.n - g->head);
	if (g->lost > 0)
		pf_notice(g->notice, PF_WARNING, "graphite: %llu values were dropped", (unsigned long long)g->lost);
	hang_up(g);
	if (g->timer.fd >= 0)
		pf_loop_forget(g->loop, &g->timer);
	pf_closep(&g->timer.fd);
	if (g->addresses)
		freeaddrinfo(g->addresses);
	pf_buf_done(&g->queue);
	pf_buf_done(&g->host);
	return pf_export_close(s, err);
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t by_chance(int64_t most)
{
	uint64_t chance = 0;
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) != (ssize_t)sizeof(chance))
		return 0;
	return (int64_t)(chance % (uint64_t)most);
}

static void timer_ready(struct pf_watch *w, uint32_t events)
{
	struct graphite *g = (struct graphite *)((char *)w - offsetof(struct graphite, timer));
	uint64_t times;
	(void)events;
	if (read(w->fd, &times, sizeof(times)) == (ssize_t)sizeof(times))
		begin(g);
}

static int open_timer(struct graphite *g, struct pf_err *err)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd < 0)
		return pf_err_set(err, -errno, "graphite: timer: %s", strerror(errno));
	g->timer.fd = fd;
	int rc = pf_loop_add(g->loop, &g->timer, EPOLLIN);
	return rc < 0 ? pf_err_set(err, rc, "graphite: timer: %s", strerror(-rc)) : 0;
}

static int open_graphite(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_export *x = NULL;
	const struct pf_export_form form = { .sink = &pf_sink_graphite,
					     .size = sizeof(struct graphite),
					     .view = PF_VIEW_GEXPR,
					     .order = order,
					     .variants = PF_FOR_GRAPHITE,
					     .module_kind = 'g',
					     .tell = tell };
	int rc = pf_export_open(&x, &form, spec, err);
	if (rc < 0)
		return rc;
	struct graphite *g = (struct graphite *)x;
	g->watch.fd = -1;
	g->notice = spec->notice;
	g->watch.ready = socket_ready;
	g->timer = (struct pf_watch){ -1, timer_ready };
	g->loop = spec->loop;
	g->delay_ns = g->loop ? smaller(spec->export->delay_ns, spec->interval_ns / delay_share) : 0;
	rc = g->delay_ns > 0 ? open_timer(g, err) : 0;
	if (rc == 0)
		rc = choose_host(g, x->view.host ? x->view.host : "", err);
	if (rc == 0)
		rc = resolve(g, err);
	if (rc < 0)
		(void)close_graphite(&x->text.sink, NULL);
	else
		*ret_sink = &x->text.sink;
	return rc;
}

/* r=: a report waits so that not all hosts come at once. Return: is it going to be sent later? */
static bool wait_a_little(const struct graphite *g)
{
	if (g->timer.fd < 0 || g->watch.fd >= 0)
		return false;
	int64_t ns = 1 + by_chance(g->delay_ns); /* 0 would stop the timer */
	struct itimerspec when = { .it_value = { .tv_sec = ns / PF_NS_PER_SEC, .tv_nsec = ns % PF_NS_PER_SEC } };
	return timerfd_settime(g->timer.fd, 0, &when, NULL) == 0;
}

static void send_report(struct graphite *g)
{
	if (!g->loop) {
		work(g, last_wait_ns);
		lose_patience(g);
	} else {
		lose_patience(g);
		if (!wait_a_little(g))
			begin(g);
	}
	if (g->queue.n > 0)
		trim(g);
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct graphite *g = (struct graphite *)s;
	struct pf_export *x = &g->export;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_export_begin(x, step, &calc);
	if (rc <= 0)
		return rc;
	g->time_ns = step->cur->time_ns;
	pf_export_tell(x);
	if (g->queue.failed)
		return g->queue.failed;
	if (g->addresses && g->queue.n > 0)
		send_report(g);
	return pf_textview_end(&x->text);
}

const struct pf_sink_kind pf_sink_graphite = {
	.name = "graphite",
	.open = open_graphite,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_graphite,
};
