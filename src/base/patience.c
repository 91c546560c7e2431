/* base/patience.c - a POSIX timer and its signal. Source: timer_create(2), timer_getoverrun(2), signal(7). */
#include "base/patience.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"
#include "base/view.h"

/* How long a thread has waited for a processor is looked up no more often than this: an older figure only makes one more patient. */
#define LOOK_NS (PF_NS_PER_SEC / 2)

/* A signal that nobody else uses; the default for it would end the process, so the handler stays once it is set. */
static int signal_number(void)
{
	return SIGRTMIN + 1;
}

/* A process that sleeps without being interruptible gets the signal late, but once for all periods that passed. */
static void count(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	struct pf_patience *p = info->si_code == SI_TIMER ? info->si_value.sival_ptr : NULL;
	if (p)
		p->fired = (sig_atomic_t)((unsigned)p->fired + 1U + (unsigned)info->si_overrun);
}

void pf_patience_init(struct pf_patience *p, int64_t period_ns)
{
	*p = (struct pf_patience){ .period_ns = period_ns, .delay_fd = -1 };
	struct sigaction action = { .sa_sigaction = count,
				    .sa_flags = SA_SIGINFO }; /* no SA_RESTART: that is the point */
	sigset_t set;
	(void)sigemptyset(&action.sa_mask); /* these cannot fail for valid numbers */
	(void)sigemptyset(&set);
	(void)sigaddset(&set, signal_number());
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal_number() };
	event.sigev_value.sival_ptr = p;
	if (sigaction(signal_number(), &action, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &set, NULL) < 0)
		return;
	p->works = timer_create(CLOCK_MONOTONIC, &event, &p->timer) == 0;
	if (p->works)
		p->delay_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/* Nanoseconds that this thread has waited for a processor; 0 where nobody counts. Line: running, waiting, times. */
static uint64_t waited_ns(const struct pf_patience *p)
{
	char text[64];
	ssize_t n = p->delay_fd >= 0 ? pread(p->delay_fd, text, sizeof(text), 0) : 0;
	struct pf_view line = { text, n > 0 ? (size_t)n : 0 };
	uint64_t running;
	uint64_t waiting;
	return pf_view_next_u64(&line, &running) == 0 && pf_view_next_u64(&line, &waiting) == 0 ? waiting : 0;
}

bool pf_patience_is_slept(const struct pf_patience *p, unsigned n)
{
	uint64_t waited = waited_ns(p) - p->delay_ns;
	return (uint64_t)(n - PF_PATIENCE_SLOW) * (uint64_t)p->period_ns >= waited;
}

static void set(struct pf_patience *p, int64_t ns)
{
	p->armed = ns > 0;
	struct itimerspec when = { 0 };
	when.it_value.tv_sec = ns / PF_NS_PER_SEC;
	when.it_value.tv_nsec = ns % PF_NS_PER_SEC;
	when.it_interval = when.it_value;
	if (p->works)
		(void)timer_settime(p->timer, 0, &when, NULL); /* cannot fail for such times */
}

void pf_patience_begin(struct pf_patience *p)
{
	int64_t now = pf_time_mono_ns();
	if (now - p->looked_ns >= LOOK_NS) {
		p->delay_ns = waited_ns(p);
		p->looked_ns = now;
	}
	if (!p->armed)
		set(p, p->period_ns);
}

void pf_patience_end(struct pf_patience *p)
{
	if (!p->stays && p->armed)
		set(p, 0);
}

void pf_patience_done(struct pf_patience *p)
{
	if (!p->works)
		return;
	set(p, 0); /* a signal that is on its way comes before this returns, while @p is still there */
	(void)timer_delete(p->timer);
	p->works = false;
	pf_closep(&p->delay_fd);
}
