/* import/wire.c - packing, unpacking, sending, receiving. */
#include "import/wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"

enum { HEAD = 4, CHUNK = 64 * 1024, SLICE_MS = 50 };

void pf_wire_begin(struct pf_wire *w, enum pf_wire_kind kind)
{
	static const char room[HEAD] = { 0 };
	w->start = w->out.n;
	pf_buf_add(&w->out, room, HEAD);
	pf_buf_char(&w->out, (char)kind);
}

void pf_wire_u64(struct pf_wire *w, uint64_t v)
{
	pf_buf_add(&w->out, &v, sizeof(v));
}

void pf_wire_double(struct pf_wire *w, double v)
{
	pf_buf_add(&w->out, &v, sizeof(v));
}

void pf_wire_text(struct pf_wire *w, struct pf_view text)
{
	pf_wire_u64(w, text.n);
	pf_buf_view(&w->out, text);
	pf_buf_char(&w->out, '\0');
}

void pf_wire_str(struct pf_wire *w, const char *text)
{
	if (text)
		pf_wire_text(w, pf_view_of(text));
	else
		pf_wire_u64(w, UINT64_MAX);
}

void pf_wire_end(struct pf_wire *w)
{
	if (w->out.failed)
		return;
	uint32_t n = (uint32_t)(w->out.n - w->start - HEAD);
	memcpy(w->out.p + w->start, &n, sizeof(n));
}

uint64_t pf_wire_get_u64(struct pf_wire_fields *f)
{
	uint64_t v = 0;
	if (f->rest.n < sizeof(v)) {
		f->bad = true;
		return 0;
	}
	memcpy(&v, f->rest.p, sizeof(v));
	f->rest = (struct pf_view){ f->rest.p + sizeof(v), f->rest.n - sizeof(v) };
	return v;
}

double pf_wire_get_double(struct pf_wire_fields *f)
{
	uint64_t bits = pf_wire_get_u64(f);
	double v;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

bool pf_wire_get_text(struct pf_wire_fields *f, struct pf_view *ret_text)
{
	*ret_text = pf_view_of("");
	uint64_t n = pf_wire_get_u64(f);
	if (f->bad || n == UINT64_MAX)
		return false;
	if (n >= f->rest.n || f->rest.p[n] != '\0') {
		f->bad = true;
		return false;
	}
	*ret_text = (struct pf_view){ f->rest.p, (size_t)n };
	f->rest = (struct pf_view){ f->rest.p + n + 1, f->rest.n - (size_t)n - 1 };
	return true;
}

const char *pf_wire_get_str(struct pf_wire_fields *f)
{
	struct pf_view text;
	return pf_wire_get_text(f, &text) ? text.p : NULL;
}

int pf_wire_next(struct pf_wire *w, struct pf_wire_fields *ret_fields)
{
	size_t have = w->in.n - w->at;
	uint32_t n = 0;
	if (have < HEAD)
		return 0;
	memcpy(&n, w->in.p + w->at, sizeof(n));
	if (n == 0 || n > PF_WIRE_MAX)
		return -EPROTO;
	if (have < HEAD + (size_t)n)
		return 0;
	const char *p = w->in.p + w->at + HEAD;
	*ret_fields = (struct pf_wire_fields){ .rest = { p + 1, n - 1 } };
	w->at += HEAD + (size_t)n;
	return (unsigned char)p[0];
}

/* Is something there that ends the program, and is only looked at between samples? */
static bool stop_is_pending(void)
{
	sigset_t set;
	return sigpending(&set) == 0 &&
	       (sigismember(&set, SIGINT) > 0 || sigismember(&set, SIGTERM) > 0 || sigismember(&set, SIGRTMIN + 2) > 0);
}

static int wait_for(int fd, short what, int64_t until_ns)
{
	for (;;) {
		int64_t left = until_ns == INT64_MAX ? INT64_MAX : until_ns - pf_time_mono_ns();
		int ms = left >= SLICE_MS * PF_NS_PER_MS ? SLICE_MS : left > 0 ? (int)(left / PF_NS_PER_MS) + 1 : 0;
		struct pollfd ready = { .fd = fd, .events = what };
		int n = poll(&ready, 1, until_ns == INT64_MAX ? -1 : ms);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (until_ns == INT64_MAX)
			continue;
		if (stop_is_pending())
			return -EINTR;
		if (left <= 0)
			return -ETIMEDOUT;
	}
}

int pf_wire_send(struct pf_wire *w, int64_t until_ns)
{
	if (w->out.failed)
		return w->out.failed;
	size_t sent = 0;
	int rc = 0;
	while (rc == 0 && sent < w->out.n) {
		ssize_t n = send(w->fd, w->out.p + sent, w->out.n - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n >= 0)
			sent += (size_t)n;
		else if (errno == EAGAIN)
			rc = wait_for(w->fd, POLLOUT, until_ns);
		else if (errno != EINTR)
			rc = errno == ECONNRESET ? -EPIPE : -errno;
	}
	pf_buf_clear(&w->out);
	return rc;
}

int pf_wire_receive(struct pf_wire *w, int64_t until_ns)
{
	if (w->at > 0) { /* nobody holds what was read before */
		memmove(w->in.p, w->in.p + w->at, w->in.n - w->at);
		w->in.n -= w->at;
		w->at = 0;
	}
	for (;;) {
		char *to = pf_buf_reserve(&w->in, CHUNK);
		if (!to)
			return w->in.failed;
		ssize_t n = recv(w->fd, to, CHUNK, MSG_DONTWAIT);
		if (n > 0) {
			w->in.n += (size_t)n;
			bool ends = until_ns != INT64_MAX && until_ns != PF_WIRE_NOW;
			return ends && pf_time_mono_ns() > until_ns ? -ETIMEDOUT : 0;
		}
		if (n == 0 || errno == ECONNRESET)
			return -EPIPE;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		int rc = wait_for(w->fd, POLLIN, until_ns);
		if (rc < 0)
			return rc;
	}
}

void pf_wire_done(struct pf_wire *w)
{
	pf_closep(&w->fd);
	w->fd = -1;
	pf_buf_done(&w->in);
	pf_buf_done(&w->out);
	w->at = 0;
}
