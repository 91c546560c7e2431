/* engine/run_live.c - the loop over time: sample, show or record, wait. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/facts.h"
#include "engine/parts.h"
#include "engine/run.h"
#include "formats/collectl/writer.h"
#include "groups/list.h"
#include "import/import.h"

/* Output is handed on after each sample, but samples that come faster than this share it: system calls for each would cost more than
 * they do. */
static const int64_t hand_on_ns = 20 * PF_NS_PER_MS;

/* A raw file that is being recorded. @rc: its first error. */
struct recording {
	struct pf_sink *raw;
	int rc;
	struct pf_raw_tap tap;
};

/* @rec: the raw file when recording, and with --tworaw the one of processes and slabs */
struct live {
	struct pf_parts parts;
	int root_fd;
	struct recording rec[2];
	struct pf_raw_tap echo_tap;
	int64_t handed_on_ns; /* monotonic */
	pid_t parent;
};

static void tap_raw_mark(void *arg, int64_t time_ns)
{
	struct recording *r = arg;
	int rc = r->raw->kind->mark(r->raw, time_ns);
	r->rc = r->rc ? r->rc : rc;
}

static void tap_raw_line(void *arg, struct pf_view tag, struct pf_view line)
{
	struct recording *r = arg;
	int rc = r->raw->kind->raw(r->raw, tag, line);
	r->rc = r->rc ? r->rc : rc;
}

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
	int rc = pf_facts_header(out, p->plan, l->root_fd, p->view.host, p->plan->letters, pf_buf_text(&extra).p, now);
	pf_buf_done(&extra);
	return rc;
}

/* One raw file with these letters; @ending stands behind ".raw". */
static int open_recording(struct live *l, struct recording *r, const char *letters, const char *ending, int64_t now,
			  struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	const struct pf_plan *plan = p->plan;
	const char *host = p->source->kind->info(p->source)->host;
	struct pf_buf header = { 0 }, path = { 0 }, extra = { 0 };
	if (p->import && ending[0] == '\0')
		pf_import_update_header(p->import, &extra);
	int rc = pf_facts_header(&header, plan, l->root_fd, host, letters, pf_buf_text(&extra).p, now);
	pf_collectl_name(&path, plan->req->filename, host, ending, now);
	if (rc == 0 && path.failed)
		rc = path.failed;
	if (rc < 0)
		(void)pf_err_set(err, rc, "no memory");
	struct pf_sink_spec spec = { .fd = -1, .path = path.p, .header = header.p, .notice = plan->notice };
	if (rc == 0)
		rc = pf_sink_raw.open(&r->raw, &spec, err);
	pf_buf_done(&header);
	pf_buf_done(&path);
	pf_buf_done(&extra);
	return rc;
}

/* --tworaw: what is sampled each interval, and what is sampled each second one. */
static int open_raw(struct live *l, struct pf_err *err)
{
	const struct pf_plan *plan = l->parts.plan;
	int64_t now = pf_time_wall_ns();
	int rc;
	if (!plan->req->two_raw)
		return open_recording(l, &l->rec[0], plan->letters, "", now, err);
	char letters[2][PF_LETTERS_MAX] = { "", "" };
	for (const char *p = plan->letters; *p != '\0'; p++) {
		char *to = letters[strchr("yYZ", *p) != NULL];
		to[strlen(to)] = *p;
	}
	rc = open_recording(l, &l->rec[0], letters[0], "", now, err);
	return rc < 0 ? rc : open_recording(l, &l->rec[1], letters[1], "p", now, err);
}

static int open_source(struct live *l, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	const struct pf_plan *plan = p->plan;
	bool record = pf_plan_records(plan);
	bool echo = plan->req->debug & 4;
	if (record)
		for (unsigned i = 0; i < 2; i++)
			l->rec[i].tap = (struct pf_raw_tap){ tap_raw_mark, tap_raw_line, &l->rec[i] };
	else if (echo)
		l->echo_tap = (struct pf_raw_tap){ tap_echo_mark, tap_echo_line, l };
	struct pf_source_spec spec = {
		.root_fd = l->root_fd,
		.groups = p->groups,
		.import = p->import,
		.tap = record ? &l->rec[0].tap
		       : echo ? &l->echo_tap
			      : NULL,
		.second_tap = record && plan->req->two_raw ? &l->rec[1].tap : NULL,
		.no_parse = !pf_plan_shows(plan),
		.interval_ns = plan->interval_ns[0],
		.second_every = plan->second_every,
		.tree_depth = pf_plan_tree_depth(plan),
		.no_process_io = plan->no_process_io,
		.no_new_processes = plan->no_new_processes,
		.process_filter = plan->process_filter,
		.slab_prefixes = plan->slab_prefixes,
		.late_ns = plan->late_ns,
		.variants = plan->view.variants & (PF_TCP_ALL | PF_NFS_ALL),
		.notice = plan->notice,
	};
	int rc = pf_source_open(&p->source, &spec, p->catalog, err);
	if (rc == 0 && p->import)
		pf_import_root(p->import, l->root_fd);
	if (rc == 0 && p->import)
		pf_import_tap(p->import,
			      record ? l->rec[0].tap.line
			      : echo ? l->echo_tap.line
				     : NULL,
			      record ? (void *)&l->rec[0] : (void *)l, pf_plan_shows(plan));
	return rc;
}

/* The header of plots is composed although a terminal does not show it: modules count on being asked. */
static int begin_modules(struct live *l, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	const struct pf_plan *plan = p->plan;
	if (plan->letters[0] == '\0' && pf_import_n_summary(p->import) + pf_import_n_detail(p->import) == 0)
		return pf_err_set(err, -EINVAL,
				  "no module is left and no subsystem is selected, so there is nothing to show");
	pf_import_init_interval(p->import);
	if (plan->req->plot && !pf_plan_plots(plan)) {
		struct pf_buf ignored = { 0 };
		pf_import_update_header(p->import, &ignored);
		pf_buf_done(&ignored);
	}
	return 0;
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

static int open_all(struct live *l, const struct pf_plan *plan, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	l->root_fd = pf_parts_root(plan, err);
	if (l->root_fd < 0)
		return l->root_fd;
	int rc = pf_parts_select(p, plan->letters, err);
	if (rc == 0)
		rc = open_source(l, err);
	if (rc < 0)
		return rc;
	p->view.host = p->source->kind->info(p->source)->host;
	p->view.boot_ns = pf_facts_boot(l->root_fd);
	p->view.second_ns = plan->interval_ns[0] > 0 ? plan->interval_ns[1] : 0;
	rc = p->import ? begin_modules(l, err) : 0;
	if (rc < 0)
		return rc;
	if (plan->req->filename)
		rc = pf_plots_folder(plan, plan->req->filename, err);
	if (rc == 0 && pf_plan_records(plan))
		rc = open_raw(l, err);
	if (rc == 0 && pf_plan_plots(plan))
		rc = choose_plots(l, err);
	return rc == 0 && pf_plan_shows(plan) ? pf_parts_open_sink(p, plan->interval_ns[0], err) : rc;
}

/* -oi: the header that a file would have, before the headings. */
static int write_header(struct live *l, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	struct pf_buf header = { 0 };
	int rc = append_header(l, &header, 0);
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

static int flush_raw(struct live *l, bool due)
{
	int rc = 0;
	for (unsigned i = 0; i < 2 && rc == 0; i++) {
		struct recording *r = &l->rec[i];
		if (r->raw)
			rc = r->rc ? r->rc : due ? r->raw->kind->flush(r->raw) : 0;
	}
	return rc;
}

/* One sample through everything. */
static int take_sample(struct live *l, bool baseline, struct pf_err *err)
{
	struct pf_parts *p = &l->parts;
	int rc = p->source->kind->next(p->source, &p->frames, err);
	if (rc < 0)
		return rc;
	bool due = is_due(l);
	if (l->rec[0].raw) {
		rc = flush_raw(l, due);
		if (rc < 0)
			return pf_err_set(err, rc, "raw file: %s", strerror(-rc));
	}
	if (!p->sink)
		return pf_parts_fatal(p, err);
	struct pf_step step = pf_frames_step(&p->frames);
	if (baseline) {
		if (p->import)
			pf_import_interval_end(p->import);
		return pf_parts_baseline(p, &step, err);
	}
	rc = pf_parts_show(p, &step, err);
	return rc == 0 && due ? pf_parts_flush(p, err) : rc;
}

/* First moment after @now that is a whole number of intervals from @base. */
static int64_t next_due(int64_t base, int64_t interval, int64_t now)
{
	int64_t since = now - base;
	int64_t k = since >= 0 ? since / interval + 1 : -(-since / interval);
	return base + k * interval;
}

/* Wait for the wall clock to reach @due, or for a signal, and serve whoever reads meanwhile. A clock that is set back makes nobody wait longer than @interval. */
static bool wait_until(struct pf_parts *p, int64_t due, int64_t interval)
{
	for (;;) {
		if (pf_stop_check(&p->stop))
			return true;
		pf_loop_serve(&p->loop);
		int64_t left = due - pf_time_wall_ns();
		if (left <= 0 || left > interval)
			return false;
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd pfds[] = { { .fd = p->stop.fd, .events = POLLIN },
					 { .fd = p->loop.fd, .events = POLLIN } };
		(void)ppoll(pfds, PF_N(pfds), &ts, NULL); /* whatever woke us is looked at above */
	}
}

/* Where the grid of samples begins. collectl's samples fall on whole seconds; ours begin at once unless --align asks for more. */
static int64_t grid_base(const struct pf_plan *plan, int64_t now)
{
	int64_t a = plan->interval_ns[0];
	if (plan->req->align && a > 0 && plan->second_every > 1)
		a = plan->interval_ns[1]; /* then samples of processes are on the multiples */
	if (a == 0 || (!plan->req->align && !plan->req->as_peer))
		return now;
	int64_t grain = plan->req->align || a < PF_NS_PER_SEC ? a : PF_NS_PER_SEC;
	return (now + grain - 1) / grain * grain;
}

static bool parent_is_gone(const struct live *l)
{
	return l->parts.plan->req->as_peer && !l->parts.plan->req->nohup && l->parent != 1 && getppid() != l->parent;
}

static int loop(struct live *l, struct pf_run_result *ret, struct pf_err *err)
{
	const struct pf_plan *plan = l->parts.plan;
	struct pf_parts *p = &l->parts;
	int64_t start = pf_time_wall_ns();
	int64_t interval = plan->interval_ns[0];
	int64_t base = grid_base(plan, start);
	if (base > start && wait_until(p, base, INT64_MAX))
		return 0;
	int rc = take_sample(l, true, err);
	while (rc == 0 && (plan->count < 0 || ret->n_shown < (uint64_t)plan->count)) {
		int64_t due = interval ? next_due(base, interval, pf_time_wall_ns()) : 0;
		if (plan->runtime_ns && (interval ? due : pf_time_wall_ns()) > start + plan->runtime_ns)
			break;
		if (interval ? wait_until(p, due, interval) : pf_stop_check(&p->stop))
			break;
		if (!interval)
			pf_loop_serve(&p->loop);
		if (parent_is_gone(l)) {
			pf_notice(plan->notice, PF_WARNING,
				  "the parent process is gone, so this one ends too (--nohup keeps it)");
			break;
		}
		rc = take_sample(l, false, err);
		ret->n_shown += rc == 0;
	}
	return rc;
}

static int close_raw(struct live *l, int rc, struct pf_err *err)
{
	int64_t now = pf_time_wall_ns();
	for (unsigned i = 0; i < 2; i++) {
		struct pf_sink *raw = PF_TAKE(l->rec[i].raw);
		if (!raw)
			continue;
		(void)raw->kind->mark(raw, now); /* its error comes again from close */
		int crc = raw->kind->close(raw, rc < 0 ? NULL : err);
		rc = rc < 0 ? rc : crc;
	}
	return rc;
}

int pf_run_live(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		struct pf_err *err)
{
	struct live l = { .root_fd = -1, .parent = getppid() };
	*ret = (struct pf_run_result){ 0 };
	if (plan->req->nice)
		(void)setpriority(PRIO_PROCESS, 0, 20); /* a wish */
	int rc = pf_parts_open(&l.parts, plan, err);
	if (rc == 0)
		rc = open_all(&l, plan, err);
	if (rc == 0) {
		if (hooks && hooks->ready)
			hooks->ready(hooks->arg);
		if (plan->req->options && strchr(plan->req->options, 'i'))
			rc = write_header(&l, err);
		if (rc == 0)
			rc = loop(&l, ret, err);
		if (rc == 0 && !l.rec[0].raw && l.echo_tap.mark)
			l.echo_tap.mark(&l, pf_time_wall_ns()); /* the closing marker of what is echoed */
		ret->signal = l.parts.stop.signal;
	}
	rc = close_raw(&l, rc, err);
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
	struct live l = { .root_fd = -1, .parent = getppid() };
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
	return rc < 0 ? rc : pf_parts_headings(fd, out);
}

int pf_run_header(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err)
{
	struct live l = { .root_fd = -1 };
	int rc = pf_parts_open(&l.parts, plan, err);
	if (rc == 0)
		rc = open_all(&l, plan, err);
	if (rc == 0)
		rc = append_header(&l, out, 0);
	rc = pf_parts_close(&l.parts, rc, err);
	pf_closep(&l.root_fd);
	return rc;
}
