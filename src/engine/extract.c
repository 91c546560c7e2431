/* engine/extract.c - copy a span of time out of raw files into others, text as it stands there. Behaviour: collectl 4.3.1 --extract, whose
 * packed output has no end. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/time.h"
#include "engine/files.h"
#include "engine/plots.h"
#include "engine/run.h"
#include "engine/span.h"
#include "engine/stop.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "formats/collectl/writer.h"

enum { WRITE_AT = 64 * 1024 };

/**
 * struct extract - one file being copied.
 * @text: whole intervals to be written; @held: the last one before the span, which is the predecessor of its first
 * @interval: the one being read, with its marker at @mark_ns; @marked: there was one; @copied: something was
 */
struct extract {
	const struct pf_plan *plan;
	struct pf_run_result *ret;
	struct pf_collectl_reader *reader;
	struct pf_collectl_writer *writer;
	struct pf_buf path;
	struct pf_buf text;
	struct pf_buf held;
	struct pf_buf interval;
	struct pf_span span;
	int64_t mark_ns;
	bool marked;
	bool copied;
};

static bool is_before(const struct extract *x, int64_t ns)
{
	return ns < x->span.from_ns;
}

static bool is_behind(const struct extract *x, int64_t ns)
{
	return ns > x->span.thru_ns;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* A disk that takes nothing ends it: what was made is taken away again, so there is no half of a copy. */
static int write_text(struct extract *x, struct pf_err *err)
{
	if (x->text.failed || x->interval.failed || x->held.failed)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = x->text.n ? pf_collectl_write(x->writer, x->text.p, x->text.n, err) : 0;
	pf_buf_clear(&x->text);
	return rc > 0 ? -ENOSPC : rc;
}

static int create(struct extract *x, const char *from, struct pf_err *err)
{
	struct stat here, there;
	const char *slash = strrchr(from, '/');
	pf_buf_clear(&x->path);
	pf_plots_base(&x->path, x->plan, x->plan->req->extract);
	pf_buf_str(&x->path, slash ? slash + 1 : from);
	if (x->path.failed)
		return pf_err_set(err, -ENOMEM, "no memory");
	if (stat(x->path.p, &here) == 0 && stat(from, &there) == 0 && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino)
		return pf_err_set(err, -EEXIST, "%s: --extract would write over the recording itself", x->path.p);
	int how = (ends_with(from, ".gz") ? 0 : PF_WRITER_PLAIN) |
		  (x->plan->req->as_peer ? PF_WRITER_EMPTY : PF_WRITER_NEW);
	int rc = pf_collectl_create_as(&x->writer, x->path.p, how, err);
	if (rc < 0)
		return rc;
	pf_buf_view(&x->text, pf_collectl_header_text(x->reader));
	return 0;
}

/* The interval that was read is whole: a marker of @next_ns follows. Return: 0; 1 there is nothing more to copy; negative errno. */
static int finish_interval(struct extract *x, const char *from, int64_t next_ns, struct pf_err *err)
{
	if (is_before(x, x->mark_ns)) {
		struct pf_buf last = x->held;
		x->held = x->interval;
		x->interval = last;
		return 0;
	}
	x->ret->reached = true;
	bool behind = is_behind(x, x->mark_ns);
	if (behind && !x->copied)
		return 1;
	if (!x->writer) {
		int rc = create(x, from, err);
		if (rc < 0)
			return rc;
		pf_buf_view(&x->text, pf_buf_text(&x->held));
	}
	pf_buf_view(&x->text, pf_buf_text(&x->interval));
	x->copied = true;
	x->ret->n_shown++;
	/* The peer stops one interval late. */
	bool enough = x->plan->req->as_peer ? behind : is_behind(x, next_ns);
	if (x->text.n < WRITE_AT && !enough)
		return 0;
	int rc = write_text(x, err);
	return rc < 0 ? rc : enough;
}

/* Return: as above. */
static int take_line(struct extract *x, const char *from, struct pf_view line, struct pf_err *err)
{
	int64_t ns;
	int is = pf_collectl_marker(line, &ns);
	if (is < 0)
		return 0;
	if (is == 0) {
		if (x->marked) {
			pf_buf_view(&x->interval, line);
			pf_buf_char(&x->interval, '\n');
		}
		return 0;
	}
	int rc = x->marked ? finish_interval(x, from, ns, err) : 0;
	if (rc < 0)
		return rc;
	pf_buf_clear(&x->interval);
	pf_buf_view(&x->interval, line);
	pf_buf_char(&x->interval, '\n');
	x->mark_ns = ns;
	x->marked = true;
	return rc;
}

static int copy_lines(struct extract *x, const char *from, struct pf_stop *stop, struct pf_err *err)
{
	for (;;) {
		struct pf_view lines, line;
		struct pf_err own = { 0 };
		int rc = pf_collectl_lines(x->reader, &lines, &own);
		if (rc == -ENODATA || pf_stop_glance(stop))
			return 0;
		if (rc == -EBADMSG) {
			pf_notice(x->plan->notice, PF_WARNING, "%s: %s, which is left out", from, own.text);
			x->ret->lost = true;
			x->marked = false;
			continue;
		}
		if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", from, own.text);
		rc = 0;
		while (rc == 0 && pf_view_line(&lines, &line) == 0)
			rc = take_line(x, from, line, err);
		if (rc != 0)
			return rc < 0 ? rc : 0;
	}
}

static int begin(struct extract *x, const char *from, struct pf_err *err)
{
	struct pf_collectl_header header;
	const struct pf_plan *plan = x->plan;
	int rc = pf_collectl_open(&x->reader, from, err);
	if (rc == -EINVAL)
		return pf_err_set(err, rc, "%s: only raw files can be extracted from", from);
	if (rc == 0)
		rc = pf_collectl_header_parse(pf_collectl_header_text(x->reader), &header, err);
	if (rc < 0)
		return rc;
	int64_t zone = header.zone_ns;
	if (plan->req->has_offset)
		zone = (pf_time_local(header.secs * PF_NS_PER_SEC).tm_gmtoff + plan->req->offset_secs) * PF_NS_PER_SEC;
	int64_t start = header.secs * PF_NS_PER_SEC;
	const struct pf_span_asked asked = { .from = &plan->from, .thru = &plan->thru, .path = from };
	x->span.line = (struct pf_time_line){ .start_ns = start, .day_of_ns = start, .zone_ns = zone };
	return pf_span_choose(&x->span, &asked, err);
}

/* What stands behind the last whole interval is its closing marker, without which its end would not be known. */
static int end(struct extract *x, int rc, struct pf_err *err)
{
	if (rc == 0 && x->writer) {
		if (x->marked)
			pf_collectl_marker_build(&x->text, x->mark_ns);
		rc = write_text(x, err);
	}
	bool made = x->writer != NULL;
	int frc = made ? pf_collectl_finish(x->writer, rc < 0 ? NULL : err) : 0;
	rc = rc < 0 ? rc : frc;
	struct stat st;
	bool regular = made && lstat(x->path.p, &st) == 0 && S_ISREG(st.st_mode);
	if (rc < 0 && regular && unlink(x->path.p) < 0)
		pf_notice(x->plan->notice, PF_WARNING, "%s: only a part of the copy; it cannot be removed: %s",
			  x->path.p, strerror(errno));
	return rc;
}

static int extract_file(const struct pf_plan *plan, const char *from, struct pf_stop *stop, struct pf_run_result *ret,
			struct pf_err *err)
{
	struct extract x = { .plan = plan, .ret = ret };
	int rc = begin(&x, from, err);
	if (rc == 0)
		rc = copy_lines(&x, from, stop, err);
	rc = end(&x, rc, err);
	ret->n_files += rc == 0;
	x.reader = pf_collectl_close(x.reader);
	pf_buf_done(&x.path);
	pf_buf_done(&x.text);
	pf_buf_done(&x.held);
	pf_buf_done(&x.interval);
	return rc;
}

int pf_run_extract(const struct pf_plan *plan, const struct pf_run_hooks *hooks, struct pf_run_result *ret,
		   struct pf_err *err)
{
	struct pf_stop stop = { .fd = -1 };
	struct pf_play_files files = { 0 };
	*ret = (struct pf_run_result){ 0 };
	int rc = pf_stop_open(&stop, err);
	if (rc == 0)
		rc = pf_plots_folder(plan, plan->req->extract, err);
	if (rc == 0)
		rc = pf_files_find(&files, plan, err);
	ret->n_matched = files.n;
	for (unsigned i = 0; rc == 0 && i < files.n && !stop.signal; i++) {
		if (hooks && hooks->file)
			hooks->file(hooks->arg, files.files[i].path);
		rc = extract_file(plan, files.files[i].path, &stop, ret, err);
	}
	ret->signal = stop.signal;
	pf_files_done(&files);
	pf_stop_close(&stop);
	return rc;
}
