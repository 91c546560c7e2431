/* sources/live.c - this host, or a folder that stands for one. Files stay open; each is read once a sample by one pread, and every row
 * that names it parses the same bytes. What the text means is the rows' business. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "groups/list.h"
#include "import/import.h"
#include "sources/asked.h"
#include "sources/commands.h"
#include "sources/cost.h"
#include "sources/dispatch.h"
#include "sources/held.h"
#include "sources/list.h"
#include "sources/pattern.h"
#include "sources/sysclass.h"

enum { FILE_LIMIT = 16 << 20, NAME_SIZE = 256 };

/* @path: on the heap. @first_target: targets of one file are a list through target_next */
struct live_file {
	struct pf_held held;
	char *path;
	bool second; /* all that read it are of the second interval */
	bool once;   /* for all that read it one text is enough */
	bool has;    /* which is there */
	bool later;  /* this sample's answer comes from aside, behind all others */
	int meter_source;
	int first_target;
};

struct live_source {
	struct pf_source base;
	struct pf_source_info info;
	char host[NAME_SIZE];
	int root_fd;
	struct pf_holder holder;
	struct live_file *files;
	unsigned n_files;
	struct pf_buf led; /* text of a file with the row's lead before each line */
	struct pf_line_filter filter;
	int *target_next; /* next target of the same file, or -1 */
	struct pf_catalog *catalog;
	struct pf_dispatch *dispatch;
	struct pf_import *import;
	const struct pf_raw_tap *tap;
	const struct pf_raw_tap *second_tap;
	bool no_parse;
	struct pf_patterns *patterns;
	struct pf_commands *commands;
	unsigned second_every;
	bool has_second;
	unsigned until_second;	/* samples that are left without groups of the second interval */
	struct pf_asked *asked; /* NULL: nothing is asked of the kernel */
	struct pf_cost *cost;	/* NULL: nothing is measured */
	struct pf_meter *meter;
	const struct pf_notice *notice;
};

/* Text behind the heading lines of a row. */
static struct pf_view body_of(const struct pf_row *row, const struct pf_buf *text)
{
	struct pf_view rest = pf_buf_text(text);
	struct pf_view line;
	for (unsigned i = 0; i < row->skip_lines; i++) {
		if (pf_view_line(&rest, &line) < 0)
			break;
	}
	return rest;
}

/* The text as a raw file has it: each line behind the row's lead. */
static struct pf_view with_lead(struct live_source *s, const struct pf_row *row, struct pf_view rest)
{
	struct pf_view line;
	pf_buf_clear(&s->led);
	while (pf_view_line(&rest, &line) == 0) {
		pf_buf_str(&s->led, row->lead);
		pf_buf_view(&s->led, line);
		pf_buf_char(&s->led, '\n');
	}
	return pf_buf_text(&s->led);
}

/* Tell the lines that belong into a raw file, each as much as the row keeps of it. */
static void tell_lines(const struct live_source *s, const struct pf_target *target, struct pf_view rest)
{
	const struct pf_row *row = target->row;
	const struct pf_raw_tap *tap = target->group->period == PF_SECOND_INTERVAL ? s->second_tap : s->tap;
	struct pf_view tag = pf_view_of(row->tag ? row->tag : "");
	struct pf_view line;
	while (pf_view_line(&rest, &line) == 0) {
		if (!row->keep || row->keep(&line, &s->filter))
			tap->line(tap->arg, tag, line);
	}
}

/* Parse only the lines that are kept: by the user's choice, or since the peer reads no others. */
static struct pf_view chosen_lines(struct live_source *s, const struct pf_row *row, struct pf_view rest)
{
	struct pf_view line;
	pf_buf_clear(&s->led);
	while (pf_view_line(&rest, &line) == 0) {
		struct pf_view kept = line;
		if (!row->keep(&kept, &s->filter))
			continue;
		pf_buf_view(&s->led, kept);
		pf_buf_char(&s->led, '\n');
	}
	return pf_buf_text(&s->led);
}

static bool is_choosy(const struct live_source *s, const struct pf_row *row)
{
	return row->choosy && (s->filter.peer || s->filter.disks || s->filter.nets || s->filter.slabs);
}

static void take_file(struct live_source *s, const struct live_file *f)
{
	for (int t = f->first_target; t >= 0; t = s->target_next[t]) {
		struct pf_target *target = &s->dispatch->targets[t];
		const struct pf_row *row = target->row;
		struct pf_view body = body_of(row, &f->held.text);
		if (s->tap)
			tell_lines(s, target, row->lead ? with_lead(s, row, body) : body);
		if (!s->no_parse)
			row->parse(is_choosy(s, row) ? chosen_lines(s, row, body) : body, &target->b);
	}
}

/* @rc: of its reading. */
static void take_read(struct live_source *s, struct live_file *f, int rc, struct pf_frames *frames)
{
	if (rc < 0) {
		frames->lost++;
		return;
	}
	take_file(s, f);
}

/* Read it and take what is in it. */
static void sample_file(struct live_source *s, struct live_file *f, struct pf_frames *frames)
{
	if (f->once && f->has) {
		take_file(s, f);
		return;
	}
	int64_t start = pf_meter_start(s->meter);
	int rc = f->later ? pf_held_collect(&s->holder, &f->held) : pf_held_read(&s->holder, &f->held);
	if (s->meter)
		pf_meter_read_named(s->meter, f->meter_source, start, rc == 0 ? f->held.text.n : 0, f->path);
	f->has = rc == 0;
	take_read(s, f, rc, frames);
	if (s->meter)
		pf_meter_lap(s->meter, f->meter_source);
}

/* What is due of one interval. @any_later: a file keeps us waiting; it comes last, as late as can be. */
static int read_part(struct live_source *s, enum pf_period part, bool second, struct pf_frames *frames, bool *any_later)
{
	for (unsigned i = 0; i < s->n_files; i++) {
		struct live_file *f = &s->files[i];
		if (f->second != (part == PF_SECOND_INTERVAL))
			continue;
		f->later = pf_held_aside(&f->held);
		*any_later |= f->later;
		if (!f->later)
			sample_file(s, f, frames);
	}
	return s->patterns ? pf_patterns_sample(s->patterns, part, second, &frames->lost) : 0;
}

/* Modules come before the second interval, as in collectl. They need not expect the signals that interrupt slow reads. */
static void ask_modules(struct live_source *s, struct pf_sample *sample, unsigned counted2)
{
	pf_holder_end(&s->holder);
	pf_import_sample(s->import, sample);
	pf_import_moment(s->import, sample->time_ns, s->has_second ? counted2 : 0, s->has_second ? s->second_every : 0);
	pf_import_get_data(s->import);
	if (sample->second || s->commands)
		pf_holder_again(&s->holder);
}

static int read_all(struct live_source *s, struct pf_sample *sample, unsigned counted2, struct pf_frames *frames)
{
	bool any_later = false;
	bool second = sample->second;
	pf_holder_begin(&s->holder);
	int rc = read_part(s, PF_EACH_INTERVAL, second, frames, &any_later);
	if (rc == 0 && s->asked)
		rc = pf_asked_take(s->asked, s->tap, s->no_parse);
	if (s->import)
		ask_modules(s, sample, counted2);
	if (rc == 0 && second)
		rc = read_part(s, PF_SECOND_INTERVAL, second, frames, &any_later);
	if (rc == 0 && s->commands)
		rc = pf_commands_sample(s->commands, &frames->lost);
	pf_holder_end(&s->holder);
	for (unsigned i = 0; any_later && i < s->n_files; i++) {
		struct live_file *f = &s->files[i];
		if (f->later && (second || !f->second))
			sample_file(s, f, frames);
	}
	return rc;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct live_source *s = (struct live_source *)source;
	int64_t now = pf_time_wall_ns();
	struct pf_sample *sample = pf_frames_begin(frames, now, pf_time_boot_ns());
	if (!sample)
		return pf_err_set(err, -ENOMEM, "no memory for a sample");
	if (s->tap && s->tap->mark)
		s->tap->mark(s->tap->arg, now);

	if (s->meter)
		pf_meter_begin(s->meter);
	pf_dispatch_begin(s->dispatch, sample);
	sample->second = s->until_second == 0;
	if (sample->second && s->second_tap != s->tap && s->second_tap->mark)
		s->second_tap->mark(s->second_tap->arg, now);
	unsigned counted2 = sample->second ? s->second_every : s->second_every - s->until_second;
	s->until_second = s->until_second == 0 ? s->second_every - 1 : s->until_second - 1;
	int nrc = read_all(s, sample, counted2, frames);
	if (s->cost)
		nrc = pf_cost_take(s->cost, s->tap, s->no_parse) < 0 ? -ENOMEM : nrc;
	int rc = pf_dispatch_end(s->dispatch, &frames->lost);
	rc = nrc == -ENOMEM ? nrc : rc;
	return rc < 0 ? pf_err_set(err, rc, "no memory for a sample") : 1;
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct live_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* always ready; the engine keeps the time */
}

static struct pf_source *close_live(struct pf_source *source)
{
	struct live_source *s = (struct live_source *)source;
	if (!s)
		return NULL;
	for (unsigned i = 0; i < s->n_files; i++) {
		pf_held_close(&s->files[i].held);
		free(s->files[i].path);
	}
	if (s->catalog && s->catalog->device.arg == &s->root_fd)
		s->catalog->device = (struct pf_device_look){ 0 };
	pf_buf_done(&s->led);
	free(s->files);
	free(s->target_next);
	s->patterns = pf_patterns_close(s->patterns);
	s->commands = pf_commands_close(s->commands);
	pf_holder_done(&s->holder);
	if (s->cost && s->import)
		pf_import_meter(s->import, NULL);
	s->cost = pf_cost_close(s->cost);
	s->asked = pf_asked_close(s->asked);
	s->dispatch = pf_dispatch_free(s->dispatch);
	free(s);
	return NULL;
}

static struct live_file *find_file(struct live_source *s, const char *path)
{
	for (unsigned i = 0; i < s->n_files; i++) {
		if (strcmp(s->files[i].path, path) == 0)
			return &s->files[i];
	}
	return NULL;
}

/* Put target @t at the end of its file's list. */
static void add_target(const struct live_source *s, struct live_file *f, int t)
{
	int *link = &f->first_target;
	while (*link >= 0 && *link != t)
		link = &s->target_next[*link];
	if (*link == t)
		return;
	*link = t;
	s->target_next[t] = -1;
}

/* A file for target @t; one that cannot be opened is told and left out. */
static int add_file(struct live_source *s, const struct pf_row *row, int t, struct pf_err *err)
{
	const char *path = row->path;
	struct live_file *f = find_file(s, path);
	if (!f) {
		struct live_file *more = reallocarray(s->files, s->n_files + 1, sizeof(*more));
		if (more)
			s->files = more;
		char *copy = more ? strdup(path) : NULL;
		if (!copy)
			return pf_err_set(err, -ENOMEM, "no memory");
		f = &s->files[s->n_files];
		*f = (struct live_file){ .path = copy, .first_target = -1, .second = true, .once = true };
		int rc = pf_held_open(&s->holder, &f->held, copy);
		if (rc < 0) {
			if (!row->optional)
				pf_notice(s->notice, PF_WARNING, "/%s: %s, going on without it", path, strerror(-rc));
			free(copy);
			return 0;
		}
		s->n_files++;
	}
	f->once &= row->once;
	f->second &= s->dispatch->targets[t].group->period == PF_SECOND_INTERVAL;
	add_target(s, f, t);
	return 0;
}

static int open_files(struct live_source *s, struct pf_err *err)
{
	unsigned n = s->dispatch->n_targets;
	s->target_next = calloc(n ? n : 1, sizeof(*s->target_next));
	if (!s->target_next)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = 0;
	for (unsigned t = 0; rc == 0 && t < n; t++) {
		const struct pf_row *row = s->dispatch->targets[t].row;
		bool wanted = row->needs == 0 || (s->filter.variants & row->needs) != 0;
		if (wanted && !row->made && !row->command && !pf_row_is_pattern(row))
			rc = add_file(s, row, (int)t, err);
	}
	return rc;
}

/* Up to the first dot. */
static void read_host(struct live_source *s)
{
	struct pf_buf text = { 0 };
	struct pf_err ignored = { 0 };
	if (pf_io_read_file(s->root_fd, "proc/sys/kernel/hostname", FILE_LIMIT, &text, &ignored) < 0)
		pf_buf_str(&text, "localhost");
	struct pf_view name = pf_view_trim(pf_buf_text(&text));
	size_t n = 0;
	while (n < name.n && n < NAME_SIZE - 1 && name.p[n] != '.' && name.p[n] != '/')
		n++;
	memcpy(s->host, name.p, n);
	s->host[n] = '\0';
	pf_buf_done(&text);
}

/* If the own cost is wanted: who is measured. */
static int open_cost(struct live_source *s, int64_t late_ns, struct pf_err *err)
{
	int rc = pf_cost_open(&s->cost, s->dispatch, late_ns, s->notice);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory");
	s->meter = pf_cost_meter(s->cost);
	for (unsigned i = 0; s->meter && i < s->n_files; i++)
		s->files[i].meter_source = pf_meter_source(s->meter, s->files[i].path);
	if (s->meter && s->patterns)
		pf_patterns_meter(s->patterns, s->meter);
	if (s->meter && s->import)
		pf_import_meter(s->import, s->meter);
	return 0;
}

static int open_live(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		     struct pf_err *err)
{
	struct live_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->base.kind = &pf_source_live;
	s->root_fd = spec->root_fd;
	s->import = spec->import;
	s->tap = spec->tap;
	s->second_tap = spec->second_tap ? spec->second_tap : spec->tap;
	s->no_parse = spec->no_parse;
	s->second_every = spec->second_every > 0 ? spec->second_every : 1;
	for (unsigned i = 0; spec->groups && spec->groups[i]; i++)
		s->has_second |= spec->groups[i]->period == PF_SECOND_INTERVAL;
	s->filter = spec->lines;
	if (s->filter.variants == 0)
		s->filter.variants = UINT64_MAX;
	s->catalog = cat;
	cat->device = (struct pf_device_look){ pf_sysclass_look, &s->root_fd };
	s->notice = spec->notice;
	pf_holder_init(&s->holder, spec->root_fd, spec->interval_ns, spec->notice);
	s->holder.patience.stays = spec->interval_ns == 0 && !spec->import; /* modules need not expect signals */
	int rc = pf_dispatch_new(&s->dispatch, spec->groups ? spec->groups : pf_groups, cat, NULL,
				 (int)sysconf(_SC_PAGESIZE), err);
	if (rc == 0)
		rc = open_files(s, err);
	if (rc == 0)
		rc = pf_patterns_open(&s->patterns, spec, s->dispatch, &s->holder, err);
	if (rc == 0)
		rc = pf_commands_open(&s->commands, spec, s->dispatch, err);
	if (rc == 0)
		pf_dispatch_env(s->dispatch, spec->env);
	if (rc == 0)
		rc = open_cost(s, spec->late_ns, err);
	if (rc == 0 && pf_asked_open(&s->asked, s->dispatch, spec->root_fd) < 0)
		rc = pf_err_set(err, -ENOMEM, "no memory");
	if (rc < 0) {
		(void)close_live(&s->base);
		return rc;
	}
	read_host(s);
	long hz = sysconf(_SC_CLK_TCK);
	long page = sysconf(_SC_PAGESIZE);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	s->info = (struct pf_source_info){
		.host = s->host,
		.start_ns = pf_time_wall_ns(),
		.hz = hz > 0 ? (int)hz : 100,
		.page_size = page > 0 ? (int)page : 4096,
		.cpus = cpus > 0 ? (unsigned)cpus : 1,
	};
	*ret_source = &s->base;
	return 0;
}

const struct pf_source_kind pf_source_live = {
	.name = "live",
	.title = "this host",
	.live = true,
	.open = open_live,
	.next = next,
	.info = info,
	.fd = wait_fd,
	.close = close_live,
};
