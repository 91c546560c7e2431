/* cmd/mkaf.c - folios of archives that are there: mkaf by name, in the words of PCP 6.0.3's, and `perfolio folio --make`. */
#include "cmd/folio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/program.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "formats/pcp/folio.h"
#include "formats/pcp/names.h"
#include "record/recording.h"

enum { FOUND_MAX = 256 << 20, NO_COMMAND = 127 };

static const char usage[] = "Usage: mkaf [findopts] filename ...\n";

/* A list of texts that it owns. */
struct texts {
	char **list;
	unsigned n;
};

/**
 * struct make - a folio that is being made.
 * @bases: of archives that were found, each maybe several times; @names: as the folio has them already
 * @options: for find(1); @said: the same as it is told
 * @peer: as mkaf; else @folder is the folio's, from the root on, or NULL: names stay as they are. @skipped: how many were left out
 * @rc: 0, or what went wrong for good
 */
struct make {
	struct texts bases;
	struct texts names;
	struct texts options;
	struct pf_buf said;
	bool peer;
	char *folder;
	unsigned skipped;
	int rc;
};

/* Takes over @text, which may be NULL for want of memory. */
static void keep(struct make *m, struct texts *t, char *text)
{
	char **more = text ? reallocarray(t->list, t->n + 1U, sizeof(*more)) : NULL;
	if (!more) {
		free(text);
		m->rc = -ENOMEM;
		return;
	}
	t->list = more;
	more[t->n++] = text;
}

static void drop(struct texts *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->list[i]);
	free(t->list);
}

static void skip(struct make *m, const char *path, const char *peer_why, const char *why)
{
	if (m->peer)
		(void)fprintf(stderr, "mkaf: %s: %s\n", path, peer_why);
	else
		pf_say(stderr, "perfolio: %s %s, leaving it out", path, why);
	m->skipped++;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those from @first on, each once. */
static void sort(struct texts *t, unsigned first)
{
	unsigned kept = first;
	if (t->n > first)
		qsort(t->list + first, t->n - first, sizeof(*t->list), by_text);
	for (unsigned i = first; i < t->n; i++) {
		if (kept > first && strcmp(t->list[kept - 1], t->list[i]) == 0)
			free(t->list[i]);
		else
			t->list[kept++] = t->list[i];
	}
	t->n = kept;
}

/* Keep the archives among what find(1) finds in a folder. */
static void search(struct make *m, const char *folder)
{
	struct pf_buf found = { 0 };
	unsigned n = 0;
	int status = 0;
	pf_autofree const char **argv = calloc(m->options.n + 6U, sizeof(*argv));
	pf_autoclose int fd = memfd_create("found", MFD_CLOEXEC);
	if (!argv || fd < 0) {
		m->rc = argv ? -errno : -ENOMEM;
		return;
	}
	argv[n++] = "find";
	argv[n++] = folder;
	for (unsigned i = 0; i < m->options.n; i++)
		argv[n++] = m->options.list[i];
	argv[n++] = "-type";
	argv[n++] = "f";
	argv[n++] = "-print";
	int rc = pf_program_run(argv, fd, &status);
	if (rc == 0 && WIFEXITED(status) && WEXITSTATUS(status) == NO_COMMAND)
		rc = -ENOENT;
	if (rc < 0)
		pf_say(stderr, "%s: cannot run find: %s", m->peer ? "mkaf" : "perfolio", strerror(-rc));
	if (rc == 0)
		rc = pf_io_pread_all(fd, FOUND_MAX, &found);
	struct pf_view rest = pf_buf_text(&found);
	struct pf_view line;
	unsigned before = m->bases.n;
	while (rc == 0 && pf_view_line(&rest, &line) == 0) {
		pf_autofree char *path = pf_view_dup(line);
		if (path && pf_recording_is_file(path))
			keep(m, &m->bases, pf_pcp_names_base(path));
	}
	sort(&m->bases, before);
	pf_buf_done(&found);
}

static void take_folder(struct make *m, const char *folder)
{
	if (m->options.n == 0) {
		keep(m, &m->options, strdup("-follow"));
		pf_buf_str(&m->said, "-follow");
	}
	if (m->peer)
		(void)fprintf(stderr, "Searching \"find %s %s ...\" ", folder, m->said.p ? m->said.p : "");
	search(m, folder);
	if (m->peer)
		(void)fputs(" done\n", stderr);
}

static void take(struct make *m, const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		take_folder(m, path);
	else if (!m->peer && !there && pf_pcp_names_is_there(path, "meta"))
		keep(m, &m->bases, strdup(path));
	else if (!there || !S_ISREG(st.st_mode))
		skip(m, path, "No such file", there ? "is no regular file" : "is not there");
	else if (!pf_recording_is_file(path))
		skip(m, path, "Not a PCP archive file", "is no file of an archive");
	else
		keep(m, &m->bases, pf_pcp_names_base(path));
}

/* As the folio is to have it: without the folder that both are in. The caller frees. */
static char *name_in(const struct make *m, const char *base)
{
	const char *slash = strrchr(base, '/');
	if (m->peer || !m->folder)
		return strdup(base);
	pf_autofree char *folder = pf_folio_from_root((struct pf_view){ base, slash ? (size_t)(slash - base) + 1 : 0 });
	char *name;
	size_t n = strlen(m->folder);
	if (!folder || asprintf(&name, "%s%s", folder, slash ? slash + 1 : base) < 0)
		return NULL;
	if (strncmp(name, m->folder, n) == 0)
		memmove(name, name + n, strlen(name + n) + 1);
	return name;
}

static bool has(const struct texts *t, const char *text)
{
	for (unsigned i = 0; i < t->n; i++) {
		if (strcmp(t->list[i], text) == 0)
			return true;
	}
	return false;
}

/* Return: is it in the folio now, and was not before? */
static bool entry(struct make *m, struct pf_buf *out, const char *base)
{
	struct pf_pcp_label label = { 0 };
	struct pf_err err = { 0 };
	pf_autofree char *name = name_in(m, base);
	const char *why = NULL;
	if (name && has(&m->names, name))
		return false;
	if (!name)
		m->rc = -ENOMEM;
	else if (pf_recording_opens(base, &label, &err) < 0 || label.host[0] == '\0')
		why = "cannot extract hostname from";
	else if (strpbrk(name, " \t\n") || strpbrk(label.host, " \t\n"))
		why = "a folio cannot have blanks in names, as in";
	else
		pf_folio_entry(out, label.host, name);
	if (!why && name)
		keep(m, &m->names, PF_TAKE(name));
	if (!why)
		return m->rc == 0;
	m->skipped++;
	if (m->peer)
		(void)fprintf(stderr, "mkaf: Warning: %s archive \"%s\" ... skipped\n", why, base);
	else if (err.text[0] != '\0')
		pf_say(stderr, "perfolio: %s, leaving this archive out", err.text);
	else
		pf_say(stderr, "perfolio: %s %s, leaving it out", why, base);
	return false;
}

static void put_head(const struct make *m, struct pf_buf *out)
{
	char host[257] = "";
	char when[80];
	int64_t now = pf_time_wall_ns();
	struct tm tm = pf_time_local(now);
	if (gethostname(host, sizeof(host) - 1) < 0 || host[0] == '\0')
		(void)snprintf(host, sizeof(host), "localhost");
	if (!m->peer) {
		pf_folio_head(out, host, "perfolio", NULL, now);
		return;
	}
	if (strftime(when, sizeof(when), "%a %b %e %T %Z %Y", &tm) == 0)
		when[0] = '\0';
	pf_buf_fmt(out, "PCPFolio\nVersion: 1\n# use pmafm(1) to process this PCP archive folio\n#\n");
	pf_buf_fmt(out, "Created: on %s at %s\nCreator: pmchart\n# \t\tHost\t\t\tBasename\n#\n", host, when);
}

/* The folio of what was found: mkaf sorts it, we leave it in the order in which it was named. Return: how many archives it has. */
static unsigned put_folio(struct make *m, struct pf_buf *out)
{
	unsigned n = 0;
	if (m->peer)
		sort(&m->bases, 0);
	put_head(m, out);
	for (unsigned i = 0; i < m->bases.n; i++)
		n += entry(m, out, m->bases.list[i]);
	if (out->failed)
		m->rc = out->failed;
	return n;
}

static void done(struct make *m)
{
	drop(&m->bases);
	drop(&m->names);
	drop(&m->options);
	pf_buf_done(&m->said);
	free(m->folder);
}

int pf_mkaf(int argc, char **argv)
{
	struct make m = { .peer = true };
	struct pf_buf out = { 0 };
	if (argc < 2)
		(void)fputs(usage, stdout);
	int status = argc < 2;
	bool told = argc < 2;
	for (int i = 1; i < argc && !told; i++) {
		if (argv[i][0] == '-' && strlen(argv[i]) == 2) {
			(void)fputs(usage, stdout); /* whatever the letter is */
			told = true;
		} else if (argv[i][0] == '-') {
			keep(&m, &m.options, strdup(argv[i]));
			pf_buf_fmt(&m.said, " %s", argv[i]);
		} else {
			take(&m, argv[i]);
		}
	}
	if (!told && m.bases.n == 0) {
		(void)fputs("mkaf: Warning: no PCP archives found, so no folio created\n", stderr);
		status = 1;
	} else if (!told) {
		(void)put_folio(&m, &out);
		(void)fwrite(out.p ? out.p : "", 1, out.n, stdout);
	}
	if (m.rc < 0) {
		(void)fprintf(stderr, "mkaf: %s\n", strerror(-m.rc));
		status = 1;
	}
	pf_buf_done(&out);
	done(&m);
	return status;
}

/* A new file, whole or not at all; "-" is standard output. */
static int write_folio(const char *folio, const struct pf_buf *out, struct pf_err *err)
{
	bool new = strcmp(folio, "-") != 0;
	int fd = new ? open(folio, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : STDOUT_FILENO;
	if (fd < 0 && errno == EEXIST)
		return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten; choose another name",
				  folio);
	if (fd < 0)
		return pf_err_set(err, -errno, "cannot create %s: %s", folio, strerror(errno));
	int rc = pf_io_write_all(fd, out->p, out->n);
	if (new &&close(fd) < 0 && rc == 0)
		rc = -errno;
	if (new &&rc < 0)
		(void)unlink(folio);
	return rc < 0 ? pf_err_set(err, rc, "%s: %s", new ? folio : "standard output", strerror(-rc)) : 0;
}

int pf_folio_make(const char *folio, char **files)
{
	struct make m = { 0 };
	struct pf_buf out = { 0 };
	struct pf_err err = { 0 };
	const char *slash = strrchr(folio, '/');
	if (strcmp(folio, "-") != 0) {
		m.folder = pf_folio_from_root((struct pf_view){ folio, slash ? (size_t)(slash - folio) + 1 : 0 });
		m.rc = m.folder ? 0 : -ENOMEM;
	}
	for (unsigned i = 0; files[i] && m.rc == 0; i++)
		take(&m, files[i]);
	unsigned n = m.rc == 0 ? put_folio(&m, &out) : 0;
	int status = m.skipped > 0 ? PF_EXIT_LOSS : PF_EXIT_OK;
	if (m.rc < 0) {
		pf_say(stderr, "perfolio: %s", strerror(-m.rc));
		status = PF_EXIT_ERROR;
	} else if (n == 0) {
		pf_say(stderr, "perfolio: no archive was found, and no folio is made");
		status = PF_EXIT_UNUSABLE;
	} else if (write_folio(folio, &out, &err) < 0) {
		pf_say(stderr, "perfolio: %s", err.text);
		status = PF_EXIT_ERROR;
	}
	pf_buf_done(&out);
	done(&m);
	return status;
}
