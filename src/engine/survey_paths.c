/* engine/survey_paths.c - folios and folders as the recordings that they stand for. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/survey.h"
#include "formats/pcp/folio.h"
#include "formats/pcp/reader.h"
#include "sources/list.h"

/* Takes over @path. */
static int add(struct pf_survey_paths *paths, char *path)
{
	char **more = path ? reallocarray(paths->paths, paths->n + 1, sizeof(*more)) : NULL;
	if (!more) {
		free(path);
		return -ENOMEM;
	}
	paths->paths = more;
	more[paths->n++] = path;
	return 0;
}

static int add_in_folder(struct pf_survey_paths *paths, const char *folder, size_t n, struct pf_view name)
{
	char *path;
	bool slash = n > 0 && folder[n - 1] != '/';
	if (name.n > 0 && name.p[0] == '/')
		n = 0;
	if (asprintf(&path, "%.*s%s%.*s", (int)n, folder, n > 0 && slash ? "/" : "", (int)name.n, name.p) < 0)
		return -ENOMEM;
	return add(paths, path);
}

static int add_folio(struct pf_survey_paths *paths, const char *path, struct pf_view text, struct pf_err *err)
{
	struct pf_folio folio;
	struct pf_folio_entry e;
	struct pf_err why = { 0 };
	const char *slash = strrchr(path, '/');
	int rc = pf_folio_parse(text, &folio, &why);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", path, why.text);
	while ((rc = pf_folio_next(&folio, &e, &why)) != 0) {
		if (rc == 1)
			rc = add_in_folder(paths, path, slash ? (size_t)(slash - path) : 0, e.base);
		if (rc < 0)
			return pf_err_set(err, rc, "%s: %s", path, rc == -ENOMEM ? "no memory" : why.text);
	}
	return paths->n > 0 ? 0 : pf_err_set(err, -ENODATA, "%s: the folio names no archive", path);
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Of the files of an archive its .meta stands for all; a volume or index alone is none. */
static bool is_recording(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (pf_pcp_reader_accepts(path))
		return strstr(slash ? slash : path, ".meta") != NULL;
	return pf_source_raw.accepts(path);
}

static int add_folder(struct pf_survey_paths *paths, const char *path, struct pf_err *err)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, is_visible, alphasort);
	if (n < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	int rc = 0;
	for (int i = 0; i < n; i++) {
		unsigned before = paths->n;
		if (rc == 0)
			rc = add_in_folder(paths, path, strlen(path), pf_view_of(names[i]->d_name));
		if (paths->n > before && !is_recording(paths->paths[before]))
			free(paths->paths[--paths->n]);
		free(names[i]);
	}
	free(names);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: no memory", path);
	return paths->n > 0 ? 0 : pf_err_set(err, -ENODATA, "%s: there is no recording in this folder", path);
}

int pf_survey_expand(struct pf_survey_paths *paths, const char *path, struct pf_err *err)
{
	struct stat st;
	*paths = (struct pf_survey_paths){ 0 };
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_folder(paths, path, err);
	if (!pf_source_folio.accepts(path)) {
		int rc = add(paths, strdup(path));
		return rc < 0 ? pf_err_set(err, rc, "%s: no memory", path) : 0;
	}
	struct pf_buf text = { 0 };
	int rc = pf_io_read_file(AT_FDCWD, path, PF_FOLIO_MAX, &text, err);
	if (rc == 0)
		rc = add_folio(paths, path, pf_buf_text(&text), err);
	pf_buf_done(&text);
	return rc;
}

void pf_survey_paths_done(struct pf_survey_paths *paths)
{
	for (unsigned i = 0; i < paths->n; i++)
		free(paths->paths[i]);
	free(paths->paths);
	*paths = (struct pf_survey_paths){ 0 };
}
