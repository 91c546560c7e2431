/* engine/verify_folio.c - folios, folders and lists: the recordings that they stand for. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/stop.h"
#include "engine/verify.h"
#include "formats/pcp/folio.h"
#include "formats/pcp/names.h"
#include "sources/list.h"

/* As for whoever replays it: what is unusable is a loss, as long as there is something else. */
static void member(const char *path, const struct pf_verify *v, struct pf_verify_summary *s)
{
	enum pf_verdict verdict = pf_verify_file(path, v);
	s->members++;
	s->unusable += verdict == PF_VERDICT_UNUSABLE;
	if (verdict == PF_VERDICT_UNUSABLE && v->seal)
		verdict = PF_VERDICT_LOSS;
	else if (verdict > PF_VERDICT_COMPLETE && !v->seal)
		verdict = PF_VERDICT_DAMAGED;
	if (verdict > s->verdict)
		s->verdict = verdict;
}

/* Nothing of it can be read. */
static void sum_up(struct pf_verify_summary *s)
{
	if (s->members > 0 && s->unusable == s->members && s->verdict < PF_VERDICT_UNUSABLE)
		s->verdict = PF_VERDICT_UNUSABLE;
}

/* @base as a folio at @path means it. */
static char *path_beside(const char *path, struct pf_view base)
{
	const char *slash = strrchr(path, '/');
	int folder = slash && base.n > 0 && base.p[0] != '/' ? (int)(slash - path) + 1 : 0;
	char *full;
	return asprintf(&full, "%.*s%.*s", folder, path, (int)base.n, base.p) < 0 ? NULL : full;
}

static int check_entry(const char *path, const struct pf_folio *folio, const struct pf_folio_entry *e,
		       const struct pf_verify *v, const struct pf_findings *to, struct pf_verify_summary *s)
{
	pf_autofree char *archive = path_beside(path, e->base);
	if (!archive)
		return -ENOMEM;
	if (!pf_source_pcparchive.accepts(archive)) {
		struct pf_finding f = { .grade = PF_GRADE_ERROR,
					.rule = "missing",
					.file = path,
					.record = folio->line,
					.byte = PF_FINDING_NOWHERE };
		pf_finding_tell(to, f, "the archive %s of host %.*s is not there", archive, (int)e->host.n, e->host.p);
		s->members++;
		s->unusable++;
	} else if (!v->listed) {
		member(archive, v, s);
	}
	return 0;
}

static int check_folio(const char *path, const struct pf_verify *v, const struct pf_findings *to,
		       struct pf_verify_summary *s, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	struct pf_folio folio;
	struct pf_folio_entry e;
	struct pf_err why = { 0 };
	int rc = pf_io_read_file(AT_FDCWD, path, PF_FOLIO_MAX, &text, err);
	if (rc == 0) {
		s->bytes = text.n;
		rc = pf_folio_parse(pf_buf_text(&text), &folio, err);
	}
	while (rc == 0 && !(v->stop && pf_stop_check(v->stop))) {
		int got = pf_folio_next(&folio, &e, &why);
		if (got == 0)
			break;
		s->records++;
		if (got == 1) {
			rc = check_entry(path, &folio, &e, v, to, s);
			continue;
		}
		struct pf_finding f = { .grade = PF_GRADE_ERROR,
					.rule = "line",
					.file = path,
					.record = folio.line,
					.byte = PF_FINDING_NOWHERE };
		pf_finding_tell(to, f, "%s", why.text);
	}
	pf_buf_done(&text);
	if (rc == 0 && s->records == 0)
		return pf_err_set(err, -ENODATA, "the folio names no archive");
	if (!v->listed)
		sum_up(s);
	return rc < 0 ? pf_err_context(err, rc, "%s", path) : 0;
}

static bool is_folio(const char *path)
{
	return pf_source_folio.accepts(path);
}

const struct pf_verifier pf_verifier_folio = {
	.name = "folio",
	.title = "folio",
	.accepts = is_folio,
	.check = check_folio,
};

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* One name stands for an archive: its .meta, or whatever comes first of what is left of it. */
static bool stands_for_archive(const char *path, const char *before)
{
	pf_autofree char *base = pf_pcp_names_base(path);
	if (!base)
		return true;
	const char *rest = path + strlen(base);
	if (pf_pcp_names_is_there(base, "meta"))
		return strncmp(rest, ".meta", 5) == 0;
	pf_autofree char *other = before ? pf_pcp_names_base(before) : NULL;
	return !other || strcmp(base, other) != 0;
}

/* Text beside recordings is not taken for a damaged document unless its name says that it is one. */
static bool has_name_of_document(const char *path)
{
	static const char *const ends[] = { ".json", ".jsonl", ".xml", ".csv" };
	const char *dot = strrchr(path, '.');
	for (unsigned i = 0; dot && i < PF_N(ends); i++) {
		if (strcmp(dot, ends[i]) == 0)
			return true;
	}
	return false;
}

/* What sealing keeps of a damaged file: NAME.orig-N. */
static bool is_kept(const char *path)
{
	const char *at = strrchr(path, '.');
	return at && strncmp(at, ".orig-", 6) == 0 && at[6] != '\0' && strspn(at + 6, "0123456789") == strlen(at + 6);
}

static bool is_recording(const char *path, const char *before)
{
	if (is_kept(path))
		return false;
	const struct pf_verifier *kind = pf_verifier_of(path);
	if (!kind || kind == &pf_verifier_folder)
		return false;
	if (kind == &pf_verifier_archive)
		return stands_for_archive(path, before);
	return kind != &pf_verifier_document || has_name_of_document(path);
}

static int check_folder(const char *path, const struct pf_verify *v, const struct pf_findings *to,
			struct pf_verify_summary *s, struct pf_err *err)
{
	(void)to;
	struct dirent **names = NULL;
	struct pf_verify inner = *v;
	inner.listed = true;
	int n = scandir(path, &names, is_visible, alphasort);
	if (n < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	char *before = NULL;
	int rc = 0;
	for (int i = 0; i < n; i++) {
		char *full = NULL;
		const char *slash = path[0] != '\0' && path[strlen(path) - 1] == '/' ? "" : "/";
		if (rc == 0 && asprintf(&full, "%s%s%s", path, slash, names[i]->d_name) < 0) {
			full = NULL;
			rc = -ENOMEM;
		}
		free(names[i]);
		if (rc == 0 && !(v->stop && pf_stop_check(v->stop)) && is_recording(full, before))
			member(full, &inner, s);
		free(before);
		before = full;
	}
	free(before);
	free(names);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: no memory", path);
	sum_up(s);
	return s->members > 0 ? 0 : pf_err_set(err, -ENODATA, "there is no recording in this folder");
}

static bool is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const struct pf_verifier pf_verifier_folder = {
	.name = "folder",
	.title = "folder",
	.accepts = is_folder,
	.check = check_folder,
};

/* Each name between commas is verified as if it were named by itself. */
static int check_list(const char *path, const struct pf_verify *v, const struct pf_findings *to,
		      struct pf_verify_summary *s, struct pf_err *err)
{
	(void)to;
	pf_autofree char *text = strdup(path);
	if (!text)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	char *rest = text;
	for (char *word = strsep(&rest, ","); word && !(v->stop && pf_stop_check(v->stop)); word = strsep(&rest, ",")) {
		if (word[0] != '\0')
			member(word, v, s);
	}
	sum_up(s);
	return s->members > 0 ? 0 : pf_err_set(err, -ENOENT, "no name stands between the commas");
}

static bool is_list(const char *path)
{
	return pf_source_series.accepts(path);
}

const struct pf_verifier pf_verifier_list = {
	.name = "list",
	.title = "list of recordings",
	.accepts = is_list,
	.check = check_list,
};
