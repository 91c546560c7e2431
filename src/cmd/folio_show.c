/* cmd/folio_show.c - what a folio names, whether it is there, what removes it, and what is selected of it. Lines: as pmafm 6.0.3 prints them. */
#include "cmd/folio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/view.h"
#include "cmd/cmd.h"
#include "formats/pcp/names.h"
#include "record/recording.h"

static void print(const struct pf_buf *b)
{
	(void)fwrite(b->p ? b->p : "", 1, b->n, stdout);
}

/* Whatever a folio or a label holds is harmless on a terminal, and one line. */
static void put(struct pf_buf *b, const char *text)
{
	pf_escape_text(b, pf_view_of(text));
}

/* "Mon Nov 30 04:01:09.001382 2026", with as many digits as archives of that version have. */
static void put_time(struct pf_buf *b, int64_t time_ns, unsigned version)
{
	char day[32];
	struct tm tm = pf_time_local(time_ns);
	int64_t part = time_ns % PF_NS_PER_SEC;
	if (strftime(day, sizeof(day), "%a %b %e %T", &tm) == 0)
		return;
	pf_buf_fmt(b, "%s.%0*lld %d", day, version == 2 ? 6 : 9, (long long)(version == 2 ? part / 1000 : part),
		   tm.tm_year + 1900);
}

static void verbose(struct pf_folio_job *j, struct pf_buf *b, const struct pf_folio_member *m)
{
	struct pf_recording r;
	struct pf_err err = { 0 };
	int rc = pf_recording_look(&r, m->path, &err);
	if (rc == 0 && j->peer)
		rc = pf_recording_opens(m->path, &r.label, &err);
	if (rc < 0) {
		print(b);
		pf_buf_clear(b);
		(void)fflush(stdout);
		if (j->peer)
			(void)fprintf(stderr, "pmafm: Cannot open archive \"%s\": %s\n", m->path, err.text);
		else
			pf_folio_wrong(j, PF_EXIT_LOSS, "%s", err.text);
		return;
	}
	pf_buf_fmt(b, "\tLog Label (Log Format Version %u)\n\tPerformance metrics from host ", r.label.version);
	put(b, r.label.host);
	pf_buf_str(b, "\n\t    commencing ");
	put_time(b, r.label.start_ns, r.label.version);
	pf_buf_str(b, "\n\t    ending     ");
	put_time(b, r.until_ns > 0 ? r.until_ns : r.label.start_ns, r.label.version);
	pf_buf_char(b, '\n');
}

static void put_selections(struct pf_buf *b, const struct pf_folio_file *f)
{
	for (unsigned i = 0; i < f->n_hosts; i++) {
		pf_buf_str(b, i == 0 ? "Host Selections: " : " ");
		put(b, f->hosts[i]);
	}
	pf_buf_str(b, f->n_hosts > 0 ? "\n" : "");
	for (unsigned i = 0; i < f->n_archives; i++) {
		pf_buf_str(b, i == 0 ? "Archive Selections: " : " ");
		put(b, f->members[f->archives[i]].base);
	}
	pf_buf_str(b, f->n_archives > 0 ? "\n" : "");
}

/* The words behind the command as they were typed, with single blanks. */
static char *joined(char **words)
{
	struct pf_buf b = { 0 };
	for (unsigned i = 0; words[i]; i++)
		pf_buf_fmt(&b, "%s%s", i > 0 ? " " : "", words[i]);
	char *text = pf_view_dup(pf_buf_text(&b));
	pf_buf_done(&b);
	return text;
}

void pf_folio_list(struct pf_folio_job *j, char **words)
{
	const struct pf_folio_file *f = &j->file;
	struct pf_buf b = { 0 };
	pf_autofree char *option = joined(words + 1);
	bool all = option && option[0] != '\0' && strncmp("verbose", option, strlen(option)) == 0;
	if (j->peer)
		j->status = 1; /* what the last test of its script gives */
	if (option && option[0] != '\0' && !all) {
		if (!j->peer) {
			pf_folio_wrong(j, PF_EXIT_USAGE, "list %s: list takes the word verbose, or nothing", option);
			return;
		}
		(void)printf("Illegal option \"%s\" ... ignored\n", option);
	}
	pf_buf_str(&b, "\nPCP Archive Folio: ");
	put(&b, f->name);
	if (f->folder) {
		pf_buf_str(&b, "\nFolio Directory: ");
		put(&b, f->folder);
	}
	pf_buf_char(&b, '\n');
	pf_escape_lines(&b, pf_buf_text(&f->head));
	pf_buf_str(&b, "\nOrdinal Hostname             Archive Basename\n");
	for (unsigned i = 0; i < f->n; i++) {
		pf_buf_fmt(&b, "  [%3u] ", i + 1);
		size_t from = b.n;
		put(&b, f->members[i].host);
		if (b.n - from < 20)
			pf_buf_pad(&b, ' ', 20 - (b.n - from));
		pf_buf_char(&b, ' ');
		put(&b, f->members[i].base);
		pf_buf_char(&b, '\n');
		if (all)
			verbose(j, &b, &f->members[i]);
	}
	put_selections(&b, f);
	print(&b);
	pf_buf_done(&b);
}

/* pmafm knows only files that are there and those that are not. Return: is it whole? */
static bool check_file(struct pf_folio_job *j, struct pf_buf *b, const struct pf_folio_member *m, const char *suffix,
		       struct pf_pcp_label *ret_label)
{
	struct pf_err err = { 0 };
	int rc = pf_recording_label(m->path, suffix, ret_label, &err);
	if (rc == 0)
		return true;
	if (j->peer) {
		pf_buf_str(b, "\tNo such file: ");
		put(b, m->path);
		pf_buf_fmt(b, ".%s\n", suffix);
	} else {
		pf_buf_char(b, '\t');
		put(b, err.text);
		pf_buf_char(b, '\n');
	}
	return false;
}

/* Names of this host that no label has: the label tells its own. */
static bool is_here(const char *host)
{
	static const char *const names[] = { "localhost", "self:", "local:" };
	for (unsigned i = 0; i < PF_N(names); i++) {
		if (strcmp(host, names[i]) == 0)
			return true;
	}
	return strncmp(host, "unix:", 5) == 0;
}

/* The volume that stands first: the oldest may have been removed, which only pmafm minds. */
static unsigned first_volume(const struct pf_folio_job *j, const char *base)
{
	unsigned *volumes = NULL;
	unsigned n = 0;
	if (j->peer)
		return 0;
	(void)pf_pcp_names_volumes(base, &volumes, &n, NULL);
	unsigned first = n > 0 ? volumes[0] : 0;
	free(volumes);
	return first;
}

/* Return: is it as it should be? */
static bool check_member(struct pf_folio_job *j, struct pf_buf *b, const struct pf_folio_member *m)
{
	struct pf_pcp_label label = { 0 };
	struct pf_pcp_label ignored;
	struct pf_buf errors = { 0 };
	char volume[16];
	(void)snprintf(volume, sizeof(volume), "%u", first_volume(j, m->path));
	bool whole = check_file(j, &errors, m, "index", &ignored);
	whole &= check_file(j, &errors, m, "meta", &label);
	whole &= check_file(j, &errors, m, volume, &ignored);
	bool self = strcmp(m->host, "self:") == 0; /* PCP has no such host */
	if (whole && !self && strcmp(m->host, label.host) != 0 && (j->peer || !is_here(m->host))) {
		whole = false;
		pf_buf_str(&errors, "\tHostname mismatch: folio=");
		put(&errors, m->host);
		pf_buf_str(&errors, " archive=");
		put(&errors, label.host);
		pf_buf_char(&errors, '\n');
	}
	pf_buf_str(b, "Archive: ");
	put(b, m->path);
	pf_buf_fmt(b, " ... %s\n", whole ? "OK" : "Errors");
	pf_buf_view(b, pf_buf_text(&errors));
	pf_buf_done(&errors);
	return whole;
}

void pf_folio_check(struct pf_folio_job *j, char **words)
{
	(void)words;
	unsigned good = 0;
	for (unsigned i = 0; i < j->file.n; i++) {
		struct pf_buf b = { 0 };
		good += check_member(j, &b, &j->file.members[i]);
		print(&b);
		pf_buf_done(&b);
	}
	if (j->peer)
		return;
	if (j->file.n == 0)
		pf_folio_wrong(j, PF_EXIT_UNUSABLE, "%s: the folio names no archive", j->file.path);
	else if (good == 0)
		j->status = PF_EXIT_UNUSABLE;
	else if (good < j->file.n || j->file.n_broken > 0)
		j->status = PF_EXIT_LOSS;
}

void pf_folio_selections(struct pf_folio_job *j, char **words)
{
	(void)words;
	bool all;
	pf_autofree const struct pf_folio_member **list = pf_folio_selected(j, &all);
	struct pf_buf b = { 0 };
	for (unsigned i = 0; list && list[i]; i++) {
		pf_buf_str(&b, "Archive: ");
		put(&b, list[i]->path);
		pf_buf_char(&b, '\n');
	}
	print(&b);
	pf_buf_done(&b);
}

/* Words behind the command, parted by commas, too, each given to @choose. */
static void choose(struct pf_folio_job *j, char **words, const char *what,
		   int (*choose_one)(struct pf_folio_file *f, const char *word))
{
	for (unsigned i = 1; words[i]; i++) {
		char *rest = words[i];
		for (char *word = strsep(&rest, ", \t"); word; word = strsep(&rest, ", \t")) {
			if (word[0] == '\0' || choose_one(&j->file, word) == 0)
				continue;
			if (j->peer)
				(void)printf("Warning: %s \"%s\" not in folio ... ignored\n", what, word);
			else
				pf_folio_wrong(j, PF_EXIT_USAGE, "%s %s: %s does not have it, ignoring it", what, word,
					       j->file.path);
		}
	}
}

void pf_folio_archives(struct pf_folio_job *j, char **words)
{
	pf_folio_choose_all_archives(&j->file);
	choose(j, words, "archive", pf_folio_choose_archive);
}

void pf_folio_hosts(struct pf_folio_job *j, char **words)
{
	pf_folio_choose_all_hosts(&j->file);
	choose(j, words, "host", pf_folio_choose_host);
}

/* A word of a shell command. What needs no quotes gets none. */
static void put_quoted(struct pf_buf *b, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+=,-";
	if (word[0] == '-')
		pf_buf_str(b, "./"); /* no switch of rm(1) */
	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		pf_buf_str(b, word);
		return;
	}
	pf_buf_char(b, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			pf_buf_str(b, "'\\''");
		else
			pf_buf_char(b, *p);
	}
	pf_buf_char(b, '\'');
}

/* One file, as the folio names it, if it is there. pmafm leaves a blank for one that is not. */
static void put_file(struct pf_folio_job *j, struct pf_buf *b, const char *name)
{
	pf_autofree char *path = pf_folio_beside(&j->file, name);
	bool there = path && access(path, F_OK) == 0;
	if (there || j->peer)
		pf_buf_char(b, ' ');
	if (there)
		put_quoted(b, name);
}

/* BASE.SUFFIX as it is packed. */
static void put_packed(struct pf_folio_job *j, struct pf_buf *b, const struct pf_folio_member *m, const char *suffix)
{
	pf_autofree char *path = pf_pcp_names_path(m->path, suffix);
	if (path)
		put_file(j, b, path + strlen(m->path) - strlen(m->base));
}

static void put_member(struct pf_folio_job *j, struct pf_buf *b, const struct pf_folio_member *m)
{
	static const char *const beside[] = { "log", "config", "meta", "index" };
	unsigned *volumes = NULL;
	unsigned n = 0;
	for (unsigned i = 0; i < PF_N(beside); i++)
		put_packed(j, b, m, beside[i]);
	(void)pf_pcp_names_volumes(m->path, &volumes, &n, NULL); /* then there are none */
	for (unsigned i = 0; i < n; i++) {
		char suffix[16];
		(void)snprintf(suffix, sizeof(suffix), "%u", volumes[i]);
		put_packed(j, b, m, suffix);
	}
	free(volumes);
}

void pf_folio_remove(struct pf_folio_job *j, char **words)
{
	(void)words;
	const struct pf_folio_file *f = &j->file;
	struct pf_buf b = { 0 };
	if (f->folder) {
		pf_buf_str(&b, "( cd ");
		put_quoted(&b, f->folder);
		pf_buf_str(&b, "; ");
	}
	pf_buf_str(&b, "rm -f ");
	put_quoted(&b, f->name);
	if (f->replay) {
		pf_buf_char(&b, ' ');
		put_quoted(&b, f->replay);
	}
	for (unsigned i = 0; i < f->n; i++)
		put_member(j, &b, &f->members[i]);
	pf_buf_str(&b, f->folder ? " )\n" : "\n");
	print(&b);
	pf_buf_done(&b);
}
