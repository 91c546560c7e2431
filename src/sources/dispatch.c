/* sources/dispatch.c - first word of a line to group row. */
#include "sources/dispatch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "import/import.h"
#include "model/select.h"

/* Words differ at their ends; the middle of long ones adds nothing. */
static unsigned hash_of(struct pf_view word)
{
	uint64_t a = 0;
	uint64_t b = 0;
	size_t n = word.n < 8 ? word.n : 8;
	memcpy(&a, word.p, n);
	memcpy(&b, word.p + word.n - n, n);
	uint64_t h = (a ^ (b << 23 | b >> 41) ^ word.n) * UINT64_C(0x9e3779b97f4a7c15);
	return (unsigned)(h >> 40);
}

/* "word" exactly, or "pre*" as a prefix. */
static bool matches(struct pf_view word, const char *pattern)
{
	size_t n = strlen(pattern);
	if (n > 0 && pattern[n - 1] == '*')
		return word.n >= n - 1 && memcmp(word.p, pattern, n - 1) == 0;
	return word.n == n && memcmp(word.p, pattern, n) == 0;
}

bool pf_row_is_pattern(const struct pf_row *row)
{
	return strchr(row->path, '*') != NULL;
}

/* Has it a tag in which wildcards stand for the folder? */
static bool tag_has_parts(const struct pf_row *row)
{
	return pf_row_is_pattern(row) && row->tag && row->tag[strcspn(row->tag, "*#")] != '\0';
}

static bool row_wants(const struct pf_row *row, struct pf_view word)
{
	if (row->tag && row->tag[0] != '\0')
		return !tag_has_parts(row) && matches(word, row->tag);
	for (unsigned i = 0; row->words && row->words[i]; i++) {
		if (matches(word, row->words[i]))
			return true;
	}
	return false;
}

static struct pf_word search(const struct pf_dispatch *d, struct pf_view word)
{
	struct pf_word found = { .target = -1 };
	for (unsigned i = 0; i < d->n_targets && found.target < 0; i++) {
		if (row_wants(d->targets[i].row, word))
			found.target = (int16_t)i;
	}
	found.module = d->import && pf_import_wants(d->import, word);
	return found;
}

struct pf_word pf_dispatch_find(struct pf_dispatch *d, struct pf_view word)
{
	if (word.n == 0 || word.n > PF_WORD_MAX)
		return search(d, word);
	unsigned at = hash_of(word) % PF_WORDS_SLOTS;
	while (d->words[at].n != 0) {
		const struct pf_word *w = &d->words[at];
		if (w->n == word.n && memcmp(w->text, word.p, word.n) == 0)
			return *w;
		at = (at + 1) % PF_WORDS_SLOTS;
	}
	struct pf_word found = search(d, word);
	if (d->n_words < PF_WORDS_MAX) {
		found.n = (uint8_t)word.n;
		memcpy(found.text, word.p, word.n);
		d->words[at] = found;
		d->n_words++;
	}
	return found;
}

/* "stat 1 (sh) ..." is of the kind "stat", and then it is cut off. */
static bool is_kind(const char *kind, struct pf_view *data)
{
	size_t n = strlen(kind);
	if (!pf_view_starts(*data, kind) || (data->n > n && data->p[n] != ' '))
		return false;
	size_t cut = data->n > n ? n + 1 : n;
	*data = (struct pf_view){ data->p + cut, data->n - cut };
	return true;
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undo "\\xHH"; what has none stays where it is. */
static struct pf_view unescaped(char room[PF_PART_MAX], struct pf_view part)
{
	if (!memchr(part.p, '\\', part.n) || part.n > PF_PART_MAX * 4)
		return part;
	size_t n = 0;
	for (size_t i = 0; i < part.n && n < PF_PART_MAX; i++) {
		int high = i + 3 < part.n && part.p[i] == '\\' && part.p[i + 1] == 'x' ? hex_of(part.p[i + 2]) : -1;
		int low = high >= 0 ? hex_of(part.p[i + 3]) : -1;
		room[n++] = (char)(low >= 0 ? high << 4 | low : part.p[i]);
		i += low >= 0 ? 3 : 0;
	}
	return (struct pf_view){ room, n };
}

/* What the wildcards of a tag stand for in @word. */
struct parts {
	struct pf_view text[PF_PARTS_MAX];
	uint64_t number[PF_PARTS_MAX];
	unsigned n;
};

static bool take_parts(const char *tag, struct pf_view word, struct parts *ret)
{
	size_t at = 0;
	ret->n = 0;
	for (const char *c = tag; *c != '\0'; c++) {
		if (*c != '*' && *c != '#') {
			if (at >= word.n || word.p[at++] != *c)
				return false;
			continue;
		}
		const char *end = c[1] != '\0' ? memchr(word.p + at, c[1], word.n - at) : word.p + word.n;
		struct pf_view part = { word.p + at, end ? (size_t)(end - word.p) - at : 0 };
		if (part.n == 0 || ret->n == PF_PARTS_MAX)
			return false;
		uint64_t v = UINT64_MAX;
		if ((pf_view_u64(part, &v) < 0 || v > INT32_MAX) && *c == '#')
			return false;
		ret->text[ret->n] = part;
		ret->number[ret->n++] = v > INT32_MAX ? 0 : v;
		at += part.n;
	}
	return at == word.n;
}

/* "/" is the first level, "/a/b" is on the third; what is no path is on none. */
static unsigned levels(struct pf_view path)
{
	unsigned n = path.n > 1;
	for (size_t i = 0; i < path.n; i++)
		n += path.p[i] == '/';
	return path.n > 0 && path.p[0] == '/' ? n : 0;
}

/* The row of the tag at target @t whose kind the data has. */
static struct pf_target *of_kind(struct pf_dispatch *d, unsigned t, struct pf_view *data)
{
	const char *tag = d->targets[t].row->tag;
	struct pf_target *found = NULL;
	for (; t < d->n_targets && d->targets[t].row->tag && strcmp(d->targets[t].row->tag, tag) == 0; t++) {
		const char *kind = d->targets[t].row->kind;
		if (!kind || kind[0] == '\0')
			found = &d->targets[t];
		else if (is_kind(kind, data))
			return &d->targets[t];
	}
	return found;
}

struct pf_target *pf_dispatch_pattern(struct pf_dispatch *d, struct pf_view word, struct pf_view *data)
{
	for (unsigned i = 0; i < d->n_patterns; i++) {
		unsigned t = d->patterns[i].target;
		unsigned lead = d->patterns[i].lead;
		struct parts parts;
		const struct pf_row *row = d->targets[t].row;
		if (word.n <= lead || memcmp(word.p, row->tag, lead) != 0 || !take_parts(row->tag, word, &parts))
			continue;
		if (strstr(row->path, "[0-9]*") && parts.number[parts.n - 1] == 0 &&
		    !pf_view_is(parts.text[parts.n - 1], "0"))
			continue;
		struct pf_target *found = of_kind(d, t, data);
		if (!found || (d->tree_depth > 0 && levels(parts.text[0]) > d->tree_depth))
			return NULL;
		found->b.owner = (int32_t)parts.number[parts.n - 1];
		found->b.ordinal = (uint32_t)parts.number[0];
		for (unsigned k = 0; k < parts.n; k++)
			found->b.parts[k] = unescaped(d->parts[k], parts.text[k]);
		return found;
	}
	return NULL;
}

void pf_dispatch_env(struct pf_dispatch *d, const struct pf_env_options *env)
{
	for (unsigned i = 0; i < d->n_targets; i++)
		d->targets[i].b.env = env;
}

void pf_dispatch_begin(struct pf_dispatch *d, struct pf_sample *sample)
{
	for (unsigned i = 0; i < d->n_targets; i++) {
		d->targets[i].b.sample = sample;
		d->targets[i].b.line_hint = 0;
	}
}

int pf_dispatch_end(struct pf_dispatch *d, uint64_t *lost)
{
	int rc = 0;
	for (unsigned i = 0; i < d->n_targets; i++) {
		if (i == 0 || d->targets[i].group != d->targets[i - 1].group)
			pf_select_sums(d->targets[i].group, &d->targets[i].b);
	}
	for (unsigned i = 0; i < d->n_targets; i++) {
		struct pf_builder *b = &d->targets[i].b;
		*lost += b->failed;
		b->failed = 0;
		if (b->oom < 0)
			rc = -ENOMEM;
	}
	return rc;
}

/* Which metrics are sums of which, so that their rates are sums of rates. */
static void note_sums(struct pf_catalog *cat, const struct pf_group *group, unsigned base)
{
	for (unsigned i = 0; i < group->n_sums; i++) {
		for (unsigned k = 0; k < group->sums[i].n && pf_select_makes(cat, group, &group->sums[i]); k++)
			cat->metric_sums[base + group->sums[i].all + k] = base + group->sums[i].each + k;
	}
}

/* The first row of each tag that has wildcards in it. */
static void note_pattern(struct pf_dispatch *d, unsigned t)
{
	const struct pf_row *row = d->targets[t].row;
	bool first =
		t == 0 || !d->targets[t - 1].row->tag || !row->tag || strcmp(d->targets[t - 1].row->tag, row->tag) != 0;
	if (tag_has_parts(row) && first && d->n_patterns < PF_PATTERNS_MAX)
		d->patterns[d->n_patterns++] = (struct pf_tag_pattern){ t, (unsigned)strcspn(row->tag, "*#") };
}

int pf_dispatch_new(struct pf_dispatch **ret_dispatch, const struct pf_group *const *groups, struct pf_catalog *cat,
		    const struct pf_import *import, int page_size, struct pf_err *err)
{
	unsigned n = 0;
	for (unsigned g = 0; groups[g]; g++)
		n += groups[g]->n_rows;

	struct pf_dispatch *d = calloc(1, sizeof(*d));
	if (!d)
		return pf_err_set(err, -ENOMEM, "no memory");
	d->import = import;
	d->targets = calloc(n ? n : 1, sizeof(*d->targets));
	if (!d->targets) {
		(void)pf_dispatch_free(d);
		return pf_err_set(err, -ENOMEM, "no memory");
	}
	for (unsigned g = 0; groups[g]; g++) {
		unsigned base;
		int rc = pf_group_base(cat, groups[g], &base, err);
		if (rc < 0) {
			(void)pf_dispatch_free(d);
			return pf_err_context(err, rc, "group %s", groups[g]->name);
		}
		note_sums(cat, groups[g], base);
		for (unsigned i = 0; i < groups[g]->n_rows; i++)
			d->targets[d->n_targets++] = (struct pf_target){
				.group = groups[g],
				.row = &groups[g]->rows[i],
				.b = { .catalog = cat, .base = base, .page_size = page_size },
			};
		for (unsigned t = d->n_targets - groups[g]->n_rows; t < d->n_targets; t++)
			note_pattern(d, t);
	}
	*ret_dispatch = d;
	return 0;
}

struct pf_dispatch *pf_dispatch_free(struct pf_dispatch *d)
{
	if (d)
		free(d->targets);
	free(d);
	return NULL;
}
