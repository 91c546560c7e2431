/* sources/pmcdlink.c - the connection to a pmcd: bytes out, messages in. */
#include "sources/pmcdlink.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/err.h"
#include "base/time.h"

/* Room that is asked for at least; and what a message may leave behind of it. */
enum { READ_MIN = 16384, KEEP_MAX = 1 << 20 };

static void add_socket(struct pf_pmcd_link *l, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	memcpy(to.sun_path, path, strnlen(path, sizeof(to.sun_path) - 1));
	struct pf_pmcd_address *a = &l->addresses[l->n_addresses++];
	memcpy(&a->to, &to, sizeof(to));
	a->n = sizeof(to);
}

int pf_pmcd_link_init(struct pf_pmcd_link *l, const struct pf_pmcd_spec *spec, struct pf_err *err)
{
	*l = (struct pf_pmcd_link){ .fd = -1, .times = pf_pmcd_times() };
	int rc = 0;
	if (spec->path[0])
		add_socket(l, spec->path);
	for (unsigned i = 0; i < spec->n_ports && rc >= 0 && l->n_addresses < PF_PMCD_ADDRESSES; i++) {
		rc = pf_pmcd_lookup(spec->host, spec->ports[i], l->times.connect_ns, l->addresses + l->n_addresses,
				    PF_PMCD_ADDRESSES - l->n_addresses, err);
		l->n_addresses += rc > 0 ? (unsigned)rc : 0;
	}
	return l->n_addresses > 0 ? 0 : rc;
}

void pf_pmcd_link_close(struct pf_pmcd_link *l)
{
	if (l->fd >= 0)
		(void)close(l->fd);
	l->fd = -1;
	l->connected = l->waits = false;
	pf_buf_clear(&l->out);
	pf_buf_clear(&l->in);
	l->out.failed = l->in.failed = 0;
	l->out_done = l->in_used = 0;
	if (l->in.cap > KEEP_MAX)
		pf_buf_done(&l->in);
}

void pf_pmcd_link_done(struct pf_pmcd_link *l)
{
	pf_pmcd_link_close(l);
	pf_buf_done(&l->out);
	pf_buf_done(&l->in);
}

void pf_pmcd_link_begin(struct pf_pmcd_link *l)
{
	pf_pmcd_link_close(l);
	l->at = 0;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Return: 1 ready, 0 not until then, negative errno. */
static int wait_for(const struct pf_pmcd_link *l, short events, int64_t until_ns)
{
	for (;;) {
		int64_t left = until_ns - pf_time_mono_ns();
		left = left > 0 ? left : 0;
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd p = { .fd = l->fd, .events = events };
		int n = ppoll(&p, 1, &ts, NULL);
		if (n < 0 && errno == EINTR)
			continue;
		return n < 0 ? -errno : n;
	}
}

/* Return: 1 connected, 0 on its way, negative errno. */
static int start(struct pf_pmcd_link *l)
{
	const struct pf_pmcd_address *a = &l->addresses[l->at];
	l->fd = socket(a->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0)
		return -errno;
	l->deadline_ns = pf_time_mono_ns() + l->times.connect_ns;
	int one = 1;
	if (a->to.ss_family != AF_UNIX)
		(void)setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)); /* only makes it quicker */
	if (connect(l->fd, (const struct sockaddr *)&a->to, a->n) == 0)
		return 1;
	/* A local socket whose queue is full says EAGAIN: its server is busy, or stopped. */
	return errno == EINPROGRESS ? 0 : -errno;
}

static int go_on_connecting(const struct pf_pmcd_link *l, int64_t until_ns)
{
	int rc = wait_for(l, POLLOUT, sooner(until_ns, l->deadline_ns));
	if (rc < 0)
		return rc;
	if (rc == 0)
		return pf_time_mono_ns() >= l->deadline_ns ? -ETIMEDOUT : 0;
	int error = 0;
	socklen_t n = sizeof(error);
	if (getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &n) < 0)
		return -errno;
	return error ? -error : 1;
}

/* One address after the other. Return: as above; the error is that of the last one. */
static int connect_any(struct pf_pmcd_link *l, int64_t until_ns, struct pf_err *err)
{
	for (;;) {
		int rc = l->fd < 0 ? start(l) : go_on_connecting(l, until_ns);
		if (rc == 0 && l->fd >= 0 && pf_time_mono_ns() < until_ns)
			rc = go_on_connecting(l, until_ns);
		if (rc == 1) {
			l->connected = l->waits = true; /* the pmcd speaks first */
			l->deadline_ns = pf_time_mono_ns() + l->times.request_ns;
		}
		if (rc >= 0)
			return rc;
		if (l->fd >= 0)
			(void)close(l->fd);
		l->fd = -1;
		if (++l->at >= l->n_addresses)
			return pf_err_set(err, rc, "%s",
					  rc == -ETIMEDOUT || rc == -EAGAIN ? "it does not take connections"
									    : strerror(-rc));
	}
}

/* Return: 0, also if not all could be sent; negative errno. */
static int push(struct pf_pmcd_link *l, struct pf_err *err)
{
	if (l->out.failed)
		return pf_err_set(err, -ENOMEM, "no memory for a question");
	while (l->out_done < l->out.n) {
		if (!l->waits)
			l->deadline_ns = pf_time_mono_ns() + l->times.request_ns;
		l->waits = true;
		ssize_t n = send(l->fd, l->out.p + l->out_done, l->out.n - l->out_done, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN
				       ? 0
				       : pf_err_set(err, -errno, "the connection has ended: %s", strerror(errno));
		l->out_done += (size_t)n;
	}
	pf_buf_clear(&l->out);
	l->out_done = 0;
	return 0;
}

/* What came, behind what is there. Return: 1 something, 0 nothing, negative errno. */
static int pull(struct pf_pmcd_link *l, size_t need, struct pf_err *err)
{
	if (l->in_used > 0) {
		memmove(l->in.p, l->in.p + l->in_used, l->in.n - l->in_used);
		l->in.n -= l->in_used;
		l->in_used = 0;
	}
	/* No more room than has come already: who lies about a length gets no memory for it. */
	size_t more = need > l->in.n ? need - l->in.n : 0;
	size_t limit = l->in.n > READ_MIN ? l->in.n : READ_MIN;
	more = more > limit ? limit : more < READ_MIN ? READ_MIN : more;
	char *room = pf_buf_reserve(&l->in, more);
	if (!room)
		return pf_err_set(err, -ENOMEM, "no memory for an answer");
	ssize_t n = recv(l->fd, room, more, 0);
	if (n > 0) {
		l->in.n += (size_t)n;
		return 1;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n < 0)
		return pf_err_set(err, -errno, "the connection has ended: %s", strerror(errno));
	return pf_err_set(err, -ECONNRESET, "the connection was ended at the other side");
}

/* The next message of what has come. */
static int cut(struct pf_pmcd_link *l, struct pf_pdu *ret_pdu, size_t *ret_need, struct pf_err *err)
{
	struct pf_view rest = { l->in.p ? l->in.p + l->in_used : "", l->in.n - l->in_used };
	int rc = pf_pdu_cut(rest, ret_pdu, ret_need, err);
	if (rc == 1) {
		l->in_used += ret_pdu->bytes.n;
		l->deadline_ns = pf_time_mono_ns() + l->times.request_ns;
	}
	return rc;
}

int pf_pmcd_link_next(struct pf_pmcd_link *l, int64_t until_ns, struct pf_pdu *ret_pdu, struct pf_err *err)
{
	int rc = l->connected ? 1 : connect_any(l, until_ns, err);
	if (rc <= 0)
		return rc;
	for (;;) {
		size_t need;
		rc = push(l, err);
		if (rc == 0)
			rc = cut(l, ret_pdu, &need, err);
		int got = rc == 0 ? pull(l, need, err) : 0;
		if (got > 0)
			rc = cut(l, ret_pdu, &need, err);
		if (rc != 0 || got < 0)
			return got < 0 ? got : rc;
		int64_t now = pf_time_mono_ns();
		if (l->waits && now >= l->deadline_ns)
			return pf_err_set(err, -ETIMEDOUT, "it does not answer within %.3g seconds",
					  (double)l->times.request_ns / (double)PF_NS_PER_SEC);
		if (now >= until_ns)
			return 0;
		short events = l->out.n > l->out_done ? POLLIN | POLLOUT : POLLIN;
		rc = got > 0 ? 0 : wait_for(l, events, l->waits ? sooner(until_ns, l->deadline_ns) : until_ns);
		if (rc < 0)
			return pf_err_set(err, rc, "poll: %s", strerror(-rc));
	}
}
