/* base/sendq.c - send what is taken, keep the rest. */
#include "base/sendq.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>

#include "base/time.h"

/* Return: bytes that were taken, or negative errno. */
static ssize_t take(int fd, const char *p, size_t n)
{
	size_t sent = 0;
	while (sent < n) {
		ssize_t got = send(fd, p + sent, n - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (got > 0)
			sent += (size_t)got;
		else if (got < 0 && errno == EINTR)
			continue;
		else if (got < 0 && errno == EAGAIN)
			break;
		else
			return got < 0 ? -errno : -EPIPE;
	}
	return (ssize_t)sent;
}

int pf_sendq_push(struct pf_sendq *q)
{
	if (pf_sendq_waiting(q) == 0)
		return 0;
	ssize_t n = take(q->fd, q->bytes.p + q->head, pf_sendq_waiting(q));
	if (n < 0)
		return (int)n;
	q->head += (size_t)n;
	if (pf_sendq_waiting(q) > 0)
		return 1;
	q->head = 0;
	pf_buf_clear(&q->bytes);
	return 0;
}

int pf_sendq_put(struct pf_sendq *q, struct pf_view text)
{
	int rc = pf_sendq_push(q);
	if (rc < 0)
		return rc;
	if (rc == 0) {
		ssize_t n = take(q->fd, text.p, text.n);
		if (n < 0)
			return (int)n;
		text = (struct pf_view){ text.p + n, text.n - (size_t)n };
	} else if (q->head > q->bytes.n / 2) { /* the sent half makes room */
		q->bytes.n -= q->head;
		memmove(q->bytes.p, q->bytes.p + q->head, q->bytes.n);
		q->head = 0;
	}
	if (text.n > 0)
		pf_buf_view(&q->bytes, text);
	return q->bytes.failed;
}

int pf_sendq_drain(struct pf_sendq *q, int64_t deadline_ns)
{
	int rc = pf_sendq_push(q);
	while (rc == 1) {
		int64_t left = deadline_ns - pf_time_mono_ns();
		if (left <= 0)
			return 1;
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd pfd = { .fd = q->fd, .events = POLLOUT };
		(void)ppoll(&pfd, 1, &ts, NULL); /* the next try tells */
		rc = pf_sendq_push(q);
	}
	return rc;
}

void pf_sendq_done(struct pf_sendq *q)
{
	pf_buf_done(&q->bytes);
	q->head = 0;
}
