/* engine/stop.c - signals through a descriptor. */
#include "engine/stop.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/term.h"
#include "base/time.h"

enum { INSIST_MS = 1000 };

/* The signal that INT and TERM become, which waits in the descriptor. */
static int carrier(void)
{
	return SIGRTMIN + 2;
}

static int64_t now_ms(void)
{
	struct timespec ts = { 0 };
	(void)clock_gettime(CLOCK_MONOTONIC, &ts); /* cannot fail */
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* INT or TERM goes into the queue with its time. If one is still there since more than a second, the program is stuck in something that
 * cannot be interrupted, and whoever says it again means it. (timeout(1) sends each twice, at once.) */
static void on_signal(int number)
{
	int saved = errno;
	sigset_t set;
	siginfo_t info;
	const struct timespec none = { 0 };
	(void)sigemptyset(&set); /* these cannot fail */
	(void)sigaddset(&set, carrier());
	int64_t value = now_ms() << 8 | number;
	while (sigtimedwait(&set, &info, &none) == carrier()) {
		int64_t before = (int64_t)(intptr_t)info.si_value.sival_ptr;
		if ((value >> 8) - (before >> 8) > INSIST_MS) {
			pf_term_rescue();
			(void)signal(number, SIG_DFL);
			(void)raise(number); /* comes when this returns */
		}
		value = before;
	}
	(void)sigqueue(getpid(), carrier(), (union sigval){ .sival_ptr = (void *)(intptr_t)value });
	errno = saved;
}

static void handle(int number)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction old;
	sigset_t set;
	(void)sigemptyset(&action.sa_mask); /* these cannot fail for valid numbers */
	(void)sigaddset(&action.sa_mask, SIGINT);
	(void)sigaddset(&action.sa_mask, SIGTERM);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN && sigaction(number, &action, NULL) == 0)
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int pf_stop_open(struct pf_stop *stop, struct pf_err *err)
{
	*stop = (struct pf_stop){ .fd = -1 };
	sigset_t set;
	(void)sigemptyset(&set); /* these cannot fail for valid numbers */
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGUSR1);
	(void)sigaddset(&set, SIGWINCH);
	(void)sigaddset(&set, carrier());
	if (sigprocmask(SIG_BLOCK, &set, &stop->before) < 0)
		return pf_err_set(err, -errno, "signals: %s", strerror(errno));
	(void)signal(SIGPIPE, SIG_IGN); /* write(2) says EPIPE instead */
	(void)signal(SIGXFSZ, SIG_IGN); /* and EFBIG: a limit on the size of files is a full disk, told and not fatal */
	stop->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (stop->fd < 0) {
		int rc = -errno;
		(void)sigprocmask(SIG_SETMASK, &stop->before, NULL);
		return pf_err_set(err, rc, "signals: %s", strerror(-rc));
	}
	stop->taken = set;
	(void)sigemptyset(&stop->ends);
	(void)sigaddset(&stop->ends, SIGHUP);
	(void)sigaddset(&stop->ends, SIGINT); /* these come so where they were ignored before, else as their carrier */
	(void)sigaddset(&stop->ends, SIGTERM);
	handle(SIGINT);
	handle(SIGTERM);
	return 0;
}

static void take(struct pf_stop *stop, int number)
{
	sigset_t one;
	(void)sigemptyset(&one); /* these cannot fail for valid numbers */
	(void)sigaddset(&one, number);
	(void)sigaddset(&stop->taken, number);
	(void)sigprocmask(SIG_BLOCK, &one, NULL);
	(void)signalfd(stop->fd, &stop->taken, SFD_NONBLOCK | SFD_CLOEXEC);
}

void pf_stop_also(struct pf_stop *stop, int number)
{
	(void)sigaddset(&stop->ends, number);
	take(stop, number);
}

void pf_stop_unless(struct pf_stop *stop, int number)
{
	(void)sigdelset(&stop->ends, number);
	take(stop, number);
}

bool pf_stop_check(struct pf_stop *stop)
{
	struct signalfd_siginfo info;
	while (read(stop->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if ((int)info.ssi_signo == carrier() && stop->signal == 0)
			stop->signal = (int)(info.ssi_ptr & 0xff);
		else if ((int)info.ssi_signo == carrier())
			continue;
		else if (info.ssi_signo == SIGHUP && stop->keeps_hup)
			stop->hung_up = true;
		else if (info.ssi_signo == SIGWINCH)
			stop->resized = true;
		else if (stop->signal == 0 && sigismember(&stop->ends, (int)info.ssi_signo))
			stop->signal = (int)info.ssi_signo;
		else if (info.ssi_signo == SIGUSR1)
			stop->flush = true;
	}
	return stop->signal != 0;
}

bool pf_stop_glance(struct pf_stop *stop)
{
	struct timespec ts = { 0 };
	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &ts); /* cannot fail */
	int64_t now_ns = (int64_t)ts.tv_sec * PF_NS_PER_SEC + ts.tv_nsec;
	if (now_ns == stop->glanced_ns)
		return stop->signal != 0;
	stop->glanced_ns = now_ns;
	return pf_stop_check(stop);
}

void pf_stop_close(struct pf_stop *stop)
{
	if (stop->fd < 0)
		return;
	bool ending = pf_stop_check(stop); /* what waits here would hit us as soon as the mask is as before */
	if (!ending) {
		(void)signal(SIGINT, SIG_DFL);
		(void)signal(SIGTERM, SIG_DFL);
		(void)pf_stop_check(stop);
		(void)sigprocmask(SIG_SETMASK, &stop->before, NULL);
	}
	(void)close(stop->fd); /* only read from */
	stop->fd = -1;
}
