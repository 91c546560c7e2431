/* cmd/folio_status.c - recordings of a folio that are going on: who records, and the end of it. */
#include "cmd/folio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "record/recording.h"

/* So long a logger has to complete its archive, and to compress what there is left. */
enum { PATIENCE_MS = 30000, LOG_MAX = 1 << 20, PREFIX = 10 };

/* What is known of one archive. @rc: of pf_recording_look(), @err says what was wrong. */
struct seen {
	const struct pf_folio_member *member;
	struct pf_recording r;
	int rc;
	struct pf_err err;
};

/* The last words of a logger that has left nothing else. */
static void read_reason(const char *base, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	struct pf_view rest, line, last = { 0 };
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%s.log", base) < 0) {
		path = NULL;
		return;
	}
	if (pf_io_read_file(AT_FDCWD, path, LOG_MAX, &text, NULL) == 0) {
		rest = pf_buf_text(&text);
		while (pf_view_line(&rest, &line) == 0) {
			if (pf_view_trim(line).n > 0)
				last = pf_view_trim(line);
		}
		if (last.n > PREFIX && memcmp(last.p, "perfolio: ", PREFIX) == 0)
			last = (struct pf_view){ last.p + PREFIX, last.n - PREFIX };
		if (last.n > 0)
			(void)pf_err_set(err, -ENODATA, "%.*s", (int)last.n, last.p);
	}
	pf_buf_done(&text);
}

static void look(struct seen *s, const struct pf_folio_member *m)
{
	s->member = m;
	s->err = (struct pf_err){ 0 };
	s->rc = pf_recording_look(&s->r, m->path, &s->err);
	if (s->rc == -ENODATA)
		read_reason(m->path, &s->err);
}

static const char *state(const struct seen *s)
{
	if (s->rc == -ENODATA)
		return "missing";
	if (s->rc < 0)
		return "unreadable";
	return s->r.running ? "recording" : "ended";
}

static void put_time(struct pf_buf *b, int64_t ns)
{
	char text[40];
	struct tm tm = pf_time_local(ns);
	if (strftime(text, sizeof(text), "%F %T", &tm) > 0)
		pf_buf_str(b, text);
}

static void put_running(struct pf_buf *b, const struct seen *s)
{
	pf_buf_str(b, "is being recorded");
	if (s->r.pid > 0)
		pf_buf_fmt(b, " by process %d", (int)s->r.pid);
	else
		pf_buf_str(b, " by a process that cannot be seen from here");
	if (s->r.until_ns == 0) {
		pf_buf_str(b, "; no sample yet");
		return;
	}
	pf_buf_str(b, " since ");
	put_time(b, s->r.label.start_ns);
	int64_t ago = pf_time_wall_ns() - s->r.until_ns;
	pf_buf_fmt(b, "; last sample %.1f s ago", ago > 0 ? (double)ago / (double)PF_NS_PER_SEC : 0.0);
}

static void put_seen(struct pf_buf *b, const struct seen *s)
{
	pf_escape_text(b, pf_view_of(s->member->host));
	pf_buf_char(b, ' ');
	if (s->rc < 0) {
		pf_buf_fmt(b, "%s: ", s->rc == -ENODATA ? "was not recorded" : "cannot be read");
		pf_escape_text(b, pf_view_of(s->err.text));
		pf_buf_char(b, '\n');
		return;
	}
	if (s->r.running) {
		put_running(b, s);
	} else if (s->r.until_ns == 0) {
		pf_buf_str(b, "is not being recorded, and has no sample");
	} else {
		pf_buf_str(b, "was recorded from ");
		put_time(b, s->r.label.start_ns);
		pf_buf_str(b, " until ");
		put_time(b, s->r.until_ns);
	}
	pf_buf_str(b, "; ");
	pf_say_bytes(b, (double)s->r.bytes);
	pf_buf_str(b, " in ");
	pf_escape_text(b, pf_view_of(s->member->path));
	uint64_t day = s->r.running ? pf_recording_growth(&s->r) : 0;
	if (day > 0) {
		pf_buf_str(b, ", ");
		pf_say_bytes(b, (double)day);
		pf_buf_str(b, " a day so far");
	}
	pf_buf_char(b, '\n');
}

static int document(struct pf_folio_job *j, const struct seen *seen, unsigned n, struct pf_err *err)
{
	static const char *const columns[] = { "host",	"archive", "state",  "pid", "from",
					       "until", "bytes",   "growth", "msg" };
	struct pf_doc *doc;
	int rc = pf_doc_open(&doc, &j->oformat, STDOUT_FILENO, "status", "archives", err);
	if (rc < 0)
		return rc;
	pf_doc_columns(doc, columns, PF_N(columns), false);
	pf_doc_uint(doc, "format-version", 1);
	rc = pf_doc_begin(doc);
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		const struct seen *s = &seen[i];
		pf_doc_piece_begin(doc);
		pf_doc_text(doc, "host", pf_view_of(s->member->host));
		pf_doc_text(doc, "archive", pf_view_of(s->member->path));
		pf_doc_name(doc, "state", state(s));
		if (s->rc == 0 && s->r.running && s->r.pid > 0)
			pf_doc_int(doc, "pid", s->r.pid);
		if (s->rc == 0 && s->r.until_ns > 0) {
			pf_doc_int(doc, "from", s->r.label.start_ns);
			pf_doc_int(doc, "until", s->r.until_ns);
		}
		pf_doc_uint(doc, "bytes", s->r.bytes);
		if (s->rc == 0 && s->r.running)
			pf_doc_uint(doc, "growth", pf_recording_growth(&s->r));
		if (s->rc < 0)
			pf_doc_text(doc, "msg", pf_view_of(s->err.text));
		rc = pf_doc_piece_end(doc);
	}
	int closed = pf_doc_close(doc);
	rc = rc < 0 ? rc : closed;
	return rc < 0 && rc != -EPIPE ? pf_err_set(err, rc, "the document: %s", strerror(-rc)) : rc;
}

/* "--oformat FORMAT", which may also stand behind the command. Return: 0 or -EINVAL, which was told. */
static int take_format(struct pf_folio_job *j, char **words)
{
	struct pf_err err = { 0 };
	for (unsigned i = 1; words[i]; i++) {
		const char *format = NULL;
		if (strncmp(words[i], "--oformat=", 10) == 0)
			format = words[i] + 10;
		else if (strcmp(words[i], "--oformat") == 0)
			format = words[i + 1] ? words[++i] : "";
		else
			(void)pf_err_set(&err, -EINVAL, "status %s: status takes --oformat FORMAT, or nothing",
					 words[i]);
		if (format)
			(void)pf_doc_options_parse(format, true, &j->oformat, &err);
		if (err.rc < 0) {
			pf_folio_wrong(j, PF_EXIT_USAGE, "%s", err.text);
			return err.rc;
		}
	}
	return 0;
}

static unsigned count(const struct pf_folio_member **list)
{
	unsigned n = 0;
	while (list[n])
		n++;
	return n;
}

void pf_folio_status(struct pf_folio_job *j, char **words)
{
	bool all;
	if (take_format(j, words) < 0)
		return;
	pf_autofree const struct pf_folio_member **list = pf_folio_selected(j, &all);
	unsigned n = list ? count(list) : 0;
	unsigned bad = 0;
	pf_autofree struct seen *seen = calloc(n + 1U, sizeof(*seen));
	if (!list)
		return;
	if (!seen) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "no memory");
		return;
	}
	struct pf_buf b = { 0 };
	for (unsigned i = 0; i < n; i++) {
		look(&seen[i], list[i]);
		bad += seen[i].rc < 0;
		put_seen(&b, &seen[i]);
	}
	j->status = bad == 0 ? PF_EXIT_OK : bad < n ? PF_EXIT_LOSS : PF_EXIT_UNUSABLE;
	if (j->oformat.format == PF_FORMAT_TEXT) {
		(void)fwrite(b.p ? b.p : "", 1, b.n, stdout);
	} else {
		struct pf_err err = { 0 };
		(void)fflush(stdout);
		if (document(j, seen, n, &err) < 0 && err.text[0] != '\0')
			pf_folio_wrong(j, PF_EXIT_ERROR, "%s", err.text);
	}
	pf_buf_done(&b);
}

/* Until all of @fds have something to read, or the patience is over. */
static void wait_for_all(struct pollfd *fds, unsigned n)
{
	int64_t until = pf_time_mono_ns() + PATIENCE_MS * PF_NS_PER_MS;
	unsigned left = n;
	while (left > 0) {
		int64_t ms = (until - pf_time_mono_ns()) / PF_NS_PER_MS;
		if (ms <= 0 || (poll(fds, n, (int)ms) < 0 && errno != EINTR))
			return;
		for (unsigned i = 0; i < n; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			pf_closep(&fds[i].fd);
			fds[i].fd = -1; /* poll(2) passes over it */
			left--;
		}
	}
}

static void tell_stopped(struct pf_folio_job *j, const struct pf_folio_member *m, bool ended)
{
	pid_t pid;
	struct seen s;
	struct pf_buf b = { 0 };
	if (pf_recording_pid(m->path, &pid)) {
		pf_folio_wrong(
			j, PF_EXIT_ERROR,
			"%s: its logger, process %d, was told to end and still runs; what it has recorded stays if it is killed",
			m->host, (int)pid);
		return;
	}
	look(&s, m);
	put_seen(&b, &s);
	(void)fwrite(b.p ? b.p : "", 1, b.n, stdout);
	pf_buf_done(&b);
	if (!ended)
		(void)printf("%s: the archive is complete; its files are still being compressed\n", m->host);
}

void pf_folio_stop(struct pf_folio_job *j, char **words)
{
	bool all;
	if (words[1]) {
		pf_folio_wrong(j, PF_EXIT_USAGE,
			       "stop takes no words; --hosts and --archives before the folio narrow it");
		return;
	}
	pf_autofree const struct pf_folio_member **list = pf_folio_selected(j, &all);
	if (!list)
		return;
	unsigned n = 0;
	pf_autofree struct pollfd *fds = calloc(count(list) + 1U, sizeof(*fds));
	pf_autofree const struct pf_folio_member **told =
		calloc(count(list) + 1U, sizeof(const struct pf_folio_member *));
	if (!fds || !told) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "no memory");
		return;
	}
	for (unsigned i = 0; list[i]; i++) {
		struct pf_err err = { 0 };
		int rc = pf_recording_stop(list[i]->path, &fds[n].fd, &err);
		fds[n].events = POLLIN;
		if (rc == 0)
			told[n++] = list[i];
		else if (rc != -ESRCH)
			pf_folio_wrong(j, PF_EXIT_ERROR, "%s", err.text);
	}
	if (n == 0 && j->status == PF_EXIT_OK)
		pf_say(stdout, "nothing of %s is being recorded", j->file.path);
	wait_for_all(fds, n);
	for (unsigned i = 0; i < n; i++) {
		tell_stopped(j, told[i], fds[i].fd < 0);
		pf_closep(&fds[i].fd);
	}
}
