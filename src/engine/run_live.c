/* engine/run_live.c - the loop over time: sample, show or record, wait. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/devices.h"
#include "engine/facts.h"
#include "engine/keys.h"
#include "engine/pace.h"
#include "engine/parts.h"
#include "engine/recorder.h"
#include "engine/run.h"
#include "groups/list.h"
#include "import/import.h"
#include "sources/procfilter.h"

/* Output is handed on after each sample, but samples that come faster than this share it: system calls for each would cost more than
 * they do. */
static const int64_t hand_on_ns = 20 * PF_NS_PER_MS;

/* A clock that keeps going back begins a new file no more often than this. */
#define STEP_FILES_NS (60 * PF_NS_PER_SEC)

struct live {
	char letters[PF_LETTERS_MAX]; /* those of the plan, or that a script chose */
	struct pf_parts parts;
	int root_fd;
	struct pf_recorder recorder;
	struct pf_raw_tap echo_tap;
	int64_t handed_on_ns; /* since boot */
	int64_t step_ns;      /* by how much the clock was set since the view got a sample */
	int64_t stepped_ns;   /* monotonic: when a clock that went back last began a file */
	bool sends_header;    /* the other end gets the header of the plot files before the first heading, too */
	bool showed;	      /* the sample at hand was shown, or recorded where nothing is shown */
	bool peek;	      /* only headers or headings are wanted: nothing is recorded */
	pid_t parent;
	struct pf_keys keys;
};

static void tap_echo_mark(void *arg, int64_t time_ns)
{
	struct live *l = arg;
	pf_buf_fmt(&l->parts.echo, ">>> %lld.%03lld <<<\n", (long long)(time_ns / PF_NS_PER_SEC),
		   (long long)(time_ns % PF_NS_PER_SEC / PF_NS_PER_MS));
}

static void tap_echo_line(void *arg, struct pf_view tag, struct pf_view line)
{
	struct live *l = arg;
	pf_escape_lines(&l->parts.echo, tag);
	if (tag.n > 0)
		pf_buf_char(&l->parts.echo, ' ');
	pf_escape_lines(&l->parts.echo, line);
	pf_buf_char(&l->parts.echo, '\n');
}

/* Header with the lines of modules; @now 0: without a date. */
static int append_header(const struct live *l, struct pf_buf *out, int64_t now)
{
	const struct pf_parts *p = &l->parts;
	struct pf_buf extra = { 0 };
	if (p->import)
		pf_import_update_header(p->import, &extra);
	int rc = pf_facts_header(out, p->plan, l->root_fd, p->view.host, l->letters, pf_buf_text(&extra).p, now);
	pf_buf_done(&extra);
	return rc;
}

static int open_source(struct live *l, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	const struct pf_plan *plan = p->plan;
	bool record = pf_plan_records(plan);
	bool echo = plan->req->debug & 4;
	pf_recorder_init(&l->recorder, plan, l->root_fd, p->import);
	struct pf_record_file *files = l->recorder.files;
	if (!record && echo)
		l->echo_tap = (struct pf_raw_tap){ tap_echo_mark, tap_echo_line, l };
	struct pf_source_spec spec = {
		.pmcd = plan->pmcd,
		.root_fd = l->root_fd,
		.groups = p->groups,
		.import = p->import,
		.tap = record ? &files[0].tap
		       : echo ? &l->echo_tap
			      : NULL,
		.second_tap = record && plan->req->two_raw ? &files[1].tap : NULL,
		.no_parse = !pf_plan_shows(plan),
		.interval_ns = plan->interval_ns[0],
		.second_every = plan->second_every,
		.tree_depth = pf_plan_tree_depth(plan),
		.env = plan->env,
		.third_every = plan->third_every,
		.env_test = plan->req->env_test,
		.no_process_io = plan->no_process_io,
		.no_new_processes = plan->no_new_processes,
		.threads = plan->threads || (plan->process_filter && pf_procfilter_threads(plan->process_filter)),
		.all_threads = plan->threads,
		.process_filter = plan->process_filter,
		.late_ns = plan->late_ns,
		.lines = pf_plan_lines(plan),
		.notice = plan->notice,
	};
	int rc = pf_source_open(&p->source, &spec, p->catalog, err);
	if (rc == 0 && p->import)
		pf_import_root(p->import, l->root_fd);
	if (rc == 0 && p->import)
		pf_import_tap(p->import,
			      record ? files[0].tap.line
			      : echo ? l->echo_tap.line
				     : NULL,
			      record ? (void *)&files[0] : (void *)l, pf_plan_shows(plan));
	if (p->import && record && plan->req->two_raw)
		pf_import_second_tap(p->import, files[1].tap.line, &files[1]);
	return rc;
}

/* The header of plots is composed although a terminal does not show it: modules count on being asked. */
static int begin_modules(struct live *l, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	const struct pf_plan *plan = p->plan;
	if (l->letters[0] == '\0' && pf_import_n_summary(p->import) + pf_import_n_detail(p->import) == 0)
		return pf_err_set(err, -EINVAL,
				  "no module is left and no subsystem is selected, so there is nothing to show");
	pf_import_init_interval(p->import);
	if (plan->req->plot && !pf_plan_plots(plan) && !pf_import_fatal(p->import)) {
		struct pf_buf ignored = { 0 };
		pf_import_update_header(p->import, &ignored);
		pf_buf_done(&ignored);
	}
	return pf_parts_fatal(p, err);
}

static int choose_plots(struct live *l, struct pf_err *err)
{
	int64_t now = pf_time_wall_ns();
	struct pf_buf header = { 0 };
	int rc = append_header(l, &header, now);
	if (rc < 0)
		(void)pf_err_set(err, rc, "header: %s", strerror(-rc));
	else
		rc = pf_plots_live(&l->parts.plots, l->parts.plan, l->parts.view.host, pf_buf_text(&header), now, err);
	pf_buf_done(&header);
	return rc;
}

/* What this host tells beside samples. */
static void take_facts(struct live *l)
{
	struct pf_parts *p = &l->parts;
	p->view.boot_ns = pf_facts_boot(l->root_fd);
	if (strpbrk(l->letters, "nN") && pf_facts_links(&p->links, p->plan, l->root_fd) == 0)
		p->view.recorded_header = p->links.p;
	struct pf_cpus cpus = pf_devices_cpus(l->root_fd);
	p->view.n_cpus = cpus.all;
	p->view.variants |= cpus.hyper ? PF_WITH_HYPER : 0;
}

static int open_all(struct live *l, const struct pf_plan *plan, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	l->root_fd = pf_parts_root(plan, err);
	if (l->root_fd < 0)
		return l->root_fd;
	memcpy(l->letters, plan->letters, sizeof(l->letters));
	int rc = pf_parts_exporter(p, l->letters, err);
	if (rc == 0)
		rc = pf_parts_select(p, l->letters, err);
	if (rc == 0)
		rc = open_source(l, err);
	if (rc < 0)
		return rc;
	p->view.host = p->source->kind->info(p->source)->host;
	if (!plan->pmcd)
		take_facts(l);
	p->view.second_ns = plan->interval_ns[0] > 0 ? plan->interval_ns[1] : 0;
	rc = p->import ? begin_modules(l, err) : 0;
	if (rc < 0)
		return rc;
	if (plan->req->filename && !l->peek)
		rc = pf_plots_folder(plan, plan->req->filename, err);
	if (rc == 0 && plan->rolls && !l->peek)
		pf_recorder_purge(plan, p->view.host);
	if (rc == 0 && pf_plan_records(plan) && !l->peek)
		rc = pf_recorder_open(&l->recorder, p->view.host, err);
	if (rc == 0 && pf_plan_plots(plan))
		rc = choose_plots(l, err);
	return rc == 0 && pf_plan_shows(plan) ? pf_parts_open_sink(p, plan->interval_ns[0], err) : rc;
}

/* The header that a file would have, before the headings: -oi, or what collectl sends besides; @now as in append_header(). */
static int write_header(struct live *l, int64_t now, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	struct pf_buf header = { 0 };
	int rc = append_header(l, &header, now);
	if (rc == 0)
		rc = pf_outlet_put(p->out, pf_buf_text(&header), 0);
	pf_buf_done(&header);
	return rc < 0 ? pf_err_set(err, rc, "header: %s", strerror(-rc)) : 0;
}

static bool is_due(struct live *l)
{
	int64_t now = pf_frames_step(&l->parts.frames).cur->mono_ns;
	if (now - l->handed_on_ns < hand_on_ns && !(l->parts.plan->req->debug & 4))
		return false;
	l->handed_on_ns = now;
	return true;
}

/* One sample through everything, if there is one now. The first one behind a gap only serves as predecessor. */
static int take_sample(struct live *l, bool baseline, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	l->showed = false;
	int rc = p->source->kind->next(p->source, &p->frames, err);
	if (rc <= 0)
		return rc;
	bool due = is_due(l);
	if (pf_recorder_is_open(&l->recorder)) {
		if (p->plan->req->utime & 1)
			pf_recorder_line(&l->recorder, "interval1 done");
		rc = pf_recorder_flush(&l->recorder, due);
		if (rc < 0)
			return pf_err_set(err, rc, "raw file: %s", strerror(-rc));
	}
	rc = pf_parts_fatal(p, err);
	l->showed = rc == 0 && !p->sink;
	if (!p->sink || rc < 0)
		return rc;
	struct pf_step step = pf_frames_step(&p->frames);
	step.stepped_ns = l->step_ns;
	l->step_ns = 0;
	if (baseline || !step.prev) {
		l->showed = step.prev != NULL;
		if (p->import && p->plan->req->as_peer && !p->plan->view.no_divide)
			p->state.int_secs = (double)step.cur->time_ns / 1e9; /* collectl subtracts 0 */
		if (p->import)
			pf_import_interval_end(p->import);
		rc = pf_parts_fatal(p, err);
		if (rc < 0)
			return rc;
		return pf_parts_baseline(p, &step, err);
	}
	if (l->sends_header)
		rc = write_header(l, step.cur->time_ns, err);
	l->sends_header = false;
	if (rc == 0)
		rc = pf_parts_show(p, &step, err);
	l->showed = rc == 0;
	return rc == 0 && due ? pf_parts_flush(p, err) : rc;
}

static bool parent_is_gone(const struct live *l)
{
	const struct pf_request *req = l->parts.plan->req;
	return req->as_peer && !req->nohup && !req->daemon && l->parent != 1 && getppid() != l->parent;
}

/* The wall clock was set: said, marked in the recording, and recorded into a new file when it went back. */
static void tell_step(struct live *l, int64_t step_ns)
{
	char text[64];
	l->step_ns += step_ns;
	(void)snprintf(text, sizeof(text), "clock stepped by %+.3f seconds", (double)step_ns / 1e9);
	pf_notice(l->parts.plan->notice, PF_WARNING, "%s", text);
	if (!pf_recorder_is_open(&l->recorder))
		return;
	pf_recorder_note(&l->recorder, text);
	int64_t now = pf_time_mono_ns();
	if (step_ns < 0 && now - l->stepped_ns >= STEP_FILES_NS) {
		l->stepped_ns = now;
		pf_recorder_roll(&l->recorder);
	}
}

/* New plot files; raw files are the recorder's. A file of the same day goes on, with another header. */
static int roll_plots(struct live *l, int64_t interval_ns, struct pf_err *err)
{
	struct pf_plots *plots = &l->parts.plots;
	if (!pf_plan_plots(l->parts.plan) || !l->parts.sink)
		return 0;
	pf_autofree char *before = strdup(pf_buf_text(&plots->base).p);
	if (!before)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = pf_parts_close_sink(&l->parts, err);
	if (rc == 0)
		rc = choose_plots(l, err);
	if (rc == 0 && strcmp(before, plots->base.p) == 0)
		plots->files.mode = PF_FILES_APPEND;
	return rc == 0 ? pf_parts_open_sink(&l->parts, interval_ns, err) : rc;
}

/* Has something happened to the clock? Return: is it time for new files? */
static bool look_at_clock(struct live *l, struct pf_pace *pace)
{
	struct pf_pace_now now = pf_pace_now();
	int64_t step = pf_pace_stepped(pace, now);
	if (step != 0)
		tell_step(l, step);
	if (!pf_pace_rolls(pace, now))
		return false;
	pf_notice(l->parts.plan->notice, PF_INFO, "Logs rolled");
	pf_recorder_purge(l->parts.plan, l->parts.view.host);
	if (pf_recorder_is_open(&l->recorder))
		pf_recorder_roll(&l->recorder);
	return true;
}

/* What is due now. In raw files the sample of a boundary is in the old and the new ones; plots of it are in the old ones. */
static int take_due_sample(struct live *l, struct pf_pace *pace, bool baseline, struct pf_err *err)
{
	bool rolls = look_at_clock(l, pace);
	int rc = take_sample(l, baseline || l->keys.paused, err);
	if (l->parts.wants_roll && pf_recorder_is_open(&l->recorder))
		pf_recorder_roll(&l->recorder);
	rolls |= l->parts.wants_roll;
	l->parts.wants_roll = false;
	return rc == 0 && rolls ? roll_plots(l, pace->interval_ns, err) : rc;
}

static int flush_all(struct live *l, struct pf_err *err)
{
	pf_notice(l->parts.plan->notice, PF_INFO, "Flushing buffers in response to signal USR1");
	int rc = pf_recorder_flush(&l->recorder, true);
	if (rc < 0)
		return pf_err_set(err, rc, "raw file: %s", strerror(-rc));
	return pf_parts_flush(&l->parts, err);
}

/* Wait for @due, doing what is typed meanwhile. Return: 1 it is time; 0 the run ends; negative errno. */
static int wait_for(struct live *l, int64_t due, struct pf_err *err)
{
	for (;;) {
		int rc = pf_keys_take(&l->keys, &l->parts, err);
		if (rc < 0 || l->keys.quit)
			return rc;
		int keys = pf_term_keys_ready(&l->keys.term) ? l->keys.term.fd : -1;
		enum pf_pace_event event = pf_pace_wait(&l->parts.stop, &l->parts.loop, keys, due);
		rc = event == PF_PACE_FLUSH ? flush_all(l, err) : 0;
		if (rc < 0)
			return rc;
		if (event == PF_PACE_DUE || event == PF_PACE_STOP)
			return event == PF_PACE_DUE;
	}
}

static void tell_roll(const struct pf_plan *plan, const struct pf_pace *pace)
{
	if (!plan->rolls)
		return;
	struct tm tm = pf_time_local(pace->roll_at_ns);
	pf_notice(plan->notice, PF_INFO, "First log rollover will be: %04d%02d%02d %02d:%02d:%02d", tm.tm_year + 1900,
		  tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static int loop(struct live *l, struct pf_run_result *ret, struct pf_err *err)
{
	const struct pf_plan *plan = l->parts.plan;
	struct pf_pace pace;
	struct pf_pace_now now = pf_pace_now();
	pf_pace_begin(&pace, plan, now);
	tell_roll(plan, &pace);
	if (pace.base_ns > now.wall_ns && (plan->req->align || plan->req->daemon))
		pf_notice(plan->notice, PF_INFO, "Waiting %lld usecs for time alignment",
			  (long long)(pace.base_ns - now.wall_ns) / 1000);
	int rc = wait_for(l, pace.base_ns, err);
	if (rc <= 0)
		return rc;
	rc = take_due_sample(l, &pace, true, err);
	while (rc == 0 && (plan->count < 0 || ret->n_shown < (uint64_t)plan->count)) {
		now = pf_pace_now();
		int64_t due = pf_pace_due(&pace, now);
		if (pf_pace_is_over(&pace, due, now))
			break;
		rc = wait_for(l, due, err);
		if (rc <= 0)
			break;
		if (parent_is_gone(l)) {
			pf_notice(plan->notice, PF_WARNING,
				  "the parent process is gone, so this one ends too (--nohup keeps it)");
			rc = 0;
			break;
		}
		rc = take_due_sample(l, &pace, false, err);
		ret->n_shown += rc == 0 && l->showed;
	}
	return rc > 0 ? 0 : rc;
}

int pf_run_live(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		struct pf_err *err)
{
	struct live l = { .root_fd = -1, .parent = getppid(), .keys = { .term = { .fd = -1 } } };
	*ret = (struct pf_run_result){ 0 };
	if (plan->req->nice)
		(void)setpriority(PRIO_PROCESS, 0, 20); /* a wish */
	int rc = pf_parts_open(&l.parts, plan, err);
	if (rc == 0)
		rc = open_all(&l, plan, err);
	if (rc == 0) {
		if (hooks && hooks->ready)
			hooks->ready(hooks->arg);
		pf_pace_tell_first(plan);
		if (plan->req->options && strchr(plan->req->options, 'i'))
			rc = write_header(&l, 0, err);
		l.sends_header = plan->req->as_peer && plan->outlet && plan->req->filename && plan->req->plot;
		pf_keys_open(&l.keys, &l.parts);
		if (rc == 0)
			rc = loop(&l, ret, err);
		if (rc == 0 && !pf_recorder_is_open(&l.recorder) && l.echo_tap.mark)
			l.echo_tap.mark(&l, pf_time_wall_ns()); /* the closing marker of what is echoed */
		ret->signal = l.parts.stop.signal;
	}
	pf_keys_close(&l.keys);
	rc = pf_recorder_close(&l.recorder, rc, err);
	rc = pf_parts_close(&l.parts, rc, err);
	pf_closep(&l.root_fd);
	if (rc == -EPIPE) {
		ret->closed = true;
		rc = 0;
	}
	return rc;
}

/* Two samples go to the view, which writes into memory; its headings are what is wanted. */
int pf_run_headings(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err)
{
	struct live l = { .root_fd = -1, .parent = getppid(), .peek = true };
	pf_autoclose int fd = memfd_create("headings", MFD_CLOEXEC);
	if (fd < 0)
		return pf_err_set(err, -errno, "headings: %s", strerror(errno));
	int rc = pf_parts_open(&l.parts, plan, err);
	l.parts.fd = fd;
	if (rc == 0)
		rc = open_all(&l, plan, err);
	if (rc == 0)
		rc = take_sample(&l, true, err);
	if (rc == 0)
		rc = take_sample(&l, false, err);
	rc = pf_parts_close(&l.parts, rc, err);
	pf_closep(&l.root_fd);
	return rc < 0 ? rc : pf_parts_headings(fd, plan->req->as_peer, out);
}

int pf_run_header(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err)
{
	struct live l = { .root_fd = -1, .peek = true };
	int rc = pf_parts_open(&l.parts, plan, err);
	if (rc == 0)
		rc = open_all(&l, plan, err);
	if (rc == 0)
		rc = append_header(&l, out, 0);
	if (rc == 0)
		rc = pf_parts_fatal(&l.parts, err);
	rc = pf_parts_close(&l.parts, rc, err);
	pf_closep(&l.root_fd);
	return rc;
}
