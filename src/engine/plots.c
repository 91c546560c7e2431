/* engine/plots.c - names and tops of plot files. Facts: files and messages of collectl 4.3.1. */
#include "engine/plots.h"

#include <errno.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/time.h"
#include "engine/files.h"
#include "engine/parts.h"
#include "engine/plan.h"
#include "import/import.h"

enum { TIME_LENGTH = 7, RULE = 80, HALF_RULE = 35 }; /* "-HHMMSS" */

void pf_plots_done(struct pf_plots *p)
{
	pf_buf_done(&p->base);
	pf_buf_done(&p->header);
	pf_buf_done(&p->made);
}

void pf_plots_base(struct pf_buf *out, const struct pf_plan *plan, const char *target)
{
	struct stat st;
	size_t n = strlen(target);
	bool slash = n > 0 && target[n - 1] == '/';
	bool folder = slash || (stat(target, &st) == 0 && S_ISDIR(st.st_mode));
	pf_buf_str(out, target);
	if (!slash || plan->req->as_peer) /* whose messages show two slashes */
		pf_buf_char(out, folder ? '/' : '-');
}

int pf_plots_folder(const struct pf_plan *plan, const char *target, struct pf_err *err)
{
	const char *slash = strrchr(target, '/');
	if (!slash || slash == target)
		return 0;
	pf_autofree char *folder = strndup(target, (size_t)(slash - target));
	if (!folder)
		return pf_err_set(err, -ENOMEM, "no memory");
	if (mkdir(folder, 0755) == 0)
		pf_notice(plan->notice, PF_INFO, "Creating directory '%s'", folder);
	else if (errno != EEXIST)
		return pf_err_set(err, -errno, "%s: cannot make the folder: %s", folder, strerror(errno));
	return 0;
}

static bool has_option(const struct pf_plan *plan, char letter)
{
	return plan->req->options && strchr(plan->req->options, letter);
}

static void choose_mode(struct pf_plots *p, const struct pf_plan *plan, enum pf_files_mode otherwise)
{
	p->files.mode = has_option(plan, 'c') ? PF_FILES_ANEW : has_option(plan, 'a') ? PF_FILES_APPEND : otherwise;
	p->files.plain = has_option(plan, 'z');
	p->files.no_lists = plan->req->raw_too;
	p->files.base = pf_buf_text(&p->base).p;
	p->files.header = pf_buf_text(&p->header).p;
}

static int failed(const struct pf_plots *p, struct pf_err *err)
{
	bool bad = p->base.failed || p->header.failed || p->made.failed;
	return bad ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

int pf_plots_live(struct pf_plots *p, const struct pf_plan *plan, const char *host, struct pf_view header,
		  int64_t now_ns, struct pf_err *err)
{
	struct tm tm = pf_time_local(now_ns);
	pf_buf_clear(&p->base);
	pf_plots_base(&p->base, plan, plan->req->filename);
	pf_buf_fmt(&p->base, "%s-%04d%02d%02d", host, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	if (has_option(plan, 'u'))
		pf_buf_fmt(&p->base, "-%02d%02d%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	pf_buf_clear(&p->header);
	pf_buf_view(&p->header, header);
	choose_mode(p, plan, PF_FILES_APPEND);
	return failed(p, err);
}

/* "PREFIX-YYYYMMDD", with -ou "PREFIX-YYYYMMDD-HHMMSS"; the whole name of what is no raw file. */
static void add_name(struct pf_buf *out, const struct pf_plan *plan, const struct pf_play_file *f)
{
	const char *slash = strrchr(f->path, '/');
	const char *name = slash ? slash + 1 : f->path;
	size_t n = f->set ? f->set - (size_t)(name - f->path) : strlen(name);
	pf_buf_add(out, name, n + (f->set && has_option(plan, 'u') ? TIME_LENGTH : 0));
}

static bool is_made(const struct pf_plots *p)
{
	struct pf_view base = pf_buf_text(&p->base), made = pf_buf_text(&p->made);
	const char *at = made.n ? memmem(made.p, made.n, base.p, base.n + 1) : NULL; /* with its NUL */
	return at && (at == made.p || at[-1] == '\0');
}

/* Is one of the files there? @ret_newer: and newer than the recording. Seconds as the peer compares them. */
static bool look_for(const struct pf_plots *p, const char *recording, bool *ret_newer)
{
	struct pf_buf pattern = { 0 };
	for (const char *c = p->base.p; *c != '\0'; c++) {
		if (strchr("*?[\\", *c))
			pf_buf_char(&pattern, '\\');
		pf_buf_char(&pattern, *c);
	}
	pf_buf_str(&pattern, ".*");
	glob_t found = { 0 };
	bool there = !pattern.failed && glob(pattern.p, GLOB_NOSORT, NULL, &found) == 0;
	struct stat plot, raw;
	*ret_newer = false;
	for (size_t i = 0; there && i < found.gl_pathc; i++)
		*ret_newer |= stat(found.gl_pathv[i], &plot) == 0 && stat(recording, &raw) == 0 &&
			      plot.st_mtime > raw.st_mtime;
	globfree(&found);
	pf_buf_done(&pattern);
	return there;
}

/* The peer looks at all extensions. With -ou an older file is made anew. Return: 1 go on; 0 leave it alone. */
static int peer_refuses(struct pf_plots *p, const struct pf_plan *plan, const struct pf_play_file *f)
{
	bool newer;
	if (p->files.mode != PF_FILES_NEW || !look_for(p, f->path, &newer))
		return 1;
	p->files.mode = PF_FILES_ANEW;
	if (has_option(plan, 'u') && !newer)
		return 1;
	if (has_option(plan, 'u')) {
		pf_notice(plan->notice, PF_SAID, "  Plotfile '%s' exists and is newer than %s", p->base.p, f->path);
		pf_notice(plan->notice, PF_SAID, "  You must specify '-ocu' to force creation of a new one");
	} else {
		pf_notice(plan->notice, PF_SAID, "  Plotfile '%s' already exists and will not be touched", p->base.p);
		pf_notice(plan->notice, PF_SAID, "  '-oc' to create a new one OR '-oa' to append to it");
	}
	return 0;
}

int pf_plots_choose(struct pf_plots *p, const struct pf_plan *plan, const struct pf_play_file *f, bool *ret_same,
		    struct pf_err *err)
{
	struct pf_buf before = p->base;
	p->base = (struct pf_buf){ 0 };
	pf_plots_base(&p->base, plan, plan->req->filename);
	add_name(&p->base, plan, f);
	int rc = failed(p, err);
	*ret_same = rc == 0 && before.n == p->base.n && memcmp(before.p, p->base.p, before.n) == 0;
	pf_buf_done(&before);
	if (rc < 0)
		return rc;
	choose_mode(p, plan, PF_FILES_NEW);
	if (is_made(p)) {
		p->files.mode = PF_FILES_APPEND;
		return 1;
	}
	*ret_same = false;
	if (plan->req->as_peer && peer_refuses(p, plan, f) == 0)
		return 0;
	pf_buf_add(&p->made, p->base.p, p->base.n + 1);
	rc = failed(p, err);
	return rc < 0 ? rc : 1;
}

/* What stands behind @key on its line, escaped. */
static void copy_after(struct pf_buf *out, struct pf_view text, const char *key)
{
	const char *at = text.n ? memmem(text.p, text.n, key, strlen(key)) : NULL;
	if (!at)
		return;
	at += strlen(key);
	const char *end = memchr(at, '\n', text.n - (size_t)(at - text.p));
	size_t n = end ? (size_t)(end - at) : text.n - (size_t)(at - text.p);
	pf_escape_text(out, (struct pf_view){ at, n });
}

/* The recording's line of subsystems, with those that are shown and the options of now. */
static void subsys_line(struct pf_buf *out, const struct pf_plan *plan, struct pf_view line, const char *letters)
{
	const char *rest = memmem(line.p, line.n, " Interval:", 10);
	size_t n = strlen(letters);
	if (n == 0 && plan->req->as_peer) { /* with -s-all those that were recorded */
		letters = line.p + strlen("# SubSys:");
		letters += strspn(letters, " ");
		n = strcspn(letters, " \n");
	}
	pf_buf_fmt(out, "# SubSys:     %.*s Options: %s", (int)n, letters,
		   plan->req->options ? plan->req->options : "");
	if (rest)
		pf_escape_text(out, (struct pf_view){ rest, line.n - (size_t)(rest - line.p) });
	pf_buf_char(out, '\n');
}

static void own_line(struct pf_buf *out, const struct pf_plan *plan)
{
	pf_buf_fmt(out, "# Collectl:   V4.3.1-1  HiRes: 1  Options: %s\n",
		   plan->req->command_line ? plan->req->command_line : "");
}

static void rule(struct pf_buf *out)
{
	pf_buf_pad(out, '#', RULE);
	pf_buf_char(out, '\n');
}

/* Is the line one that the recorder itself writes? Others are those of modules. */
static bool is_ours(struct pf_view line)
{
	static const char *const keys[] = { "Collectl", "Host",	   "Booted",	   "Distro",	   "Date",
					    "SubSys",	"Filters", "HZ",	   "Cpu",	   "Kernel",
					    "NumDisks", "NumNets", "NumSlabs",	   "IConnect",	   "SCSI",
					    "Comment",	"Lustre",  "LustreServer", "LustreClient", "LustreDisks" };
	const char *colon = memchr(line.p, ':', line.n);
	size_t n = colon ? (size_t)(colon - line.p) : 0;
	for (unsigned i = 0; n > 2 && i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strlen(keys[i]) == n - 2 && memcmp(line.p + 2, keys[i], n - 2) == 0)
			return true;
	}
	return false;
}

/* The lines of modules; one that was recorded alike stands there already, unless only those of now count. */
static void module_lines(struct pf_buf *out, const struct pf_plan *plan, struct pf_view recorded,
			 struct pf_view modules)
{
	struct pf_view line;
	while (pf_view_line(&modules, &line) == 0) {
		if (!plan->req->as_peer && line.n > 0 && recorded.n > 0 &&
		    memmem(recorded.p, recorded.n, line.p, line.n))
			continue;
		pf_escape_text(out, line);
		pf_buf_char(out, '\n');
	}
}

/* The header that was recorded, line by line. */
static void body(struct pf_buf *out, const struct pf_plan *plan, struct pf_view text, const char *letters)
{
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		if (pf_view_starts(line, "##") || !pf_view_starts(line, "#") || (plan->req->as_peer && !is_ours(line)))
			continue;
		if (pf_view_starts(line, "# Collectl:")) {
			own_line(out, plan);
		} else if (pf_view_starts(line, "# SubSys:")) {
			subsys_line(out, plan, line, letters);
		} else if (!plan->req->comment || !pf_view_starts(line, "# Comment:")) {
			pf_escape_text(out, line);
			pf_buf_char(out, '\n');
		}
	}
}

int pf_plots_header(struct pf_plots *p, struct pf_parts *run, struct pf_err *err)
{
	const struct pf_plan *plan = run->plan;
	const char *recorded = run->view.recorded_header, *host = run->view.host, *letters = run->letters;
	struct pf_buf modules = { 0 };
	if (run->import)
		pf_import_update_header(run->import, &modules);
	struct pf_buf *out = &p->header;
	struct pf_view text = pf_view_of(recorded ? recorded : "");
	pf_buf_clear(out);
	pf_buf_pad(out, '#', HALF_RULE);
	pf_buf_str(out, " RECORDED ");
	pf_buf_pad(out, '#', HALF_RULE);
	pf_buf_str(out, "\n# Collectl:");
	copy_after(out, text, "# Collectl:");
	struct pf_buf subsys = { 0 };
	copy_after(&subsys, text, "# SubSys:     ");
	size_t n = subsys.n ? strcspn(subsys.p, " ") : 0;
	pf_buf_fmt(out, " Subsys: %.*s\n", (int)n, subsys.n ? subsys.p : "");
	pf_buf_done(&subsys);
	rule(out);
	if (recorded) {
		body(out, plan, text, letters);
	} else {
		own_line(out, plan);
		pf_buf_fmt(out, "# Host:       %s\n# SubSys:     %s Options: %s\n", host ? host : "", letters,
			   plan->req->options ? plan->req->options : "");
	}
	module_lines(out, plan, text, pf_buf_text(&modules));
	pf_buf_done(&modules);
	if (plan->req->comment)
		pf_buf_fmt(out, "# Comment:    %s\n", plan->req->comment);
	rule(out);
	p->files.header = pf_buf_text(out).p;
	return failed(p, err);
}
