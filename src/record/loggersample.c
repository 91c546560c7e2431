/* record/loggersample.c - one record of a logger: of a task, or the two that say who recorded. Source of those: archives of pmlogger 6.0.3. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/time.h"
#include "import/import.h"
#include "record/loggerstate.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"

/* Bytes of a label, which begins a volume. */
enum { LABEL_2 = 132, LABEL_3 = 808 };

/* Metrics of pmcd that its loggers write themselves; the first three have this domain, with a logger's process as instance. */
enum { HOST, PORT, ARCHIVE, PID, SEQNUM, N_BRACKET };
#define LOGGERS PF_INDOM(2, 1)

static const struct pf_metric bracket[N_BRACKET] = {
	[HOST] = { "pmcd.pmlogger.host", PF_PMID(2, 3, 3), LOGGERS, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, NULL },
	[PORT] = { "pmcd.pmlogger.port", PF_PMID(2, 3, 0), LOGGERS, PF_U32, PF_DISCRETE, PF_UNITS_NONE, NULL },
	[ARCHIVE] = { "pmcd.pmlogger.archive", PF_PMID(2, 3, 2), LOGGERS, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, NULL },
	[PID] = { "pmcd.pid", PF_PMID(2, 0, 23), PF_INDOM_NONE, PF_U64, PF_DISCRETE, PF_UNITS_NONE, NULL },
	[SEQNUM] = { "pmcd.seqnum", PF_PMID(2, 0, 24), PF_INDOM_NONE, PF_U32, PF_DISCRETE, PF_UNITS_NONE, NULL },
};

void pf_logger_look_at_volume(struct pf_logger *l)
{
	struct pf_archive_volume v;
	pf_sink_pcparchive_volume(l->sink, &v);
	if (v.number != l->volume && l->spec->watch && l->spec->watch->volume)
		l->spec->watch->volume(l->spec->watch->arg, v.number, (int)v.cause);
	l->volume = v.number;
}

/* Its place in the catalog, which it may have as what is recorded anyway. -EEXIST: another metric has its name or number. */
static int place_bracket(const struct pf_logger *l, unsigned i, unsigned *ret_metric)
{
	int have = pf_catalog_find(l->catalog, pf_view_of(bracket[i].name));
	int rc = 0;
	*ret_metric = (unsigned)have;
	if (have < 0)
		rc = pf_catalog_add(l->catalog, &bracket[i], 1, ret_metric, NULL);
	else if (l->catalog->metrics[have]->type != bracket[i].type ||
		 l->catalog->metrics[have]->indom != bracket[i].indom)
		rc = -EEXIST;
	if (rc == 0)
		l->catalog->hidden[*ret_metric] = false;
	return rc;
}

static int fill_bracket(const struct pf_logger *l, struct pf_sample *sample)
{
	char path[PATH_MAX + 1] = "";
	char host[PF_LOGGER_HOST_SIZE] = "";
	char pid[32];
	const struct pf_source_info *info = l->source->kind->info(l->source);
	if (l->spec->path[0] != '/' && !getcwd(path, PATH_MAX - strlen(l->spec->path)))
		path[0] = '\0';
	(void)snprintf(path + strlen(path), sizeof(path) - strlen(path), "%s%s", path[0] ? "/" : "", l->spec->path);
	if (gethostname(host, sizeof(host) - 1) < 0)
		(void)snprintf(host, sizeof(host), "localhost");
	(void)snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	struct pf_arena *arena = &sample->arenas[PF_EACH_INTERVAL];
	const union pf_value values[N_BRACKET] = {
		[HOST] = { .s = pf_arena_dup(arena, pf_view_of(host)) },
		[PORT] = { .u = 0 }, /* nobody is listened to */
		[ARCHIVE] = { .s = pf_arena_dup(arena, pf_view_of(path)) },
		[PID] = { .u = info->pmcd_pid },
		[SEQNUM] = { .u = info->pmcd_seqnum },
	};
	for (unsigned i = 0; i < N_BRACKET; i++) {
		unsigned m;
		int rc = place_bracket(l, i, &m);
		if (rc == -EEXIST || (i >= PID && info->pmcd_pid == 0))
			continue;
		struct pf_indom *dom = rc == 0 ? pf_catalog_domain_of(l->catalog, m) : NULL;
		int slot = dom ? pf_indom_slot(dom, pf_view_of(pid), 0, (int32_t)getpid(), sample->seq) : 0;
		rc = rc < 0 ? rc : slot < 0 ? slot : pf_sample_set(sample, m, (unsigned)slot, values[i]);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int pf_logger_bracket(struct pf_logger *l, int64_t time_ns, int64_t mono_ns, struct pf_err *err)
{
	struct pf_sample *sample = pf_frames_begin(&l->frames, time_ns, mono_ns);
	int rc = sample ? fill_bracket(l, sample) : -ENOMEM;
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for a sample");
	struct pf_step step = pf_frames_step(&l->frames);
	return l->sink->kind->sample(l->sink, &step, err);
}

/* What a record of the task takes is told once. */
static void tell_size(struct pf_logger *l, struct pf_logger_task *t, uint64_t before, unsigned volume)
{
	uint64_t bytes = pf_sink_pcparchive_data_bytes(l->sink) - before;
	if (volume != l->volume || before == 0)
		bytes -= l->spec->archive_version == 2 ? LABEL_2 : LABEL_3;
	if (!t->sized && t->what && l->spec->watch && l->spec->watch->size)
		l->spec->watch->size(l->spec->watch->arg, t->what, l->catalog, bytes);
	t->sized = true;
}

static int put(struct pf_logger *l, struct pf_logger_task *t, struct pf_err *err)
{
	uint64_t before = pf_sink_pcparchive_data_bytes(l->sink);
	unsigned volume = l->volume;
	struct pf_step step = pf_frames_step(&l->frames);
	int rc = l->sink->kind->sample(l->sink, &step, err);
	if (rc < 0)
		return rc;
	pf_logger_look_at_volume(l);
	uint64_t bytes = pf_sink_pcparchive_data_bytes(l->sink);
	if (bytes > before) {
		tell_size(l, t, before, volume);
		l->records++;
	}
	t->taken = true;
	t->n_known = l->catalog->n_metrics;
	pf_logger_tell_ready(l);
	if (l->left > 0)
		l->left--;
	if (l->left == 0)
		pf_logger_finish(l, PF_LOGGER_COUNT, 0);
	if (l->spec->max_records > 0 && l->records >= l->spec->max_records)
		pf_logger_finish(l, PF_LOGGER_RECORDS, 0);
	if (l->spec->max_bytes > 0 && bytes >= l->spec->max_bytes)
		pf_logger_finish(l, PF_LOGGER_BYTES, 0);
	return 1;
}

/* A pmcd that does not answer is told once, as is that it does again. */
static void look_at_line(struct pf_logger *l, const struct pf_logger_task *t, int rc)
{
	const struct pf_logger_watch *w = l->spec->watch;
	bool lost = rc == 0 && t->source->kind->fd(t->source) < 0;
	if (lost && !l->away && w && w->lost)
		w->lost(w->arg);
	if (rc == 1 && l->away && w && w->back)
		w->back(w->arg);
	l->away = lost || (l->away && rc != 1);
}

int pf_logger_take(struct pf_logger *l, struct pf_logger_task *t, struct pf_err *err)
{
	const struct pf_source_kind *kind = t->source->kind;
	l->module_state.time_ns = pf_time_wall_ns();
	int rc = t->picks && kind->choose && !l->pending ? kind->choose(t->source, t->picks, err) : 0;
	if (rc == 0)
		rc = kind->next(t->source, &l->frames, err);
	look_at_line(l, t, rc);
	if (rc <= 0)
		return rc;
	if (t->picks && !kind->choose)
		pf_picks_keep(t->picks, pf_frames_current(&l->frames));
	if (!t->taken)
		pf_logger_look_at_instances(l, t);
	if (l->import)
		pf_import_interval_end(l->import);
	rc = put(l, t, err);
	if (l->import)
		pf_import_init_interval(l->import);
	return rc;
}
