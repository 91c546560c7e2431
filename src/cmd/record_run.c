/* cmd/record_run.c - while a recording runs: loggers, the command, signals, the line that tells how far it is. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/program.h"
#include "base/sentence.h"
#include "base/time.h"
#include "cmd/record_job.h"
#include "cmd/say.h"
#include "record/logger.h"
#include "record/session.h"

extern char **environ;

/* Children are given them as usual. */
int pf_record_watch_signals(struct pf_record_job *job, struct pf_err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set;
	(void)sigemptyset(&set);
	for (unsigned i = 0; i < PF_N(signals); i++)
		(void)sigaddset(&set, signals[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return pf_err_set(err, -errno, "signals: %s", strerror(errno));
	(void)signal(SIGPIPE, SIG_IGN); /* whoever reads what we say may go away */
	(void)signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk */
	job->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return job->signal_fd < 0 ? pf_err_set(err, -errno, "signals: %s", strerror(errno)) : 0;
}

int pf_record_check_command(const char *name, struct pf_err *err)
{
	int rc = pf_program_find(name);
	if (rc == -ENOENT && !strchr(name, '/'))
		return pf_err_set(err, rc, "cannot run %s: no such program in the folders of $PATH", name);
	return rc < 0 ? pf_err_set(err, rc, "cannot run %s: %s", name, strerror(-rc)) : 0;
}

static int start_command(struct pf_record_job *job, struct pf_err *err)
{
	posix_spawnattr_t attr;
	sigset_t none, usual;
	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	(void)sigaddset(&usual, SIGXFSZ);
	int rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		(void)posix_spawnattr_setsigmask(&attr, &none);
		(void)posix_spawnattr_setsigdefault(&attr, &usual);
		(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawnp(&job->command_pid, job->command[0], NULL, &attr, job->command, environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	if (rc != 0) {
		job->command_pid = 0;
		return pf_err_set(err, -rc, "cannot run %s: %s", job->command[0], strerror(rc));
	}
	return 0;
}

/* The terminal tells the command of ^C itself; what is meant for us alone is passed on. A second signal ends the recording anyhow. */
static void on_signal(struct pf_record_job *job, int number)
{
	if (number == SIGCHLD)
		return;
	job->interrupted++;
	if (job->command_pid > 0 && number != SIGINT)
		(void)kill(job->command_pid, number);
	if (job->command_pid > 0 && job->interrupted == 1)
		return;
	int64_t now = pf_time_mono_ns();
	if (job->stopped_ns > 0 && now - job->stopped_ns > PF_NS_PER_SEC)
		pf_session_kill(job->session); /* stuck in a module, and whoever says it again means it */
	if (job->stopped_ns == 0)
		job->stopped_ns = now;
	pf_session_stop(job->session);
}

static void read_signals(struct pf_record_job *job)
{
	struct signalfd_siginfo info;
	while (read(job->signal_fd, &info, sizeof(info)) == sizeof(info))
		on_signal(job, (int)info.ssi_signo);
}

static void reap_command(struct pf_record_job *job)
{
	int status;
	if (job->command_pid <= 0 || waitpid(job->command_pid, &status, WNOHANG) != job->command_pid)
		return;
	job->command_pid = 0;
	job->command_status = status;
	pf_session_stop(job->session);
}

void pf_record_tell(struct pf_record_job *job, const char *fmt, ...)
{
	char text[2 * PF_ERR_TEXT];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	pf_progress_erase(&job->progress);
	(void)fprintf(stderr, "%s\n", text);
}

/* Samples that host @i should have by now and has not. */
static uint64_t missed(struct pf_record_job *job, unsigned i, int64_t now)
{
	const struct pf_session_host *h = pf_session_host(job->session, i);
	struct pf_record_pace *pace = &job->paces[i];
	if (h->last_ns == 0)
		return 0;
	if (pace->mono_ns == 0)
		*pace = (struct pf_record_pace){ now, h->samples };
	uint64_t due = pace->samples + (uint64_t)((now - pace->mono_ns) / job->interval_ns);
	return due > h->samples + 1 ? due - h->samples - 1 : 0; /* one may just be on its way */
}

static void draw(struct pf_record_job *job)
{
	uint64_t samples = 0, bytes = 0, gaps = 0;
	unsigned on = 0;
	int64_t now = pf_time_mono_ns();
	struct pf_buf text = { 0 };
	for (unsigned i = 0; i < job->n_hosts; i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		samples += h->samples;
		bytes += h->bytes;
		on += h->status == -1;
		gaps += h->status == -1 ? missed(job, i, now) : 0;
	}
	pf_escape_text(&text, pf_view_of(job->folio));
	pf_buf_str(&text, ": ");
	if (on < job->n_hosts)
		pf_buf_fmt(&text, "%u of ", on);
	pf_buf_fmt(&text, "%u host%s, %" PRIu64 " sample%s, ", job->n_hosts, job->n_hosts == 1 ? "" : "s", samples,
		   samples == 1 ? "" : "s");
	pf_say_bytes(&text, (double)bytes);
	pf_buf_fmt(&text, ", %" PRIu64 " missed", gaps);
	if (!text.failed)
		pf_progress_draw(&job->progress, text.p);
	pf_buf_done(&text);
}

/* Milliseconds until hosts are to be asked how far they are, which is done if it is time; -1: nobody wants to know. */
static int ask(struct pf_record_job *job)
{
	if (job->progress.term < 0)
		return -1;
	int64_t now = pf_time_mono_ns();
	if (now - job->asked_ns >= PF_NS_PER_SEC) {
		job->asked_ns = now;
		(void)pf_session_ask(job->session, PF_SESSION_ALL, PF_SESSION_NUMBERS,
				     NULL); /* who is gone says nothing */
	}
	return (int)((job->asked_ns + PF_NS_PER_SEC - now) / PF_NS_PER_MS) + 1;
}

static int wait_for_news(struct pf_record_job *job)
{
	enum { SIGNALS, MESSAGES, FIRST_HOST };
	struct pollfd fds[PF_RECORD_HOSTS + FIRST_HOST];
	unsigned hosts[PF_RECORD_HOSTS + FIRST_HOST];
	nfds_t n = FIRST_HOST;
	bool told = false;
	fds[SIGNALS] = (struct pollfd){ .fd = job->signal_fd, .events = POLLIN };
	fds[MESSAGES] = (struct pollfd){ .fd = job->progress.pipe, .events = POLLIN };
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		int fd = pf_session_host(job->session, i)->fd;
		if (fd < 0)
			continue;
		hosts[n] = i;
		fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	if (poll(fds, n, ask(job)) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[SIGNALS].revents)
		read_signals(job);
	if (fds[MESSAGES].revents)
		pf_progress_pass(&job->progress);
	for (nfds_t k = FIRST_HOST; k < n; k++) {
		if (fds[k].revents)
			told |= pf_session_read(job->session, hosts[k]);
	}
	if (told && job->asked_ns > 0 && job->stopped_ns == 0)
		draw(job);
	return 0;
}

static bool all_began(const struct pf_record_job *job)
{
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (!h->ready && h->status == -1)
			return false;
	}
	return true;
}

/* Somebody who started this without an end must learn that it runs, and how to end it. */
static void tell_endless(struct pf_record_job *job)
{
	if (!job->endless || job->detach || !all_began(job))
		return;
	job->endless = false;
	job->grows = true;
	pf_record_tell(job, "recording into %s until interrupted (Ctrl-C)", job->folio);
}

/* ... and what it takes. */
static void tell_growth(struct pf_record_job *job)
{
	char text[80];
	uint64_t bytes = 0;
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (h->growth == 0)
			return;
		bytes += h->growth;
	}
	if (job->grows)
		pf_record_tell(job, "%s", pf_logger_growth(text, sizeof(text), bytes));
	job->grows = false;
}

/* Whoever has a sample goes on alone. */
static void detach(struct pf_record_job *job)
{
	(void)pf_session_ask(job->session, PF_SESSION_ALL, PF_SESSION_DETACH,
			     NULL); /* who is gone is told of at the end */
	job->detached = true;
}

/* The command starts when every logger has its first sample, unless one failed. */
int pf_record_supervise(struct pf_record_job *job, struct pf_err *err)
{
	bool start = job->command != NULL;
	int rc = 0;
	for (;;) {
		unsigned running = pf_session_reap(job->session);
		reap_command(job);
		if (running == 0 && job->command_pid <= 0 && (!start || all_began(job)))
			return rc;
		if (job->detach && running > 0 && job->stopped_ns == 0 && all_began(job)) {
			detach(job);
			return 0;
		}
		if (running > 0)
			tell_endless(job);
		tell_growth(job);
		if (start && running > 0 && all_began(job)) {
			start = false;
			rc = start_command(job, err);
			if (rc < 0)
				pf_session_stop(job->session);
		}
		int wait_rc = wait_for_news(job);
		if (wait_rc < 0)
			return pf_err_set(err, wait_rc, "poll: %s", strerror(-wait_rc));
	}
}
