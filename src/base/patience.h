/* base/patience.h - a timer whose signal interrupts reads that keep us waiting, armed once for many reads. The usual read pays nothing for
 * it: whether one was slow is seen by the count of firings before and behind it. */
#ifndef PF_BASE_PATIENCE_H
#define PF_BASE_PATIENCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A read during which the timer fired so often has slept for at least one whole period. */
enum { PF_PATIENCE_SLOW = 2 };

/**
 * struct pf_patience - stays where it is between init and done: the signal refers to it.
 * @period_ns: how long a read may sleep, at least; the timer fires each such time while it is armed
 * @fired: how often it should have fired so far; counts on, compare for difference
 * @delay_fd: what the kernel tells of the time that this thread waited for a processor, -1: nothing; @delay_ns: that when it was armed. Who waits
 * for a processor has no slow file: on a busy host the read is given that time in addition.
 * @stays: reads follow one another without a pause, so the timer is left armed between them, once it is; it must be interruptible whatever is
 * done there, as everything is that writes or waits
 */
struct pf_patience {
	timer_t timer;
	bool works;
	bool stays;
	bool armed;
	int64_t period_ns;
	volatile sig_atomic_t fired;
	int delay_fd;
	uint64_t delay_ns;
	int64_t looked_ns;
};

/* pf_patience_init() - make the timer. Where there is none (refused by the system) all reads may take as long as they like. */
void pf_patience_init(struct pf_patience *p, int64_t period_ns);
void pf_patience_done(struct pf_patience *p);

/* pf_patience_begin(), pf_patience_end() - arm it around reads. */
void pf_patience_begin(struct pf_patience *p);
void pf_patience_end(struct pf_patience *p);

/* pf_patience_is_slept() - were so many firings @n more than the time waited for a processor explains? Costs a system call. */
bool pf_patience_is_slept(const struct pf_patience *p, unsigned n);

/* pf_patience_is_over() - has a read that began when @fired was @before waited too long? @p may be NULL: never. */
static inline bool pf_patience_is_over(const struct pf_patience *p, sig_atomic_t before)
{
	unsigned n = p ? (unsigned)p->fired - (unsigned)before : 0;
	return n >= PF_PATIENCE_SLOW && pf_patience_is_slept(p, n);
}

#endif
