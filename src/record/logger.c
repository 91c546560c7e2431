/* record/logger.c - one logger: one host into one archive, on a timer, until told to stop. */
#include "record/logger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/stop.h"
#include "formats/pcp/names.h"
#include "groups/list.h"
#include "import/import.h"
#include "perfolio/module.h"
#include "record/control.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"
#include "sources/source.h"

enum { MAX_GROUPS = 64, HOST_SIZE = 257 };

/* @left: samples still to take, -1 without end. @host: as the host calls itself.
 * @first_bytes: size with one sample; @grown: how fast it grows was told. */
struct logger {
	const struct pf_logger_spec *spec;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_source *source;
	struct pf_sink *sink;
	struct pf_import *import;
	struct perfolio_state module_state;
	char interval_text[32]; /* in seconds, for modules */
	const struct pf_group *groups[MAX_GROUPS + 1];
	int root_fd;
	int timer_fd;
	struct pf_control *control;
	char host[HOST_SIZE];
	int64_t left;
	int64_t start_ns;
	int64_t end_ns;
	bool stop;
	bool grown;
	uint64_t first_bytes;
	bool ready;
};

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

static void choose_groups(struct logger *l)
{
	const char *letters = l->spec->letters ? l->spec->letters : PF_LOGGER_LETTERS;
	if (!l->spec->letters && l->spec->metrics && !is_self(l->spec->host))
		letters = ""; /* only those */
	unsigned n = 0;
	for (unsigned i = 0; pf_groups[i] && n < MAX_GROUPS; i++) {
		if (has_letter(pf_groups[i], letters))
			l->groups[n++] = pf_groups[i];
	}
	l->groups[n] = NULL;
}

static int open_import(struct logger *l, struct pf_err *err)
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

static int open_all(struct logger *l, struct pf_err *err)
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
	int rc = open_import(l, err);
	if (rc < 0)
		return rc;
	choose_groups(l);
	bool self = is_self(l->spec->host);
	l->catalog->wanted = l->spec->metrics;
	const struct pf_source_spec from = {
		.pmcd = self ? NULL : l->spec->host,
		.as_recorded = !self,
		.notes = !self,
		.root_fd = l->root_fd,
		.groups = l->groups,
		.import = l->import,
		.interval_ns = l->spec->interval_ns,
		.notice = l->spec->notice,
	};
	rc = pf_source_open(&l->source, &from, l->catalog, err);
	if (rc < 0)
		return rc;
	pf_frames_init(&l->frames, l->catalog);
	const struct pf_source_info *info = l->source->kind->info(l->source);
	if (self && gethostname(l->host, sizeof(l->host) - 1) < 0)
		(void)snprintf(l->host, sizeof(l->host), "localhost");
	if (!self)
		(void)snprintf(l->host, sizeof(l->host), "%s", info->host ? info->host : l->spec->host);
	const struct pf_sink_spec to = {
		.fd = -1,
		.host = self ? NULL : info->host,
		.zone = self ? NULL : info->zone,
		.place = self ? NULL : info->place,
		.path = l->spec->path,
		.volumes = &l->spec->volumes,
		.archive_version = l->spec->archive_version,
		.live = true,
		.catalog = l->catalog,
		.interval_ns = l->spec->interval_ns,
		.notice = l->spec->notice,
	};
	return pf_sink_pcparchive.open(&l->sink, &to, err);
}

static void close_all(struct logger *l)
{
	l->control = pf_control_close(l->control);
	if (l->source)
		l->source = l->source->kind->close(l->source);
	l->import = l->import ? pf_import_close(l->import) : NULL;
	pf_frames_done(&l->frames);
	l->catalog = pf_catalog_free(l->catalog);
	pf_closep(&l->root_fd);
	pf_closep(&l->timer_fd);
}

static void tell(const struct logger *l, const struct pf_buf *text)
{
	if (l->spec->tell)
		pf_control_tell(l->control, pf_buf_text(text));
}

const char *pf_logger_growth(char *text, size_t size, uint64_t bytes)
{
	double mb = (double)bytes / (1 << 20);
	(void)snprintf(text, size, "about %.*f %s a day before it is compressed", mb >= 9.95 && mb < 1000 ? 0 : 1,
		       mb < 1000 ? mb : mb / 1024, mb < 1000 ? "MB" : "GB");
	return text;
}

/* How fast a recording without end grows, by its second sample: the first has much that does not come again. */
static void tell_growth(struct logger *l)
{
	uint64_t samples, bytes;
	char text[80];
	if (l->spec->count >= 0 || l->spec->max_ns > 0 || l->grown)
		return;
	pf_sink_pcparchive_size(l->sink, &samples, &bytes);
	if (samples < 2) {
		l->first_bytes = bytes;
		return;
	}
	l->grown = true;
	double day =
		(double)(bytes - l->first_bytes) * (86400.0 * (double)PF_NS_PER_SEC / (double)l->spec->interval_ns);
	if (!l->spec->tell) {
		pf_notice(l->spec->notice, PF_INFO, "%s: %s", l->spec->path,
			  pf_logger_growth(text, sizeof(text), (uint64_t)day));
		return;
	}
	struct pf_buf line = { 0 };
	pf_buf_fmt(&line, "%c %" PRIu64 "\n", PF_LOGGER_TELL_GROWTH, (uint64_t)day);
	tell(l, &line);
	pf_buf_done(&line);
}

/* How far it is, for a launcher that shows it. */
static void tell_state(void *arg)
{
	const struct logger *l = arg;
	uint64_t samples, bytes;
	struct pf_buf line = { 0 };
	struct pf_step step = pf_frames_step(&l->frames);
	pf_sink_pcparchive_size(l->sink, &samples, &bytes);
	pf_buf_fmt(&line, "%c %" PRIu64 " %" PRIu64 " %" PRId64 "\n", PF_LOGGER_TELL_STATE, samples, bytes,
		   samples > 0 ? step.cur->time_ns : 0);
	tell(l, &line);
	pf_buf_done(&line);
}

/* The first sample is in the archive. */
static void tell_ready(struct logger *l)
{
	struct pf_buf ready = { 0 };
	if (l->ready)
		return;
	l->ready = true;
	pf_buf_str(&ready, "R\n");
	tell(l, &ready);
	pf_buf_done(&ready);
}

/* A host may have none now. */
static int take_sample(struct logger *l, struct pf_err *err)
{
	l->module_state.time_ns = pf_time_wall_ns();
	int rc = l->source->kind->next(l->source, &l->frames, err);
	if (rc <= 0)
		return rc;
	if (l->import)
		pf_import_interval_end(l->import);
	struct pf_step step = pf_frames_step(&l->frames);
	rc = l->sink->kind->sample(l->sink, &step, err);
	if (rc == 0)
		tell_ready(l);
	if (l->import)
		pf_import_init_interval(l->import);
	if (rc == 0 && l->left > 0)
		l->left--;
	return rc;
}

/* Samples stand on a grid from the first one on; those that were missed are not made up for. */
static int start_timer(const struct logger *l, struct pf_err *err)
{
	int64_t ns = l->spec->interval_ns;
	struct itimerspec every = { 0 };
	every.it_interval.tv_sec = ns / PF_NS_PER_SEC;
	every.it_interval.tv_nsec = ns % PF_NS_PER_SEC;
	every.it_value = every.it_interval;
	if (timerfd_settime(l->timer_fd, 0, &every, NULL) < 0)
		return pf_err_set(err, -errno, "timer: %s", strerror(errno));
	return 0;
}

static bool timer_fired(const struct logger *l)
{
	uint64_t times;
	return read(l->timer_fd, &times, sizeof(times)) == sizeof(times);
}

/* Milliseconds until it ends, -1: it does not. */
static int time_left(const struct logger *l)
{
	int64_t ms = (l->end_ns - pf_time_boot_ns() + PF_NS_PER_MS - 1) / PF_NS_PER_MS;
	return l->end_ns == INT64_MAX ? -1 : ms < 0 ? 0 : ms < INT_MAX ? (int)ms : INT_MAX;
}

static int loop(struct logger *l, struct pf_err *err)
{
	int rc = take_sample(l, err);
	if (rc == 0)
		rc = start_timer(l, err);
	l->end_ns = l->spec->max_ns > 0 ? pf_time_boot_ns() + l->spec->max_ns : INT64_MAX;
	if (rc < 0)
		return rc;
	tell_growth(l);
	while (!l->stop && l->left != 0 && time_left(l) != 0) {
		struct pollfd fds[] = { { .fd = l->timer_fd, .events = POLLIN },
					{ .fd = pf_control_fd(l->control), .events = POLLIN },
					{ .fd = l->spec->signals->fd, .events = POLLIN } };
		if (poll(fds, PF_N(fds), time_left(l)) < 0) {
			if (errno == EINTR)
				continue;
			return pf_err_set(err, -errno, "poll: %s", strerror(errno));
		}
		if (fds[2].revents && pf_stop_check(l->spec->signals))
			l->stop = true;
		if (fds[1].revents && pf_control_serve(l->control))
			l->stop = true;
		if (!fds[0].revents || !timer_fired(l))
			continue;
		rc = take_sample(l, err);
		if (rc < 0)
			return rc;
		if (!l->stop)
			tell_growth(l);
	}
	return 0;
}

/* The last partial interval is recorded too, so that whatever ended the recording is in it; but rates over a moment say nothing. */
static int take_last(struct logger *l, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&l->frames);
	int64_t since_ns = pf_time_boot_ns() - step.cur->mono_ns;
	if (l->left == 0 || (step.prev && since_ns < l->spec->interval_ns / 4))
		return 0;
	return take_sample(l, err);
}

/* For a dialog: how far the recording is. */
static void tell_about(void *arg, struct pf_dialog_about *about)
{
	const struct logger *l = arg;
	about->host = l->host;
	about->elapsed_s = (pf_time_boot_ns() - l->start_ns) / PF_NS_PER_SEC;
	about->bytes = l->sink ? pf_sink_pcparchive_data_bytes(l->sink) : 0;
}

int pf_logger_run(const struct pf_logger_spec *spec, struct pf_err *err)
{
	int rc = pf_logger_host(spec->host, err);
	if (rc < 0)
		return rc;
	struct logger *l = calloc(1, sizeof(*l));
	if (!l)
		return pf_err_set(err, -ENOMEM, "no memory");
	l->spec = spec;
	l->root_fd = -1;
	l->timer_fd = -1;
	l->left = spec->count < 0 ? -1 : spec->count + 1;
	l->start_ns = pf_time_boot_ns();
	const struct pf_control_setup control = { .fd = spec->control_fd,
						  .quiet = spec->tell,
						  .log_fd = STDERR_FILENO,
						  .numbers = tell_state,
						  .about = tell_about,
						  .arg = l };
	rc = pf_control_open(&l->control, &control, err);
	if (rc == 0)
		rc = open_all(l, err);
	if (rc == 0)
		rc = loop(l, err);
	if (rc == 0)
		rc = take_last(l, err);

	if (l->sink) {
		uint64_t samples;
		uint64_t bytes;
		pf_sink_pcparchive_size(l->sink, &samples, &bytes);
		int close_rc = l->sink->kind->close(l->sink, rc < 0 ? NULL : err);
		rc = rc < 0 ? rc : close_rc;
		bytes = pf_pcp_names_bytes(spec->path); /* compressed by now */
		struct pf_buf end = { 0 };
		pf_buf_fmt(&end, "E %" PRIu64 " %" PRIu64 "\n", samples, bytes);
		tell(l, &end);
		pf_buf_done(&end);
	}
	if (rc == 0)
		pf_control_linger(l->control, spec->signals);
	close_all(l);
	free(l);
	return rc;
}
