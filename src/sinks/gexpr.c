/* sinks/gexpr.c - values to ganglia: two datagrams each, sent and forgotten. Nothing here can wait. */
#include "sinks/export.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/notice.h"
#include "base/time.h"
#include "sinks/ganglia.h"
#include "sinks/times.h"

/* Each group's summary, then its details. */
static const char order[] = "cCdDfFiImMnNlsStTxXeEgGoO";

/* @socket: connected, -1: nothing is sent; @packet: being built; @told: that sending fails */
struct gexpr {
	struct pf_export export;
	int socket;
	struct pf_buf packet;
	uint32_t report_seconds;
	const struct pf_notice *notice;
	bool told;
};

/* Nobody need listen: a refused or dropped datagram is the network's business, and told once. */
static void send_packet(struct gexpr *g)
{
	if (g->socket < 0 || g->packet.failed)
		return;
	if (send(g->socket, g->packet.p, g->packet.n, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || g->told)
		return;
	g->told = true;
	pf_notice(g->notice, PF_WARNING, "gexpr: %s:%s: %s; sampling goes on", g->export.options->host,
		  g->export.options->port, strerror(errno));
}

static void dump_packet(struct gexpr *g)
{
	struct pf_buf *out = &g->export.text.out;
	for (size_t i = 0; i < g->packet.n; i++)
		pf_buf_fmt(out, "%02x ", (unsigned char)g->packet.p[i]);
	pf_buf_char(out, '\n');
}

static void print(struct gexpr *g, const struct pf_export_item *item)
{
	struct pf_buf *out = &g->export.text.out;
	struct pf_view_options clock = { .times = PF_TIMES_HMS, .millis = true, .zone_local = true };
	pf_times_add(out, &clock, pf_time_wall_ns());
	pf_buf_fmt(out, "Name: %-25s Units: %-12s Val: %8lld Group: %-10s TTL: %3u Title: %-20s %s\n", item->name,
		   item->units ? item->units : "-", item->whole, item->group ? item->group : "-", item->ttl,
		   item->title ? item->title : "-", item->sent ? "sent" : "");
}

static void tell(struct pf_export *x, const struct pf_export_item *item)
{
	struct gexpr *g = (struct gexpr *)x;
	unsigned debug = x->options->debug;
	const struct pf_ganglia_value v = {
		.host = x->view.host ? x->view.host : "",
		.name = item->name,
		.units = item->units,
		.group = item->group,
		.title = item->title,
		.text = item->text,
		.max_gap = 2 * x->options->ttl * g->report_seconds,
		.lifetime = 4 * x->options->ttl * g->report_seconds,
	};
	for (int packet = 0; item->sent && packet < 2; packet++) {
		pf_buf_clear(&g->packet);
		if (packet == 0)
			pf_ganglia_describe(&g->packet, &v);
		else
			pf_ganglia_value(&g->packet, &v);
		if (debug & PF_EXPORT_DUMP)
			dump_packet(g);
		send_packet(g);
	}
	if ((debug & PF_EXPORT_PRINT) || (item->sent && (debug & PF_EXPORT_PRINT_SENT)))
		print(g, item);
}

static int connect_socket(struct gexpr *g, struct pf_err *err)
{
	const struct pf_export_options *o = g->export.options;
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM };
	struct addrinfo *found = NULL;
	if (o->debug & PF_EXPORT_NO_SOCKET)
		return 0;
	int rc = getaddrinfo(o->host, o->port, &hints, &found);
	if (rc != 0)
		return pf_err_set(err, -EHOSTUNREACH, "gexpr: host %s: %s", o->host, gai_strerror(rc));
	int last = EHOSTUNREACH;
	for (const struct addrinfo *a = found; a && g->socket < 0; a = a->ai_next) {
		int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) == 0) {
			g->socket = fd;
			continue;
		}
		last = errno;
		pf_closep(&fd);
	}
	freeaddrinfo(found);
	return g->socket >= 0 ? 0 : pf_err_set(err, -last, "gexpr: %s:%s: %s", o->host, o->port, strerror(last));
}

static int close_gexpr(struct pf_sink *s, struct pf_err *err)
{
	struct gexpr *g = (struct gexpr *)s;
	pf_closep(&g->socket);
	pf_buf_done(&g->packet);
	return pf_export_close(s, err);
}

static int open_gexpr(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_export *x = NULL;
	uint64_t variants = spec->export->ganglia == 'g'   ? PF_GANGLIA_NAMES | PF_GANGLIA_ALONE
			    : spec->export->ganglia == 'G' ? PF_GANGLIA_NAMES
							   : 0;
	const struct pf_export_form form = { .sink = &pf_sink_gexpr,
					     .size = sizeof(struct gexpr),
					     .view = PF_VIEW_GEXPR,
					     .order = order,
					     .variants = variants,
					     .module_kind = 'g',
					     .tell = tell };
	int rc = pf_export_open(&x, &form, spec, err);
	if (rc < 0)
		return rc;
	struct gexpr *g = (struct gexpr *)x;
	g->socket = -1;
	g->notice = spec->notice;
	double seconds = x->seconds * x->every;
	g->report_seconds = seconds < 1 ? 1 : seconds < 1e6 ? (uint32_t)seconds : 1000000;
	rc = connect_socket(g, err);
	if (rc < 0)
		(void)close_gexpr(&x->text.sink, NULL);
	else
		*ret_sink = &x->text.sink;
	return rc;
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct pf_export *x = (struct pf_export *)s;
	struct pf_calc_step calc;
	(void)err;
	int rc = pf_export_begin(x, step, &calc);
	if (rc <= 0)
		return rc;
	pf_export_tell(x);
	return pf_textview_end(&x->text);
}

const struct pf_sink_kind pf_sink_gexpr = {
	.name = "gexpr",
	.open = open_gexpr,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_gexpr,
};
