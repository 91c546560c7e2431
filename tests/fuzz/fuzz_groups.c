/* tests/fuzz/fuzz_groups.c - every parse function of every group, then the views over what came of it. First byte: a letter of the group,
 * second: the row, from '0'; the rest is the text, given whole in one sample and line by line in the next. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "groups/list.h"
#include "sinks/sink.h"

struct fuzz {
	struct pf_catalog *catalog;
	struct pf_frames frames;
	const struct pf_group *group;
	unsigned base;
};

static void parse(struct fuzz *f, unsigned row, struct pf_view text, bool by_line, int64_t time_ns)
{
	/* What stands for the wildcards of a pattern. */
	struct pf_builder b = {
		.catalog = f->catalog, .base = f->base, .owner = 1, .parts = { { "/a b", 4 }, { "1", 1 } }
	};
	b.sample = pf_frames_begin(&f->frames, time_ns, time_ns);
	if (!b.sample)
		abort();
	if (!by_line) {
		f->group->rows[row].parse(text, &b);
		return;
	}
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		f->group->rows[row].parse(line, &b);
		if (f->group->rows[row].keep)
			(void)f->group->rows[row].keep(&line, NULL);
	}
}

/* Text is made and thrown away: the write at the end fails. */
static void show(struct fuzz *f, const struct pf_sink_kind *kind, uint64_t variants)
{
	const struct pf_group *const groups[] = { f->group, NULL };
	struct pf_view_options view = { .letters = f->group->letters,
					.variants = variants,
					.separator = " ",
					.times = PF_TIMES_YMD_HMS,
					.big_numbers = 'g',
					.host = "fuzz",
					.header_repeat = 1 };
	struct pf_sink_spec spec = {
		.fd = -1, .view = &view, .groups = groups, .bases = &f->base, .catalog = f->catalog
	};
	struct pf_sink *sink = NULL;
	if (kind->open(&sink, &spec, NULL) < 0)
		abort();
	struct pf_step step = pf_frames_step(&f->frames);
	(void)kind->sample(sink, &step, NULL);
	(void)kind->close(sink, NULL);
}

/* By letter, so that seeds stay with their group; other bytes by number. */
static const struct pf_group *choose(uint8_t byte)
{
	unsigned n = 0;
	for (; pf_groups[n]; n++) {
		if (byte != 0 && strchr(pf_groups[n]->letters, byte))
			return pf_groups[n];
	}
	return pf_groups[byte % n];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	struct fuzz f = { .catalog = pf_catalog_new(), .group = choose(data[0]) };
	if (!f.catalog || pf_group_base(f.catalog, f.group, &f.base, NULL) < 0)
		abort();
	pf_frames_init(&f.frames, f.catalog);

	unsigned row = (unsigned)(data[1] - '0') % f.group->n_rows;
	struct pf_view text = { (const char *)data + 2, size - 2 };
	parse(&f, row, text, false, INT64_C(1000000000));
	parse(&f, row, text, true, INT64_C(2000000000));
	uint64_t all = PF_TCP_ALL | PF_NFS_ALL;
	uint64_t some = (data[2] | (uint64_t)data[size - 1] << 8) & (PF_AS_PEER - 1);
	show(&f, &pf_sink_brief, some | all);
	show(&f, &pf_sink_verbose, some | all | PF_AS_PEER);
	show(&f, &pf_sink_verbose, all | PF_WITH_INT_FILTER | PF_WITH_INTERRUPTS);
	show(&f, &pf_sink_plot, some | all | PF_AS_PEER | PF_AS_RECORDED);
	pf_frames_done(&f.frames);
	(void)pf_catalog_free(f.catalog);
	return 0;
}
