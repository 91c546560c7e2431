/* record/logger.c - one logger: one host into one archive, on a timer, until told to stop. */
#include "record/logger.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "engine/stop.h"
#include "formats/pcp/names.h"
#include "groups/list.h"
#include "import/import.h"
#include "record/loggerstate.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"

static bool is_self(const char *host)
{
	return strcmp(host, "self:") == 0;
}

static bool has_letter(const struct pf_group *g, const char *letters)
{
	for (const char *p = g->letters; *p; p++) {
		if (strchr(letters, *p))
			return true;
	}
	return false;
}

int pf_logger_letters(const char *letters, struct pf_err *err)
{
	for (const char *p = letters; *p; p++) {
		bool known = false;
		const char one[2] = { *p, '\0' };
		for (unsigned i = 0; pf_groups[i] && !known; i++)
			known = has_letter(pf_groups[i], one);
		if (known)
			continue;
		struct pf_buf there = { 0 };
		for (unsigned i = 0; pf_groups[i]; i++)
			pf_buf_fmt(&there, " %c %s,", pf_groups[i]->letters[0], pf_groups[i]->name);
		int rc = pf_err_set(err, -EINVAL, "no subsystem has the letter '%c'; there are%.*s",
				    *p >= 0x20 && *p < 0x7f ? *p : '?', there.n ? (int)there.n - 1 : 0,
				    there.p ? there.p : "");
		pf_buf_done(&there);
		return rc;
	}
	return letters[0] ? 0 : pf_err_set(err, -EINVAL, "no subsystem is named");
}

static void choose_groups(struct pf_logger *l)
{
	const char *letters = l->spec->letters ? l->spec->letters : PF_LOGGER_LETTERS;
	if (!l->spec->letters && l->spec->metrics && !is_self(l->spec->host))
		letters = ""; /* only those */
	unsigned n = 0;
	for (unsigned i = 0; pf_groups[i] && n < PF_LOGGER_GROUPS; i++) {
		if (has_letter(pf_groups[i], letters) || (letters[0] && pf_groups[i]->in_archives))
			l->groups[n++] = pf_groups[i];
	}
	l->groups[n] = NULL;
}

static int open_import(struct pf_logger *l, struct pf_err *err)
{
	if (!l->spec->import)
		return 0;
	if (!is_self(l->spec->host))
		return pf_err_set(err, -EINVAL, "%s: modules sample the host that they run on; leave out --import",
				  l->spec->host);
	char **folders = NULL;
	int rc = pf_import_path(&folders, err);
	if (rc < 0)
		return rc;
	(void)snprintf(l->interval_text, sizeof(l->interval_text), "%.9g",
		       (double)l->spec->interval_ns / (double)PF_NS_PER_SEC);
	l->module_state = (struct perfolio_state){ .size = sizeof(l->module_state),
						   .datetime = "",
						   .mini_filler = "",
						   .rate = "/sec",
						   .separator = " ",
						   .int_secs = (double)l->spec->interval_ns / (double)PF_NS_PER_SEC,
						   .interval = l->interval_text };
	const struct pf_import_setup setup = { .spec = l->spec->import,
					       .path = (const char *const *)folders,
					       .state = &l->module_state,
					       .limits = l->spec->limits,
					       .interval_ns = l->spec->interval_ns,
					       .notice = l->spec->notice };
	rc = pf_import_open(&l->import, &setup, l->catalog, err);
	(void)pf_import_path_free(folders);
	if (rc < 0)
		return rc;
	pf_import_root(l->import, l->root_fd);
	pf_import_tap(l->import, NULL, NULL, true);
	pf_import_init_interval(l->import);
	return 0;
}

/* Of one name what comes first in the file. */
static int by_name(const void *a, const void *b)
{
	const struct pf_log_metric *x = *(const struct pf_log_metric *const *)a;
	const struct pf_log_metric *y = *(const struct pf_log_metric *const *)b;
	int order = strcmp(x->name, y->name);
	return order != 0 ? order : (x > y) - (x < y);
}

/* What the configuration names is all that is asked for: each name once, in the order of the file. */
static int want_config(struct pf_logger *l, struct pf_err *err)
{
	const struct pf_logconfig *c = l->spec->config;
	l->wanted = calloc(c->n_metrics + (size_t)1, sizeof(*l->wanted));
	pf_autofree const struct pf_log_metric **sorted = calloc(c->n_metrics + (size_t)1, sizeof(*sorted));
	if (!l->wanted || !sorted)
		return pf_err_set(err, -ENOMEM, "no memory");
	for (unsigned i = 0; i < c->n_metrics; i++)
		sorted[i] = &c->metrics[i];
	qsort(sorted, c->n_metrics, sizeof(*sorted), by_name);
	for (unsigned i = 0; i < c->n_metrics; i++) {
		if (i == 0 || strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
			l->wanted[sorted[i] - c->metrics] = sorted[i]->name;
	}
	unsigned n = 0;
	for (unsigned i = 0; i < c->n_metrics; i++) {
		if (l->wanted[i])
			l->wanted[n++] = l->wanted[i];
	}
	l->wanted[n] = NULL;
	l->catalog->wanted = l->wanted;
	return 0;
}

static int open_source(struct pf_logger *l, struct pf_err *err)
{
	bool self = is_self(l->spec->host);
	int rc = open_import(l, err);
	l->catalog->wanted = self ? l->spec->metrics : NULL;
	if (rc == 0 && l->spec->config)
		rc = want_config(l, err);
	if (rc < 0 || (self && l->spec->config))
		return rc;
	choose_groups(l);
	const struct pf_source_spec from = {
		.pmcd = self ? NULL : l->spec->host,
		.patterns = l->spec->config ? l->wanted : l->spec->metrics,
		.as_recorded = !self,
		.notes = !self,
		.later = l->spec->config,
		.root_fd = l->root_fd,
		.groups = l->spec->config ? NULL : l->groups,
		.import = l->import,
		.interval_ns = l->spec->interval_ns,
		.notice = l->spec->notice,
	};
	rc = pf_source_open(&l->source, &from, l->catalog, err);
	if (rc < 0)
		l->end.reason = PF_LOGGER_NO_SOURCE;
	return rc;
}

static void look_at_source(struct pf_logger *l)
{
	const struct pf_logger_watch *w = l->spec->watch;
	bool self = is_self(l->spec->host);
	const struct pf_source_info *info = self ? NULL : l->source->kind->info(l->source);
	if (self && gethostname(l->host, sizeof(l->host) - 1) < 0)
		(void)snprintf(l->host, sizeof(l->host), "localhost");
	if (!self)
		(void)snprintf(l->host, sizeof(l->host), "%s", info->host ? info->host : l->spec->host);
	if (w && w->opened)
		w->opened(w->arg);
}

static int set_end(struct pf_logger *l, struct pf_err *err)
{
	static const struct pf_source_info nothing = { 0 };
	const struct pf_logger_watch *w = l->spec->watch;
	const struct pf_source_info *info = l->source ? l->source->kind->info(l->source) : &nothing;
	int64_t until_ns = 0;
	int rc = w && w->until ? w->until(w->arg, info, &until_ns, err) : 0;
	if (until_ns > 0)
		l->end_ns = pf_time_mono_ns() + until_ns - pf_time_wall_ns();
	return rc;
}

/* Without a configuration everything is one task. */
static int plan(struct pf_logger *l, struct pf_err *err)
{
	const struct pf_logger_watch *w = l->spec->watch;
	if (!l->spec->config) {
		l->tasks = calloc(1, sizeof(*l->tasks));
		if (!l->tasks)
			return pf_err_set(err, -ENOMEM, "no memory");
		l->tasks[0] = (struct pf_logger_task){ .interval_ns = l->spec->interval_ns, .source = l->source };
		l->n_tasks = 1;
		return 0;
	}
	int rc = pf_logger_plan(l, true, err);
	if (rc < 0)
		return rc;
	l->end.reason = PF_LOGGER_BAD_CONFIG;
	if (l->spec->config->error.what)
		return pf_err_set(err, -EINVAL, "%s, line %u: %s", l->spec->config->error.at.file,
				  l->spec->config->error.at.line, l->spec->config->error.what);
	if (w && w->planned)
		w->planned(w->arg);
	return 0;
}

/* When, and whether at all. */
static int begin(struct pf_logger *l, struct pf_err *err)
{
	const struct pf_logger_watch *w = l->spec->watch;
	bool later = l->source && l->made.n_unknown > 0; /* what a pmcd does not know now it may know later */
	if (w && w->begun)
		w->begun(w->arg, l->host);
	l->end.reason = PF_LOGGER_COUNT;
	int rc = set_end(l, err);
	if (rc < 0 || l->n_tasks > 0 || l->spec->linger || later)
		return rc;
	l->end.reason = PF_LOGGER_NOTHING;
	return pf_err_set(err, -ENODATA, "nothing of what the configuration names can be recorded");
}

static int64_t shortest(const struct pf_logger *l)
{
	int64_t ns = 0;
	for (unsigned i = 0; i < l->n_tasks; i++) {
		if (ns == 0 || (l->tasks[i].interval_ns > 0 && l->tasks[i].interval_ns < ns))
			ns = l->tasks[i].interval_ns;
	}
	return ns;
}

static int open_sink(struct pf_logger *l, struct pf_err *err)
{
	bool self = is_self(l->spec->host);
	const struct pf_source_info *info = self ? NULL : l->source->kind->info(l->source);
	const char *label_host = l->spec->label_host ? l->spec->label_host : info ? info->host : NULL;
	const struct pf_sink_spec to = {
		.fd = -1,
		.host = label_host,
		.zone = info ? info->zone : NULL,
		.place = info ? info->place : NULL,
		.path = l->spec->path,
		.volumes = &l->spec->volumes,
		.archive_version = l->spec->archive_version,
		.live = true,
		.each = l->spec->config,
		.catalog = l->catalog,
		.interval_ns = shortest(l),
		.notice = l->spec->notice,
	};
	const struct pf_logger_watch *w = l->spec->watch;
	int rc = pf_sink_pcparchive.open(&l->sink, &to, err);
	l->end.reason = PF_LOGGER_NO_ARCHIVE;
	if (rc == 0 && w && w->made)
		w->made(w->arg);
	return rc;
}

static int open_all(struct pf_logger *l, struct pf_err *err)
{
	l->catalog = pf_catalog_new();
	if (!l->catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	l->root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (l->root_fd < 0)
		return pf_err_set(err, -errno, "/: %s", strerror(errno));
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0)
		return pf_err_set(err, -errno, "no timer: %s", strerror(errno));
	l->select = (struct pf_select){ .groups = pf_groups, .archive = true };
	if (is_self(l->spec->host))
		l->catalog->select = &l->select;
	pf_frames_init(&l->frames, l->catalog);
	int rc = open_source(l, err);
	if (rc == 0)
		look_at_source(l);
	if (rc == 0)
		rc = plan(l, err);
	if (rc < 0 || l->spec->check)
		return rc;
	rc = begin(l, err);
	return rc < 0 ? rc : open_sink(l, err);
}

static void close_all(struct pf_logger *l)
{
	l->control = pf_control_close(l->control);
	for (unsigned i = 0; i < l->n_tasks; i++) {
		if (l->tasks[i].owned && l->tasks[i].source)
			l->tasks[i].source = l->tasks[i].source->kind->close(l->tasks[i].source);
	}
	if (l->source)
		l->source = l->source->kind->close(l->source);
	free(l->tasks);
	pf_tasks_done(&l->made);
	free(l->wanted);
	l->import = l->import ? pf_import_close(l->import) : NULL;
	pf_frames_done(&l->frames);
	l->catalog = pf_catalog_free(l->catalog);
	pf_closep(&l->root_fd);
	pf_closep(&l->timer_fd);
}

/* The last partial interval is recorded too, so that whatever ended the recording is in it; but rates over a moment say nothing. */
static int take_last(struct pf_logger *l, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&l->frames);
	int64_t since_ns = pf_time_boot_ns() - step.cur->mono_ns;
	if (l->spec->config || l->left == 0 || (step.prev && since_ns < l->spec->interval_ns / 4))
		return 0;
	int rc = pf_logger_take(l, &l->tasks[0], err);
	return rc < 0 ? rc : 0;
}

/* Who records, before and behind all else. */
static int begin_brackets(struct pf_logger *l, struct pf_err *err)
{
	if (!l->spec->brackets || !l->source || l->spec->check)
		return 0;
	int rc = pf_logger_bracket(l, l->source->kind->info(l->source)->start_ns, pf_time_boot_ns(), err);
	pf_sink_pcparchive_uncounted(l->sink);
	l->n_metrics = l->catalog->n_metrics;
	return rc;
}

/* Our clock may not be the host's. */
static int end_brackets(struct pf_logger *l, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&l->frames);
	int64_t mono_ns = pf_time_boot_ns();
	if (!l->spec->brackets || !l->source || l->records == 0)
		return 0;
	if (mono_ns <= step.cur->mono_ns)
		mono_ns = step.cur->mono_ns + 1;
	return pf_logger_bracket(l, step.cur->time_ns + (mono_ns - step.cur->mono_ns), mono_ns, err);
}

/* The archive is complete, whatever @rc was before. */
static int close_sink(struct pf_logger *l, int rc, struct pf_err *err)
{
	uint64_t samples;
	uint64_t bytes;
	pf_sink_pcparchive_size(l->sink, &samples, &bytes);
	if (l->records == 0)
		pf_sink_pcparchive_discard(l->sink);
	int close_rc = l->sink->kind->close(l->sink, rc < 0 ? NULL : err);
	pf_logger_tell_end(l, samples, pf_pcp_names_bytes(l->spec->path)); /* compressed by now */
	return rc < 0 ? rc : close_rc;
}

static int record(struct pf_logger *l, struct pf_err *err)
{
	int rc = begin_brackets(l, err);
	if (rc == 0)
		rc = pf_logger_loop(l, err);
	if (rc == 0)
		rc = take_last(l, err);
	if (rc == 0)
		rc = end_brackets(l, err);
	return rc;
}

void pf_logger_signals(struct pf_stop *signals)
{
	static const int ends[] = { SIGQUIT, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU };
	static const int nothing[] = { SIGALRM, SIGPWR };
	for (unsigned i = 0; i < PF_N(ends); i++)
		pf_stop_also(signals, ends[i]);
	for (unsigned i = 0; i < PF_N(nothing); i++)
		pf_stop_unless(signals, nothing[i]);
}

int pf_logger_run(const struct pf_logger_spec *spec, struct pf_logger_end *ret_end, struct pf_err *err)
{
	int rc = pf_logger_host(spec->host, err);
	if (rc < 0)
		return rc;
	if (spec->config && spec->import)
		return pf_err_set(err, -EINVAL, "modules are recorded without a configuration; leave out --import");
	struct pf_logger *l = calloc(1, sizeof(*l));
	if (!l)
		return pf_err_set(err, -ENOMEM, "no memory");
	l->spec = spec;
	l->root_fd = -1;
	l->timer_fd = -1;
	l->end_ns = INT64_MAX;
	l->last_ns = INT64_MAX;
	l->left = spec->count < 0 || spec->config ? -1 : spec->count + 1;
	l->start_ns = pf_time_boot_ns();
	spec->signals->keeps_hup = spec->hup_volume;
	const struct pf_control_setup control = { .fd = spec->control_fd,
						  .quiet = spec->tell,
						  .log_fd = STDERR_FILENO,
						  .numbers = pf_logger_tell_state,
						  .about = pf_logger_tell_about,
						  .arg = l };
	rc = pf_control_open(&l->control, &control, err);
	if (rc == 0)
		rc = open_all(l, err);
	if (rc == 0 && !spec->check)
		rc = record(l, err);
	if (rc == 0 && spec->check)
		pf_logger_finish(l, PF_LOGGER_CHECKED, 0);
	if (l->sink)
		rc = close_sink(l, rc, err);
	if (rc == 0)
		pf_control_linger(l->control, spec->signals);
	if (ret_end)
		*ret_end = l->end;
	close_all(l);
	free(l);
	return rc;
}
