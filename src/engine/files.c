/* engine/files.c - from the words behind -p to files. */
#include "engine/files.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/plan.h"
#include "formats/collectl/reader.h"
#include "sources/list.h"

enum { MAX_FILES = 100000, DATE_DIGITS = 8, TIME_DIGITS = 6 };

static bool digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
	}
	return true;
}

/* "PREFIX-YYYYMMDD-HHMMSS.raw...": length up to and with the date, 0 if the name is another. */
static size_t set_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *raw = strstr(slash ? slash : path, ".raw");
	size_t tail = 1 + DATE_DIGITS + 1 + TIME_DIGITS;
	if (!raw || (size_t)(raw - path) < tail)
		return 0;
	const char *dash = raw - tail;
	bool named = dash[0] == '-' && digits(dash + 1, DATE_DIGITS) && dash[1 + DATE_DIGITS] == '-' &&
		     digits(dash + DATE_DIGITS + 2, TIME_DIGITS);
	return named ? (size_t)(dash - path) + 1 + DATE_DIGITS : 0;
}

static bool is_second(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strstr(slash ? slash : path, ".rawp") != NULL;
}

bool pf_files_same_set(const struct pf_play_file *a, const struct pf_play_file *b)
{
	return a->set == b->set && a->second == b->second && strncmp(a->path, b->path, a->set) == 0;
}

static int add_file(struct pf_play_files *files, const char *path, struct pf_err *err)
{
	if (files->n >= MAX_FILES)
		return pf_err_set(err, -EFBIG, "more than %d files", MAX_FILES);
	struct pf_play_file *more = reallocarray(files->files, files->n + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no memory");
	files->files = more;
	char *copy = strdup(path);
	if (!copy)
		return pf_err_set(err, -ENOMEM, "no memory");
	more[files->n++] = (struct pf_play_file){ .path = copy, .set = set_length(path), .second = is_second(path) };
	return 0;
}

static void free_file(struct pf_play_file *f)
{
	for (unsigned i = 0; i < f->n_more; i++)
		free(f->more[i]);
	free(f->more);
	free(f->path);
}

void pf_files_done(struct pf_play_files *files)
{
	for (unsigned i = 0; i < files->n; i++)
		free_file(&files->files[i]);
	free(files->files);
	*files = (struct pf_play_files){ 0 };
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Replace a word by a date wherever it stands. */
static void add_dated(struct pf_buf *out, const char *text)
{
	static const struct {
		const char *word;
		int64_t back_ns;
	} days[] = { { "TODAY", 0 }, { "YESTERDAY", 86400 * PF_NS_PER_SEC } };
	while (*text != '\0') {
		unsigned i = 0;
		while (i < 2 && strncmp(text, days[i].word, strlen(days[i].word)) != 0)
			i++;
		if (i == 2) {
			pf_buf_char(out, *text++);
			continue;
		}
		struct tm tm = pf_time_local(pf_time_wall_ns() - days[i].back_ns);
		pf_buf_fmt(out, "%04d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
		text += strlen(days[i].word);
	}
}

/* Does collectl take the name as it is, without looking whether it is there? Those without date and time are left out later. */
static bool is_taken_as_is(const char *word)
{
	return !strpbrk(word, "*?[{~") && set_length(word) == 0;
}

/* Is it a recording of another kind than raw files: an archive, a folio, a folder? */
static bool is_other(const char *word)
{
	for (unsigned i = 0; pf_source_kinds[i]; i++) {
		const struct pf_source_kind *kind = pf_source_kinds[i];
		if (kind->accepts && !kind->live && kind->accepts(word))
			return kind != &pf_source_raw;
	}
	return false;
}

/* @files NULL: only see whether the word can name raw files. @as_peer: one that matches nothing may stand beside others. */
static int expand_word(struct pf_play_files *files, const char *word, bool as_peer, struct pf_err *err)
{
	if (!files)
		return ends_with(word, "*") || ends_with(word, "raw") || ends_with(word, "gz") || is_other(word)
			       ? 0
			       : pf_err_set(err, -EINVAL, "-p filename must end in '*', 'raw' or 'gz'");
	if (is_other(word)) {
		int rc = add_file(files, word, err);
		files->files[files->n - (rc == 0)].other |= rc == 0;
		return rc;
	}
	glob_t found;
	int rc = glob(word, 0, NULL, &found);
	if (rc == GLOB_NOMATCH && as_peer && is_taken_as_is(word))
		return add_file(files, word, err);
	if (rc == GLOB_NOMATCH && as_peer && strpbrk(word, "*?["))
		return 0;
	if (rc == GLOB_NOMATCH)
		return pf_err_set(err, -ENODATA, "can't find any files matching '%s'", word);
	if (rc != 0)
		return pf_err_set(err, -ENOMEM, "no memory for the files matching '%s'", word);
	int arc = 0;
	for (size_t i = 0; arc == 0 && i < found.gl_pathc; i++)
		arc = add_file(files, found.gl_pathv[i], err);
	globfree(&found);
	return arc;
}

static int expand_list(struct pf_play_files *files, const char *list, bool as_peer, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	add_dated(&text, list);
	if (text.failed)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = 0;
	struct pf_buf word = { 0 };
	const char *p = pf_buf_text(&text).p;
	while (rc == 0 && *p != '\0') {
		size_t n = strcspn(p, ", ");
		pf_buf_clear(&word);
		for (size_t i = 0; i < n; i++) {
			if (p[i] != '"' && p[i] != '\'')
				pf_buf_char(&word, p[i]);
		}
		if (word.n > 0)
			rc = expand_word(files, word.p, as_peer, err);
		p += n + (p[n] != '\0');
	}
	pf_buf_done(&word);
	if (rc == 0 && files && files->n == 0 && text.n > 0)
		rc = pf_err_set(err, -ENODATA, "can't find any files matching '%s'", pf_buf_text(&text).p);
	pf_buf_done(&text);
	return rc;
}

int pf_files_check(const char *list, struct pf_err *err)
{
	return expand_list(NULL, list, false, err);
}

/* Read the header. Return: 1 to be played; 0 to be left out, which was told; negative errno. */
static int look_at(struct pf_play_file *f, const struct pf_plan *plan, struct pf_err *err)
{
	struct pf_collectl_reader *r = NULL;
	struct pf_err own = { 0 };
	int rc = pf_collectl_open(&r, f->path, &own);
	if (rc == -ENOMEM)
		return pf_err_set(err, rc, "no memory");
	if (rc == -EINVAL && plan->req->as_peer)
		return pf_err_set(err, rc, "%s was created before collectl V2.0 and so cannot be played back", f->path);
	if (rc < 0) {
		pf_notice(plan->notice, PF_WARNING, "%s, ignoring it", own.text);
		return 0;
	}
	rc = pf_collectl_header_parse(pf_collectl_header_text(r), &f->header, &own);
	(void)pf_collectl_close(r);
	if (rc < 0)
		return pf_err_set(err, rc, "%s %s", f->path, own.text);
	f->known = true;
	f->header.disks = f->header.nets = (struct pf_view){ 0 };
	const char *slash = strrchr(f->path, '/');
	if (f->header.host[0] != '\0' && !strstr(slash ? slash : f->path, f->header.host)) {
		pf_notice(plan->notice, PF_WARNING,
			  "ignoring %s whose header says recorded for %s but whose name says otherwise!", f->path,
			  f->header.host);
		return 0;
	}
	return 1;
}

/* A recording that began behind --thru is as if it were not there. */
static bool begins_too_late(const struct pf_play_file *f, const struct pf_plan *plan)
{
	if (!plan->req->as_peer || !plan->thru.given)
		return false;
	int64_t start = f->header.secs * PF_NS_PER_SEC;
	const struct pf_time_line line = { .start_ns = start, .day_of_ns = start, .zone_ns = f->header.zone_ns };
	return pf_moment_resolve(&plan->thru, &line) < start;
}

/* Names and headers decide which of the matches are played. */
static int choose_files(struct pf_play_files *files, const struct pf_plan *plan, struct pf_err *err)
{
	unsigned kept = 0;
	int rc = 0;
	for (unsigned i = 0; i < files->n; i++) {
		struct pf_play_file *f = &files->files[i];
		int keep = f->other;
		if (rc == 0 && !f->other && f->set > 0)
			keep = look_at(f, plan, err);
		rc = keep < 0 ? keep : rc;
		if (keep > 0 && !f->other && begins_too_late(f, plan))
			keep = 0;
		if (keep > 0) {
			struct pf_play_file moved = *f;
			files->files[kept++] = moved;
		} else {
			free_file(f);
		}
	}
	files->n = kept;
	return rc;
}

/* A name that nothing has is told before anything is played. A word such as disk.dev.read was meant for a metric. */
static int check_there(const char *name, bool first, struct pf_err *err)
{
	if (access(name, F_OK) == 0 || is_other(name))
		return 0;
	const char *why = strerror(errno);
	bool metric = !first && strchr(name, '.') && !strchr(name, '/') && !strchr(name, ',');
	return pf_err_set(err, -ENODATA,
			  metric ? "%s: %s; if it is a metric: --metrics %s shows it, with --oformat" : "%s: %s", name,
			  why, name);
}

int pf_files_find(struct pf_play_files *files, const struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	*files = (struct pf_play_files){ 0 };
	int rc = 0;
	for (unsigned i = 0; rc == 0 && req->files && req->files[i]; i++)
		rc = check_there(req->files[i], i == 0, err);
	for (unsigned i = 0; rc == 0 && req->files && req->files[i]; i++)
		rc = add_file(files, req->files[i], err);
	if (rc == 0 && req->playback) {
		rc = expand_list(files, req->playback, req->as_peer, err);
		if (rc == 0)
			rc = choose_files(files, plan, err);
	}
	return rc == 0 ? pf_files_join(files, err) : rc;
}
