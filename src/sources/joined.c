/* sources/joined.c - recordings one after the other, as told in joined.h. All are opened at first, for their metrics and beginnings; of many,
 * most are closed again until it is their turn. */
#include "sources/joined.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "formats/pcp/names.h"
#include "model/group.h"
#include "sources/list.h"

enum { LETTERS = 64, KEPT_OPEN = 32 };

/* @source: NULL while it is closed. @host: as it tells itself. @other: it is of a host that is not shown. */
struct part {
	struct pf_joined_entry entry;
	struct pf_source *source;
	char *host;
	int64_t start_ns;
	bool other;
};

/**
 * struct joined_source - @parts by their beginnings; strings of @info are of the first one, which stays open.
 * @groups: our copy of those in @spec
 * @entered: the current part was looked at; @fresh: nothing of it was read
 * @again: a part is opened again, so that what there is to tell of it was told. @notice: what all parts tell, and goes on to that in @spec if it is new
 * @given_ns: time of the last sample of the parts before; @last_ns: of this one, too
 * @end_ns: last marker of the part before, if it was a raw file: the next one that begins with it goes on without a gap
 */
struct joined_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_source_spec spec;
	const struct pf_group **groups;
	struct pf_catalog *catalog;
	struct part *parts;
	unsigned n_parts;
	unsigned current;
	bool entered;
	bool fresh;
	bool overlap_told;
	bool again;
	struct pf_notice notice;
	int64_t skip_ns;
	int64_t given_ns;
	int64_t last_ns;
	int64_t end_ns;
	char letters[LETTERS];
	struct pf_joined_list list;
	unsigned told; /* entries whose sentences were told */
};

static int no_memory(struct pf_err *err, const struct joined_source *s)
{
	return pf_err_set(err, -ENOMEM, "%s: no memory", s->spec.path);
}

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	const struct joined_source *s = arg;
	if (!s->again && s->spec.notice && s->spec.notice->tell)
		s->spec.notice->tell(s->spec.notice->arg, severity, text);
}

static int open_part(struct joined_source *s, struct part *part, struct pf_err *err)
{
	struct pf_source_spec one = s->spec;
	one.path = part->entry.path;
	one.more = NULL;
	one.host = NULL; /* was chosen by what the list says, too */
	one.groups = s->groups;
	one.notice = &s->notice;
	if (part->entry.kind)
		return part->entry.kind->open(&part->source, &one, s->catalog, err);
	return pf_source_open(&part->source, &one, s->catalog, err);
}

static void close_part(struct part *part)
{
	if (part->source)
		part->source = part->source->kind->close(part->source);
}

/* It is the current one's turn. Return: 1 it is read, 0 it ends before what is wanted, negative errno. */
static int enter(struct joined_source *s, struct pf_err *err)
{
	struct part *part = &s->parts[s->current];
	if (s->entered)
		return 1;
	if (!part->source) {
		s->again = true;
		int rc = open_part(s, part, err);
		s->again = false;
		if (rc < 0)
			return rc;
	}
	s->entered = s->fresh = true;
	s->overlap_told = false;
	const struct pf_source_kind *kind = part->source->kind;
	bool last = s->current + 1 == s->n_parts;
	if (s->skip_ns == INT64_MIN)
		return 1;
	if (!last && kind->ends_before && kind->ends_before(part->source, s->skip_ns))
		return 0;
	if (kind->skip && !s->spec.each_record) /* what is recorded rarely may be far before */
		kind->skip(part->source, s->skip_ns);
	return 1;
}

/* Nothing more of the current part. */
static void leave(struct joined_source *s)
{
	struct part *part = &s->parts[s->current];
	s->given_ns = s->last_ns;
	s->end_ns = part->source && s->info.is_raw ? s->info.end_ns : 0;
	if (s->current > 0)
		close_part(part);
	s->current++;
	s->entered = false;
}

/* A sample was read. Return: 1 it is given, 0 it was given before. */
static int take(struct joined_source *s, struct pf_frames *frames)
{
	int64_t time_ns = pf_frames_step(frames).cur->time_ns;
	bool goes_on = s->end_ns != 0 && time_ns == s->end_ns;
	if (s->fresh && !goes_on)
		pf_frames_part(frames);
	s->fresh = false;
	if (s->current > 0 && s->given_ns != INT64_MIN && time_ns <= s->given_ns) {
		if (!s->overlap_told)
			pf_notice(s->spec.notice, PF_INFO,
				  "%s begins before the one that is played before it ends; it goes on behind that",
				  s->parts[s->current].entry.path);
		s->overlap_told = true;
		return 0;
	}
	if (time_ns > s->last_ns)
		s->last_ns = time_ns;
	return 1;
}

int pf_joined_next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct joined_source *s = (struct joined_source *)source;
	while (s->told < s->list.n) {
		const char *why = s->list.entries[s->told++].why;
		if (why)
			return pf_err_set(err, -EBADMSG, "%s", why);
	}
	while (s->current < s->n_parts) {
		struct pf_err why = { 0 };
		int rc = enter(s, &why);
		if (rc < 0) {
			leave(s);
			return pf_err_set(err, rc == -ENOMEM ? rc : -EBADMSG, "%s", why.text);
		}
		struct pf_source *part = s->parts[s->current].source;
		rc = rc == 0 ? -ENODATA : part->kind->next(part, frames, err);
		s->info.end_ns = part->kind->info(part)->end_ns;
		if (rc == 1)
			return take(s, frames);
		if (rc != -ENODATA)
			return rc;
		leave(s);
	}
	return -ENODATA;
}

int pf_joined_untold(struct pf_source *source, struct pf_err *err)
{
	const struct joined_source *s = (const struct joined_source *)source;
	struct pf_source *part = s->current < s->n_parts && s->entered ? s->parts[s->current].source : NULL;
	return part ? pf_source_untold(part, err) : 0;
}

void pf_joined_skip(struct pf_source *source, int64_t before_ns)
{
	((struct joined_source *)source)->skip_ns = before_ns;
}

int64_t pf_joined_begins(struct pf_source *source)
{
	return ((struct joined_source *)source)->parts[0].start_ns;
}

const struct pf_source_info *pf_joined_info(struct pf_source *source)
{
	return &((struct joined_source *)source)->info;
}

int pf_joined_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* files never make one wait */
}

struct pf_source *pf_joined_close(struct pf_source *source)
{
	struct joined_source *s = (struct joined_source *)source;
	if (!s)
		return NULL;
	for (unsigned i = 0; i < s->n_parts; i++) {
		close_part(&s->parts[i]);
		free(s->parts[i].host);
	}
	pf_joined_done(&s->list);
	free(s->parts);
	free(s->groups);
	free(s);
	return NULL;
}

/* The host that counts: a folio's word is that of the session that made it. */
static const char *host_of(const struct part *part)
{
	return part->entry.host ? part->entry.host : part->host;
}

static bool is_of(const struct part *part, const char *host)
{
	return strcmp(part->host, host) == 0 || (part->entry.host && strcmp(part->entry.host, host) == 0);
}

/* Hosts that are not shown, each named once. */
struct others {
	struct pf_buf names;
	unsigned n;
};

static void add_other(struct others *o, const char *host)
{
	pf_buf_fmt(&o->names, "%s%s", o->n > 0 ? ", " : "", host);
	o->n++;
}

static void tell_others(const struct joined_source *s, const char *shown, struct others *o)
{
	if (o->n > 0 && !o->names.failed)
		pf_notice(s->spec.notice, PF_WARNING,
			  o->n == 1 ? "%s: showing host %s; --host %.*s shows the other one"
				    : "%s: showing host %s; --host shows another one: %.*s",
			  s->spec.path, shown, (int)o->names.n, o->names.p);
	pf_buf_done(&o->names);
}

/* Each host that is not shown is named once. */
static bool is_new(const struct joined_source *s, unsigned at)
{
	for (unsigned i = 0; i < at; i++) {
		if (s->parts[i].other && is_of(&s->parts[i], host_of(&s->parts[at])))
			return false;
	}
	return true;
}

/* Keep those of the wanted host, or of the first one. */
static int choose_host(struct joined_source *s, struct pf_err *err)
{
	const char *shown = s->spec.host ? s->spec.host : host_of(&s->parts[0]);
	struct others others = { 0 };
	unsigned kept = 0;
	for (unsigned i = 0; i < s->n_parts; i++) {
		s->parts[i].other = !is_of(&s->parts[i], shown) &&
				    (s->spec.host || strcmp(s->parts[i].host, s->parts[0].host) != 0);
		kept += !s->parts[i].other;
		if (s->parts[i].other && !s->spec.host && is_new(s, i))
			add_other(&others, host_of(&s->parts[i]));
	}
	tell_others(s, shown, &others);
	if (kept == 0)
		return pf_err_set(err, -ENODATA, "%s: nothing in it is of host %s; it has host %s", s->spec.path, shown,
				  host_of(&s->parts[0]));
	unsigned n = 0;
	for (unsigned i = 0; i < s->n_parts; i++) {
		if (s->parts[i].other) {
			close_part(&s->parts[i]);
			free(s->parts[i].host);
		} else {
			s->parts[n++] = s->parts[i];
		}
	}
	s->n_parts = n;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct part *x = a;
	const struct part *y = b;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return strcmp(x->entry.path, y->entry.path);
}

static void add_letters(struct joined_source *s, const char *letters)
{
	for (size_t n = strlen(s->letters); letters && *letters != '\0' && n + 1 < LETTERS; letters++) {
		if (!strchr(s->letters, *letters))
			s->letters[n++] = *letters;
	}
}

/* What is known of all together; the first one stands for what they should have in common. */
static void sum_up(struct joined_source *s)
{
	const struct pf_source *first = s->parts[0].source;
	s->info = *first->kind->info(s->parts[0].source);
	s->info.n_files = 0;
	s->info.bytes = 0;
	for (unsigned i = 0; i < s->n_parts; i++) {
		struct part *part = &s->parts[i];
		const struct pf_source_info *info = part->source->kind->info(part->source);
		s->info.n_files += info->n_files;
		s->info.bytes += info->bytes;
		if (info->letters)
			add_letters(s, info->letters);
	}
	if (s->info.letters)
		s->info.letters = s->letters;
	for (unsigned i = KEPT_OPEN; i < s->n_parts; i++)
		close_part(&s->parts[i]);
}

/* Of many, those at the end of the list are opened again later; sum_up() wants all of them once. */
static int open_entry(struct joined_source *s, struct pf_joined_entry *entry, struct pf_err *err)
{
	struct part *part = &s->parts[s->n_parts];
	struct pf_err why = { 0 };
	if (!entry->path)
		return 0;
	*part = (struct part){ .entry = *entry };
	int rc = open_part(s, part, &why);
	if (rc == -ENOMEM)
		return no_memory(err, s);
	if (rc < 0 && s->spec.host && entry->host && strcmp(entry->host, s->spec.host) != 0)
		return 0; /* whose it is cannot be told, but it is said to be another one's */
	if (rc < 0) {
		entry->why = strdup(why.text);
		return entry->why ? 0 : no_memory(err, s);
	}
	s->n_parts++;
	const struct pf_source_info *info = part->source->kind->info(part->source);
	part->start_ns = part->source->kind->begins ? part->source->kind->begins(part->source) : info->start_ns;
	part->host = strdup(info->host ? info->host : "");
	if (!part->host)
		return no_memory(err, s);
	if (part->source->kind != s->parts[0].source->kind)
		return pf_err_set(err, -EINVAL, "%s: %s is a %s and %s is a %s; name those of one kind", s->spec.path,
				  s->parts[0].entry.path, s->parts[0].source->kind->title, entry->path,
				  part->source->kind->title);
	return 0;
}

/* None of them can be opened: the first sentence says why. */
static int tell_none(const struct joined_source *s, struct pf_err *err)
{
	for (unsigned i = 0; i < s->list.n; i++) {
		if (s->list.entries[i].why)
			return pf_err_set(err, -ENODATA, "%s", s->list.entries[i].why);
	}
	return pf_err_set(err, -ENODATA, "%s: nothing in it is of host %s", s->spec.path, s->spec.host);
}

/* Where the list tells hosts, what is of another one than the first is not even looked for; a host that has no archive is no choice. */
static void leave_out(struct joined_source *s)
{
	struct others others = { 0 };
	const char *shown = NULL;
	for (unsigned i = 0; i < s->list.n && !shown; i++)
		shown = s->list.entries[i].host;
	for (unsigned i = 0; shown && !s->spec.host && i < s->list.n; i++) {
		struct pf_joined_entry *e = &s->list.entries[i];
		if (!e->host || strcmp(e->host, shown) == 0)
			continue;
		unsigned before = 0;
		while (before < i &&
		       (!s->list.entries[before].host || strcmp(s->list.entries[before].host, e->host) != 0))
			before++;
		if (before == i && pf_pcp_names_is_there(e->path, "meta"))
			add_other(&others, e->host);
		free(e->path);
		e->path = NULL;
	}
	tell_others(s, shown, &others);
}

static int open_all(struct joined_source *s, struct pf_err *err)
{
	leave_out(s);
	s->parts = calloc(s->list.n, sizeof(*s->parts));
	if (!s->parts)
		return no_memory(err, s);
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < s->list.n; i++)
		rc = open_entry(s, &s->list.entries[i], err);
	if (rc < 0)
		return rc;
	if (s->n_parts == 0)
		return tell_none(s, err);
	rc = choose_host(s, err);
	if (rc < 0)
		return rc;
	qsort(s->parts, s->n_parts, sizeof(*s->parts), by_start);
	sum_up(s);
	return 0;
}

static int copy_groups(struct joined_source *s, struct pf_err *err)
{
	unsigned n = 0;
	while (s->spec.groups && s->spec.groups[n])
		n++;
	if (!s->spec.groups)
		return 0;
	s->groups = calloc(n + 1, sizeof(*s->groups));
	if (!s->groups)
		return no_memory(err, s);
	memcpy(s->groups, s->spec.groups, n * sizeof(*s->groups));
	return 0;
}

/* Several names, each of which may stand for several recordings itself. */
static int list_names(struct joined_source *s, const struct pf_source_kind *kind, struct pf_err *err)
{
	if (!s->spec.more)
		return kind->list(&s->list, s->spec.path, err);
	int rc = pf_joined_list_of(&s->list, s->spec.path, err);
	for (unsigned i = 0; rc == 0 && s->spec.more[i]; i++)
		rc = pf_joined_list_of(&s->list, s->spec.more[i], err);
	return rc;
}

int pf_joined_open(struct pf_source **ret_source, const struct pf_source_kind *kind, const struct pf_source_spec *spec,
		   struct pf_catalog *cat, struct pf_err *err)
{
	struct joined_source *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->base.kind = kind;
	s->notice = (struct pf_notice){ tell, s };
	s->spec = *spec;
	s->catalog = cat;
	s->skip_ns = s->given_ns = s->last_ns = INT64_MIN;
	int rc = copy_groups(s, err);
	if (rc == 0)
		rc = list_names(s, kind, err);
	if (rc == 0)
		rc = open_all(s, err);
	if (rc < 0) {
		(void)pf_joined_close(&s->base);
		return rc;
	}
	*ret_source = &s->base;
	return 0;
}
