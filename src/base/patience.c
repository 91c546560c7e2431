/* base/patience.c - a POSIX timer and its signal. Source: timer_create(2), timer_getoverrun(2), signal(7). */
#include "base/patience.h"

#include "base/time.h"

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
	*p = (struct pf_patience){ .period_ns = period_ns };
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
}

static void set(const struct pf_patience *p, int64_t ns)
{
	struct itimerspec when = { 0 };
	when.it_value.tv_sec = ns / PF_NS_PER_SEC;
	when.it_value.tv_nsec = ns % PF_NS_PER_SEC;
	when.it_interval = when.it_value;
	if (p->works)
		(void)timer_settime(p->timer, 0, &when, NULL); /* cannot fail for such times */
}

void pf_patience_begin(const struct pf_patience *p)
{
	set(p, p->period_ns);
}

void pf_patience_end(const struct pf_patience *p)
{
	set(p, 0);
}

void pf_patience_done(struct pf_patience *p)
{
	if (!p->works)
		return;
	set(p, 0); /* a signal that is on its way comes before this returns, while @p is still there */
	(void)timer_delete(p->timer);
	p->works = false;
}
