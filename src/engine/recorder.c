/* engine/recorder.c - open, roll and close raw files. */
#include "engine/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "engine/facts.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "formats/collectl/writer.h"
#include "import/import.h"

enum { NAMES_MAX = 3600 };

/* Time of the last marker of a raw file that ends as it should; -EBADMSG if it is cut off or damaged, or is another file. */
static int last_marker(const char *path, int64_t *ret_ns, int64_t *ret_zone_ns)
{
	struct pf_collectl_reader *reader;
	struct pf_collectl_header header;
	int rc = pf_collectl_open(&reader, path, NULL);
	if (rc < 0)
		return -EBADMSG;
	*ret_ns = INT64_MIN;
	rc = pf_collectl_header_parse(pf_collectl_header_text(reader), &header, NULL);
	*ret_zone_ns = rc < 0 ? 0 : header.zone_ns;
	while (rc >= 0) {
		struct pf_view lines, line;
		rc = pf_collectl_lines(reader, &lines, NULL);
		while (rc > 0 && pf_view_line(&lines, &line) == 0) {
			int64_t ns;
			if (line.n > 0 && line.p[0] == '>' && pf_collectl_marker(line, &ns) > 0)
				*ret_ns = ns;
		}
	}
	(void)pf_collectl_close(reader);
	return rc == -ENODATA ? 0 : -EBADMSG;
}

/* May a file of that name be continued? Not behind a torn end, not when its clock or its zone was another. */
static bool may_append(const char *path, int64_t now_ns)
{
	struct stat st;
	int64_t last_ns, zone_ns;
	if (stat(path, &st) < 0)
		return true; /* it is not there; or opening it says more */
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return true;
	struct tm tm = pf_time_local(now_ns);
	return last_marker(path, &last_ns, &zone_ns) == 0 && last_ns <= now_ns &&
	       zone_ns == tm.tm_gmtoff * PF_NS_PER_SEC;
}

/* Name of a file of now. One that is there and cannot be continued is left alone: the name is that of the next free second. */
static void choose_name(struct pf_recorder *r, const char *ending, int64_t *stamp_ns, struct pf_buf *path)
{
	const struct pf_plan *plan = r->plan;
	for (unsigned i = 0; i < NAMES_MAX; i++) {
		pf_buf_clear(path);
		pf_collectl_name(path, plan->req->filename, r->host, ending, *stamp_ns);
		if (path->failed || may_append(path->p, *stamp_ns))
			return;
		pf_notice(plan->notice, PF_WARNING, "%s cannot be continued, so it is left as it is", path->p);
		*stamp_ns += PF_NS_PER_SEC;
	}
}

static int open_file(struct pf_recorder *r, struct pf_record_file *f, int64_t *stamp_ns, struct pf_sink **ret_raw,
		     struct pf_err *err)
{
	const struct pf_plan *plan = r->plan;
	struct pf_buf header = { 0 }, path = { 0 }, extra = { 0 };
	if (r->import && f->ending[0] == '\0')
		pf_import_update_header(r->import, &extra);
	choose_name(r, f->ending, stamp_ns, &path);
	int rc = pf_facts_header(&header, plan, r->root_fd, r->host, f->letters, pf_buf_text(&extra).p, *stamp_ns);
	if (rc == 0 && path.failed)
		rc = path.failed;
	if (rc < 0)
		(void)pf_err_set(err, rc, "no memory");
	struct pf_sink_spec spec = { .fd = -1, .path = path.p, .header = header.p, .notice = plan->notice };
	if (rc == 0)
		rc = pf_sink_raw.open(ret_raw, &spec, err);
	pf_buf_done(&header);
	pf_buf_done(&path);
	pf_buf_done(&extra);
	return rc;
}

void pf_recorder_purge(const struct pf_plan *plan, const char *host)
{
	struct pf_buf own = { 0 };
	const char *target = plan->req->filename;
	const char *slash = strrchr(target, '/');
	struct stat st;
	bool folder = target[strlen(target) - 1] == '/' || (stat(target, &st) == 0 && S_ISDIR(st.st_mode));
	if (!plan->req->as_peer && !folder)
		pf_buf_fmt(&own, "%s-", slash ? slash + 1 : target);
	if (!plan->req->as_peer)
		pf_buf_fmt(&own, "%s-", host);
	(void)pf_roll_purge(&plan->roll, target, pf_buf_text(&own).p, pf_time_wall_ns(), plan->notice);
	pf_buf_done(&own);
}

/* The old file gets the new one's first marker as its last one; what fails while the new one is opened leaves the old one open. */
static void roll_file(struct pf_record_file *f, int64_t time_ns)
{
	struct pf_recorder *r = f->recorder;
	const struct pf_notice *notice = r->plan->notice;
	struct pf_err err = { 0 };
	struct pf_sink *fresh = NULL;
	bool first = f == &r->files[0];
	int64_t stamp_ns = first ? time_ns : r->stamp_ns;
	int rc = open_file(r, f, &stamp_ns, &fresh, &err);
	if (rc < 0) {
		pf_notice(notice, PF_WARNING, "no new file, so recording goes on in the old one: %s",
			  err.text[0] ? err.text : strerror(-rc));
		return;
	}
	f->roll = false;
	r->stamp_ns = stamp_ns;
	struct pf_sink *old = f->raw;
	f->raw = fresh;
	if (time_ns >= r->last_mark_ns)
		(void)old->kind->mark(old, time_ns); /* its error comes again from close */
	err = (struct pf_err){ 0 };
	rc = old->kind->close(old, &err);
	if (rc < 0)
		pf_notice(notice, PF_WARNING, "%s", err.text[0] ? err.text : strerror(-rc));
}

static void write_note(struct pf_record_file *f, const char *text)
{
	int64_t now = pf_time_wall_ns();
	struct pf_buf line = { 0 };
	pf_buf_fmt(&line, "%lld.%06lld %s", (long long)(now / PF_NS_PER_SEC), (long long)(now % PF_NS_PER_SEC / 1000),
		   text);
	int rc = f->raw->kind->raw(f->raw, PF_VIEW("###"), pf_buf_text(&line));
	f->rc = f->rc ? f->rc : rc;
	pf_buf_done(&line);
}

/* --utime 2 and 4: when the text of another file begins, of processes apart from the rest. */
static void stamp_tag(struct pf_record_file *f, struct pf_view tag)
{
	bool process = pf_view_starts(tag, "proc");
	if (!(f->recorder->plan->req->utime & (process ? 4 : 2)) || (tag.p == f->tag.p && tag.n == f->tag.n))
		return;
	char text[64];
	(void)snprintf(text, sizeof(text), "%.*s", (int)(tag.n < 60 ? tag.n : 60), tag.p);
	f->tag = tag;
	write_note(f, text);
}

static void tap_mark(void *arg, int64_t time_ns)
{
	struct pf_record_file *f = arg;
	struct pf_recorder *r = f->recorder;
	if (f->roll)
		roll_file(f, time_ns);
	int rc = f->raw->kind->mark(f->raw, time_ns);
	f->rc = f->rc ? f->rc : rc;
	r->last_mark_ns = time_ns;
	if (r->note[0] != '\0' && f == &r->files[0]) {
		write_note(f, r->note);
		r->note[0] = '\0';
	}
}

static void tap_line(void *arg, struct pf_view tag, struct pf_view line)
{
	struct pf_record_file *f = arg;
	if (!f->raw)
		return; /* a module records before there is a file: while it adds to the header */
	if (tag.n > 0 && f->recorder->plan->req->utime)
		stamp_tag(f, tag);
	int rc = f->raw->kind->raw(f->raw, tag, line);
	f->rc = f->rc ? f->rc : rc;
}

void pf_recorder_init(struct pf_recorder *r, const struct pf_plan *plan, int root_fd, struct pf_import *import)
{
	*r = (struct pf_recorder){ .plan = plan, .root_fd = root_fd, .import = import };
	for (unsigned i = 0; i < PF_RECORDER_FILES; i++) {
		struct pf_record_file *f = &r->files[i];
		*f = (struct pf_record_file){ .recorder = r, .ending = i == 0 ? "" : "p" };
		f->tap = (struct pf_raw_tap){ .mark = tap_mark, .line = tap_line, .arg = f };
	}
}

/* --tworaw: what is sampled each interval, and what is sampled each second one. */
static void share_letters(struct pf_recorder *r)
{
	for (const char *p = r->plan->letters; *p != '\0'; p++) {
		char *to = r->files[r->plan->req->two_raw && strchr("yYZ", *p)].letters;
		size_t n = strlen(to);
		to[n] = *p;
		to[n + 1] = '\0';
	}
}

int pf_recorder_open(struct pf_recorder *r, const char *host, struct pf_err *err)
{
	r->host = host;
	share_letters(r);
	r->stamp_ns = pf_time_wall_ns();
	int rc = open_file(r, &r->files[0], &r->stamp_ns, &r->files[0].raw, err);
	if (rc == 0 && r->plan->req->two_raw)
		rc = open_file(r, &r->files[1], &r->stamp_ns, &r->files[1].raw, err);
	return rc;
}

void pf_recorder_roll(struct pf_recorder *r)
{
	for (unsigned i = 0; i < PF_RECORDER_FILES; i++)
		r->files[i].roll = r->files[i].raw != NULL;
}

void pf_recorder_note(struct pf_recorder *r, const char *text)
{
	(void)snprintf(r->note, sizeof(r->note), "%s", text);
}

void pf_recorder_line(struct pf_recorder *r, const char *text)
{
	if (r->files[0].raw)
		write_note(&r->files[0], text);
}

int pf_recorder_flush(struct pf_recorder *r, bool due)
{
	int rc = 0;
	for (unsigned i = 0; i < PF_RECORDER_FILES && rc == 0; i++) {
		struct pf_record_file *f = &r->files[i];
		if (f->raw)
			rc = f->rc ? f->rc : due ? f->raw->kind->flush(f->raw) : 0;
	}
	return rc;
}

int pf_recorder_close(struct pf_recorder *r, int rc, struct pf_err *err)
{
	int64_t now = pf_time_wall_ns();
	for (unsigned i = 0; i < PF_RECORDER_FILES; i++) {
		struct pf_sink *raw = PF_TAKE(r->files[i].raw);
		if (!raw)
			continue;
		(void)raw->kind->mark(raw, now); /* its error comes again from close */
		int crc = raw->kind->close(raw, rc < 0 ? NULL : err);
		rc = rc < 0 ? rc : crc;
	}
	return rc;
}
