/* sinks/plotfiles.c - plots on disk: the sums in one file, the details of each subsystem and module in files of their own. */
#include "sinks/plotfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/collectl/mend.h"
#include "formats/collectl/writer.h"
#include "import/import.h"
#include "sinks/plot.h"

enum { MAX_FILES = 64, LETTERS = 64, WRITE_AT = 32 * 1024, ASIDE_MAX = 100 };

/* Order of columns in the file of sums. Letters that are not here come behind them. */
static const char sums[] = "cmsndiflxtybqp";

/* @order: letters of the file; @lists: rows for each process, so a new recording is marked. @stuck: the disk takes nothing, which was told */
struct plot_file {
	char order[LETTERS];
	struct pf_sink *plot;
	struct pf_collectl_writer *writer;
	bool lists;
	bool begun;
	bool stuck;
};

struct plot_files {
	struct pf_sink base;
	const struct pf_notice *notice;
	struct plot_file files[MAX_FILES];
	unsigned n;
	bool new_log;
	int failed;
};

static int write_file(struct plot_files *s, struct plot_file *f)
{
	struct pf_buf *text = pf_plot_text(f->plot);
	if (text->failed || text->n == 0)
		return text->failed;
	struct pf_err err = { 0 };
	int rc = pf_collectl_write(f->writer, text->p, text->n, &err);
	pf_buf_clear(text);
	if (rc < 0)
		return rc;
	if (rc > 0 && !f->stuck)
		pf_notice(s->notice, PF_WARNING, "%s", err.text);
	else if (rc == 0 && f->stuck)
		pf_notice(s->notice, PF_INFO, "plot files can be written again");
	f->stuck = rc > 0;
	return 0;
}

static int keep_first(struct plot_files *s, int rc)
{
	if (rc < 0 && s->failed == 0)
		s->failed = rc;
	return rc;
}

static int flush(struct pf_sink *sink)
{
	struct plot_files *s = (struct plot_files *)sink;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < s->n; i++)
		rc = write_file(s, &s->files[i]);
	return keep_first(s, rc);
}

/* The mark between recordings stands before the first rows of the next one. */
static void mark_new_log(struct pf_buf *text, size_t at)
{
	static const char mark[] = "# >>> NEW LOG <<<\n";
	enum { LENGTH = sizeof(mark) - 1 };
	size_t rows = text->n - at;
	if (!pf_buf_reserve(text, LENGTH))
		return;
	memmove(text->p + at + LENGTH, text->p + at, rows);
	memcpy(text->p + at, mark, LENGTH);
	text->n += LENGTH;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct plot_files *s = (struct plot_files *)sink;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < s->n; i++) {
		struct plot_file *f = &s->files[i];
		struct pf_buf *text = pf_plot_text(f->plot);
		size_t at = text->n;
		rc = pf_plot_draw(f->plot, step);
		bool rows = rc > 0 && text->n > at;
		if (rows && f->lists && f->begun && s->new_log)
			mark_new_log(text, at);
		if (rows && f->lists)
			s->new_log = false;
		f->begun |= rows;
		rc = rc < 0 ? rc : text->failed;
		if (rc == 0 && text->n >= WRITE_AT)
			rc = write_file(s, f);
	}
	return rc < 0 ? pf_err_set(err, keep_first(s, rc), "plot files: %s", strerror(-rc)) : 0;
}

static int part(struct pf_sink *sink, int64_t end_ns)
{
	struct plot_files *s = (struct plot_files *)sink;
	(void)end_ns;
	s->new_log = true;
	return flush(sink);
}

static int close_files(struct pf_sink *sink, struct pf_err *err)
{
	struct plot_files *s = (struct plot_files *)sink;
	(void)flush(sink); /* its error is kept in failed */
	int rc = s->failed;
	if (rc < 0)
		(void)pf_err_set(err, rc, "plot files: %s", strerror(-rc));
	for (unsigned i = 0; i < s->n; i++) {
		struct plot_file *f = &s->files[i];
		if (f->plot)
			(void)f->plot->kind->close(f->plot, NULL); /* it writes nothing itself */
		int wrc = f->writer ? pf_collectl_finish(f->writer, rc < 0 ? NULL : err) : 0;
		rc = rc < 0 ? rc : wrc;
	}
	free(s);
	return rc;
}

/* Keys of modules become parts of file names. */
static void add_extension(struct pf_buf *path, const char *name)
{
	for (; *name != '\0'; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
			     (*name >= '0' && *name <= '9') || *name == '-' || *name == '_';
		pf_buf_char(path, plain ? *name : '_');
	}
}

/* A damaged file gets another name, so that nothing is written behind what nobody can unpack. */
static int set_aside(const char *path, const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_buf to = { 0 };
	int rc = -EEXIST;
	for (unsigned i = 1; rc == -EEXIST && i <= ASIDE_MAX; i++) {
		pf_buf_clear(&to);
		pf_buf_fmt(&to, "%s.damaged-%u", path, i);
		rc = to.failed							       ? to.failed
		     : renameat2(AT_FDCWD, path, AT_FDCWD, to.p, RENAME_NOREPLACE) < 0 ? -errno
										       : 0;
	}
	if (rc < 0)
		(void)pf_err_set(err, rc, "%s is damaged and cannot be set aside: %s", path, strerror(-rc));
	else
		pf_notice(notice, PF_WARNING, "%s is damaged, so it is called %s from now on and a new one begins",
			  path, to.p);
	pf_buf_done(&to);
	return rc;
}

/* Before something is written behind what is there. */
static int mend(const char *path, bool plain, bool *ret_mid_line, const struct pf_notice *notice, struct pf_err *err)
{
	int rc = pf_collectl_mend(path, plain, ret_mid_line, err);
	if (rc == 1)
		pf_notice(notice, PF_WARNING, "%s was cut off: it is continued behind its last whole part", path);
	if (rc != -EBADMSG)
		return rc < 0 ? rc : 0;
	*ret_mid_line = false;
	return set_aside(path, notice, err);
}

static int create(struct pf_collectl_writer **ret_writer, const struct pf_plot_files *files, const char *path,
		  const struct pf_notice *notice, struct pf_err *err)
{
	static const int how[] = {
		[PF_FILES_NEW] = PF_WRITER_NEW, [PF_FILES_APPEND] = 0, [PF_FILES_ANEW] = PF_WRITER_EMPTY
	};
	bool mid_line = false;
	int rc = files->mode == PF_FILES_APPEND ? mend(path, files->plain, &mid_line, notice, err) : 0;
	if (rc == 0)
		rc = pf_collectl_create_as(ret_writer, path, how[files->mode] | (files->plain ? PF_WRITER_PLAIN : 0),
					   err);
	if (rc == -EEXIST)
		return pf_err_set(err, rc, "%s exists: -oc makes it anew, -oa appends to it", path);
	if (rc == 0 && mid_line)
		rc = pf_collectl_write(*ret_writer, "\n", 1, err);
	return rc < 0 ? rc : 0; /* a disk that is full now is told with the first rows */
}

int pf_plot_file_create(struct pf_collectl_writer **ret_writer, const struct pf_plot_files *files,
			const char *extension, const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_buf path = { 0 };
	pf_buf_fmt(&path, "%s.", files->base);
	add_extension(&path, extension);
	pf_buf_str(&path, files->plain ? "" : ".gz");
	int rc = path.failed ? pf_err_set(err, path.failed, "no memory")
			     : create(ret_writer, files, path.p, notice, err);
	pf_buf_done(&path);
	return rc;
}

static int open_file(struct plot_files *s, const struct pf_sink_spec *spec, struct pf_plot_part what,
		     const char *extension, struct pf_err *err)
{
	if (s->n == MAX_FILES)
		return pf_err_set(err, -EMFILE, "more than %d plot files", MAX_FILES);
	struct plot_file *f = &s->files[s->n++];
	strncpy(f->order, what.order, sizeof(f->order) - 1);
	f->lists = strchr(what.order, 'Z') != NULL;
	what.order = f->order;
	what.header = spec->files->header;
	int rc = pf_plot_open(&f->plot, spec, &what, err);
	if (rc < 0)
		return rc;
	return pf_plot_file_create(&f->writer, spec->files, extension, spec->notice, err);
}

static const char *letters_of(const struct pf_sink_spec *spec)
{
	return spec->letters ? spec->letters : spec->view->letters;
}

static bool is_capital(char letter)
{
	return letter >= 'A' && letter <= 'Z';
}

static void add_letter(char *order, char letter)
{
	size_t n = strlen(order);
	if (n + 1 < LETTERS && !strchr(order, letter)) {
		order[n] = letter;
		order[n + 1] = '\0';
	}
}

static int open_sums(struct plot_files *s, const struct pf_sink_spec *spec, struct pf_err *err)
{
	const struct pf_import *import = spec->view->import;
	char order[LETTERS] = "";
	bool any = pf_import_n_summary(import) > 0;
	for (const char *p = sums; *p != '\0'; p++) {
		if (strchr(letters_of(spec), *p))
			add_letter(order, *p);
	}
	for (const char *p = letters_of(spec); *p != '\0'; p++) {
		any |= !is_capital(*p);
		if (!is_capital(*p))
			add_letter(order, *p);
	}
	const struct pf_plot_part what = { .order = order, .module = PF_PLOT_SUMMARIES };
	return any ? open_file(s, spec, what, "tab", err) : 0;
}

static bool has_exceptions(const struct pf_group *group, char letter)
{
	for (unsigned i = 0; i < group->n_layouts; i++) {
		if (group->layouts[i].view == PF_VIEW_EXCEPTIONS && group->layouts[i].letter == letter)
			return true;
	}
	return false;
}

/* Is the layout one of those with a file of their own? */
static bool is_wanted(const struct pf_sink_spec *spec, const struct pf_group *group, const struct pf_layout *l)
{
	const struct pf_limits *exceptions = spec->view->exceptions;
	if (!is_capital(l->letter) || !strchr(letters_of(spec), l->letter))
		return false;
	if (l->view == PF_VIEW_EXCEPTIONS)
		return exceptions != NULL;
	bool only_exceptions = exceptions && !exceptions->also_rest && has_exceptions(group, l->letter);
	return l->view == PF_VIEW_PLOT && !only_exceptions && !(l->each && spec->files->no_lists);
}

/* A group's details go into a file of their own, if it has lines for plots at all. */
static int open_details(struct plot_files *s, const struct pf_sink_spec *spec, const struct pf_group *group,
			struct pf_err *err)
{
	char done[2][LETTERS] = { "", "" };
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < group->n_layouts; i++) {
		const struct pf_layout *l = &group->layouts[i];
		bool exceptions = l->view == PF_VIEW_EXCEPTIONS;
		if (!is_wanted(spec, group, l) || strchr(done[exceptions], l->letter))
			continue;
		add_letter(done[exceptions], l->letter);
		const char order[2] = { l->letter, '\0' };
		const char *extension = l->file ? l->file : group->plot_file ? group->plot_file : group->name;
		rc = open_file(
			s, spec,
			(struct pf_plot_part){ .order = order, .exceptions = exceptions, .module = PF_PLOT_NONE },
			extension, err);
	}
	return rc;
}

static int open_all(struct plot_files *s, const struct pf_sink_spec *spec, struct pf_err *err)
{
	int rc = open_sums(s, spec, err);
	for (unsigned i = 0; rc == 0 && spec->groups[i]; i++)
		rc = open_details(s, spec, spec->groups[i], err);
	struct pf_import *import = spec->view->import;
	for (unsigned i = 0; rc == 0 && import && pf_import_key(import, i); i++) {
		if (pf_import_has_detail(import, i))
			rc = open_file(s, spec, (struct pf_plot_part){ .order = "", .module = (int)i },
				       pf_import_key(import, i), err);
	}
	return rc;
}

static int open_files(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct plot_files *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->base.kind = &pf_sink_plotfiles;
	s->notice = spec->notice;
	int rc = open_all(s, spec, err);
	if (rc < 0)
		(void)close_files(&s->base, NULL); /* why it could not be opened is what counts */
	else
		*ret_sink = &s->base;
	return rc;
}

const struct pf_sink_kind pf_sink_plotfiles = {
	.name = "plotfiles",
	.open = open_files,
	.sample = sample,
	.flush = flush,
	.part = part,
	.close = close_files,
};
