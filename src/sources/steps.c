/* sources/steps.c - path patterns of rows to steps. */
#include "sources/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sources/source.h"

/* A pattern up to and with its first wildcard, and what is behind it. */
struct piece {
	struct pf_view from;
	struct pf_view prefix;
	enum pf_wild wild;
	const char *rest;
};

/* "sys/class/net/eth*" + "/speed": the first wildcard of @path, which has one. */
static struct piece first_piece(const char *path)
{
	static const char number[] = "[0-9]*";
	const char *at = path + strcspn(path, "*[");
	const char *slash = at;
	while (slash > path && slash[-1] != '/')
		slash--;
	struct piece p = {
		.from = { path, slash > path ? (size_t)(slash - path) - 1 : 0 },
		.prefix = { slash, (size_t)(at - slash) },
	};
	size_t n = 1;
	if (strncmp(at, number, sizeof(number) - 1) == 0) {
		p.wild = PF_WILD_NUMBER;
		n = sizeof(number) - 1;
	} else if (at[0] == '*' && at[1] == '*') {
		p.wild = PF_WILD_TREE;
		n = 2;
	} else {
		p.wild = PF_WILD_NAME;
	}
	p.rest = at + n;
	return p;
}

static bool is_same(const struct pf_path_step *s, const struct piece *p, const struct pf_row *row)
{
	return pf_view_is(p->from, s->from) && s->wild == p->wild && s->prefix.n == p->prefix.n &&
	       memcmp(s->prefix.p, p->prefix.p, p->prefix.n) == 0 && s->once == row->once;
}

static struct pf_path_step *add_step(struct pf_path_step **first, struct pf_path_step *up, const struct piece *p,
				     const struct pf_row *row)
{
	struct pf_path_step **link = up ? &up->below : first;
	for (; *link; link = &(*link)->beside) {
		if (is_same(*link, p, row))
			return *link;
	}
	struct pf_path_step *s = calloc(1, sizeof(*s));
	char *from = s ? pf_view_dup(p->from) : NULL;
	if (!from) {
		free(s);
		return NULL;
	}
	*s = (struct pf_path_step){
		.up = up,
		.slot = up ? up->n_below++ : 0,
		.level = up ? up->level + 1 : 0,
		.from = from,
		.prefix = p->prefix,
		.marker = row->marker,
		.instead = row->instead,
		.wild = p->wild,
		.n_below = p->wild == PF_WILD_TREE ? 1 : 0, /* itself */
		.once = row->once,
		.second = true,
		.optional = true,
		.processes = !up && p->wild == PF_WILD_NUMBER && strcmp(from, "proc") == 0,
	};
	*link = s;
	return s;
}

static int add_file(struct pf_path_step *s, struct pf_target *target, const char *name)
{
	struct pf_path_file *more = reallocarray(s->files, s->n_files + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->files = more;
	s->files[s->n_files++] = (struct pf_path_file){ .target = target, .name = name };
	return 0;
}

static int add_row(struct pf_path_step **first, struct pf_target *target)
{
	const char *path = target->row->path;
	struct pf_path_step *s = NULL;
	bool each = target->group->period != PF_SECOND_INTERVAL;
	while (strchr(path, '*')) {
		struct piece p = first_piece(path);
		if (p.rest[0] != '/' || (s && (s->wild == PF_WILD_TREE || s->level + 1 == PF_PARTS_MAX)))
			return -EINVAL;
		s = add_step(first, s, &p, target->row);
		if (!s)
			return -ENOMEM;
		s->second &= !each;
		s->optional &= target->row->optional;
		path = p.rest + 1;
	}
	return add_file(s, target, path);
}

static bool is_chosen(const struct pf_row *row, const struct pf_source_spec *spec)
{
	uint64_t variants = spec->lines.variants;
	bool threads = row->needs & PF_WITH_THREADS; /* only if asked for, however much else is read */
	if (!pf_row_is_pattern(row) || (threads && !spec->threads))
		return false;
	if (row->needs != 0 && !threads && variants != 0 && (variants & row->needs) == 0)
		return false;
	size_t n = strlen(row->path);
	return !spec->no_process_io || n < 3 || strcmp(row->path + n - 3, "/io") != 0;
}

int pf_steps_make(struct pf_path_step **ret_first, const struct pf_source_spec *spec, struct pf_dispatch *d,
		  struct pf_err *err)
{
	struct pf_path_step *first = NULL;
	for (unsigned t = 0; t < d->n_targets; t++) {
		const struct pf_row *row = d->targets[t].row;
		int rc = is_chosen(row, spec) ? add_row(&first, &d->targets[t]) : 0;
		if (rc < 0) {
			(void)pf_steps_free(first);
			return pf_err_set(err, rc, "/%s: %s", row->path, strerror(-rc));
		}
	}
	*ret_first = first;
	return 0;
}

struct pf_path_step *pf_steps_free(struct pf_path_step *first)
{
	while (first) {
		struct pf_path_step *s = first;
		first = s->beside;
		s->below = pf_steps_free(s->below);
		for (unsigned i = 0; i < s->n_files; i++)
			pf_buf_done(&s->files[i].text);
		free(s->files);
		free(s->from);
		free(s);
	}
	return NULL;
}

struct pf_view pf_path_step_text(const struct pf_path_step *step, const char *name)
{
	for (unsigned i = 0; i < step->n_files; i++) {
		if (step->files[i].read && strcmp(step->files[i].name, name) == 0)
			return pf_buf_text(&step->files[i].text);
	}
	return (struct pf_view){ "", 0 };
}
