/* sources/procfilter.c - choosing processes by name, number, parent and user. */
#include "sources/procfilter.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/users.h"

enum { MAX_PARTS = 1024, FILE_LIMIT = 1 << 20, NAME_LIMIT = 64 };

/* @threads: what it chooses is read with its threads; @matches: the name must match @regex in place of having @text */
struct part {
	char letter;
	bool threads;
	bool matches;
	struct pf_view text;
	regex_t regex;
	uint64_t from, to;
};

/* @as_peer: as collectl takes lists; @self: this process, whose own arguments name what it looks for */
struct pf_process_filter {
	struct pf_buf list;
	struct part *parts;
	unsigned n;
	bool as_peer;
	int32_t self;
};

static int wrong(struct pf_err *err, struct pf_view part)
{
	return pf_err_set(err, -EINVAL, "invalid task selection in --procfilt: %.*s", (int)part.n, part.p);
}

static bool range(struct part *p, struct pf_view text)
{
	const char *dash = text.n ? memchr(text.p, '-', text.n) : NULL;
	struct pf_view from = { text.p, dash ? (size_t)(dash - text.p) : text.n };
	struct pf_view to = dash ? (struct pf_view){ dash + 1, (size_t)(text.p + text.n - dash - 1) } : from;
	return pf_view_u64(from, &p->from) == 0 && pf_view_u64(to, &p->to) == 0 && p->from <= p->to;
}

/* collectl takes names as expressions; most are words, which need none. */
static int compile(struct part *p, struct pf_err *err)
{
	bool plain = true;
	for (size_t i = 0; i < p->text.n && plain; i++)
		plain = !strchr(".[]()*+?{}|^$\\", p->text.p[i]);
	if (plain)
		return 0;
	struct pf_buf text = { 0 };
	pf_buf_str(&text, p->letter == 'C' ? "^" : "");
	pf_buf_add(&text, p->text.p, p->text.n);
	pf_buf_char(&text, '\0');
	int rc = text.failed ? REG_ESPACE : regcomp(&p->regex, pf_buf_text(&text).p, REG_EXTENDED | REG_NOSUB);
	pf_buf_done(&text);
	p->matches = rc == 0;
	return rc == 0 ? 0
		       : pf_err_set(err, -EINVAL, "--procfilt: '%.*s' is no regular expression", (int)p->text.n,
				    p->text.p);
}

static int add_part(struct pf_process_filter *f, struct pf_view text, struct pf_err *err)
{
	if (f->n == MAX_PARTS)
		return pf_err_set(err, -EINVAL, "more than %d parts in --procfilt", MAX_PARTS);
	struct part *p = &f->parts[f->n];
	bool threads = text.n > 1 && text.p[1] == '+';
	size_t cut = threads ? 2 : 1;
	*p = (struct part){ .letter = text.p[0], .threads = threads, .text = { text.p + cut, text.n - cut } };
	bool number = p->letter == 'p' || p->letter == 'P';
	bool no_range = number && f->as_peer && p->text.n > 0 && memchr(p->text.p, '-', p->text.n) != NULL;
	if (number &&
	    (no_range || !range(p, p->text))) /* collectl's words; it takes the '+' only behind the letter, too */
		return pf_err_set(err, -EINVAL, "pid %.*s not numeric in --procfilt", (int)p->text.n, p->text.p);
	if (!strchr("cCfpPuU", p->letter) || p->text.n == 0)
		return wrong(err, text);
	if (p->letter == 'u' && !range(p, p->text))
		return wrong(err, text);
	f->n++;
	return f->as_peer && (p->letter == 'c' || p->letter == 'C') ? compile(p, err) : 0;
}

static int take_apart(struct pf_process_filter *f, bool from_file, struct pf_err *err)
{
	struct pf_view rest = pf_buf_text(&f->list);
	int rc = 0;
	while (rc == 0 && rest.n > 0) {
		size_t n = 0;
		while (n < rest.n && rest.p[n] != ',' && rest.p[n] != '\n')
			n++;
		struct pf_view text = pf_view_trim((struct pf_view){ rest.p, n });
		rest = n < rest.n ? (struct pf_view){ rest.p + n + 1, rest.n - n - 1 } : (struct pf_view){ "", 0 };
		if (text.n > 0)
			rc = add_part(f, text, err);
		else if (f->as_peer && !from_file && rest.n > 0)
			rc = wrong(err, text);
	}
	return rc == 0 && f->n == 0 ? pf_err_set(err, -EINVAL, "--procfilt chooses nothing") : rc;
}

/* The number of the user of that name, by asking for each number of the list once. */
static int resolve_users(struct pf_process_filter *f, const struct pf_users *users, struct pf_err *err)
{
	for (unsigned i = 0; i < f->n; i++) {
		struct part *p = &f->parts[i];
		uint32_t uid;
		if (p->letter != 'U')
			continue;
		if (!users || pf_users_number(users, p->text, &uid) < 0)
			return pf_err_set(err, -EINVAL, "--procfilt: there is no user '%.*s'", (int)p->text.n,
					  p->text.p);
		*p = (struct part){ .letter = 'u', .threads = p->threads, .from = uid, .to = uid };
	}
	return 0;
}

int pf_procfilter_new(struct pf_process_filter **ret_filter, const char *list, bool as_peer,
		      const struct pf_users *users, struct pf_err *err)
{
	struct pf_process_filter *f = calloc(1, sizeof(*f));
	if (!f)
		return pf_err_set(err, -ENOMEM, "no memory for --procfilt");
	f->parts = calloc(MAX_PARTS, sizeof(*f->parts));
	f->as_peer = as_peer;
	f->self = (int32_t)getpid();
	int rc = f->parts ? 0 : pf_err_set(err, -ENOMEM, "no memory for --procfilt");
	bool from_file = rc == 0 && access(list, R_OK) == 0;
	if (from_file)
		rc = pf_io_read_file(AT_FDCWD, list, FILE_LIMIT, &f->list, err);
	else
		pf_buf_str(&f->list, list);
	if (rc == 0)
		rc = take_apart(f, from_file, err);
	if (rc == 0)
		rc = resolve_users(f, users, err);
	if (rc < 0) {
		(void)pf_procfilter_free(f);
		return rc;
	}
	*ret_filter = f;
	return 0;
}

struct pf_process_filter *pf_procfilter_free(struct pf_process_filter *filter)
{
	if (!filter)
		return NULL;
	pf_buf_done(&filter->list);
	for (unsigned i = 0; i < filter->n; i++) {
		if (filter->parts[i].matches)
			regfree(&filter->parts[i].regex);
	}
	free(filter->parts);
	free(filter);
	return NULL;
}

/* "12 (name) S 1 ...": the name, and the number of the parent. */
static struct pf_view name_of(struct pf_view stat, uint64_t *ret_parent)
{
	const char *open = stat.n ? memchr(stat.p, '(', stat.n) : NULL;
	const char *close = stat.n ? memrchr(stat.p, ')', stat.n) : NULL;
	*ret_parent = UINT64_MAX;
	if (!open || !close || close < open)
		return (struct pf_view){ "", 0 };
	struct pf_view rest = { close + 1, stat.n - (size_t)(close + 1 - stat.p) };
	(void)pf_view_skip(&rest, 1);
	(void)pf_view_next_u64(&rest, ret_parent); /* none: nobody's child */
	return (struct pf_view){ open + 1, (size_t)(close - open - 1) };
}

static uint64_t user_of(struct pf_view status)
{
	struct pf_view line;
	uint64_t uid = UINT64_MAX;
	while (pf_view_line(&status, &line) == 0) {
		if (!pf_view_starts(line, "Uid:"))
			continue;
		(void)pf_view_skip(&line, 1);
		(void)pf_view_next_u64(&line, &uid); /* none: nobody's */
		break;
	}
	return uid;
}

static bool has_part(struct pf_view text, struct pf_view part)
{
	return text.n > 0 && memmem(text.p, text.n, part.p, part.n) != NULL;
}

static bool name_matches(const struct part *p, struct pf_view name)
{
	char text[NAME_LIMIT + 1];
	(void)snprintf(text, sizeof(text), "%.*s", (int)(name.n < NAME_LIMIT ? name.n : NAME_LIMIT), name.p);
	return regexec(&p->regex, text, 0, NULL, 0) == 0;
}

static bool chooses(const struct part *p, struct pf_view name, struct pf_view cmdline, uint64_t number)
{
	if (p->matches)
		return name_matches(p, name);
	if (p->letter == 'c')
		return has_part(name, p->text);
	if (p->letter == 'C')
		return name.n >= p->text.n && memcmp(name.p, p->text.p, p->text.n) == 0;
	if (p->letter == 'f')
		return has_part(cmdline, p->text);
	return number >= p->from && number <= p->to;
}

enum pf_procfilter_choice pf_procfilter_keeps(const struct pf_process_filter *filter, int32_t pid, struct pf_view stat,
					      struct pf_view status, struct pf_view cmdline)
{
	uint64_t parent;
	struct pf_view name = name_of(stat, &parent);
	uint64_t uid = user_of(status);
	if (pid == filter->self)
		cmdline.n = 0;
	enum pf_procfilter_choice choice = PF_PROCFILTER_NONE;
	for (unsigned i = 0; i < filter->n && choice != PF_PROCFILTER_THREADS; i++) {
		if (choice != PF_PROCFILTER_NONE && filter->as_peer)
			break; /* the first that fits decides */
		const struct part *p = &filter->parts[i];
		uint64_t number = p->letter == 'p' ? (uint64_t)pid : p->letter == 'P' ? parent : uid;
		if (chooses(p, name, cmdline, number))
			choice = p->threads ? PF_PROCFILTER_THREADS : PF_PROCFILTER_PROCESS;
	}
	return choice;
}

bool pf_procfilter_threads(const struct pf_process_filter *filter)
{
	bool any = false;
	for (unsigned i = 0; i < filter->n; i++)
		any |= filter->parts[i].threads;
	return any;
}

/* The number stands behind the name, which may hold anything. */
bool pf_procfilter_has_threads(struct pf_view stat)
{
	enum { FIELD_THREADS = 18 };
	const char *end = stat.n ? memrchr(stat.p, ')', stat.n) : NULL;
	uint64_t n = 0;
	if (!end)
		return false;
	struct pf_view rest = { end + 1, stat.n - (size_t)(end + 1 - stat.p) };
	return pf_view_skip(&rest, FIELD_THREADS - 1) == FIELD_THREADS - 1 && pf_view_next_u64(&rest, &n) == 0 && n > 1;
}
