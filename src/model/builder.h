/* model/builder.h - how a parser fills a sample. A group numbers its metrics from 0; @base turns that into catalog indexes.
 * One bad value loses that value, not the sample. */
#ifndef PF_MODEL_BUILDER_H
#define PF_MODEL_BUILDER_H

#include "model/sample.h"

struct pf_env_options;

enum { PF_BUILDER_COLUMNS = 1024, PF_PARTS_MAX = 2 };

/* @columns: which metric each number of the next line is, for files whose lines of numbers are named by the line before; @column_set says
 * whose names these are, 0 nobody's. A parser's own, kept from call to call: playback may hand such lines over one by one.
 * @parts: what the wildcards of the row's path stand for, outermost first, while a row of a pattern is parsed: "123", or a path from the top
 * of a tree on: "/system.slice/ssh.service", "/". @owner: the innermost as a number; @ordinal: running number of the outermost
 * @env: what the user wants to see of sensors (groups/environment.h); NULL: all
 * @failed: values that could not be read (counted, not told one by one); @oom: -ENOMEM once memory ran out. */
struct pf_builder {
	struct pf_catalog *catalog;
	struct pf_sample *sample;
	unsigned base;
	unsigned line_hint; /* where the last instance was found; see pf_indom_slot() */
	int32_t owner;
	uint32_t ordinal;
	struct pf_view parts[PF_PARTS_MAX];
	int page_size;
	const struct pf_env_options *env;
	uint16_t columns[PF_BUILDER_COLUMNS];
	unsigned n_columns;
	unsigned column_set;
	uint64_t failed;
	int oom;
};

/* pf_builder_instance() - slot for an instance of @dom seen in this sample; negative without memory. @id as in pf_indom_slot(). */
static inline int pf_builder_instance(struct pf_builder *b, struct pf_indom *dom, struct pf_view name, int32_t id)
{
	int slot = pf_indom_slot(dom, name, b->line_hint, id, b->sample->seq);
	if (slot < 0)
		b->oom = slot;
	else
		b->line_hint = (unsigned)slot + 1;
	return slot;
}

static inline void pf_builder_set(struct pf_builder *b, unsigned metric, unsigned slot, union pf_value v)
{
	int rc = pf_sample_set(b->sample, b->base + metric, slot, v);
	if (rc < 0)
		b->oom = rc;
}

static inline void pf_builder_u64(struct pf_builder *b, unsigned metric, unsigned slot, uint64_t v)
{
	pf_builder_set(b, metric, slot, (union pf_value){ .u = v });
}

static inline void pf_builder_i64(struct pf_builder *b, unsigned metric, unsigned slot, int64_t v)
{
	pf_builder_set(b, metric, slot, (union pf_value){ .i = v });
}

static inline void pf_builder_double(struct pf_builder *b, unsigned metric, unsigned slot, double v)
{
	pf_builder_set(b, metric, slot, (union pf_value){ .d = v });
}

/* pf_builder_str() - copied into the sample's arena for metrics of its group's period. */
void pf_builder_str(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view v);

/* pf_builder_words() - the same with a blank for each NUL, as a command line is shown. */
void pf_builder_words(struct pf_builder *b, unsigned metric, unsigned slot, struct pf_view v);

/* pf_builder_fail() - a value that was there but made no sense. */
static inline void pf_builder_fail(struct pf_builder *b)
{
	b->failed++;
}

#endif
