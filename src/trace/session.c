/* trace/session.c - the door to tracing: a session from options and D text to events. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "trace/bpf/agg.h"
#include "trace/bpf/btf.h"
#include "trace/bpf/consume.h"
#include "trace/bpf/load.h"
#include "trace/bpf/syms.h"
#include "trace/bpf/usyms.h"
#include "trace/host.h"

/* Records without an urgent one among them are looked for this often; a probe's clock is not left behind for longer than this. */
enum { LOOK_NS = 50000000, MOST_TICKS_LATE = 1000 };

int pf_trace_open(struct pf_trace **ret_trace, const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_trace *t = calloc(1, sizeof(*t));
	int rc = t ? 0 : -ENOMEM;
	if (t) {
		t->notice = notice;
		t->tracefs = -1;
		pf_trace_options_init(&t->options);
		struct pf_dhost host = pf_trace_host(t);
		t->prog = pf_dprog_new(&host);
		rc = t->prog ? 0 : -ENOMEM;
	}
	for (unsigned i = 0; rc == 0 && pf_providers[i]; i++)
		rc = pf_providers[i]->list ? pf_providers[i]->list(&t->probes, pf_providers[i]) : 0;
	if (rc < 0) {
		(void)pf_trace_close(t);
		return pf_err_set(err, rc, "no memory");
	}
	*ret_trace = t;
	return 0;
}

struct pf_trace *pf_trace_close(struct pf_trace *t)
{
	if (!t)
		return NULL;
	pf_session_detach(t);
	if (t->tracefs >= 0)
		(void)close(t->tracefs);
	for (unsigned i = 0; i < 64; i++) {
		for (struct pf_spec_record *r = t->specs[i], *next; r; r = next) {
			next = r->next;
			free(r);
		}
	}
	(void)pf_dprog_free(t->prog);
	(void)pf_syms_close(t->syms);
	(void)pf_usyms_close(t->usyms);
	(void)pf_btf_close(t->btf);
	pf_trace_options_done(&t->options);
	pf_buf_done(&t->consts);
	pf_arena_done(&t->probes.arena);
	pf_arena_done(&t->arena);
	pf_arena_done(&t->event_arena);
	free(t->probes.rows);
	free(t->maps);
	free(t->fds);
	free(t->ticks);
	free(t->cpu_drops_seen);
	free(t);
	return NULL;
}

int pf_trace_setopt(struct pf_trace *t, const char *name, const char *value, struct pf_err *err)
{
	return pf_trace_options_set(&t->options, name, value, t->going, err);
}

int64_t pf_trace_getopt(const struct pf_trace *t, const char *name)
{
	return pf_trace_options_get(&t->options, name);
}

const char *pf_trace_oformat(const struct pf_trace *t)
{
	return t->options.oformat;
}

void pf_trace_check_oformat(struct pf_trace *t, int (*check)(const char *words))
{
	t->options.check_oformat = check;
}

void pf_trace_text(const struct pf_trace *t, struct pf_trace_text *ret_text)
{
	const int64_t *v = t->options.value;
	*ret_text = (struct pf_trace_text){ v[PF_OPT_QUIET] != 0, v[PF_OPT_FLOWINDENT] != 0, v[PF_OPT_RAWBYTES] != 0,
					    (unsigned)v[PF_OPT_STACKINDENT] };
}

void pf_trace_target(struct pf_trace *t, pid_t pid)
{
	t->target = pid;
}

int pf_trace_compile(struct pf_trace *t, const struct pf_trace_program *program, unsigned *ret_probes,
		     struct pf_err *err)
{
	static const enum pf_dprog_origin origins[] = {
		[PF_D_SCRIPT] = PF_DP_SCRIPT, [PF_D_NAME] = PF_DP_NAME,		[PF_D_PROVIDER] = PF_DP_PROVIDER,
		[PF_D_MODULE] = PF_DP_MODULE, [PF_D_FUNCTION] = PF_DP_FUNCTION, [PF_D_ID] = PF_DP_ID,
	};
	t->matched = 0;
	t->compiled_before = NULL;
	for (const struct pf_dclause *c = t->prog->clauses; c; c = c->next)
		t->compiled_before = c;
	int rc = pf_dprog_compile(t->prog, origins[program->origin], program->where, pf_view_of(program->text),
				  program->argc, program->argv, err);
	if (rc == 0 && ret_probes)
		*ret_probes = t->matched;
	return rc;
}

/* fire() - run a program of our own once. */
static int fire(const struct pf_program *p, struct pf_err *err)
{
	static const uint64_t args[12];
	if (!p)
		return 0;
	int rc = pf_bpf_fire(p->fd, args);
	return rc < 0 ? pf_refused(err, rc, "firing a probe") : 0;
}

int pf_trace_go(struct pf_trace *t, struct pf_err *err)
{
	if (t->going)
		return pf_err_set(err, -EINVAL, "Operation illegal when tracing is active");
	if (t->prog->destructive && !t->options.value[PF_OPT_DESTRUCTIVE])
		return pf_err_set(err, -EPERM, "Destructive actions not allowed");
	t->going = true;
	int rc = pf_session_load(t, err);
	if (rc == 0 && t->wants_usyms && pf_usyms_open(&t->usyms) < 0)
		rc = pf_err_set(err, -ENOMEM, "no memory");
	if (rc == 0)
		rc = pf_session_attach(t, err);
	if (rc == 0)
		rc = fire(t->begin, err);
	if (rc < 0)
		return rc;
	struct pf_state *state = pf_session_state(t);
	int64_t now = pf_time_mono_ns();
	for (size_t i = 0; i < t->n_ticks; i++)
		t->ticks[i].next_ns = now + t->ticks[i].period_ns;
	t->drops_checked_ns = now;
	if (!__atomic_load_n(&state->exited, __ATOMIC_ACQUIRE))
		__atomic_store_n(&state->active, 1, __ATOMIC_RELEASE);
	return 0;
}

int pf_trace_stop(struct pf_trace *t, struct pf_err *err)
{
	struct pf_state *state = pf_session_state(t);
	if (t->stopped || !state)
		return 0;
	t->stopped = true;
	__atomic_store_n(&state->active, 0, __ATOMIC_RELEASE);
	return fire(t->end, err);
}

bool pf_trace_exited(const struct pf_trace *t, int *ret_status)
{
	const struct pf_state *state = pf_session_state(t);
	if (!state || !__atomic_load_n(&state->exited, __ATOMIC_ACQUIRE))
		return false;
	*ret_status = (int)state->exit_status;
	return true;
}

/* fire_ticks() - the probes whose time has come. */
static int fire_ticks(struct pf_trace *t, int64_t now, struct pf_err *err)
{
	for (size_t i = 0; i < t->n_ticks && !t->stopped; i++) {
		struct pf_tick *tick = &t->ticks[i];
		if (now - tick->next_ns > MOST_TICKS_LATE * tick->period_ns)
			tick->next_ns = now; /* we were stopped for long: do not make up for it */
		while (tick->next_ns <= now) {
			int rc = fire(tick->program, err);
			if (rc < 0)
				return rc;
			tick->next_ns += tick->period_ns;
		}
	}
	return 0;
}

/* wait_until() - for the first of a record that wants to be seen, the next tick, the next look, @deadline. */
static int wait_until(struct pf_trace *t, int64_t now, int64_t deadline)
{
	int64_t until = now + LOOK_NS;
	for (size_t i = 0; i < t->n_ticks && !t->stopped; i++) {
		if (t->ticks[i].next_ns < until)
			until = t->ticks[i].next_ns;
	}
	if (deadline < until)
		until = deadline;
	int64_t left = until > now ? until - now : 0;
	struct timespec wait = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
	struct pollfd ring = { .fd = t->maps[PF_MAP_RING].fd, .events = POLLIN };
	return ppoll(&ring, 1, &wait, NULL) < 0 ? -errno : 0;
}

/* look() - everything that is there now. */
static int look(struct pf_trace *t, struct pf_outlet *out, int64_t now)
{
	if (t->usyms)
		pf_usyms_listen(t->usyms);
	int rc = pf_ring_drain(t, pf_decode, out);
	int64_t rate = t->options.value[PF_OPT_STATUSRATE];
	if (rc >= 0 && (t->stopped || now - t->drops_checked_ns >= rate))
		rc = pf_decode_drops(t, out);
	return rc;
}

int pf_trace_consume(struct pf_trace *t, int timeout_ms, pf_event_fn *fn, void *arg, struct pf_err *err)
{
	struct pf_outlet out = { fn, arg, err, 0 };
	int64_t now = pf_time_mono_ns();
	int64_t deadline = timeout_ms < 0 ? INT64_MAX : now + timeout_ms * PF_NS_PER_MS;
	for (;;) {
		int rc = fire_ticks(t, now, err);
		if (rc == 0)
			rc = look(t, &out, now);
		if (rc < 0)
			return rc;
		int status;
		if (out.n || t->stopped || now >= deadline || pf_trace_exited(t, &status))
			return out.n;
		rc = wait_until(t, now, deadline);
		if (rc < 0)
			return rc;
		now = pf_time_mono_ns();
	}
}

int pf_trace_aggregations(struct pf_trace *t, bool unprinted_only, pf_event_fn *fn, void *arg, struct pf_err *err)
{
	if (!pf_session_state(t))
		return 0;
	pf_arena_reset(&t->event_arena);
	struct pf_record *records = pf_arena_alloc(&t->event_arena, (t->prog->n_aggs + 1) * sizeof(*records));
	if (!records)
		return pf_err_set(err, -ENOMEM, "no memory");
	size_t n = 0;
	for (struct pf_dagg *agg = t->prog->aggs; agg; agg = agg->next) {
		const struct pf_agg *host = agg->host;
		if (!host || !host->words || (unprinted_only && host->printed))
			continue;
		int rc = pf_agg_record(t, &agg, 1, NULL, &records[n], err);
		if (rc < 0)
			return rc;
		n += records[n].agg.n_rows > 0;
	}
	if (!n)
		return 0;
	struct pf_event event = { .kind = PF_EVENT_AGGREGATIONS,
				  .time_ns = pf_time_mono_ns(),
				  .cpu = -1,
				  .probe = { "dtrace", "INTERNAL", "INTERNAL", "AGGREGATIONS", -1 },
				  .records = records,
				  .n_records = n };
	return fn(arg, &event);
}

int pf_trace_list(struct pf_trace *t, enum pf_d_origin origin, const char *pattern,
		  int (*fn)(void *arg, const struct pf_probe_name *probe), void *arg, struct pf_err *err)
{
	static const struct pf_ddesc any = { .provider = "*", .module = "", .function = "", .name = "", .text = "*" };
	struct pf_ddesc desc = any;
	if (pattern) {
		int rc = pf_ddesc_parse(t->prog, (enum pf_dprog_origin)origin, pf_view_of(pattern), &desc, err);
		if (rc < 0)
			return rc;
	}
	int rc = pf_trace_demand(t, &desc, err);
	for (size_t i = 0; rc >= 0 && i < t->probes.n; i++) {
		if (pf_trace_matches(&desc, t->probes.rows[i]))
			rc = fn(arg, &t->probes.rows[i]->name);
	}
	return rc;
}
