/* base/loop.h - descriptors that are looked after while a program waits for something else. */
#ifndef PF_BASE_LOOP_H
#define PF_BASE_LOOP_H

#include <stdint.h>

struct pf_err;

/* @fd: of epoll(7), readable when something is to be done: to be polled beside what is really waited for; -1: not open.
 * @watches: how many there are; without any nobody has to be asked */
struct pf_loop {
	int fd;
	unsigned watches;
};

/**
 * struct pf_watch - one descriptor and what to do when it is ready. Embedded in what it serves.
 * @ready: @events as of epoll_ctl(2). It may forget any watch, its own included, and free what holds it; it must not wait.
 */
struct pf_watch {
	int fd;
	void (*ready)(struct pf_watch *w, uint32_t events);
};

int pf_loop_open(struct pf_loop *loop, struct pf_err *err);
void pf_loop_close(struct pf_loop *loop);

/* pf_loop_add() - watch @w->fd for @events. pf_loop_change() - for others from now on. pf_loop_forget() - no more; before it is closed.
 * Return: 0 or negative errno. */
int pf_loop_add(struct pf_loop *loop, struct pf_watch *w, uint32_t events);
int pf_loop_change(struct pf_loop *loop, struct pf_watch *w, uint32_t events);
void pf_loop_forget(struct pf_loop *loop, struct pf_watch *w);

/* pf_loop_serve() - do what is ready now, without waiting; what comes in too large numbers stays for the next call. */
void pf_loop_serve(struct pf_loop *loop);

#endif
