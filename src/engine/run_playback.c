/* engine/run_playback.c - recordings from the first to the last sample, as fast as they can be read. */
#include <errno.h>
#include <regex.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/analyses.h"
#include "engine/devices.h"
#include "engine/files.h"
#include "engine/parts.h"
#include "engine/play_letters.h"
#include "engine/run.h"
#include "engine/span.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "groups/list.h"
#include "import/import.h"
#include "sinks/times.h"
#include "sources/interpolate.h"
#include "sources/list.h"

enum { ECHO_FULL = 64 * 1024 };

/**
 * struct playback
 * @span: of the file being played
 * @mark_ns: marker that the echoed lines belong to, @before_ns the one before; @have_mark: there was one in this file
 * @cut_ns: marker behind --thru, 0 if the file was read to its end
 * @records: RECORD lines of the files of this prefix and day so far
 * @unrecorded: of the file being played, where collectl shows zeros; @recorded: letters of its set
 * @end_ns: last marker of the previous file of the set, which a file that follows without a gap begins with
 */
struct playback {
	struct pf_parts parts;
	struct pf_run_result *ret;
	struct pf_play_files files;
	regex_t pattern;
	bool have_pattern;
	struct pf_view_options grep_view;
	struct pf_raw_tap tap;
	struct pf_span span;
	int64_t interval_ns;
	int64_t mark_ns, before_ns;
	bool have_mark;
	int64_t end_ns, cut_ns;
	uint64_t records;
	struct pf_unrecorded unrecorded;
	char recorded[PF_LETTERS_MAX];
};

static void echo_if_full(struct playback *pb)
{
	if (pb->parts.echo.n > ECHO_FULL && pf_parts_echo(&pb->parts) == -EPIPE)
		pb->ret->closed = true;
}

static int64_t whole_second(int64_t ns)
{
	return ns / PF_NS_PER_SEC * PF_NS_PER_SEC;
}

static void tap_mark(void *arg, int64_t time_ns)
{
	struct playback *pb = arg;
	bool first = !pb->have_mark;
	pb->have_mark = true;
	pb->before_ns = first ? time_ns : pb->mark_ns;
	pb->mark_ns = time_ns;
	if (!pb->have_pattern && !first && pb->before_ns <= pb->span.thru_ns && time_ns >= pb->span.from_ns)
		pf_buf_fmt(&pb->parts.echo, ">>> %lld.%03lld <<<\n", (long long)(time_ns / PF_NS_PER_SEC),
			   (long long)(time_ns % PF_NS_PER_SEC / PF_NS_PER_MS));
}

/* Of the baseline, be it the first interval or the one before --from, lines are echoed; collectl also has one interval behind --thru. */
static void tap_line(void *arg, struct pf_view tag, struct pf_view line)
{
	struct playback *pb = arg;
	(void)tag;
	int64_t last_ns = pb->parts.view.variants & PF_AS_PEER ? pb->before_ns : pb->mark_ns;
	if (whole_second(pb->mark_ns) < pb->span.from_ns - pb->interval_ns || last_ns > pb->span.thru_ns)
		return;
	pf_escape_lines(&pb->parts.echo, line);
	pf_buf_char(&pb->parts.echo, '\n');
	echo_if_full(pb);
}

static void tap_grep(void *arg, struct pf_view tag, struct pf_view line)
{
	struct playback *pb = arg;
	(void)tag;
	regmatch_t where = { .rm_so = 0, .rm_eo = (regoff_t)line.n };
	if (pb->mark_ns < pb->span.from_ns || pb->mark_ns > pb->span.thru_ns || line.n > INT32_MAX ||
	    regexec(&pb->pattern, line.p, 1, &where, REG_STARTEND) != 0)
		return;
	pb->ret->n_shown++;
	pf_times_add(&pb->parts.echo, &pb->grep_view, pb->mark_ns);
	pf_escape_lines(&pb->parts.echo, line);
	pf_buf_char(&pb->parts.echo, '\n');
	echo_if_full(pb);
}

static int setup_grep(struct playback *pb, struct pf_err *err)
{
	const struct pf_plan *plan = pb->parts.plan;
	if (!plan->req->grep)
		return 0;
	int rc = regcomp(&pb->pattern, plan->req->grep, REG_EXTENDED);
	if (rc != 0) {
		char why[128];
		(void)regerror(rc, &pb->pattern, why, sizeof(why));
		return pf_err_set(err, -EINVAL, "--grep '%s': %s", plan->req->grep, why);
	}
	pb->have_pattern = true;
	pb->grep_view = plan->view;
	pb->grep_view.short_millis = plan->req->as_peer;
	if (pb->grep_view.times == PF_TIMES_NONE)
		pb->grep_view.times = PF_TIMES_HMS;
	return 0;
}

/* What was recorded of protocols is what is shown, unless the user said otherwise. */
static void choose_protocols(struct playback *pb, const struct pf_play_file *f)
{
	struct pf_view_options *view = &pb->parts.view;
	const struct pf_plan *plan = pb->parts.plan;
	uint64_t tcp = 0, nfs = 0;
	if (!plan->tcp_given && f->header.tcp_filter[0] && pf_plan_tcp(f->header.tcp_filter, &tcp, NULL) == 0)
		view->variants = (view->variants & ~(uint64_t)PF_TCP_ALL) | tcp;
	if (!plan->nfs_given && f->header.nfs_filter[0] && pf_plan_nfs(f->header.nfs_filter, &nfs, NULL) == 0) {
		view->variants = (view->variants & ~(uint64_t)PF_NFS_ALL) | nfs | PF_NFS_CHOSEN;
		view->nfs_filter = f->header.nfs_filter;
	}
}

/* One set of plot files holds all recordings of a day. */
static int open_plots(struct playback *pb, bool anew, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	if (p->sink && !anew)
		return 0;
	int rc = pf_parts_close_sink(p, err);
	if (rc == 0)
		rc = pf_plots_header(&p->plots, p, err);
	return rc == 0 ? pf_parts_open_sink(p, pb->interval_ns, err) : rc;
}

/* @anew: the first file of a recording, or other letters. */
static int open_view(struct playback *pb, bool anew, bool hyper, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	p->view.host = p->source->kind->info(p->source)->host;
	p->view.boot_ns = p->source->kind->info(p->source)->boot_ns;
	p->view.n_cpus = p->source->kind->info(p->source)->is_raw ? p->source->kind->info(p->source)->cpus : 0;
	p->view.variants = (p->view.variants & ~PF_WITH_HYPER) | (hyper ? PF_WITH_HYPER : 0);
	p->view.second_ns = p->source->kind->info(p->source)->second_ns;
	p->view.recorded_header = p->source->kind->info(p->source)->header;
	if (pb->have_pattern)
		return 0;
	if (p->sink && p->plan->doc.format != PF_FORMAT_TEXT)
		return 0; /* one document holds all */
	if (p->source->kind->info(p->source)->is_raw)
		p->view.variants |= PF_AS_RECORDED;
	else
		p->view.variants &= ~(uint64_t)PF_AS_RECORDED;
	const struct pf_sink_kind *kind = pf_parts_view(p);
	if (pf_plan_plots(p->plan))
		return open_plots(pb, anew, err);
	if (p->sink && !anew && kind == &pf_sink_brief)
		return 0; /* its headings go on counting; the others begin each file with headings */
	p->view.records_before = pb->records;
	return pf_parts_open_sink(p, pb->interval_ns, err);
}

/* Modules learn of the file, and with a new recording that totals begin anew. */
static void begin_modules(struct pf_parts *p, bool anew)
{
	const char *header = p->source->kind->info(p->source)->header;
	struct pf_buf ignored = { 0 };
	pf_import_get_header(p->import, header ? header : "");
	pf_import_init_interval(p->import);
	if (anew || p->view.stats_files) {
		p->state.mini_instances = 0;
		pf_import_brief(p->import, PERFOLIO_BRIEF_RESET, NULL, &ignored);
	}
	pf_buf_done(&ignored);
}

/* When the recording began; an archive tells when it is open. */
static int64_t start_of(const struct playback *pb, const struct pf_play_file *f)
{
	const struct pf_source *source = pb->parts.source;
	if (f->known || !source)
		return f->header.secs * PF_NS_PER_SEC;
	return source->kind->info(pb->parts.source)->start_ns;
}

/* How far ahead of UTC times are shown: as the recorder's clock was, or as the user says. */
static void choose_zone(struct playback *pb, const struct pf_play_file *f)
{
	const struct pf_source *source = pb->parts.source;
	const struct pf_source_info *info = !f->known && source ? source->kind->info(pb->parts.source) : NULL;
	bool tells = info && info->has_zone;
	struct pf_view_options *views[] = { &pb->parts.view, &pb->grep_view };
	const struct pf_request *req = pb->parts.plan->req;
	int64_t here = pf_time_local(start_of(pb, f)).tm_gmtoff * PF_NS_PER_SEC;
	for (unsigned i = 0; i < 2; i++) {
		views[i]->zone_local = !f->known && !tells;
		views[i]->zone_ns = tells ? info->zone_ns : f->header.zone_ns;
		if (req->has_offset) {
			views[i]->zone_local = false;
			views[i]->zone_ns = here + req->offset_secs * PF_NS_PER_SEC;
		}
		/* collectl moves the time itself until the clock of this host shows what is wanted. */
		views[i]->epoch_shift_ns = req->as_peer && !views[i]->zone_local ? views[i]->zone_ns - here : 0;
	}
}

/* collectl 4.3.1 overlooks recorded interrupts when disks are shown and CPUs are not, and shows zeros. */
static bool overlooks_interrupts(const struct pf_parts *p)
{
	return p->plan->req->as_peer && strpbrk(p->letters, "dD") && !strpbrk(p->letters, "cC");
}

/* The groups to read: @room has room for all of the plan. */
static const struct pf_group *const *read_groups(const struct pf_parts *p, const struct pf_group **room)
{
	unsigned n = 0;
	for (unsigned i = 0; p->groups[i]; i++) {
		if (p->groups[i] != &pf_group_interrupts)
			room[n++] = p->groups[i];
	}
	room[n] = NULL;
	return overlooks_interrupts(p) ? room : p->groups;
}

static int open_source(struct playback *pb, const struct pf_play_file *f, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	bool echo = p->plan->req->debug & 4;
	pb->have_mark = false;
	pb->tap = (struct pf_raw_tap){ tap_mark, pb->have_pattern ? tap_grep : tap_line, pb };
	const struct pf_group *room[PF_GROUPS_MAX + 1];
	struct pf_source_spec spec = {
		.path = f->path,
		.more = (const char *const *)f->more,
		.host = p->plan->req->host,
		.root_fd = -1,
		.groups = pf_play_everything(pb->parts.plan, f) ? NULL : read_groups(p, room),
		.import = p->import,
		.tap = pb->have_pattern || echo ? &pb->tap : NULL,
		.no_parse = pb->have_pattern,
		.tree_depth = pf_plan_tree_depth(p->plan),
		.env = p->plan->env,
		.notice = p->plan->notice,
	};
	if (p->plan->step_ns > 0)
		return pf_interpolate_open(&p->source, &spec, p->plan->step_ns, p->catalog, err);
	return pf_source_open(&p->source, &spec, p->catalog, err);
}

/* The beginning is that of the first file, which is played first; the end is that of the last one. */
static int choose_span(struct playback *pb, const struct pf_play_file *f, struct pf_err *err)
{
	const struct pf_plan *plan = pb->parts.plan;
	const struct pf_play_file *last = &pb->files.files[pb->files.n - 1];
	struct pf_time_line *line = &pb->span.line;
	const struct pf_span_asked asked = { .from = &plan->from,
					     .thru = &plan->thru,
					     .offset_ns = plan->offset_ns,
					     .path = last->path,
					     .more = (const char *const *)last->more,
					     .host = plan->req->host };
	line->day_of_ns = start_of(pb, f);
	if (f == pb->files.files)
		line->start_ns = line->day_of_ns;
	line->zone_ns = pb->parts.view.zone_ns;
	if (pb->parts.view.zone_local)
		line->zone_ns = pf_time_local(line->day_of_ns).tm_gmtoff * PF_NS_PER_SEC;
	return pf_span_choose(&pb->span, &asked, err);
}

/* The first step: where --from, --offset or the recording say, or the next whole multiple with --align. */
static void choose_origin(struct playback *pb)
{
	struct pf_source *source = pb->parts.source;
	const struct pf_plan *plan = pb->parts.plan;
	int64_t origin = pb->span.spans ? pb->span.origin_ns : source->kind->begins(source);
	int64_t beyond = (origin + pb->span.line.zone_ns) % plan->step_ns;
	if (plan->req->align && beyond > 0)
		origin += plan->step_ns - beyond;
	pf_interpolate_from(source, origin);
}

/* One sample. Return: 0 go on; 1 nothing more of this file is wanted; negative errno. */
static int take_sample(struct playback *pb, bool first, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	if (pb->unrecorded.letters &&
	    pf_devices_unrecorded(&pb->unrecorded, p->groups, p->bases, p->catalog, &p->frames) < 0)
		return pf_err_set(err, -ENOMEM, "no memory for a sample");
	struct pf_step step = pf_frames_step(&p->frames);
	/* collectl reads one main interval before --from, so its first processes are those in it. */
	bool unread = p->plan->req->as_peer && step.prev &&
		      whole_second(step.prev->time_ns) < pb->span.from_ns - pb->interval_ns;
	if (unread) {
		step.second_ns = 0;
		pf_frames_forget_second(&p->frames);
	}
	if (first && step.cur->time_ns != pb->end_ns) {
		step.prev = NULL;
		step.interval_ns = 0;
		step.second_ns = 0;
		pf_frames_forget_second(&p->frames);
	}
	if (pb->have_pattern)
		return 0;
	int64_t time_ns = step.cur->time_ns;
	pb->ret->reached |= time_ns >= pb->span.from_ns;
	if (time_ns > pb->span.thru_ns) {
		pb->cut_ns = time_ns;
		return 1;
	}
	if (time_ns < pb->span.from_ns || pf_parts_lacks(p, &step)) {
		if (p->import)
			pf_import_init_interval(p->import);
		return 0;
	}
	if (!step.prev) {
		pb->ret->documented |= p->plan->doc.format != PF_FORMAT_TEXT;
		return pf_parts_baseline(p, &step, err);
	}
	int rc = pf_parts_show(p, &step, err);
	if (rc == 0 && (p->plan->req->debug & 4))
		rc = pf_parts_flush(p, err);
	pb->ret->n_shown += rc == 0;
	bool enough = p->plan->count >= 0 && pb->ret->n_shown >= (uint64_t)p->plan->count;
	return rc == 0 && enough ? 1 : rc;
}

/* --from and --thru left nothing of the only file: where it lies, seen from there. */
static void tell_missed(const struct playback *pb, const struct pf_play_file *f)
{
	const struct pf_plan *plan = pb->parts.plan;
	if (pb->files.n != 1 || plan->req->as_peer || (!pb->span.spans && !plan->thru.given) ||
	    (pb->cut_ns == 0 && pb->end_ns == 0))
		return;
	struct pf_view_options view = pb->parts.view;
	struct pf_buf time = { 0 };
	view.times = PF_TIMES_YMD_HMS;
	pf_times_add(&time, &view, pb->cut_ns ? pb->cut_ns : pb->end_ns);
	struct pf_view at = pf_view_trim(pf_buf_text(&time));
	pf_notice(plan->notice, PF_WARNING,
		  pb->cut_ns ? "%s: nothing in that time; what follows begins at %.*s"
			     : "%s: nothing in that time; it ends at %.*s",
		  f->path, (int)at.n, at.p);
	pf_buf_done(&time);
}

/* Only collectl shows what was not recorded. */
static void choose_unrecorded(struct playback *pb, const struct pf_play_file *f)
{
	bool wanted = pb->parts.plan->req->as_peer && f->known && !pb->have_pattern;
	size_t n = 0;
	pb->recorded[0] = '\0';
	if (wanted)
		pf_play_recorded(pb->parts.plan, &pb->files, f, true, pb->recorded);
	for (const char *l = pb->recorded; *l != '\0'; l++) {
		if (!overlooks_interrupts(&pb->parts) || (*l != 'j' && *l != 'J'))
			pb->recorded[n++] = *l;
	}
	pb->recorded[n] = '\0';
	pb->unrecorded = (struct pf_unrecorded){ wanted ? pb->recorded : NULL, f->header.cpus, f->header.nodes };
}

static void tell_loss(struct playback *pb, const struct pf_err *why)
{
	pf_notice(pb->parts.plan->notice, PF_WARNING, "%s", why->text);
	pb->ret->lost = true;
}

static int play_samples(struct playback *pb, const struct pf_play_file *f, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	bool first = true;
	int rc = 0;
	pb->cut_ns = 0;
	while (rc == 0 && !pf_stop_glance(&p->stop) && !pb->ret->closed) {
		struct pf_err own = { 0 };
		rc = p->source->kind->next(p->source, &p->frames, &own);
		if (rc == 1) {
			rc = take_sample(pb, first, err);
			first = false;
		} else if (rc == -EBADMSG) {
			tell_loss(pb, &own);
			rc = 0;
		} else if (rc < 0 && rc != -ENODATA) {
			return pf_err_set(err, rc, "%s", own.text[0] ? own.text : f->path);
		}
	}
	struct pf_err rest = { 0 };
	while (rc >= 0 && pf_source_untold(p->source, &rest) == -EBADMSG) /* it was read as far as it is wanted */
		tell_loss(pb, &rest);
	const struct pf_source_info *info = p->source->kind->info(p->source);
	pb->end_ns = info->end_ns;
	return rc == -ENODATA || rc > 0 ? 0 : rc;
}

/* collectl's totals have columns of what was recorded although -s-all took them away. */
static void choose_extra(struct playback *pb, const struct pf_play_file *f)
{
	struct pf_parts *p = &pb->parts;
	p->view.stats_extra = NULL;
	if (p->view.stats && (p->view.variants & PF_AS_PEER) && p->letters[0] == '\0' && f->known) {
		pf_play_recorded(pb->parts.plan, &pb->files, f, false, p->extra);
		p->view.stats_extra = p->extra;
	}
}

/* Where plots of this recording go. Return: 1 play it; 0 leave it out, which was told; negative errno. */
static int choose_plots(struct playback *pb, const struct pf_play_file *f, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	bool same = true;
	int rc = pf_plan_plots(p->plan) ? pf_plots_choose(&p->plots, p->plan, f, &same, err) : 1;
	int crc = rc > 0 && !same ? pf_parts_close_sink(p, err) : 0;
	return crc < 0 ? crc : rc;
}

/* --from: what lies before is not read, but for two intervals, one of which the first differences need. */
static void skip_to(struct playback *pb, const struct pf_play_file *f)
{
	struct pf_source *source = pb->parts.source;
	const struct pf_source_info *info = source->kind->info(source);
	int64_t longest = info->second_ns > info->interval_ns ? info->second_ns : info->interval_ns;
	int64_t interval = f->known ? pb->interval_ns : longest;
	if (pb->parts.plan->step_ns > 0)
		choose_origin(pb);
	else if (pb->span.spans && source->kind->skip && (interval > 0 || !f->known))
		source->kind->skip(source, pb->span.from_ns - 2 * interval - 2 * PF_NS_PER_SEC);
}

static int play_file(struct playback *pb, const struct pf_play_file *f, const struct pf_play_file *before,
		     const struct pf_run_hooks *hooks, struct pf_err *err)
{
	struct pf_parts *p = &pb->parts;
	char letters[PF_LETTERS_MAX];
	if (!pb->have_pattern && before && pf_play_leaves_out(p->plan, &pb->files, f, before))
		return 0;
	int frc = pf_parts_flush(p, err);
	if (frc < 0)
		return frc;
	if (hooks && hooks->file)
		hooks->file(hooks->arg, f->path);
	if (!pb->have_pattern &&
	    !pf_play_letters(pb->parts.plan, &pb->files, f, pb->parts.import, letters, &p->asked_verbose))
		return 0;
	int prc = pb->have_pattern ? 0 : pf_parts_exporter(p, letters, err);
	if (prc == 0)
		prc = choose_plots(pb, f, err);
	if (prc <= 0)
		return prc;
	bool new_set = !before || !pf_files_same_set(before, f);
	bool new_letters = !pb->have_pattern && strcmp(letters, p->letters) != 0;
	if (new_set)
		pb->end_ns = 0;
	if (!before || !pf_play_same_day(before, f))
		pb->records = 0;
	pb->interval_ns = p->plan->step_ns > 0 ? p->plan->step_ns : f->header.interval_ns[0];
	choose_zone(pb, f);
	prc = choose_span(pb, f, err);
	if (prc < 0)
		return prc;
	choose_protocols(pb, f);
	if (new_set && p->sink && p->plan->doc.format == PF_FORMAT_TEXT) {
		int rc = pf_parts_close_sink(p, err);
		if (rc < 0)
			return rc;
	}
	int rc = pb->have_pattern || !new_letters ? 0 : pf_parts_select(p, letters, err);
	if (rc == 0)
		rc = open_source(pb, f, err);
	if (rc == 0 && !f->known) {
		choose_zone(pb, f);
		rc = choose_span(pb, f, err);
	}
	if (rc == 0)
		skip_to(pb, f);
	choose_extra(pb, f);
	choose_unrecorded(pb, f);
	if (rc == 0)
		rc = open_view(pb, new_set || new_letters, f->header.hyper, err);
	if (rc == 0) {
		pb->ret->n_files++;
		if (p->import)
			begin_modules(p, new_set || new_letters);
		uint64_t n_before = pb->ret->n_shown;
		rc = play_samples(pb, f, err);
		bool numbered = strlen(p->letters) > 1 || strpbrk(p->letters, "YZ") || p->import;
		pb->records += numbered && pf_parts_view(p) == &pf_sink_verbose ? pb->ret->n_shown - n_before : 0;
		if (rc == 0 && pb->ret->n_shown == n_before && !pb->have_pattern)
			tell_missed(pb, f);
	}
	if (rc == 0 && p->sink && p->sink->kind->part)
		rc = p->sink->kind->part(p->sink, pb->cut_ns ? pb->cut_ns : pb->end_ns);
	if (p->source)
		p->source = p->source->kind->close(p->source);
	return rc;
}

static int play_all(struct playback *pb, const struct pf_run_hooks *hooks, struct pf_err *err)
{
	const struct pf_plan *plan = pb->parts.plan;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < pb->files.n; i++) {
		bool enough = plan->count >= 0 && pb->ret->n_shown >= (uint64_t)plan->count;
		if (pb->parts.stop.signal || pb->ret->closed || enough)
			break;
		rc = play_file(pb, &pb->files.files[i], i > 0 ? &pb->files.files[i - 1] : NULL, hooks, err);
	}
	return rc;
}

/* @fd: where to write, -1 to the plan's output. */
static int play(const struct pf_plan *plan, int fd, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		struct pf_err *err)
{
	struct playback pb = { .ret = ret };
	*ret = (struct pf_run_result){ 0 };
	int rc = pf_parts_open(&pb.parts, plan, err);
	if (fd >= 0)
		pb.parts.fd = fd;
	if (rc == 0)
		rc = setup_grep(&pb, err);
	if (rc == 0 && plan->req->filename)
		rc = pf_plots_folder(plan, plan->req->filename, err);
	if (rc == 0)
		rc = pf_files_find(&pb.files, plan, err);
	if (rc == 0) {
		ret->n_matched = pb.files.n;
		if (hooks && hooks->ready)
			hooks->ready(hooks->arg);
		rc = play_all(&pb, hooks, err);
		bool ended = rc == 0 && pb.files.n > 0 && !ret->closed && !pb.parts.stop.signal;
		if (ended && (ret->documented || ret->n_shown > 0))
			rc = pf_chosen_tell(&pb.parts.named, pb.files.files[0].path, plan->notice, err);
		ret->signal = pb.parts.stop.signal;
	}
	rc = pf_parts_close(&pb.parts, rc, err);
	pf_files_done(&pb.files);
	if (pb.have_pattern)
		regfree(&pb.pattern);
	if (rc == -EPIPE) {
		ret->closed = true;
		rc = 0;
	}
	return rc;
}

int pf_run_playback(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		    struct pf_err *err)
{
	return play(plan, -1, hooks, ret, err);
}

/* The first interval goes to the view, which writes into memory; its headings are what is wanted. */
int pf_run_file_headings(const struct pf_plan *plan, struct pf_buf *out, struct pf_run_result *ret, struct pf_err *err)
{
	pf_autoclose int fd = memfd_create("headings", MFD_CLOEXEC);
	if (fd < 0)
		return pf_err_set(err, -errno, "headings: %s", strerror(errno));
	struct pf_plan one = *plan;
	one.count = 1;
	int rc = play(&one, fd, NULL, ret, err);
	return rc < 0 ? rc : pf_parts_headings(fd, plan->req->as_peer, out);
}

int pf_run_file_headers(const struct pf_plan *plan, struct pf_buf *out, struct pf_err *err)
{
	struct pf_play_files files;
	int rc = pf_files_find(&files, plan, err);
	for (unsigned i = 0; rc == 0 && i < files.n; i++) {
		struct pf_collectl_reader *r = NULL;
		rc = pf_collectl_open(&r, files.files[i].path, err);
		if (rc < 0)
			break;
		pf_escape_text(out, pf_view_of(files.files[i].path));
		pf_buf_char(out, '\n');
		pf_escape_lines(out, pf_collectl_header_text(r));
		pf_buf_char(out, '\n');
		(void)pf_collectl_close(r);
	}
	pf_files_done(&files);
	return rc < 0 ? rc : out->failed;
}
