/* engine/pace.c - a grid of times, two clocks. */
#include "engine/pace.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/loop.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/plan.h"

/* A clock that is slewed moves less than this between two samples; reading two clocks takes less, too, and is tried again if not. */
enum { STEP_MS = 100, READ_MS = 5, TRIES = 5 };

/* Samples that follow one another without a pause look for signals, sockets and keys no more often than this. */
enum { LOOK_MS = 5 };

struct pf_pace_now pf_pace_now(void)
{
	struct pf_pace_now now;
	int64_t took;
	unsigned n = 0;
	do { /* whoever is interrupted between the two would see a step */
		now.boot_ns = pf_time_boot_ns();
		now.wall_ns = pf_time_wall_ns();
		took = pf_time_boot_ns() - now.boot_ns;
	} while (took > READ_MS * PF_NS_PER_MS && ++n < TRIES);
	return now;
}

/* collectl's samples fall on whole seconds; ours begin at once unless --align asks for more. */
static int64_t grid_base(const struct pf_plan *plan, int64_t now)
{
	int64_t a = plan->interval_ns[0];
	bool align = plan->req->align || plan->req->daemon;
	if (align && a > 0 && plan->second_every > 1)
		a = plan->interval_ns[1]; /* then samples of processes are on the multiples */
	if (a == 0 || (!align && !plan->req->as_peer))
		return now;
	int64_t grain = align || a < PF_NS_PER_SEC ? a : PF_NS_PER_SEC;
	return (now + grain - 1) / grain * grain;
}

void pf_pace_begin(struct pf_pace *p, const struct pf_plan *plan, struct pf_pace_now now)
{
	*p = (struct pf_pace){
		.interval_ns = plan->interval_ns[0],
		.base_ns = grid_base(plan, now.wall_ns),
		.end_ns = plan->runtime_ns ? now.boot_ns + plan->runtime_ns : INT64_MAX,
		.ahead_ns = now.wall_ns - now.boot_ns,
		.roll = plan->rolls ? &plan->roll : NULL,
		.roll_at_ns = plan->rolls ? pf_roll_next(&plan->roll, now.wall_ns) : INT64_MAX,
	};
}

/* How many intervals there are until something is shown of the lists. */
void pf_pace_tell_first(const struct pf_plan *plan)
{
	static const int64_t moment_ns = 2 * PF_NS_PER_SEC;
	const char *what = strpbrk(plan->letters, "yY") == NULL	 ? "processes"
			   : strpbrk(plan->letters, "Z") == NULL ? "slabs"
								 : "processes and slabs";
	int64_t wait_ns = plan->interval_ns[0] * plan->second_every;
	if (plan->req->as_peer || !strpbrk(plan->letters, "yYZ") || !pf_plan_shows(plan))
		return;
	if (plan->count >= 0 && (uint64_t)plan->count < plan->second_every)
		pf_notice(plan->notice, PF_WARNING,
			  "nothing of %s will be shown: the run ends after %lld of the %u intervals that they need",
			  what, (long long)plan->count, plan->second_every);
	else if (wait_ns > moment_ns)
		pf_notice(plan->notice, PF_WARNING,
			  "the first %s are shown in %lld seconds, one interval after they are first read", what,
			  (long long)((wait_ns + PF_NS_PER_SEC - 1) / PF_NS_PER_SEC));
}

int64_t pf_pace_due(const struct pf_pace *p, struct pf_pace_now now)
{
	if (p->interval_ns == 0)
		return now.wall_ns;
	int64_t since = now.wall_ns - p->base_ns;
	int64_t k = since >= 0 ? since / p->interval_ns + 1 : -(-since / p->interval_ns);
	int64_t due = p->base_ns + k * p->interval_ns;
	return due > now.wall_ns ? due : due + p->interval_ns;
}

bool pf_pace_is_over(const struct pf_pace *p, int64_t due_ns, struct pf_pace_now now)
{
	return p->end_ns != INT64_MAX && now.boot_ns + (due_ns - now.wall_ns) > p->end_ns;
}

/* What has come meanwhile. Return: the event that it is, PF_PACE_DUE: none. */
static enum pf_pace_event taken_in(struct pf_stop *stop)
{
	if (pf_stop_check(stop))
		return PF_PACE_STOP;
	if (stop->flush) {
		stop->flush = false;
		return PF_PACE_FLUSH;
	}
	return stop->resized ? PF_PACE_KEYS : PF_PACE_DUE;
}

enum pf_pace_event pf_pace_wait(struct pf_stop *stop, struct pf_loop *loop, int keys_fd, int64_t due_ns)
{
	int64_t now = pf_time_mono_ns();
	int64_t until = now + due_ns - pf_time_wall_ns();
	for (;;) {
		int64_t left = until > now ? until - now : 0;
		if (left == 0 && now - stop->looked_ns < LOOK_MS * PF_NS_PER_MS)
			return PF_PACE_DUE;
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd pfds[] = { { .fd = stop->fd, .events = POLLIN },
					 { .fd = loop->fd, .events = POLLIN },
					 { .fd = keys_fd, .events = POLLIN } };
		int n = ppoll(pfds, PF_N(pfds), &ts, NULL);
		now = stop->looked_ns = pf_time_mono_ns();
		if (n > 0 && pfds[1].revents != 0)
			pf_loop_serve(loop);
		enum pf_pace_event event = n > 0 && pfds[0].revents != 0 ? taken_in(stop) : PF_PACE_DUE;
		if (event != PF_PACE_DUE)
			return event;
		if (n > 0 && pfds[2].revents != 0)
			return PF_PACE_KEYS;
		if (left == 0)
			return PF_PACE_DUE;
	}
}

int64_t pf_pace_stepped(struct pf_pace *p, struct pf_pace_now now)
{
	int64_t ahead = now.wall_ns - now.boot_ns;
	int64_t step = ahead - p->ahead_ns;
	p->ahead_ns = ahead; /* drift does not add up to a step */
	if (llabs(step) < STEP_MS * PF_NS_PER_MS)
		return 0;
	if (p->roll)
		p->roll_at_ns = pf_roll_next(p->roll, now.wall_ns);
	return step;
}

bool pf_pace_rolls(struct pf_pace *p, struct pf_pace_now now)
{
	if (!p->roll || now.wall_ns < p->roll_at_ns)
		return false;
	p->roll_at_ns = pf_roll_next(p->roll, now.wall_ns);
	return true;
}
