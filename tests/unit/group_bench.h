/* tests/unit/group_bench.h - one group on a bench: texts and fixtures go in, values are looked at. */
#ifndef PF_TESTS_GROUP_BENCH_H
#define PF_TESTS_GROUP_BENCH_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "groups/list.h"
#include "model/sample.h"
#include "model/select.h"

struct bench {
	const struct pf_group *group;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_builder b;
};

static inline void bench_init(struct bench *t, const struct pf_group *group)
{
	*t = (struct bench){ .group = group, .catalog = pf_catalog_new() };
	assert_non_null(t->catalog);
	t->b.catalog = t->catalog;
	assert_int_equal(pf_group_base(t->catalog, group, &t->b.base, NULL), 0);
	pf_frames_init(&t->frames, t->catalog);
}

static inline void bench_done(struct bench *t)
{
	pf_frames_done(&t->frames);
	(void)pf_catalog_free(t->catalog);
}

static inline void bench_begin(struct bench *t, int64_t time_ns)
{
	t->b.sample = pf_frames_begin(&t->frames, time_ns, time_ns);
	assert_non_null(t->b.sample);
	t->b.line_hint = 0;
	t->b.failed = 0;
}

static inline void bench_text(struct bench *t, unsigned row, const char *text)
{
	t->group->rows[row].parse(pf_view_of(text), &t->b);
}

/* The sample is whole. */
static inline void bench_end(struct bench *t)
{
	pf_select_sums(t->group, &t->b);
}

/* @text with "0" for each wildcard. */
static inline void bench_first(struct pf_buf *out, const char *text)
{
	for (; *text; text++) {
		if (strncmp(text, "[0-9]*", 6) == 0)
			text += 5;
		pf_buf_char(out, *text == '*' ? '0' : *text);
	}
}

/* The text of a row's file, the first that its path means, below tests/fixtures/@name, as the row's parse gets it. */
static inline int bench_file(const char *name, const struct pf_row *row, struct pf_buf *out)
{
	const char *top = getenv("PF_SOURCE_ROOT");
	struct pf_buf path = { 0 }, text = { 0 };
	assert_non_null(top);
	pf_buf_fmt(&path, "%s/tests/fixtures/%s/", top, name);
	bench_first(&path, row->path);
	int rc = pf_io_read_file(AT_FDCWD, path.p, 1 << 20, &text, NULL);
	struct pf_view rest = pf_buf_text(&text);
	struct pf_view line;
	for (unsigned n = 0; rc == 0 && n < row->skip_lines; n++)
		assert_int_equal(pf_view_line(&rest, &line), 0);
	while (rc == 0 && pf_view_line(&rest, &line) == 0) {
		if (row->lead && strchr(row->lead, '*'))
			bench_first(out, row->lead);
		pf_buf_view(out, line);
		pf_buf_char(out, '\n');
	}
	pf_buf_done(&path);
	pf_buf_done(&text);
	return rc;
}

/* The files of all rows below tests/fixtures/@name; rows whose file is not there are left out. @by_line: line by line, as playback does. */
static inline void bench_fixture(struct bench *t, const char *name, bool by_line)
{
	for (unsigned i = 0; i < t->group->n_rows; i++) {
		struct pf_buf text = { 0 };
		struct pf_view line;
		int rc = bench_file(name, &t->group->rows[i], &text);
		struct pf_view rest = pf_buf_text(&text);
		if (rc == 0 && !by_line)
			t->group->rows[i].parse(rest, &t->b);
		while (rc == 0 && by_line && pf_view_line(&rest, &line) == 0)
			t->group->rows[i].parse(line, &t->b);
		pf_buf_done(&text);
	}
}

static inline unsigned bench_metric(const struct bench *t, const char *name)
{
	int m = pf_catalog_find(t->catalog, pf_view_of(name));
	if (m < 0)
		fail_msg("no metric %s", name);
	return (unsigned)m;
}

static inline unsigned bench_slot(const struct bench *t, const char *metric, const char *instance)
{
	const struct pf_indom *dom = pf_catalog_domain_of(t->catalog, bench_metric(t, metric));
	if (!dom)
		return 0;
	for (unsigned i = 0; i < dom->n; i++) {
		if (strcmp(dom->instances[i].name, instance) == 0)
			return i;
	}
	fail_msg("%s has no instance %s", metric, instance);
	return 0;
}

static inline bool bench_has(const struct bench *t, const char *metric, const char *instance)
{
	return pf_sample_has(t->b.sample, bench_metric(t, metric), bench_slot(t, metric, instance));
}

/* The value of an unsigned metric; @instance "" for a single one. */
static inline uint64_t bench_u64(const struct bench *t, const char *metric, const char *instance)
{
	if (!bench_has(t, metric, instance))
		fail_msg("%s has no value for '%s'", metric, instance);
	return pf_sample_get(t->b.sample, bench_metric(t, metric), bench_slot(t, metric, instance)).u;
}

/* The value of a text metric. */
static inline const char *bench_str(const struct bench *t, const char *metric, const char *instance)
{
	if (!bench_has(t, metric, instance))
		fail_msg("%s has no value for '%s'", metric, instance);
	return pf_sample_get(t->b.sample, bench_metric(t, metric), bench_slot(t, metric, instance)).s;
}

#endif
