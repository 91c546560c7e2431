/* engine/stop.c - signals through a descriptor. */
#include "engine/stop.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/err.h"

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
	if (sigprocmask(SIG_BLOCK, &set, &stop->before) < 0)
		return pf_err_set(err, -errno, "signals: %s", strerror(errno));
	(void)signal(SIGPIPE, SIG_IGN); /* write(2) says EPIPE instead */
	stop->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (stop->fd < 0) {
		int rc = -errno;
		(void)sigprocmask(SIG_SETMASK, &stop->before, NULL);
		return pf_err_set(err, rc, "signals: %s", strerror(-rc));
	}
	return 0;
}

bool pf_stop_check(struct pf_stop *stop)
{
	struct signalfd_siginfo info;
	while (read(stop->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			stop->flush = true;
		else if (info.ssi_signo == SIGWINCH)
			stop->resized = true;
		else if (stop->signal == 0)
			stop->signal = (int)info.ssi_signo;
	}
	return stop->signal != 0;
}

void pf_stop_close(struct pf_stop *stop)
{
	if (stop->fd < 0)
		return;
	(void)close(stop->fd); /* only read from */
	stop->fd = -1;
	(void)sigprocmask(SIG_SETMASK, &stop->before, NULL);
}
