/* record/loggerloop.c - when what is taken. Each task has a grid from the beginning on; times that were missed are not made up for. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "engine/stop.h"
#include "record/loggerstate.h"
#include "sinks/pcparchive.h"

enum { TIMER, CONTROL, SIGNALS, PROCESS, ANSWER, N_FDS };

void pf_logger_finish(struct pf_logger *l, enum pf_logger_reason reason, int signal)
{
	if (l->over)
		return;
	l->over = true;
	l->end = (struct pf_logger_end){ reason, signal };
}

/* What is due by now, and when it is the next time. */
static void look_at_clock(struct pf_logger *l, int64_t now)
{
	if (now >= l->end_ns)
		pf_logger_finish(l, PF_LOGGER_TIME, 0);
	for (unsigned i = 0; i < l->n_tasks; i++) {
		struct pf_logger_task *t = &l->tasks[i];
		if (t->next_ns > now)
			continue;
		t->due = true;
		t->next_ns = t->interval_ns > 0
				     ? t->next_ns + ((now - t->next_ns) / t->interval_ns + 1) * t->interval_ns
				     : INT64_MAX;
		if (t->next_ns > l->last_ns)
			t->next_ns = INT64_MAX;
	}
}

/* A count of intervals ends with what was due at the end of the last one. */
static void look_at_count(struct pf_logger *l, int64_t now)
{
	if (l->pending || now < l->last_ns)
		return;
	for (unsigned i = 0; i < l->n_tasks; i++) {
		const struct pf_logger_task *t = &l->tasks[i];
		if (t->interval_ns > 0 && (t->due || t->next_ns < INT64_MAX))
			return;
	}
	pf_logger_finish(l, PF_LOGGER_COUNT, 0);
}

static int set_timer(const struct pf_logger *l, struct pf_err *err)
{
	int64_t now = pf_time_mono_ns();
	int64_t at = now < l->last_ns && l->last_ns < l->end_ns ? l->last_ns : l->end_ns;
	struct itimerspec when = { 0 };
	for (unsigned i = 0; i < l->n_tasks; i++) {
		const struct pf_logger_task *t = &l->tasks[i];
		int64_t next = t->due && t->interval_ns == 0 ? now + PF_NS_PER_SEC : t->next_ns;
		at = next < at ? next : at;
	}
	if (at < INT64_MAX) {
		when.it_value.tv_sec = at / PF_NS_PER_SEC;
		when.it_value.tv_nsec = at % PF_NS_PER_SEC;
	}
	if (timerfd_settime(l->timer_fd, TFD_TIMER_ABSTIME, &when, NULL) < 0)
		return pf_err_set(err, -errno, "timer: %s", strerror(errno));
	return 0;
}

/* One that is done once and was done is due again if there is more of it now. */
static int plan_again(struct pf_logger *l, struct pf_err *err)
{
	if (!l->spec->config || !l->source || l->catalog->n_metrics == l->n_metrics)
		return 0;
	return pf_logger_plan(l, false, err);
}

/* Tasks that are due, one after the other: an answer that is awaited belongs to one of them. */
static int take_due(struct pf_logger *l, struct pf_err *err)
{
	for (unsigned i = 0; i < l->n_tasks && !l->over; i++) {
		struct pf_logger_task *t = l->pending ? l->pending : &l->tasks[i];
		if (!t->due)
			continue;
		int rc = pf_logger_take(l, t, err);
		if (rc < 0)
			return rc;
		bool waits = rc == 0 && t->source->kind->fd(t->source) >= 0 && l->spec->config;
		if (rc == 0 && waits) {
			l->pending = t;
			return 0;
		}
		t->due = rc == 0 && t->interval_ns == 0; /* what is taken once is taken when it can be */
		if (l->pending) {
			l->pending = NULL;
			i = UINT32_MAX; /* from the first on, since others may have come due */
		}
		pf_logger_tell_growth(l);
	}
	return plan_again(l, err);
}

static void look_at_signals(struct pf_logger *l)
{
	struct pf_stop *s = l->spec->signals;
	if (pf_stop_check(s))
		pf_logger_finish(l, PF_LOGGER_SIGNAL, s->signal);
	if (!s->hung_up)
		return;
	s->hung_up = false;
	pf_sink_pcparchive_next_volume(l->sink);
	pf_logger_look_at_volume(l);
}

static int wait(struct pf_logger *l, struct pf_err *err)
{
	struct pollfd fds[N_FDS] = { [TIMER] = { .fd = l->timer_fd, .events = POLLIN },
				     [CONTROL] = { .fd = pf_control_fd(l->control), .events = POLLIN },
				     [SIGNALS] = { .fd = l->spec->signals->fd, .events = POLLIN },
				     [PROCESS] = { .fd = l->spec->with_pid_fd, .events = POLLIN },
				     [ANSWER] = { .fd = -1, .events = POLLIN } };
	uint64_t times;
	if (l->pending)
		fds[ANSWER].fd = l->source->kind->fd(l->source);
	if (poll(fds, N_FDS, -1) < 0)
		return errno == EINTR ? 0 : pf_err_set(err, -errno, "poll: %s", strerror(errno));
	if (fds[SIGNALS].revents)
		look_at_signals(l);
	if (fds[CONTROL].revents && pf_control_serve(l->control))
		pf_logger_finish(l, PF_LOGGER_TOLD, 0);
	if (fds[PROCESS].revents)
		pf_logger_finish(l, PF_LOGGER_PROCESS, 0);
	if (fds[TIMER].revents && read(l->timer_fd, &times, sizeof(times)) < 0 && errno != EAGAIN)
		return pf_err_set(err, -errno, "timer: %s", strerror(errno));
	return 0;
}

/* Tasks have intervals of their own, so it is the default one that is counted; an answer that does not come is waited for during one more. */
static void set_count(struct pf_logger *l, int64_t now)
{
	if (l->spec->count >= (INT64_MAX - now) / l->spec->interval_ns - 1)
		return;
	l->last_ns = now + l->spec->count * l->spec->interval_ns;
	if (l->last_ns + l->spec->interval_ns < l->end_ns)
		l->end_ns = l->last_ns + l->spec->interval_ns;
}

int pf_logger_loop(struct pf_logger *l, struct pf_err *err)
{
	int64_t now = pf_time_mono_ns();
	int rc = 0;
	for (unsigned i = 0; i < l->n_tasks; i++)
		l->tasks[i].next_ns = now;
	if (l->spec->max_ns > 0 && l->spec->max_ns < l->end_ns - now)
		l->end_ns = now + l->spec->max_ns;
	if (l->spec->config && l->spec->count >= 0)
		set_count(l, now);
	while (rc == 0) {
		look_at_clock(l, pf_time_mono_ns());
		rc = l->over ? 0 : take_due(l, err);
		if (rc == 0)
			look_at_count(l, pf_time_mono_ns());
		if (rc < 0 || l->over)
			break;
		rc = set_timer(l, err);
		if (rc == 0)
			rc = wait(l, err);
	}
	return rc;
}
