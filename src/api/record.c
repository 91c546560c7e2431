/* api/record.c - libperfolio.so.0: sessions of recording for any program. */
#pragma GCC visibility push(default)
#include "perfolio/record.h"
#pragma GCC visibility pop

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/libexec.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "record/session.h"

/* Another thread may take the event that we wait for, so we look again after SLICE_MS. What is stopped at the end has PATIENCE_NS. */
enum { SLICE_MS = 50 };
#define PATIENCE_NS (10 * PF_NS_PER_SEC)

/* @pid_fd: readable when the logger has ended, -1: no more; @told: the state that the caller knows of; @log: path; @reason: why it failed, once that was
 * looked for */
struct watched {
	int pid_fd;
	int told;
	char *log;
	char *reason;
	bool looked;
};

/**
 * struct perfolio_record - a session for several threads.
 * @lock: whoever has it uses the session
 * @poll_fd: epoll of all channels and processes, edge-triggered, so that an end is told once; and of @news_fd
 * @news_fd: there are changes that another call than dispatch has seen
 */
struct perfolio_record {
	pthread_mutex_t lock;
	struct pf_session *session;
	bool started;
	int poll_fd;
	int news_fd;
	struct watched *watched;
	void (*changed)(void *arg, struct perfolio_record *r, int host, const struct perfolio_record_host *now);
	void *arg;
};

/* An error for the outside, and the value to return. */
static int fail(struct perfolio_record_error *err, int rc, const struct pf_err *why)
{
	if (err) {
		err->rc = rc;
		(void)snprintf(err->text, sizeof(err->text), "%s", why->text[0] ? why->text : strerror(-rc));
	}
	return rc;
}

/* A field of a struct that may come from a program built for an older header. */
#define HAS(s, field) ((s)->size >= offsetof(__typeof__(*(s)), field) + sizeof((s)->field))

static int check_options(const struct perfolio_record_options *o, struct pf_err *err)
{
	if (!o || !HAS(o, folio) || !o->folio)
		return pf_err_set(err, -EINVAL, "no folio is named");
	if (o->folio[0] == '\0')
		return pf_err_set(err, -EINVAL, "the name of the folio is empty");
	return 0;
}

static int open_events(struct perfolio_record *r, struct pf_err *err)
{
	r->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	r->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct epoll_event event = { .events = EPOLLIN };
	if (r->poll_fd < 0 || r->news_fd < 0 || epoll_ctl(r->poll_fd, EPOLL_CTL_ADD, r->news_fd, &event) < 0)
		return pf_err_set(err, -errno, "no descriptors for events: %s", strerror(errno));
	return 0;
}

int perfolio_record_new(struct perfolio_record **ret_record, const struct perfolio_record_options *options,
			struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	int rc = check_options(options, &why);
	if (rc < 0)
		return fail(err, rc, &why);
	struct perfolio_record *r = calloc(1, sizeof(*r));
	if (!r)
		return fail(err, -ENOMEM, &why);
	(void)pthread_mutex_init(&r->lock, NULL); /* cannot fail without attributes */
	r->poll_fd = -1;
	r->news_fd = -1;
	r->changed = HAS(options, changed) ? options->changed : NULL;
	r->arg = HAS(options, arg) ? options->arg : NULL;
	const char *creator = HAS(options, creator) ? options->creator : NULL;
	const struct pf_session_spec spec = { .folio = options->folio,
					      .creator = creator ? creator : program_invocation_short_name,
					      .form = PF_SESSION_LOG,
					      .logs = true };
	rc = open_events(r, &why);
	if (rc == 0)
		rc = pf_session_new(&r->session, &spec, &why);
	if (rc < 0) {
		perfolio_record_free(r);
		return fail(err, rc, &why);
	}
	*ret_record = r;
	return 0;
}

/* Room for what we know of one more host. */
static int add_watched(struct perfolio_record *r)
{
	unsigned n = pf_session_n_hosts(r->session);
	struct watched *more = reallocarray(r->watched, n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	r->watched = more;
	more[n] = (struct watched){ .pid_fd = -1, .told = PERFOLIO_RECORD_ADDED };
	return 0;
}

static int add(struct perfolio_record *r, const char *host, bool is_default, struct pf_err *err)
{
	int rc = host ? add_watched(r) : pf_err_set(err, -EINVAL, "no host is named");
	if (rc == 0)
		rc = pf_session_add(r->session, host, is_default, err);
	if (rc < 0)
		return rc;
	unsigned i = pf_session_n_hosts(r->session) - 1;
	if (asprintf(&r->watched[i].log, "%s.log", pf_session_host(r->session, i)->base) < 0)
		r->watched[i].log = NULL; /* is not told then */
	return (int)i;
}

int perfolio_record_add(struct perfolio_record *r, const char *host, int is_default, struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	(void)pthread_mutex_lock(&r->lock);
	int rc = add(r, host, is_default != 0, &why);
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : rc;
}

/* The engine's number of a host. */
static int number(const struct perfolio_record *r, int host, unsigned *ret_i, struct pf_err *err)
{
	*ret_i = PF_SESSION_ALL;
	if (host == PERFOLIO_RECORD_ALL)
		return 0;
	if (host < 0 || (unsigned)host >= pf_session_n_hosts(r->session))
		return pf_err_set(err, -EINVAL, "there is no host with the number %d", host);
	*ret_i = (unsigned)host;
	return 0;
}

int perfolio_record_arg(struct perfolio_record *r, int host, const char *word, struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	unsigned i;
	(void)pthread_mutex_lock(&r->lock);
	int rc = word ? number(r, host, &i, &why) : pf_err_set(&why, -EINVAL, "no word is given");
	if (rc == 0)
		rc = pf_session_arg(r->session, i, word, &why);
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : 0;
}

/* What cannot be watched is found out about when somebody asks. */
static void watch(const struct perfolio_record *r)
{
	for (unsigned i = 0; i < pf_session_n_hosts(r->session); i++) {
		const struct pf_session_host *h = pf_session_host(r->session, i);
		struct watched *w = &r->watched[i];
		struct epoll_event event = { .events = EPOLLIN | EPOLLET };
		w->told = PERFOLIO_RECORD_LAUNCHED;
		w->pid_fd = (int)syscall(SYS_pidfd_open, h->pid, 0);
		(void)epoll_ctl(r->poll_fd, EPOLL_CTL_ADD, h->fd, &event);
		if (w->pid_fd >= 0)
			(void)epoll_ctl(r->poll_fd, EPOLL_CTL_ADD, w->pid_fd, &event);
	}
}

static int start(struct perfolio_record *r, struct pf_err *err)
{
	pf_autofree char *program = pf_libexec_find("perfolio");
	if (!program)
		return -ENOMEM;
	int rc = pf_session_arg(r->session, PF_SESSION_ALL, "--tell", err);
	if (rc == 0)
		rc = pf_session_start(r->session, program, err);
	if (rc < 0)
		return pf_err_context(err, rc, "%s", program);
	r->started = true;
	watch(r);
	return 0;
}

int perfolio_record_start(struct perfolio_record *r, struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	(void)pthread_mutex_lock(&r->lock);
	int rc = pf_session_phase(r->session) == PF_SESSION_HOSTS
			 ? start(r, &why)
			 : pf_err_set(&why, -EINVAL, "a session is started once, when it has hosts");
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : 0;
}

static int state_of(const struct perfolio_record *r, const struct pf_session_host *h)
{
	if (!r->started)
		return PERFOLIO_RECORD_ADDED;
	if (h->status != -1 || h->lost)
		return PERFOLIO_RECORD_ENDED;
	if (h->detached)
		return PERFOLIO_RECORD_DETACHED;
	return h->ready ? PERFOLIO_RECORD_RECORDING : PERFOLIO_RECORD_LAUNCHED;
}

/* Without the lock of a call that is told of changes, they wait for dispatch. */
static void leave_news(const struct perfolio_record *r)
{
	for (unsigned i = 0; i < pf_session_n_hosts(r->session); i++) {
		if (state_of(r, pf_session_host(r->session, i)) == r->watched[i].told)
			continue;
		(void)eventfd_write(r->news_fd, 1); /* fails only when it is full of news */
		return;
	}
}

static int drain(const struct perfolio_record *r)
{
	struct epoll_event events[64];
	eventfd_t ignored;
	int n = epoll_wait(r->poll_fd, events, PF_N(events), 0);
	while (n == PF_N(events))
		n = epoll_wait(r->poll_fd, events, PF_N(events), 0);
	return eventfd_read(r->news_fd, &ignored);
}

/* Why a logger that has ended failed. What cannot be told is NULL. */
static void find_reason(const struct perfolio_record *r, unsigned i)
{
	const struct pf_session_host *h = pf_session_host(r->session, i);
	struct watched *w = &r->watched[i];
	if (w->looked || h->status == -1 || h->status == 0)
		return;
	w->looked = true;
	if (!WIFSIGNALED(h->status))
		w->reason = pf_session_last_words(r->session, i);
	else if (asprintf(&w->reason, "its logger was ended by signal %d", WTERMSIG(h->status)) < 0)
		w->reason = NULL;
}

/* Take what there is. Return: how many are running; @ret_ours: those of them that are not detached. */
static unsigned take_news(const struct perfolio_record *r, unsigned *ret_ours)
{
	*ret_ours = 0;
	if (!r->started)
		return 0;
	(void)drain(r);
	for (unsigned i = 0; i < pf_session_n_hosts(r->session); i++) {
		while (pf_session_read(r->session, i))
			;
	}
	unsigned running = pf_session_reap(r->session);
	for (unsigned i = 0; i < pf_session_n_hosts(r->session); i++) {
		int state = state_of(r, pf_session_host(r->session, i));
		if (state == PERFOLIO_RECORD_ENDED) {
			pf_closep(&r->watched[i].pid_fd);
			r->watched[i].pid_fd = -1;
			find_reason(r, i);
		}
		*ret_ours += state == PERFOLIO_RECORD_LAUNCHED || state == PERFOLIO_RECORD_RECORDING;
	}
	return running;
}

static int ask(struct perfolio_record *r, int host, enum pf_session_request request, struct pf_err *err)
{
	unsigned i, ours;
	int rc = number(r, host, &i, err);
	if (rc < 0)
		return rc;
	(void)take_news(r, &ours);
	rc = pf_session_ask(r->session, i, request, NULL);
	for (unsigned k = 0; request == PF_SESSION_DETACH && k < pf_session_n_hosts(r->session); k++) {
		if (state_of(r, pf_session_host(r->session, k)) == PERFOLIO_RECORD_DETACHED)
			r->watched[k].told = PERFOLIO_RECORD_DETACHED; /* as the caller wanted */
	}
	leave_news(r);
	if (rc == -EPIPE)
		return pf_err_set(err, rc, "the logger is gone");
	return rc == -EINVAL ? pf_err_set(err, rc, "no such host is being recorded") : rc;
}

int perfolio_record_stop(struct perfolio_record *r, int host, struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	(void)pthread_mutex_lock(&r->lock);
	int rc = ask(r, host, PF_SESSION_STOP, &why);
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : 0;
}

int perfolio_record_detach(struct perfolio_record *r, int host, struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	(void)pthread_mutex_lock(&r->lock);
	int rc = ask(r, host, PF_SESSION_DETACH, &why);
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : 0;
}

static void describe(const struct perfolio_record *r, unsigned i, struct perfolio_record_host *now)
{
	const struct pf_session_host *h = pf_session_host(r->session, i);
	*now = (struct perfolio_record_host){ .size = sizeof(*now),
					      .state = state_of(r, h),
					      .host = h->host,
					      .archive = h->base,
					      .log = r->watched[i].log,
					      .pid = h->pid,
					      .status = h->status,
					      .samples = h->samples,
					      .bytes = h->bytes,
					      .last_ns = h->last_ns,
					      .reason = r->watched[i].reason };
}

/* Let others have the session until there is news, or for a moment. */
static void rest(struct perfolio_record *r, int64_t until_ns)
{
	int64_t left_ms = (until_ns - pf_time_mono_ns() + PF_NS_PER_SEC / 1000 - 1) / (PF_NS_PER_SEC / 1000);
	struct pollfd news = { .fd = r->poll_fd, .events = POLLIN };
	(void)pthread_mutex_unlock(&r->lock);
	if (left_ms > 0)
		(void)poll(&news, 1, left_ms < SLICE_MS ? (int)left_ms : SLICE_MS); /* the caller looks anyhow */
	(void)pthread_mutex_lock(&r->lock);
}

/* Ask how far a logger is, and wait for what it says. */
static void ask_numbers(struct perfolio_record *r, unsigned i, int wait_ms)
{
	int64_t until_ns = pf_time_mono_ns() + wait_ms * (PF_NS_PER_SEC / 1000);
	const struct pf_session_host *h = pf_session_host(r->session, i);
	unsigned told = h->n_told;
	unsigned ours;
	if (wait_ms <= 0 || !h->on || pf_session_ask(r->session, i, PF_SESSION_NUMBERS, NULL) < 0)
		return;
	while (h->n_told == told && h->fd >= 0 && pf_time_mono_ns() < until_ns) {
		rest(r, until_ns);
		(void)take_news(r, &ours);
	}
}

int perfolio_record_status(struct perfolio_record *r, int host, int wait_ms, struct perfolio_record_host *ret_host,
			   struct perfolio_record_error *err)
{
	struct pf_err why = { 0 };
	unsigned i, ours;
	(void)pthread_mutex_lock(&r->lock);
	int rc = host == PERFOLIO_RECORD_ALL ? pf_err_set(&why, -EINVAL, "the state is that of one host")
					     : number(r, host, &i, &why);
	if (rc == 0) {
		struct perfolio_record_host now;
		(void)take_news(r, &ours);
		ask_numbers(r, i, wait_ms);
		describe(r, i, &now);
		leave_news(r);
		now.size = ret_host->size < sizeof(now) ? ret_host->size : sizeof(now);
		memcpy(ret_host, &now, now.size);
	}
	(void)pthread_mutex_unlock(&r->lock);
	return rc < 0 ? fail(err, rc, &why) : 0;
}

int perfolio_record_hosts(struct perfolio_record *r)
{
	(void)pthread_mutex_lock(&r->lock);
	int n = (int)pf_session_n_hosts(r->session);
	(void)pthread_mutex_unlock(&r->lock);
	return n;
}

int perfolio_record_fd(struct perfolio_record *r)
{
	return r->poll_fd;
}

/* The next host that is in another state than was told. */
static bool next_change(const struct perfolio_record *r, unsigned *ret_i, struct perfolio_record_host *ret_now)
{
	for (unsigned i = 0; i < pf_session_n_hosts(r->session); i++) {
		describe(r, i, ret_now);
		if (ret_now->state == r->watched[i].told)
			continue;
		r->watched[i].told = ret_now->state;
		*ret_i = i;
		return true;
	}
	return false;
}

/* The lock is ours, but not while the caller's function runs. */
static unsigned dispatch(struct perfolio_record *r, unsigned *ret_ours)
{
	struct perfolio_record_host now;
	unsigned i;
	unsigned running = take_news(r, ret_ours);
	while (r->started && next_change(r, &i, &now)) {
		if (!r->changed)
			continue;
		(void)pthread_mutex_unlock(&r->lock);
		r->changed(r->arg, r, (int)i, &now);
		(void)pthread_mutex_lock(&r->lock);
	}
	return running;
}

int perfolio_record_dispatch(struct perfolio_record *r)
{
	unsigned ours;
	(void)pthread_mutex_lock(&r->lock);
	unsigned running = dispatch(r, &ours);
	(void)pthread_mutex_unlock(&r->lock);
	return (int)running;
}

int perfolio_record_wait(struct perfolio_record *r, int wait_ms)
{
	int64_t until_ns = wait_ms < 0 ? INT64_MAX / 2 : pf_time_mono_ns() + wait_ms * (PF_NS_PER_SEC / 1000);
	unsigned ours;
	(void)pthread_mutex_lock(&r->lock);
	(void)dispatch(r, &ours);
	while (ours > 0 && pf_time_mono_ns() < until_ns) {
		rest(r, until_ns);
		(void)dispatch(r, &ours);
	}
	(void)pthread_mutex_unlock(&r->lock);
	return (int)ours;
}

/* Stop, wait, and at last kill. */
static void end(struct perfolio_record *r)
{
	int64_t until_ns = pf_time_mono_ns() + PATIENCE_NS;
	unsigned ours;
	(void)pthread_mutex_lock(&r->lock);
	pf_session_stop(r->session);
	(void)take_news(r, &ours);
	while (ours > 0) {
		if (pf_time_mono_ns() >= until_ns)
			pf_session_kill(r->session);
		rest(r, pf_time_mono_ns() + PF_NS_PER_SEC);
		(void)take_news(r, &ours);
	}
	(void)pthread_mutex_unlock(&r->lock);
}

void perfolio_record_free(struct perfolio_record *r)
{
	if (!r)
		return;
	if (r->started)
		end(r);
	for (unsigned i = 0; r->session && i < pf_session_n_hosts(r->session); i++) {
		pf_closep(&r->watched[i].pid_fd);
		free(r->watched[i].log);
		free(r->watched[i].reason);
	}
	free(r->watched);
	r->session = pf_session_free(r->session);
	pf_closep(&r->poll_fd);
	pf_closep(&r->news_fd);
	(void)pthread_mutex_destroy(&r->lock);
	free(r);
}
