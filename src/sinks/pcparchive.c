/* sinks/pcparchive.c - samples as a PCP archive. Each metric is described when it first has a value, each instance domain whenever the set
 * of its instances changed. A metric without a value takes no part in a record, nor does a discrete one that has the values it was told to
 * have; it is told all the same wherever a reader may begin: at entries of the index, which the first record of a volume is, and behind
 * marks. */
#include "sinks/pcparchive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/writer.h"
#include "formats/pcp/zone.h"
#include "model/select.h"
#include "sinks/eventblock.h"
#include "sinks/known.h"
#include "sinks/notes.h"
#include "sinks/shelf.h"
#include "sinks/sink.h"
#include "sinks/told.h"
#include "sinks/volumes.h"

/* @described: per metric of the catalog. @told: the same, what discrete ones were told to be; @forget: those that cannot be told otherwise that
 * an instance has no value any more, which come in a record before the sample's. @domains: parallel to the catalog's. @scratch: instances of the sample at hand. @last_ns, @last_mono_ns:
 * times of the last sample, as written and by the monotonic clock. @nominal_ns: interval that was asked for, 0 unknown.
 * @volumes: when they end; @volume_ns: time of the first sample of the one that is open, @in_volume: how many; @volume_told: that there
 * can be no next one; @packer: compresses those that are closed
 * @each: samples are recorded as they are; @cause: why the volume before ended
 * @live: what cannot be written now is lost and told, and the recording goes on
 * @gap: samples are missing since the last record; @stuck: the disk takes nothing, which was told; @lost: samples so; @disk_rc: why */
struct archive_sink {
	struct pf_sink base;
	struct pf_pcp_writer *writer;
	struct pf_pcp_build build;
	struct pf_pcp_build forget;
	struct pf_eventblock events;
	struct pf_notes notes;
	bool *described;
	unsigned n_described;
	struct pf_told *told;
	unsigned n_told;
	struct pf_known_domain *domains;
	unsigned n_domains;
	struct pf_known_scratch scratch;
	int64_t last_ns;
	int64_t last_mono_ns;
	int64_t nominal_ns;
	struct pf_volume_options volumes;
	int64_t volume_ns;
	uint64_t in_volume;
	struct pf_packer packer;
	struct pf_shelf shelf;
	char *path;
	bool volume_told;
	bool live;
	bool each;
	enum pf_volume_cause cause;
	bool discarded;
	bool gap;
	bool stuck;
	uint64_t lost;
	int disk_rc;
	const struct pf_notice *notice;
};

static int grow(void **array, unsigned *n, unsigned need, size_t item)
{
	if (need <= *n)
		return 0;
	char *more = reallocarray(*array, need, item);
	if (!more)
		return -ENOMEM;
	memset(more + *n * item, 0, (need - *n) * item);
	*array = more;
	*n = need;
	return 0;
}

/* Room for what the catalog holds by now. */
static int follow_catalog(struct archive_sink *s, const struct pf_catalog *cat)
{
	void *described = s->described;
	int rc = grow(&described, &s->n_described, cat->n_metrics, sizeof(*s->described));
	s->described = described;
	if (rc < 0)
		return rc;
	void *told = s->told;
	rc = grow(&told, &s->n_told, cat->n_metrics, sizeof(*s->told));
	s->told = told;
	if (rc < 0)
		return rc;
	void *domains = s->domains;
	rc = grow(&domains, &s->n_domains, cat->n_domains, sizeof(*s->domains));
	s->domains = domains;
	return rc;
}

/* Tell the archive which instances there are, if that is not what it says already. */
static int put_domain(struct archive_sink *s, const struct pf_catalog *cat, struct pf_indom *dom,
		      struct pf_known_domain *k, uint64_t seq, int64_t time_ns, struct pf_err *err)
{
	struct pf_pcp_instance *list;
	uint32_t n;
	if (k->checked == seq)
		return 0;
	k->checked = seq;
	int what = pf_known_compare(k, &s->scratch, cat, dom, seq, &list, &n);
	if (what == PF_KNOWN_CHANGES && !pf_pcp_writer_has_deltas(s->writer)) {
		list = s->scratch.present;
		n = s->scratch.n_present;
		what = PF_KNOWN_ALL;
	}
	int rc = what < 0 ? pf_err_set(err, what, "no memory for instances") : 0;
	if (what == PF_KNOWN_CHANGES)
		rc = pf_pcp_writer_delta(s->writer, time_ns, dom->id, list, n, err);
	else if (what == PF_KNOWN_ALL)
		rc = pf_pcp_writer_indom(s->writer, time_ns, dom->id, list, n, err);
	if (rc < 0 || (what == PF_KNOWN_SAME && !s->scratch.moved))
		return rc;
	rc = pf_known_remember(k, &s->scratch, seq);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for instances");
	bool own = what != PF_KNOWN_SAME &&
		   !cat->tellers; /* of another recording, or of a pmcd, there are those that it tells */
	return own ? pf_notes_instances(&s->notes, s->writer, dom->id, k->instances, k->n, err) : 0;
}

static void put_value(struct archive_sink *s, const struct pf_catalog *cat, enum pf_type type, int32_t inst,
		      union pf_value v)
{
	uint64_t bits = v.u;
	if (!pf_type_is_number(type)) {
		if (type == PF_STRING)
			pf_pcp_build_text(&s->build, inst, pf_view_of(v.s ? v.s : ""));
		else if (type == PF_AGGREGATE)
			pf_pcp_build_block(&s->build, inst, *v.bytes);
		else
			pf_eventblock_put(&s->events, &s->build, inst, cat, type, v.events);
		return;
	}
	if (type == PF_FLOAT) {
		float f = (float)v.d;
		uint32_t word;
		memcpy(&word, &f, sizeof(word));
		bits = word;
	} else if (type == PF_DOUBLE) {
		memcpy(&bits, &v.d, sizeof(bits));
	}
	pf_pcp_build_bits(&s->build, inst, bits);
}

/* Values of one metric into the record being built. Return: how many. */
static unsigned put_values(struct archive_sink *s, const struct pf_step *step, unsigned metric)
{
	const struct pf_metric *m = step->catalog->metrics[metric];
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n_slots = dom ? dom->n : 1;
	unsigned n = 0;
	for (unsigned slot = 0; slot < n_slots; slot++) {
		if (!pf_told_has(step, metric, slot))
			continue;
		if (n++ == 0)
			pf_pcp_build_set(&s->build, m->pmid, m->type);
		put_value(s, step->catalog, m->type, dom ? dom->instances[slot].id : -1,
			  pf_sample_get(step->cur, metric, slot));
	}
	return n;
}

static int describe_metric(struct archive_sink *s, const struct pf_catalog *cat, unsigned metric, struct pf_err *err)
{
	if (s->described[metric])
		return 0;
	int rc = pf_notes_describe(&s->notes, s->writer, cat->metrics[metric], err);
	s->described[metric] = rc == 0;
	return rc;
}

/* Metrics that have no values but as parameters of events. */
static int describe_params(struct archive_sink *s, const struct pf_step *step, unsigned metric, struct pf_err *err)
{
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n_slots = dom ? dom->n : 1;
	int rc = 0;
	for (unsigned slot = 0; slot < n_slots; slot++) {
		if (!pf_sample_has(step->cur, metric, slot))
			continue;
		struct pf_eventblock_params all = { .events = pf_sample_get(step->cur, metric, slot).events };
		for (int known = pf_eventblock_next(&all); rc == 0 && known >= 0; known = pf_eventblock_next(&all))
			rc = describe_metric(s, step->catalog, (unsigned)known, err);
	}
	return rc;
}

/* What a metric that has values needs beside them. */
static int describe(struct archive_sink *s, const struct pf_step *step, unsigned metric, int64_t time_ns,
		    struct pf_err *err)
{
	int rc = describe_metric(s, step->catalog, metric, err);
	if (rc == 0 && pf_type_is_events(step->catalog->metrics[metric]->type))
		rc = describe_params(s, step, metric, err);
	struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	if (rc < 0 || !dom)
		return rc;
	return put_domain(s, step->catalog, dom, &s->domains[step->catalog->metric_domains[metric]], step->cur->seq,
			  time_ns, err);
}

/* The values that were not told yet, or @all. */
static int put_told(struct archive_sink *s, const struct pf_step *step, unsigned metric,
		    const struct pf_known_domain *known, bool all)
{
	const struct pf_metric *m = step->catalog->metrics[metric];
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
	unsigned n_slots = dom ? dom->n : 1;
	bool begun = false;
	int rc = 0;
	for (unsigned slot = 0; slot < n_slots && rc == 0; slot++) {
		if (!pf_told_has(step, metric, slot))
			continue;
		bool told = pf_told_is_told(&s->told[metric], step, metric, slot, known);
		if (told && !all)
			continue;
		if (!begun)
			pf_pcp_build_set(&s->build, m->pmid, m->type);
		begun = true;
		put_value(s, step->catalog, m->type, dom ? dom->instances[slot].id : -1,
			  pf_sample_get(step->cur, metric, slot));
		if (!told)
			rc = pf_told_tell(&s->told[metric], step, metric, slot);
	}
	return rc;
}

static bool has_failed(const struct pf_step *step, unsigned metric)
{
	int32_t code;
	return pf_sample_failed(step->cur, metric, &code) && !step->catalog->hidden[metric];
}

/* Why there are no values, if the sample tells. */
static int put_error(struct archive_sink *s, const struct pf_step *step, unsigned metric, struct pf_err *err)
{
	int32_t code;
	if (!has_failed(step, metric) || !pf_sample_failed(step->cur, metric, &code))
		return 0;
	pf_pcp_build_fail(&s->build, step->catalog->metrics[metric]->pmid, code);
	return describe_metric(s, step->catalog, metric, err);
}

static int put_discrete(struct archive_sink *s, const struct pf_step *step, unsigned metric, int64_t time_ns, bool all,
			struct pf_err *err)
{
	struct pf_told *h = &s->told[metric];
	uint32_t pmid = step->catalog->metrics[metric]->pmid;
	if (!pf_told_any(step, metric)) {
		if (h->any && !has_failed(step, metric))
			pf_pcp_build_fail(&s->build, pmid, 0);
		if (h->any)
			pf_told_forget(h, step->cur->seq);
		return put_error(s, step, metric, err);
	}
	int rc = describe(s, step, metric, time_ns, err);
	if (rc < 0)
		return rc;
	unsigned domain = step->catalog->metric_domains[metric];
	const struct pf_known_domain *known = domain == UINT32_MAX ? NULL : &s->domains[domain];
	struct pf_told_look look = pf_told_look(h, step, metric, known);
	if (look.gone) {
		pf_pcp_build_fail(&s->forget, pmid, 0);
		pf_told_forget(h, step->cur->seq);
	}
	if (!all && !look.news && !look.gone)
		return 0;
	rc = put_told(s, step, metric, known, all);
	return rc < 0 ? pf_err_set(err, rc, "no memory for a sample") : 0;
}

static bool may_hold(const struct archive_sink *s, const struct pf_metric *m)
{
	return !s->each && m->sem == PF_DISCRETE && m->type <= PF_STRING;
}

/* Metrics whose values hold. @all: also what did not change */
static int put_discretes(struct archive_sink *s, const struct pf_step *step, int64_t time_ns, bool all,
			 struct pf_err *err)
{
	int rc = 0;
	for (unsigned m = 0; m < step->catalog->n_metrics && rc == 0; m++) {
		if (may_hold(s, step->catalog->metrics[m]))
			rc = put_discrete(s, step, m, time_ns, all, err);
	}
	return rc;
}

static int put_others(struct archive_sink *s, const struct pf_step *step, int64_t time_ns, struct pf_err *err)
{
	int rc = 0;
	for (unsigned m = 0; m < step->catalog->n_metrics && rc == 0; m++) {
		if (may_hold(s, step->catalog->metrics[m]))
			continue;
		rc = put_values(s, step, m) > 0 ? describe(s, step, m, time_ns, err) : put_error(s, step, m, err);
	}
	return rc;
}

/* Times in an archive never go back. When the clock was set back, samples stay as far apart as they were taken. */
static int64_t time_of(struct archive_sink *s, const struct pf_sample *cur)
{
	int64_t tick = pf_pcp_writer_tick(s->writer);
	int64_t time_ns = cur->time_ns - cur->time_ns % tick;
	int64_t passed = (cur->mono_ns - s->last_mono_ns) / tick * tick;
	if (s->last_ns > 0 && time_ns <= s->last_ns)
		time_ns = s->last_ns + (passed > 0 ? passed : tick);
	s->last_mono_ns = cur->mono_ns;
	return time_ns;
}

static bool is_volume_full(struct archive_sink *s, int64_t time_ns)
{
	return s->in_volume > 0 && pf_volume_is_full(&s->volumes, s->in_volume, pf_pcp_writer_volume_bytes(s->writer),
						     time_ns - s->volume_ns, &s->cause);
}

/* A next one that cannot be made is tried for again with each sample; the old one takes them meanwhile. */
static void end_volume(struct archive_sink *s)
{
	char *closed;
	struct pf_err why = { 0 };
	int rc = pf_pcp_writer_switch(s->writer, &closed, &why);
	if (rc < 0 && !s->volume_told)
		pf_notice(s->notice, PF_WARNING, "%s; the volume before goes on", why.text);
	s->volume_told = rc < 0;
	if (rc < 0 || !closed)
		return;
	s->in_volume = 0;
	(void)pf_shelf_add(&s->shelf, closed, s->last_ns); /* without memory it stays */
	if (s->volumes.pack)
		pf_packer_add(&s->packer, closed);
	else
		free(closed);
}

/* A record that begins with a discrete metric has all of them, and by that it is known. So one in which nothing else is has them, too.
 * @all: in/out */
static int build_sample(struct archive_sink *s, const struct pf_step *step, int64_t time_ns, bool *all,
			struct pf_err *err)
{
	int rc = 0;
	pf_pcp_build_begin(&s->build);
	if (!*all) {
		rc = put_others(s, step, time_ns, err);
		*all = s->build.n_sets == 0;
		if (rc < 0 || !*all)
			return rc < 0 ? rc : put_discretes(s, step, time_ns, false, err);
	}
	rc = put_discretes(s, step, time_ns, true, err);
	return rc < 0 ? rc : put_others(s, step, time_ns, err);
}

/* Behind a mark nothing of what was told holds. */
static int put_mark(struct archive_sink *s, const struct pf_step *step, int64_t last_ns, struct pf_err *err)
{
	for (unsigned m = 0; m < s->n_told; m++)
		pf_told_forget(&s->told[m], step->cur->seq);
	return pf_pcp_writer_mark(s->writer, last_ns + pf_pcp_writer_tick(s->writer), err);
}

/* The whole sample, behind a mark if others are missing before it. */
static int put_sample(struct archive_sink *s, const struct pf_step *step, int64_t last_ns, struct pf_err *err)
{
	int rc = s->gap ? put_mark(s, step, last_ns, err) : 0;
	if (rc < 0)
		return rc;
	int64_t time_ns = pf_pcp_writer_begin(s->writer, s->last_ns, err);
	if (time_ns < 0)
		return (int)time_ns;
	rc = pf_notes_put(&s->notes, s->writer, step->catalog, s->described, step->cur->time_ns, time_ns, err);
	if (rc == 0 && s->live && !s->each)
		rc = pf_notes_expected(&s->notes, s->writer, step->catalog, s->described, err);
	if (rc < 0)
		return rc;
	pf_packer_look(&s->packer);
	bool full = is_volume_full(s, time_ns);
	bool all = full || s->gap || pf_pcp_writer_entry_due(s->writer);
	pf_pcp_build_begin(&s->forget);
	bool entry = all;
	/* Files are looked at when readers are told where to begin, which is often enough and not at each sample. */
	if (all)
		rc = pf_shelf_trim(&s->shelf, s->path, &s->volumes, s->packer.pid > 0 ? s->packer.paths[0] : NULL,
				   time_ns, s->notice, err);
	if (rc < 0)
		return rc;
	rc = build_sample(s, step, time_ns, &all, err);
	if (rc == 0 && s->in_volume > 0 && !pf_pcp_writer_fits(s->writer, &s->build)) {
		full = entry = true;
		s->cause = PF_VOLUME_LARGEST;
		rc = all ? 0 : build_sample(s, step, time_ns, &entry, err);
	}
	if (rc < 0 || s->build.n_sets == 0)
		return rc;
	if (full)
		end_volume(s);
	if (s->forget.n_sets > 0)
		rc = pf_pcp_writer_part(s->writer, time_ns, &s->forget, err);
	if (rc < 0)
		return rc;
	rc = pf_pcp_writer_result(s->writer, time_ns, &s->build, entry, err);
	if (rc == 0 && s->in_volume++ == 0)
		s->volume_ns = time_ns;
	return rc;
}

/* A disk that is full may have room again: samples in between are lost, and a mark says so. */
static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct archive_sink *s = (struct archive_sink *)sink;
	struct pf_err why = { 0 };
	int64_t last_ns = s->last_ns;
	if (follow_catalog(s, step->catalog) < 0)
		return pf_err_set(err, -ENOMEM, "no memory for a sample");
	if (last_ns > 0 && (!step->prev || pf_time_is_gap(step->cur->mono_ns - s->last_mono_ns, s->nominal_ns)))
		s->gap = true;
	s->last_ns = time_of(s, step->cur);
	int rc = put_sample(s, step, last_ns, &why);
	if (!s->live || !pf_pcp_writer_may_recover(rc) || pf_pcp_writer_samples(s->writer) == 0) {
		if (rc < 0)
			return pf_err_set(err, rc, "%s", why.text);
		if (s->stuck)
			pf_notice(s->notice, PF_INFO, "the archive can be written again");
		s->stuck = s->gap = false;
		return 0;
	}
	if (!s->stuck)
		pf_notice(s->notice, PF_WARNING, "%s, trying again with each sample", why.text);
	s->stuck = s->gap = true;
	s->lost++;
	s->disk_rc = rc;
	return 0;
}

void pf_sink_pcparchive_size(const struct pf_sink *sink, uint64_t *ret_samples, uint64_t *ret_bytes)
{
	const struct archive_sink *s = (const struct archive_sink *)sink;
	*ret_samples = pf_pcp_writer_samples(s->writer);
	*ret_bytes = pf_pcp_writer_bytes(s->writer);
}

uint64_t pf_sink_pcparchive_data_bytes(const struct pf_sink *sink)
{
	return pf_pcp_writer_data_bytes(((const struct archive_sink *)sink)->writer);
}

void pf_sink_pcparchive_volume(const struct pf_sink *sink, struct pf_archive_volume *ret)
{
	const struct archive_sink *s = (const struct archive_sink *)sink;
	*ret = (struct pf_archive_volume){ .number = pf_pcp_writer_volume(s->writer),
					   .cause = s->cause,
					   .bytes = pf_pcp_writer_volume_bytes(s->writer) };
}

void pf_sink_pcparchive_next_volume(struct pf_sink *sink)
{
	struct archive_sink *s = (struct archive_sink *)sink;
	s->cause = PF_VOLUME_ASKED;
	end_volume(s);
}

void pf_sink_pcparchive_uncounted(struct pf_sink *sink)
{
	((struct archive_sink *)sink)->in_volume = 0;
}

void pf_sink_pcparchive_discard(struct pf_sink *sink)
{
	((struct archive_sink *)sink)->discarded = true;
}

static int close_archive(struct pf_sink *sink, struct pf_err *err)
{
	struct archive_sink *s = (struct archive_sink *)sink;
	if (!s)
		return 0;
	if (s->discarded)
		pf_packer_finish(&s->packer); /* what it makes is removed, too */
	bool pack = s->volumes.pack && pf_pcp_writer_samples(s->writer) > 0 && !s->discarded;
	char *last = pack ? pf_pcp_writer_data_path(s->writer) : NULL;
	char *meta = pack ? pf_pcp_writer_path(s->writer, "meta") : NULL;
	if (s->discarded)
		pf_pcp_writer_discard(s->writer);
	int rc = pf_pcp_writer_close(s->writer, err);
	if (pack && rc != -ESTALE) {
		pf_packer_add(&s->packer, PF_TAKE(last));
		pf_packer_add(&s->packer, PF_TAKE(meta));
	}
	free(last);
	free(meta);
	pf_packer_finish(&s->packer);
	if (rc == 0 && s->lost > 0)
		rc = pf_err_set(err, s->disk_rc, "%llu samples are lost: %s", (unsigned long long)s->lost,
				strerror(-s->disk_rc));
	for (unsigned d = 0; d < s->n_domains; d++)
		pf_known_done(&s->domains[d]);
	pf_known_scratch_done(&s->scratch);
	pf_shelf_done(&s->shelf);
	free(s->path);
	pf_pcp_build_done(&s->build);
	pf_pcp_build_done(&s->forget);
	for (unsigned m = 0; m < s->n_told; m++)
		pf_told_done(&s->told[m]);
	free(s->told);
	pf_eventblock_done(&s->events);
	pf_notes_done(&s->notes);
	free(s->domains);
	free(s->described);
	free(s);
	return rc;
}

/* The zone of the samples as a label has it: this host's, with the name of its place, or the one that came with them. */
static void choose_zone(const struct pf_sink_spec *spec, char zone[64], char place[257])
{
	char target[257] = "";
	place[0] = '\0';
	if (spec->zone) {
		pf_pcp_zone_label(zone, 64, spec->zone);
		(void)snprintf(place, 257, "%s", spec->place ? spec->place : "");
		return;
	}
	struct tm tm = pf_time_local(pf_time_wall_ns());
	pf_pcp_zone_posix(zone, 64, tm.tm_zone ? tm.tm_zone : "UTC", tm.tm_gmtoff);
	if (readlink("/etc/localtime", target, sizeof(target) - 1) < 0)
		target[0] = '\0';
	pf_pcp_zone_info(place, 257, getenv("TZ"), target);
}

static int open_archive(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	char host[257] = "";
	char zone[64];
	char place[257];
	choose_zone(spec, zone, place);
	if (gethostname(host, sizeof(host) - 1) < 0)
		host[0] = '\0';

	struct archive_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->base.kind = &pf_sink_pcparchive;
	s->nominal_ns = spec->interval_ns;
	s->notice = spec->notice;
	s->live = spec->live;
	s->each = s->notes.repeats = spec->each;
	s->packer.notice = spec->notice;
	if (spec->volumes)
		s->volumes = *spec->volumes;
	pf_volume_options_limit(&s->volumes);
	s->path = strdup(spec->path);
	const struct pf_pcp_writer_spec out = {
		.version = spec->archive_version,
		.path = spec->path,
		.host = spec->host ? spec->host : host,
		.zone = zone,
		.zoneinfo = place,
	};
	int rc = s->path ? pf_pcp_writer_open(&s->writer, &out, err)
			 : pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	if (rc < 0) {
		free(s->path);
		free(s);
		return rc;
	}
	if (spec->live)
		pf_pcp_writer_hold(s->writer);
	pf_notes_host(&s->notes, out.host, spec->live && !spec->host);
	*ret_sink = &s->base;
	return 0;
}

const struct pf_sink_kind pf_sink_pcparchive = {
	.name = "pcparchive",
	.open = open_archive,
	.sample = sample,
	.close = close_archive,
};
