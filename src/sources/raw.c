/* sources/raw.c - collectl raw files. A marker stands before the data of its time, so a sample is whole when the next marker is read;
 * what follows the last marker of a file that was cut off is never shown. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/time.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "groups/list.h"
#include "import/import.h"
#include "model/select.h"
#include "sources/dispatch.h"
#include "sources/list.h"

/**
 * struct raw_source
 * @rest: lines at hand that are not parsed yet
 * @mark_ns: time of the marker whose data is being read; @marked: there is one; @begun: the sample has data
 * @last_ns: time of the last whole sample, 0 before the first
 * @stepped_ns: by how much the clock was set before the data of @mark_ns; @told_ns: the same of the last sample; @shift_ns: all of it
 * @damage: told with the time at which data goes on
 */
struct raw_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_collectl_header header;
	struct pf_collectl_reader *reader;
	struct pf_dispatch *dispatch;
	struct pf_import *import;
	const struct pf_raw_tap *tap;
	bool no_parse;
	int64_t skip_before_ns;
	const struct pf_notice *notice;
	char *path;
	struct pf_view rest;
	bool zeros; /* among the bytes of rest */
	int64_t mark_ns;
	bool marked;
	bool begun;
	int64_t last_ns;
	int64_t stepped_ns, told_ns, shift_ns;
	struct pf_err damage;
	struct pf_err ahead; /* damage that comes behind the sample that was given last */
};

#define STEP_SECONDS_MAX 1e9
#define STEP_NS_MAX	 INT64_C(2000000000000000000)

/* Lines in a row that go to the same untagged row are parsed in one call. */
struct run {
	struct pf_target *target;
	const char *from;
	const char *to;
};

static void finish_run(struct run *run)
{
	if (run->target)
		run->target->row->parse((struct pf_view){ run->from, (size_t)(run->to - run->from) }, &run->target->b);
	run->target = NULL;
}

static void take_line(struct raw_source *s, struct run *run, struct pf_view line)
{
	const char *next = line.p + line.n + 1;
	struct pf_view data = line;
	struct pf_view word = { line.p, 0 };
	while (word.n < line.n && line.p[word.n] != ' ' && line.p[word.n] != '\t')
		word.n++;
	if (word.n + 1 >= line.n)
		return; /* no data behind the word */
	data.p += word.n + 1;
	data.n -= word.n + 1;

	struct pf_target *one_of_many = pf_dispatch_pattern(s->dispatch, word, &data);
	if (one_of_many) {
		finish_run(run);
		one_of_many->b.sample->second |= one_of_many->group->period == PF_SECOND_INTERVAL;
		one_of_many->row->parse(data, &one_of_many->b);
		return;
	}
	struct pf_word known = pf_dispatch_find(s->dispatch, word);
	if (known.module)
		pf_import_analyze(s->import, word, data);
	if (known.target < 0)
		return;
	struct pf_target *target = &s->dispatch->targets[known.target];
	target->b.sample->second |= target->group->period == PF_SECOND_INTERVAL;
	bool tagged = target->row->tag && target->row->tag[0] != '\0';
	if (!tagged && run->target == target && run->to == line.p) {
		run->to = next;
		return;
	}
	finish_run(run);
	if (tagged)
		target->row->parse(data, &target->b);
	else
		*run = (struct run){ target, line.p, next };
}

/* Notes of a hostile file cannot add up to more than clocks can tell. */
static int64_t within_years(int64_t ns)
{
	return ns > STEP_NS_MAX ? STEP_NS_MAX : ns < -STEP_NS_MAX ? -STEP_NS_MAX : ns;
}

static int begin_sample(struct raw_source *s, struct pf_frames *frames)
{
	int64_t mono_ns = s->mark_ns;
	s->told_ns = s->stepped_ns;
	s->stepped_ns = 0;
	s->shift_ns = within_years(s->shift_ns + s->told_ns);
	(void)__builtin_sub_overflow(s->mark_ns, s->shift_ns, &mono_ns);
	frames->sparse = frames->apart = false; /* what the lines do not tell is 0 */
	struct pf_sample *sample = pf_frames_begin(frames, s->mark_ns, mono_ns);
	if (!sample)
		return -ENOMEM;
	pf_dispatch_begin(s->dispatch, sample);
	if (s->import)
		pf_import_sample(s->import, sample);
	s->begun = true;
	return 0;
}

static void clock_of(const struct raw_source *s, int64_t time_ns, char text[32])
{
	struct tm tm = pf_time_utc(time_ns + s->header.zone_ns);
	(void)snprintf(text, 32, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Say what was lost now that it is known when data goes on (@resume_ns 0: it does not). */
static int tell_damage(struct raw_source *s, int64_t resume_ns, struct pf_err *err)
{
	char from[32] = "the start", to[32] = "the end";
	if (s->last_ns)
		clock_of(s, s->last_ns, from);
	if (resume_ns)
		clock_of(s, resume_ns, to);
	int rc = pf_err_set(err, -EBADMSG, "%s: %s; data between %s and %s is left out", s->path, s->damage.text, from,
			    to);
	s->damage = (struct pf_err){ 0 };
	return rc;
}

/* A good marker was read: 1 the sample before it is whole, 0 there was none, -EBADMSG damage to tell. */
static int at_marker(struct raw_source *s, struct pf_frames *frames, int64_t time_ns, struct pf_err *err)
{
	bool whole = s->begun;
	if (whole)
		s->last_ns = s->mark_ns;
	s->mark_ns = time_ns;
	s->info.end_ns = time_ns;
	s->marked = true;
	s->begun = false;
	if (s->tap && s->tap->mark)
		s->tap->mark(s->tap->arg, time_ns);
	if (s->damage.rc < 0)
		return tell_damage(s, time_ns, err);
	if (!whole)
		return 0;
	int rc = pf_dispatch_end(s->dispatch, &frames->lost);
	frames->stepped_ns = s->told_ns;
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", s->path) : 1;
}

static int at_data(struct raw_source *s, struct pf_frames *frames, struct run *run, struct pf_view line,
		   struct pf_err *err)
{
	if (!s->marked || s->mark_ns < s->skip_before_ns)
		return 0;
	if (!s->begun) {
		int rc = begin_sample(s, frames);
		if (rc < 0)
			return pf_err_set(err, rc, "%s: no memory", s->path);
	}
	if (s->tap)
		s->tap->line(s->tap->arg, (struct pf_view){ "", 0 }, line);
	if (!s->no_parse)
		take_line(s, run, line);
	return 0;
}

/* "### 1796010963.001234 clock stepped by +3600.000 seconds", of our recorder, behind the marker that is the first by the new clock. */
static void take_note(struct raw_source *s, const struct pf_frames *frames, struct pf_view line)
{
	static const char words[] = "clock stepped by ";
	const char *at = pf_view_starts(line, "### ") ? memmem(line.p, line.n, words, sizeof(words) - 1) : NULL;
	bool peer = frames->catalog->select && frames->catalog->select->peer; /* which measures by the wall clock */
	if (!at || s->begun || !s->marked || s->mark_ns < s->skip_before_ns || peer)
		return;
	const char *number = at + sizeof(words) - 1;
	struct pf_view rest = { number, (size_t)(line.p + line.n - number) };
	struct pf_view word = { "", 0 };
	double seconds = 0;
	bool negative = rest.n > 0 && rest.p[0] == '-';
	if (rest.n > 0 && (negative || rest.p[0] == '+'))
		rest = (struct pf_view){ rest.p + 1, rest.n - 1 };
	if (pf_view_word(&rest, &word) < 0 || pf_view_double(word, &seconds) < 0 ||
	    !(seconds >= 0 && seconds < STEP_SECONDS_MAX))
		return;
	int64_t by_ns = (int64_t)nearbyint(seconds * 1e3) * PF_NS_PER_MS;
	s->stepped_ns = within_years(s->stepped_ns + (negative ? -by_ns : by_ns));
}

/* What a crash leaves of a file that is not packed. The interval is incomplete, and the next one has no predecessor. */
static void at_zeros(struct raw_source *s, struct pf_frames *frames)
{
	if (s->damage.rc == 0)
		(void)pf_err_set(&s->damage, -EBADMSG, "zero bytes stand where text was to be");
	s->info.bad_at = UINT64_MAX;
	s->begun = false;
	s->marked = false;
	pf_frames_cut(frames);
}

/* Parse the lines at hand up to the next marker. Return: as at_marker(), 0 when all are used up. */
static int take_lines(struct raw_source *s, struct pf_frames *frames, struct pf_err *err)
{
	struct run run = { 0 };
	int rc = 0;
	while (rc == 0 && s->rest.n > 0) {
		const char *end = memchr(s->rest.p, '\n', s->rest.n);
		struct pf_view line = { s->rest.p, end ? (size_t)(end - s->rest.p) : s->rest.n };
		size_t used = end ? line.n + 1 : line.n;
		s->rest.p += used;
		s->rest.n -= used;
		if (s->zeros && memchr(line.p, '\0', line.n)) {
			finish_run(&run);
			at_zeros(s, frames);
			continue;
		}
		if (line.n == 0 || line.p[0] == '#') {
			take_note(s, frames, line);
			continue;
		}

		int64_t time_ns = 0;
		int mark = line.p[0] == '>' ? pf_collectl_marker(line, &time_ns) : 0;
		if (mark > 0) {
			finish_run(&run);
			rc = at_marker(s, frames, time_ns, err);
		} else if (mark < 0) {
			pf_notice(s->notice, PF_WARNING, "%s: invalid time marker '%.*s', ignoring the line", s->path,
				  line.n < 60 ? (int)line.n : 60, line.p);
		} else {
			rc = at_data(s, frames, &run, line, err);
		}
	}
	finish_run(&run);
	return rc;
}

/* Bytes were skipped: what was begun is incomplete, and what follows has no predecessor. */
static void at_damage(struct raw_source *s, struct pf_frames *frames, const struct pf_err *what)
{
	pf_collectl_damage(s->reader, &s->info.bad_at, &s->info.lost_bytes);
	if (s->damage.rc == 0)
		s->damage = *what;
	s->begun = false;
	s->marked = false;
	pf_frames_cut(frames);
}

/* The sample that was begun is over although no marker came. */
static int end_sample(struct raw_source *s, struct pf_frames *frames, struct pf_err *err)
{
	s->last_ns = s->mark_ns;
	s->begun = false;
	int rc = pf_dispatch_end(s->dispatch, &frames->lost);
	frames->stepped_ns = s->told_ns;
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", s->path) : 1;
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct raw_source *s = (struct raw_source *)source;
	if (s->ahead.rc < 0)
		at_damage(s, frames, &s->ahead);
	s->ahead = (struct pf_err){ 0 };
	for (;;) {
		int rc = take_lines(s, frames, err);
		if (rc != 0)
			return rc;
		struct pf_err own = { 0 };
		rc = pf_collectl_lines(s->reader, &s->rest, &own);
		if (rc == 1 && s->rest.n == 0)
			return 0;
		s->zeros = rc == 1 && memchr(s->rest.p, '\0', s->rest.n);
		if (rc == -EBADMSG && s->begun && pf_collectl_is_over(s->reader)) {
			s->ahead = own;
			return end_sample(s, frames, err);
		}
		if (rc == -EBADMSG)
			at_damage(s, frames, &own);
		else if (rc == -ENODATA && s->damage.rc < 0)
			return tell_damage(s, 0, err);
		else if (rc == -ENODATA)
			return rc;
		else if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", s->path, own.text);
	}
}

/* Whoever taps the text sees all of it. */
static void skip(struct pf_source *source, int64_t before_ns)
{
	struct raw_source *s = (struct raw_source *)source;
	s->skip_before_ns = before_ns;
	if (!s->tap)
		pf_collectl_skip(s->reader, before_ns);
}

/* Time of the first marker: the header of a part of a recording is that of the whole. */
static int64_t begins(struct pf_source *source)
{
	struct raw_source *s = (struct raw_source *)source;
	struct pf_collectl_reader *reader = NULL;
	struct pf_view lines, line;
	int64_t time_ns = s->info.start_ns;
	bool found = false;
	int rc = pf_collectl_open(&reader, s->path, NULL);
	while (rc == 0 && !found) {
		rc = pf_collectl_lines(reader, &lines, NULL);
		if (rc != 1 && rc != -EBADMSG)
			break;
		while (rc == 1 && !found && pf_view_line(&lines, &line) == 0)
			found = line.n > 0 && line.p[0] == '>' && pf_collectl_marker(line, &time_ns) > 0;
		rc = 0;
	}
	(void)pf_collectl_close(reader);
	return time_ns;
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct raw_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* a file never makes one wait */
}

static struct pf_source *close_raw(struct pf_source *source)
{
	struct raw_source *s = (struct raw_source *)source;
	if (!s)
		return NULL;
	s->reader = pf_collectl_close(s->reader);
	s->dispatch = pf_dispatch_free(s->dispatch);
	free(s->path);
	free(s);
	return NULL;
}

static int open_file(struct raw_source *s, const struct pf_source_spec *spec, struct pf_catalog *cat,
		     struct pf_err *err)
{
	s->path = strdup(spec->path);
	if (!s->path)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = pf_collectl_open(&s->reader, spec->path, err);
	if (rc < 0)
		return rc;
	struct pf_err own = { 0 };
	rc = pf_collectl_header_parse(pf_collectl_header_text(s->reader), &s->header, &own);
	if (rc < 0)
		return pf_err_set(err, rc, "%s %s", spec->path, own.text);
	rc = pf_dispatch_new(&s->dispatch, spec->groups ? spec->groups : pf_groups, cat, spec->import,
			     s->header.page_size, err);
	if (rc == 0)
		s->dispatch->tree_depth = spec->tree_depth;
	if (rc == 0)
		pf_dispatch_env(s->dispatch, spec->env);
	return rc;
}

static int open_raw(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		    struct pf_err *err)
{
	struct raw_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->base.kind = &pf_source_raw;
	s->import = spec->import;
	s->tap = spec->tap;
	s->no_parse = spec->no_parse;
	s->notice = spec->notice;
	int rc = open_file(s, spec, cat, err);
	if (rc < 0) {
		(void)close_raw(&s->base);
		return rc;
	}
	s->info = (struct pf_source_info){
		.host = s->header.host,
		.zone = s->header.zone,
		.has_zone = true,
		.zone_ns = s->header.zone_ns,
		.start_ns = s->header.secs * PF_NS_PER_SEC,
		.boot_ns = s->header.boot_ns,
		.interval_ns = s->header.interval_ns[0],
		.second_ns = s->header.interval_ns[1],
		.letters = s->header.subsys,
		.hz = s->header.hz,
		.page_size = s->header.page_size,
		.cpus = s->header.cpus,
		.is_raw = true,
		.header = pf_collectl_header_text(s->reader).p,
	};
	struct stat st;
	if (stat(spec->path, &st) == 0) {
		s->info.n_files = 1;
		s->info.bytes = (uint64_t)st.st_size;
	}
	*ret_source = &s->base;
	return 0;
}

const struct pf_source_kind pf_source_raw = {
	.name = "raw",
	.title = "raw file",
	.accepts = pf_collectl_looks_like,
	.open = open_raw,
	.next = next,
	.skip = skip,
	.begins = begins,
	.info = info,
	.fd = wait_fd,
	.close = close_raw,
};
