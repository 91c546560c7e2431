/* base/loop.c - epoll, one event at a time, so that no event is left over for something that was freed meanwhile. */
#include "base/loop.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/err.h"

/* Events of one call: who sends more must not keep us from sampling. */
enum { AT_ONCE = 64 };

int pf_loop_open(struct pf_loop *loop, struct pf_err *err)
{
	loop->fd = epoll_create1(EPOLL_CLOEXEC);
	return loop->fd >= 0 ? 0 : pf_err_set(err, -errno, "epoll: %s", strerror(errno));
}

void pf_loop_close(struct pf_loop *loop)
{
	if (loop->fd >= 0)
		(void)close(loop->fd);
	loop->fd = -1;
}

static int control(const struct pf_loop *loop, int what, struct pf_watch *w, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.ptr = w };
	return epoll_ctl(loop->fd, what, w->fd, &e) == 0 ? 0 : -errno;
}

int pf_loop_add(struct pf_loop *loop, struct pf_watch *w, uint32_t events)
{
	int rc = control(loop, EPOLL_CTL_ADD, w, events);
	loop->watches += rc == 0;
	return rc;
}

int pf_loop_change(struct pf_loop *loop, struct pf_watch *w, uint32_t events)
{
	return control(loop, EPOLL_CTL_MOD, w, events);
}

void pf_loop_forget(struct pf_loop *loop, struct pf_watch *w)
{
	if (control(loop, EPOLL_CTL_DEL, w, 0) == 0) /* else it is not watched, and there is nothing to forget */
		loop->watches--;
}

void pf_loop_serve(struct pf_loop *loop)
{
	struct epoll_event e;
	for (unsigned i = 0; loop->watches > 0 && i < AT_ONCE && epoll_wait(loop->fd, &e, 1, 0) == 1; i++) {
		struct pf_watch *w = e.data.ptr;
		w->ready(w, e.events);
	}
}
