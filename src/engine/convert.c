/* engine/convert.c - a source and a sink, and nothing between them but the choice of times and metrics. */
#include "engine/convert.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/chosen.h"
#include "engine/convert_modules.h"
#include "engine/span.h"
#include "engine/stop.h"
#include "formats/pcp/names.h"
#include "formats/text/doc.h"
#include "model/select.h"
#include "sinks/metricsfile.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"
#include "sources/source.h"

/* @fd: of a file. */
struct job {
	const struct pf_convert *c;
	struct pf_catalog *catalog;
	struct pf_source *source;
	struct pf_sink *sink;
	struct pf_frames frames;
	struct pf_convert_modules modules;
	struct pf_chosen chosen;
	int fd;
	struct pf_span span;
	bool *odd; /* by metric: it had values that are no numbers */
	unsigned n_odd;
	uint64_t n_odd_values;
	bool cut; /* what came before was not written, so there is no predecessor */
};

static int open_file(struct job *j, struct pf_err *err)
{
	if (strcmp(j->c->out, "-") == 0) {
		j->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return j->fd < 0 ? pf_err_set(err, -errno, "standard output: %s", strerror(errno)) : 0;
	}
	j->fd = open(j->c->out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (j->fd < 0 && errno == EEXIST)
		return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten; choose another name",
				  j->c->out);
	return j->fd < 0 ? pf_err_set(err, -errno, "%s: %s", j->c->out, strerror(errno)) : 0;
}

static int open_sink(struct job *j, struct pf_err *err)
{
	const struct pf_source_info *info = j->source->kind->info(j->source);
	const struct pf_view_options view = { .host = info->host };
	const struct pf_sink_spec spec = {
		.fd = j->fd,
		.path = j->c->out,
		.host = info->host,
		.zone = info->zone,
		.place = info->place,
		.view = &view,
		.doc = j->c->doc,
		.volumes = j->c->volumes,
		.archive_version = j->c->archive_version,
		.catalog = j->catalog,
		.notice = j->c->notice,
		.interval_ns = info->interval_ns,
	};
	static const struct pf_sink_kind *const kinds[] = { [PF_CONVERT_ARCHIVE] = &pf_sink_pcparchive,
							    [PF_CONVERT_DOCUMENT] = &pf_sink_emit,
							    [PF_CONVERT_METRICS] = &pf_sink_metricsfile };
	return kinds[j->c->form]->open(&j->sink, &spec, err);
}

static int choose_times(struct job *j, struct pf_err *err)
{
	const struct pf_source_info *info = j->source->kind->info(j->source);
	const struct pf_span_asked asked = { .from = &j->c->from, .thru = &j->c->thru, .path = j->c->in };
	j->span.line = (struct pf_time_line){ .start_ns = info->start_ns,
					      .day_of_ns = info->start_ns,
					      .zone_ns = info->has_zone ? info->zone_ns : 0 };
	int rc = pf_span_choose(&j->span, &asked, err);
	if (rc == 0 && j->span.spans && j->source->kind->skip)
		j->source->kind->skip(j->source, j->span.from_ns - 2 * PF_NS_PER_SEC);
	return rc;
}

/* Values that documents leave out. */
static int count_odd(struct job *j, const struct pf_step *step)
{
	const struct pf_catalog *cat = step->catalog;
	if (j->c->form != PF_CONVERT_DOCUMENT)
		return 0;
	if (j->n_odd < cat->n_metrics) {
		bool *more = reallocarray(j->odd, cat->n_metrics, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + j->n_odd, 0, (cat->n_metrics - j->n_odd) * sizeof(*more));
		j->odd = more;
		j->n_odd = cat->n_metrics;
	}
	for (unsigned m = 0; m < cat->n_metrics; m++) {
		const struct pf_indom *dom = pf_catalog_domain_of(cat, m);
		enum pf_type type = cat->metrics[m]->type;
		for (unsigned slot = 0; (type == PF_FLOAT || type == PF_DOUBLE) && slot < (dom ? dom->n : 1); slot++) {
			bool odd = pf_sample_has(step->cur, m, slot) &&
				   !isfinite(pf_sample_get(step->cur, m, slot).d) &&
				   pf_select_tells(cat, m, slot, step->cur);
			j->n_odd_values += odd;
			j->odd[m] |= odd;
		}
	}
	return 0;
}

/* Return: 1 go on, 0 the rest is not wanted, negative errno. */
static int take_sample(struct job *j, struct pf_convert_result *ret, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&j->frames);
	if (step.cur->time_ns > j->span.thru_ns)
		return 0;
	if (step.cur->time_ns < j->span.from_ns) {
		j->cut = true;
		pf_convert_modules_begin(&j->modules);
		return 1;
	}
	if (j->cut) {
		step.prev = NULL;
		step.interval_ns = step.second_ns = 0;
		pf_frames_forget_second(&j->frames);
	}
	j->cut = false;
	pf_convert_modules_end(&j->modules, step.cur->time_ns);
	int rc = count_odd(j, &step);
	if (rc == 0)
		rc = pf_chosen_look(&j->chosen, &step);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for a sample");
	rc = j->sink->kind->sample(j->sink, &step, err);
	pf_convert_modules_begin(&j->modules);
	ret->samples += rc == 0;
	return rc < 0 ? rc : 1;
}

static void tell_damage(const struct job *j, struct pf_convert_result *ret, const struct pf_err *why)
{
	pf_notice(j->c->notice, PF_WARNING, "%s", why->text);
	ret->damaged = true;
}

static int copy(struct job *j, struct pf_convert_result *ret, struct pf_err *err)
{
	int rc = 1;
	while (rc == 1 && !pf_stop_glance(j->c->stop)) {
		struct pf_err why = { 0 };
		rc = j->source->kind->next(j->source, &j->frames, &why);
		if (rc == -EBADMSG) {
			tell_damage(j, ret, &why);
			rc = 1;
		} else if (rc == 0) {
			rc = 1;
		} else if (rc == 1) {
			rc = take_sample(j, ret, err);
		} else if (rc < 0 && rc != -ENODATA) {
			return pf_err_set(err, rc, "%s", why.text);
		}
	}
	struct pf_err why = { 0 };
	while (rc >= 0 && pf_source_untold(j->source, &why) == -EBADMSG)
		tell_damage(j, ret, &why);
	return rc == -ENODATA || rc > 0 ? 0 : rc;
}

static void tell_loss(const struct job *j, uint64_t values, unsigned metrics, const char *what, const char *form)
{
	pf_notice(j->c->notice, PF_WARNING, "%llu values of %u metric%s %s, which %s cannot hold; they are left out",
		  (unsigned long long)values, metrics, metrics == 1 ? "" : "s", what, form);
}

/* What the form could not hold, a sentence for each kind. Return: was there anything? */
static bool tell_losses(const struct job *j)
{
	struct pf_metricsfile_loss loss;
	bool any = false;
	for (unsigned i = 0; j->c->form == PF_CONVERT_METRICS && pf_metricsfile_loss(j->sink, i, &loss); i++) {
		if (loss.values > 0)
			tell_loss(j, loss.values, loss.metrics, loss.what, "OpenMetrics");
		any |= loss.values > 0;
	}
	unsigned metrics = 0;
	for (unsigned m = 0; m < j->n_odd; m++)
		metrics += j->odd[m] != 0;
	if (j->n_odd_values > 0)
		tell_loss(j, j->n_odd_values, metrics, "are no numbers (NaN or infinite)", "a document");
	return any || j->n_odd_values > 0;
}

/* What was written, and nothing that looks whole and is not: an archive that ends early is removed, a document is closed. */
static int close_sink(struct job *j, struct pf_convert_result *ret, int rc, struct pf_err *err)
{
	struct pf_err why = { 0 };
	struct stat st;
	if (!j->sink)
		return rc;
	ret->removed = j->c->form == PF_CONVERT_ARCHIVE && j->c->stop->signal != 0;
	if (j->c->form == PF_CONVERT_ARCHIVE && (rc < 0 || ret->removed))
		pf_sink_pcparchive_discard(j->sink);
	ret->left_out = tell_losses(j);
	int closed = j->sink->kind->close(j->sink, &why);
	if (j->c->form == PF_CONVERT_ARCHIVE)
		ret->bytes = pf_pcp_names_bytes(j->c->out);
	else if (fstat(j->fd, &st) == 0)
		ret->bytes = (uint64_t)st.st_size;
	return rc == 0 && closed < 0 ? pf_err_set(err, closed, "%s", why.text) : rc;
}

/* Return: -ENODATA: nothing that is wanted came. */
static int tell_missing(const struct job *j, const struct pf_convert_result *ret, struct pf_err *err)
{
	if (ret->samples == 0)
		return pf_err_set(err, -ENODATA, "%s: nothing of it is in that time", j->c->in);
	return pf_chosen_tell(&j->chosen, j->c->in, j->c->notice, err);
}

/* All that a conversion reads from. */
static int open_source(struct job *j, struct pf_convert_result *ret, struct pf_err *err)
{
	pf_chosen_open(&j->chosen, j->catalog, j->c->metrics, j->c->instances);
	pf_frames_init(&j->frames, j->catalog);
	int rc = pf_convert_modules_open(&j->modules, j->c->import, j->catalog, j->c->notice, err);
	const struct pf_source_spec spec = { .path = j->c->in,
					     .root_fd = -1,
					     .as_recorded = true,
					     .import = j->modules.import,
					     .notice = j->c->notice };
	if (rc < 0) {
		ret->readable = true; /* it is the modules that are to blame */
		return rc;
	}
	rc = pf_source_open(&j->source, &spec, j->catalog, err);
	ret->readable = rc == 0;
	if (rc < 0)
		return rc;
	const struct pf_source_info *info = j->source->kind->info(j->source);
	pf_convert_modules_header(&j->modules, info->host, info->header);
	return choose_times(j, err);
}

static void close_all(struct job *j)
{
	free(j->odd);
	pf_chosen_done(&j->chosen);
	pf_closep(&j->fd);
	if (j->source)
		(void)j->source->kind->close(j->source);
	pf_convert_modules_close(&j->modules);
	pf_frames_done(&j->frames);
	(void)pf_catalog_free(j->catalog);
}

int pf_convert_run(const struct pf_convert *c, struct pf_convert_result *ret, struct pf_err *err)
{
	struct job j = { .c = c, .catalog = pf_catalog_new(), .fd = -1 };
	*ret = (struct pf_convert_result){ 0 };
	if (!j.catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = open_source(&j, ret, err);
	if (rc == 0 && c->form != PF_CONVERT_ARCHIVE)
		rc = open_file(&j, err);
	if (rc == 0)
		rc = open_sink(&j, err);
	if (rc == 0)
		rc = copy(&j, ret, err);
	if (rc == 0 && c->stop->signal == 0)
		rc = tell_missing(&j, ret, err);
	rc = close_sink(&j, ret, rc, err);
	/* A document that could not go on was closed and holds what came before; numbers in OpenMetrics would pass for all of them. */
	bool stays = c->form == PF_CONVERT_DOCUMENT && ret->samples > 0 && rc != -ENODATA;
	if (rc < 0 && !stays && j.fd >= 0 && strcmp(c->out, "-") != 0)
		(void)unlink(c->out);
	close_all(&j);
	return rc;
}
