/* engine/convert.c - a source and a sink, and nothing between them but the choice of times and metrics. */
#include "engine/convert.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/stop.h"
#include "formats/text/doc.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"
#include "sources/source.h"

/* @fd: of a document. @from_ns, @thru_ns: bounds, both included. */
struct job {
	const struct pf_convert *c;
	struct pf_catalog *catalog;
	struct pf_source *source;
	struct pf_sink *sink;
	struct pf_frames frames;
	int fd;
	int64_t from_ns;
	int64_t thru_ns;
	bool cut; /* what came before was not written, so there is no predecessor */
};

static int open_document(struct job *j, struct pf_err *err)
{
	if (strcmp(j->c->out, "-") == 0) {
		j->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
		return j->fd < 0 ? pf_err_set(err, -errno, "standard output: %s", strerror(errno)) : 0;
	}
	j->fd = open(j->c->out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (j->fd < 0 && errno == EEXIST)
		return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten", j->c->out);
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
		.view = &view,
		.doc = j->c->doc,
		.volumes = j->c->volumes,
		.catalog = j->catalog,
		.notice = j->c->notice,
		.interval_ns = info->interval_ns,
	};
	const struct pf_sink_kind *kind = j->c->doc ? &pf_sink_emit : &pf_sink_pcparchive;
	return kind->open(&j->sink, &spec, err);
}

static void choose_times(struct job *j)
{
	const struct pf_source_info *info = j->source->kind->info(j->source);
	int64_t zone_ns = info->has_zone ? info->zone_ns : 0;
	j->from_ns = j->c->from.given ? pf_times_resolve(&j->c->from, info->start_ns, zone_ns) : INT64_MIN;
	j->thru_ns = INT64_MAX;
	if (j->c->thru.given) /* the whole second */
		j->thru_ns = pf_times_resolve(&j->c->thru, info->start_ns, zone_ns) + PF_NS_PER_SEC - 1;
	if (j->c->from.given && j->source->kind->skip)
		j->source->kind->skip(j->source, j->from_ns - 2 * PF_NS_PER_SEC);
}

/* Return: 1 go on, 0 the rest is not wanted, negative errno. */
static int take_sample(struct job *j, struct pf_convert_result *ret, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&j->frames);
	if (step.cur->time_ns > j->thru_ns)
		return 0;
	if (step.cur->time_ns < j->from_ns) {
		j->cut = true;
		return 1;
	}
	if (j->cut) {
		step.prev = NULL;
		step.interval_ns = step.second_ns = 0;
		pf_frames_forget_second(&j->frames);
	}
	j->cut = false;
	int rc = j->sink->kind->sample(j->sink, &step, err);
	ret->samples += rc == 0;
	return rc < 0 ? rc : 1;
}

static int copy(struct job *j, struct pf_convert_result *ret, struct pf_err *err)
{
	int rc = 1;
	while (rc == 1 && !pf_stop_check(j->c->stop)) {
		struct pf_err why = { 0 };
		rc = j->source->kind->next(j->source, &j->frames, &why);
		if (rc == -EBADMSG) {
			pf_notice(j->c->notice, PF_WARNING, "%s", why.text);
			ret->damaged = true;
			rc = 1;
		} else if (rc == 0) {
			rc = 1;
		} else if (rc == 1) {
			rc = take_sample(j, ret, err);
		} else if (rc < 0 && rc != -ENODATA) {
			return pf_err_set(err, rc, "%s", why.text);
		}
	}
	return rc == -ENODATA || rc > 0 ? 0 : rc;
}

static int close_sink(struct job *j, struct pf_convert_result *ret, int rc, struct pf_err *err)
{
	struct pf_err why = { 0 };
	uint64_t samples;
	struct stat st;
	if (!j->sink)
		return rc;
	if (!j->c->doc)
		pf_sink_pcparchive_size(j->sink, &samples, &ret->bytes);
	int closed = j->sink->kind->close(j->sink, &why);
	if (j->c->doc && fstat(j->fd, &st) == 0)
		ret->bytes = (uint64_t)st.st_size;
	return rc == 0 && closed < 0 ? pf_err_set(err, closed, "%s", why.text) : rc;
}

int pf_convert_run(const struct pf_convert *c, struct pf_convert_result *ret, struct pf_err *err)
{
	struct job j = { .c = c, .catalog = pf_catalog_new(), .fd = -1 };
	*ret = (struct pf_convert_result){ 0 };
	if (!j.catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	j.catalog->wanted = c->metrics;
	pf_frames_init(&j.frames, j.catalog);
	const struct pf_source_spec spec = { .path = c->in, .root_fd = -1, .notice = c->notice };
	int rc = pf_source_open(&j.source, &spec, j.catalog, err);
	ret->readable = rc == 0;
	if (rc == 0)
		choose_times(&j);
	if (rc == 0 && c->doc)
		rc = open_document(&j, err);
	if (rc == 0)
		rc = open_sink(&j, err);
	if (rc == 0)
		rc = copy(&j, ret, err);
	rc = close_sink(&j, ret, rc, err);
	bool ours = j.fd >= 0 && strcmp(c->out, "-") != 0;
	if (rc == 0 && ret->samples == 0) {
		rc = pf_err_set(err, -ENODATA, "%s: nothing of it is in that time", c->in);
		if (ours)
			(void)unlink(c->out); /* made a moment ago, and empty */
	}
	pf_closep(&j.fd);
	if (j.source)
		(void)j.source->kind->close(j.source);
	pf_frames_done(&j.frames);
	(void)pf_catalog_free(j.catalog);
	return rc;
}
