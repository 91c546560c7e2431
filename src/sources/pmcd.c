/* sources/pmcd.c - a pmcd, of this host or another, as a source of samples: one question for all values of a sample. Source of what it does when the
 * connection is lost: pmlogger 6.0.3.
 *
 * Opening waits until all is known. Later nothing is waited for longer than a part of the interval: next() says that there is no sample yet, and
 * goes on where it was when it is called again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/zone.h"
#include "groups/list.h"
#include "sources/complete.h"
#include "sources/list.h"
#include "sources/pcpvalue.h"
#include "sources/pmcdask.h"
#include "sources/pmcdnotes.h"
#include "sources/pmcdpick.h"

enum { LETTERS = 32 };

static const int64_t grace_min_ns = 10 * PF_NS_PER_MS;
static const int64_t grace_max_ns = 500 * PF_NS_PER_MS;

/* By so much two clocks may differ in what they say of an interval: network, and a host that is busy. */
static const int64_t clocks_differ_ns = 2 * PF_NS_PER_SEC;

/**
 * struct pmcd_source
 * @text: which pmcd, as it was said; @roots: where in the name space what is wanted lies
 * @grace_ns: how long next() may wait; @up: the connection stands, or is being made; @retry_ns: monotonic, when that is tried again; @tries in a row
 * @away: that it is lost was told; @told_notes: that there are too many notes; @back_to_back: there is no interval; @later: what is wanted may come later
 * @last_ns, @last_boot_ns, @mono_ns: times of the last sample: the host's clock, ours, and the one that intervals are measured by
 */
struct pmcd_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_pmcd_ask ask;
	struct pf_pmcd_notes notes;
	struct pf_complete complete;
	struct pf_catalog *catalog;
	const struct pf_group *const *groups;
	bool as_recorded;
	const struct pf_notice *notice;
	char *text;
	char **roots;
	char letters[LETTERS];
	int64_t grace_ns;
	bool up;
	bool away;
	bool told_notes;
	bool back_to_back;
	bool later;
	int64_t retry_ns;
	unsigned tries;
	int64_t last_ns;
	int64_t last_boot_ns;
	int64_t mono_ns;
};

static bool is_alias(const struct pmcd_source *s, unsigned i)
{
	for (unsigned k = 0; k < s->ask.n_metrics; k++) {
		const struct pf_pmcd_metric *m = &s->ask.metrics[k];
		if (k != i && m->to.index >= 0 && m->now.pmid == s->ask.metrics[i].now.pmid)
			return true;
	}
	return false;
}

/* Does a group that was chosen have it, or is it wanted by name? */
static bool is_chosen(const struct pmcd_source *s, const char *name)
{
	for (unsigned g = 0; s->groups && s->groups[g]; g++) {
		for (unsigned i = 0; i < s->groups[g]->n_metrics; i++) {
			if (strcmp(s->groups[g]->metrics[i].name, name) == 0)
				return true;
		}
	}
	return false;
}

/* A metric that is described for the first time. Return: 1 it needs a row of its own, 0, -ENOMEM. */
static int place_new(struct pmcd_source *s, unsigned i, struct pf_err *err)
{
	struct pf_pmcd_metric *m = &s->ask.metrics[i];
	struct pf_err why = { 0 };
	const struct pf_pcp_placing placing = { .groups = s->as_recorded ? NULL : s->groups,
						.catalog = s->catalog,
						.letters = s->letters,
						.size = sizeof(s->letters) };
	m->is = m->now;
	if (!pf_pcp_place_can(&m->is)) {
		m->refused = true;
		pf_notice(s->notice, PF_INFO,
			  "%s: metric %s has a type or semantics that are not known here, ignoring it", s->text,
			  m->name);
		return 0;
	}
	if (is_alias(s, i))
		return 0;
	int rc = pf_pcp_place(&placing, &m->is, &m->to, &why);
	m->refused = rc == -EEXIST;
	if (m->refused)
		pf_notice(s->notice, PF_WARNING, "%s: %s, ignoring it", s->text, why.text);
	else if (rc < 0)
		return pf_err_set(err, rc, "%s", why.text);
	return rc == 0 && (s->as_recorded || !is_chosen(s, m->name));
}

static bool is_same(const struct pf_pcp_metric *a, const struct pf_pcp_metric *b)
{
	return a->type == b->type && a->sem == b->sem && a->indom == b->indom &&
	       memcmp(&a->units, &b->units, sizeof(a->units)) == 0;
}

/* A metric that has a row is described again, perhaps by another pmcd than before. What it was once stays true of its row, so values that can be
 * converted are, and others are left out. */
static void look_again(struct pmcd_source *s, struct pf_pmcd_metric *m)
{
	if (is_same(&m->is, &m->now)) {
		if (m->refused && m->told)
			pf_notice(s->notice, PF_INFO, "%s: metric %s is as it was at first again", s->text, m->name);
		m->refused = m->refused && !m->told;
		m->told = false;
		(void)pf_pcp_place_again(s->catalog, &m->now, &m->to);
		return;
	}
	m->refused = m->is.indom != m->now.indom || !pf_pcp_place_again(s->catalog, &m->now, &m->to);
	if (!m->told)
		pf_notice(s->notice, PF_WARNING, "%s: metric %s is not described as it was before; %s", s->text,
			  m->name,
			  m->refused ? "its values are left out from now on; a new recording has them"
				     : "its values are converted");
	m->told = true;
}

/* The rows that were added may have moved the catalog's tables. */
static int finish_places(struct pmcd_source *s, const struct pf_pcp_own *own, struct pf_err *err)
{
	int rc = pf_pcp_place_own(s->catalog, own, s->text, s->notice, err);
	for (unsigned i = 0; i < s->ask.n_metrics && rc == 0; i++) {
		struct pf_pmcd_metric *m = &s->ask.metrics[i];
		if (m->to.index < 0)
			continue;
		m->refused |= s->catalog->hidden[m->to.index];
		if (!m->placed)
			rc = pf_pmcd_note(&s->ask, i);
		m->placed = true;
		pf_pcp_place_domain(s->catalog, &m->to);
	}
	return rc < 0 && rc == -ENOMEM ? pf_err_set(err, rc, "no memory for metrics") : rc;
}

static int described(void *arg, struct pf_err *err)
{
	struct pmcd_source *s = arg;
	unsigned n = s->ask.n_metrics;
	unsigned n_own = 0;
	int rc = 0;
	pf_autofree const struct pf_pcp_metric **metrics = calloc(n + 1, sizeof(*metrics));
	pf_autofree struct pf_pcp_target **targets = calloc(n + 1, sizeof(*targets));
	if (!metrics || !targets)
		return pf_err_set(err, -ENOMEM, "no memory for %u metrics", n);
	for (unsigned i = 0; i < n && rc >= 0; i++) {
		struct pf_pmcd_metric *m = &s->ask.metrics[i];
		if (m->now.pmid == UINT32_MAX)
			continue;
		if (m->placed) {
			look_again(s, m);
			continue;
		}
		rc = m->refused ? 0 : place_new(s, i, err);
		if (rc != 1)
			continue;
		bool twin = false;
		for (unsigned k = 0; k < n_own && !twin; k++)
			twin = metrics[k]->pmid == m->is.pmid;
		if (twin)
			continue;
		metrics[n_own] = &m->is;
		targets[n_own++] = &m->to;
	}
	const struct pf_pcp_own own = { metrics, targets, n_own };
	return rc < 0 ? rc : finish_places(s, &own, err);
}

static int metric_of(const void *arg, uint32_t pmid)
{
	const struct pmcd_source *s = arg;
	for (unsigned i = 0; i < s->ask.n_metrics; i++) {
		if (s->ask.metrics[i].now.pmid == pmid && s->ask.metrics[i].to.index >= 0)
			return s->ask.metrics[i].to.index;
	}
	return -1;
}

/* Values were sampled when the host says. Only when its clock was set, ours tells how long it was. */
static struct pf_sample *begin_sample(struct pmcd_source *s, struct pf_frames *frames)
{
	int64_t time_ns = s->ask.result.time_ns;
	int64_t boot_ns = pf_time_boot_ns();
	int64_t passed = time_ns - s->last_ns;
	int64_t ours = boot_ns - s->last_boot_ns;
	int64_t stepped = 0;
	if (s->last_ns == 0) {
		s->mono_ns = boot_ns;
	} else if (passed <= 0 || passed - ours > clocks_differ_ns || ours - passed > clocks_differ_ns) {
		stepped = passed - ours;
		s->mono_ns += ours > 0 ? ours : 1;
	} else {
		s->mono_ns += passed;
	}
	s->last_ns = time_ns;
	s->last_boot_ns = boot_ns;
	struct pf_sample *sample = pf_frames_begin(frames, time_ns, s->mono_ns);
	frames->stepped_ns = stepped;
	return sample;
}

/* What was chosen says little of what there is: instances of a domain exist whoever has values, and those that came for another metric's
 * sake are not wanted of this one. */
static int fill_rest(struct pmcd_source *s, const struct pf_pmcd_metric *m, struct pf_pmcd_domain *dom,
		     struct pf_sample *sample)
{
	const struct pf_pick *pick = pf_pick_find(s->ask.picks, (unsigned)m->to.index);
	int rc = 0;
	if (dom && m->to.domain && dom->marked != sample->seq)
		rc = pf_pcp_place_members(&dom->is, m->to.domain, sample->seq);
	if (dom)
		dom->marked = sample->seq;
	if (pick)
		pf_pick_keep(pick, sample);
	return rc;
}

static int fill(struct pmcd_source *s, struct pf_frames *frames, struct pf_err *err)
{
	struct pf_sample *sample = begin_sample(s, frames);
	struct pf_pcp_result r = s->ask.result;
	struct pf_pcp_set set;
	const struct pf_pcp_taker taker = { .metric_of = metric_of, .arg = s };
	int rc = sample ? 0 : -ENOMEM;
	for (unsigned k = 0; rc == 0 && pf_pcp_result_next(&r, &set, NULL) == 1; k++) {
		const struct pf_pmcd_metric *m = &s->ask.metrics[s->ask.fetched[k]];
		struct pf_pmcd_domain *dom = m->now.domain < s->ask.n_domains ? &s->ask.domains[m->now.domain] : NULL;
		if (set.n <= 0) {
			rc = pf_sample_fail(sample, (unsigned)m->to.index, set.n);
			continue;
		}
		rc = pf_pcp_take_set(&taker, &set, m->now.type, &m->to, dom ? &dom->is : NULL, sample);
		if (rc == 0 && s->ask.picks)
			rc = fill_rest(s, m, dom, sample);
		if (dom)
			dom->last = sample->seq;
	}
	if (rc == 0)
		rc = pf_complete_sample(&s->complete, s->catalog, sample);
	s->ask.seq = sample ? sample->seq : 0;
	return rc < 0 ? pf_err_set(err, rc, "no memory for a sample") : 1;
}

/* Until the next attempt. */
static int64_t hang_up(struct pmcd_source *s)
{
	const struct pf_pmcd_times *t = &s->ask.link.times;
	int64_t delay = t->delays_ns[s->tries < t->n_delays ? s->tries : t->n_delays - 1];
	pf_pmcd_link_close(&s->ask.link);
	s->up = false;
	s->tries++;
	s->retry_ns = pf_time_mono_ns() + delay;
	return delay;
}

static void lose(struct pmcd_source *s, const char *why)
{
	int64_t delay = hang_up(s);
	if (!s->away)
		pf_notice(s->notice, PF_WARNING, "%s: connection to the pmcd lost, %s; trying again in %.3g seconds",
			  s->text, why, (double)delay / (double)PF_NS_PER_SEC);
	s->away = true;
}

static void begin_connection(struct pmcd_source *s)
{
	pf_pmcd_link_begin(&s->ask.link);
	pf_pmcd_ask_from(&s->ask, PF_PMCD_HELLO);
	s->up = true;
}

/* What the pmcd said of itself in between: asked again before the next sample. */
static void look_at_changes(struct pmcd_source *s)
{
	uint32_t c = s->ask.changes;
	s->ask.changes = 0;
	if (c & PF_PDU_HOST_CHANGED)
		pf_notice(s->notice, PF_WARNING, "%s: the host has another name now; the recording keeps the first",
			  s->text);
	if (c & (PF_PDU_AGENT_ADDED | PF_PDU_AGENT_RESTARTED | PF_PDU_NAMES_CHANGED))
		pf_pmcd_ask_from(&s->ask, PF_PMCD_TRAVERSE);
	else
		pf_pmcd_ask_from(&s->ask, c & PF_PDU_LABELS_CHANGED ? PF_PMCD_LABELS : PF_PMCD_FETCH);
}

static void look_at_notes(struct pmcd_source *s)
{
	pf_pmcd_notes_look(&s->notes);
	if (s->ask.too_many_notes && !s->told_notes)
		pf_notice(s->notice, PF_WARNING,
			  "%s: it has more than %d MB of labels and help texts; the others are left out", s->text,
			  PF_PMCD_NOTES_BYTES >> 20);
	s->told_notes = s->ask.too_many_notes;
}

/* Whoever samples without a pause must not spin while there is nothing. */
static void rest(int64_t ns)
{
	const struct timespec ts = { .tv_sec = ns / PF_NS_PER_SEC, .tv_nsec = ns % PF_NS_PER_SEC };
	(void)nanosleep(&ts, NULL); /* a signal ends it sooner, which is welcome */
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct pmcd_source *s = (struct pmcd_source *)source;
	struct pf_err why = { 0 };
	int64_t now = pf_time_mono_ns();
	if (!s->up && now < s->retry_ns) {
		if (s->back_to_back)
			rest(s->retry_ns - now < s->grace_ns ? s->retry_ns - now : s->grace_ns);
		return 0;
	}
	if (!s->up)
		begin_connection(s);
	int rc = pf_pmcd_ask_until(&s->ask, PF_PMCD_DONE, now + s->grace_ns, &why);
	look_at_notes(s);
	if (rc == -ENOMEM)
		return pf_err_set(err, rc, "%s: %s", s->text, why.text);
	if (rc < 0) {
		lose(s, why.text);
		pf_frames_cut(frames);
	}
	if (rc != 1)
		return 0;
	rc = fill(s, frames, err);
	if (s->away)
		pf_notice(s->notice, PF_INFO, "%s: connected to the pmcd again", s->text);
	s->away = false;
	s->tries = 0;
	look_at_changes(s);
	return rc;
}

static const struct pf_source_info *info(struct pf_source *source)
{
	struct pmcd_source *s = (struct pmcd_source *)source;
	s->info.pmcd_pid = s->ask.pid;
	s->info.pmcd_seqnum = s->ask.seqnum;
	return &s->info;
}

static int wait_fd(struct pf_source *source)
{
	const struct pmcd_source *s = (struct pmcd_source *)source;
	return s->ask.link.fd;
}

static int names(struct pf_source *source, const char *name, int (*each)(void *arg, const struct pf_source_named *one),
		 void *arg)
{
	return pf_pmcd_pick_names(&((struct pmcd_source *)source)->ask, name, each, arg);
}

static int instance(struct pf_source *source, unsigned metric, struct pf_pick_instance *inst)
{
	return pf_pmcd_pick_instance(&((struct pmcd_source *)source)->ask, metric, inst);
}

/* What is known of metrics is listed when it is, so before that there is nothing to be done. */
static int choose(struct pf_source *source, const struct pf_picks *picks, struct pf_err *err)
{
	struct pmcd_source *s = (struct pmcd_source *)source;
	if (s->ask.picks == picks)
		return 0;
	s->ask.picks = picks;
	int rc = s->ask.step > PF_PMCD_DESCS ? pf_pmcd_pick_list(&s->ask) : 0;
	return rc < 0 ? pf_err_set(err, rc, "no memory") : 0;
}

static struct pf_source *close_pmcd(struct pf_source *source)
{
	struct pmcd_source *s = (struct pmcd_source *)source;
	if (!s)
		return NULL;
	pf_pmcd_notes_leave(&s->notes);
	pf_pmcd_ask_done(&s->ask);
	for (unsigned i = 0; s->roots && s->roots[i]; i++)
		free(s->roots[i]);
	free(s->roots);
	free(s->text);
	free(s);
	return NULL;
}

/* The part of a pattern that is a name for sure. */
static int add_root(struct pmcd_source *s, unsigned n, const char *pattern)
{
	size_t len = strcspn(pattern, "*?[\\");
	while (pattern[len] != '\0' && len > 0 && pattern[len] != '.')
		len--;
	s->roots[n] = strndup(pattern, len);
	return s->roots[n] ? 0 : -ENOMEM;
}

/* Names that are asked for: those of the groups' rows, and what is wanted by patterns. */
static int choose_names(struct pmcd_source *s, const char *const *wanted, struct pf_err *err)
{
	int rc = 0;
	for (unsigned g = 0; s->groups && s->groups[g] && rc == 0; g++) {
		for (unsigned i = 0; i < s->groups[g]->n_metrics && rc == 0; i++)
			rc = pf_pmcd_ask_add(&s->ask, pf_view_of(s->groups[g]->metrics[i].name));
	}
	unsigned n = 0;
	while (wanted && wanted[n])
		n++;
	s->roots = calloc(n + (size_t)1, sizeof(*s->roots));
	if (!s->roots)
		rc = -ENOMEM;
	for (unsigned i = 0; i < n && rc == 0; i++)
		rc = add_root(s, i, wanted[i]);
	s->ask.patterns = wanted;
	s->ask.roots = wanted ? (const char *const *)s->roots : NULL;
	return rc < 0 ? pf_err_set(err, rc, "no memory") : 0;
}

/* What may be done about a connection that nobody takes. */
static int refused(const struct pmcd_source *s, const struct pf_pmcd_spec *spec, int rc, const char *why,
		   struct pf_err *err)
{
	char where[PF_PMCD_HOST_SIZE + 32] = "there";
	if (spec->n_ports > 0)
		(void)snprintf(where, sizeof(where), "on %s, port %s", spec->host, spec->ports[0]);
	return pf_err_set(err, rc, "%s: cannot get anything from the pmcd: %s; is pmcd running %s?%s", s->text, why,
			  where, spec->path[0] ? " self: is this host without one" : "");
}

static int connect_first(struct pmcd_source *s, struct pf_err *err)
{
	struct pf_err why = { 0 };
	struct pf_pmcd_spec spec;
	int rc = pf_pmcd_spec_parse(s->text, &spec, err);
	if (rc < 0)
		return rc;
	rc = pf_pmcd_link_init(&s->ask.link, &spec, &why);
	if (rc == 0) {
		begin_connection(s);
		rc = pf_pmcd_ask_until(&s->ask, PF_PMCD_FETCH, INT64_MAX, &why);
	}
	if (rc == -ECONNREFUSED || rc == -ENOENT)
		return refused(s, &spec, rc, why.text, err);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: cannot get anything from the pmcd: %s", s->text, why.text);
	if (s->ask.too_many)
		pf_notice(s->notice, PF_WARNING, "%s: more than %d metrics are wanted; the others are left out",
			  s->text, PF_PMCD_METRICS_MAX);
	if (s->ask.n_fetched == 0 && !s->later)
		return pf_err_set(err, -ENODATA, "%s: the pmcd has none of the metrics that are wanted", s->text);
	return 0;
}

static int open_pmcd(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		     struct pf_err *err)
{
	struct pmcd_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->base.kind = &pf_source_pmcd;
	s->ask.link.fd = -1;
	s->ask.wants_notes = spec->notes;
	s->ask.described = described;
	s->ask.arg = s;
	s->catalog = cat;
	s->groups = spec->groups;
	s->as_recorded = spec->as_recorded;
	s->notice = spec->notice;
	s->back_to_back = spec->interval_ns == 0;
	s->later = spec->later;
	s->grace_ns = spec->interval_ns > 0 ? spec->interval_ns / 2 : grace_max_ns;
	s->grace_ns = s->grace_ns > grace_max_ns   ? grace_max_ns
		      : s->grace_ns < grace_min_ns ? grace_min_ns
						   : s->grace_ns;
	s->text = strdup(spec->pmcd);
	int rc = s->text ? choose_names(s, spec->patterns, err) : pf_err_set(err, -ENOMEM, "no memory");
	if (rc == 0)
		rc = connect_first(s, err);
	if (rc < 0) {
		(void)close_pmcd(&s->base);
		return rc;
	}
	if (!s->as_recorded)
		pf_complete_init(&s->complete, s->groups, cat);
	s->info = (struct pf_source_info){ .host = s->ask.host[0] ? s->ask.host : s->text,
					   .zone = s->ask.zone[0] ? s->ask.zone : NULL,
					   .place = s->ask.place[0] ? s->ask.place : NULL,
					   .start_ns = s->ask.time_ns,
					   .interval_ns = spec->interval_ns,
					   .letters = s->letters };
	s->info.has_zone = pf_pcp_zone_offset(s->ask.zone, &s->info.zone_ns);
	s->notes = (struct pf_pmcd_notes){ .catalog = cat, .ask = &s->ask };
	pf_pmcd_notes_join(&s->notes);
	*ret_source = &s->base;
	return 0;
}

const struct pf_source_kind pf_source_pmcd = {
	.name = "pmcd",
	.title = "pmcd",
	.live = true,
	.accepts = pf_pmcd_spec_is,
	.open = open_pmcd,
	.next = next,
	.info = info,
	.fd = wait_fd,
	.names = names,
	.instance = instance,
	.choose = choose,
	.close = close_pmcd,
};
