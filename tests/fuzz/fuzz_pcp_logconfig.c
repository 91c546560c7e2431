/* formats/pcp/logconfig on any bytes. A text that has a line "@@" is two: the second is the file that every %include stands for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pcp/logconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int include(void *arg, const char *name, struct pf_buf *text)
{
	const struct pf_view *other = arg;
	if (name[0] == 'x' || text->n > 0)
		return -1;
	pf_buf_view(text, *other);
	return 0;
}

/* Everything that is told points into what was read, and within its lists. */
static void walk(const struct pf_logconfig *c)
{
	size_t sum = 0;
	for (unsigned i = 0; i < c->n_statements; i++) {
		const struct pf_log_statement *s = &c->statements[i];
		if (s->first + s->n > c->n_metrics || s->interval_ms > PF_LOGCONFIG_MS_MAX)
			abort();
	}
	for (unsigned i = 0; i < c->n_metrics; i++) {
		const struct pf_log_metric *m = &c->metrics[i];
		if (m->first_instance + m->n_instances > c->n_instances || !m->at.file)
			abort();
		sum += strlen(m->name) + strlen(m->at.file);
	}
	for (unsigned i = 0; i < c->n_instances; i++)
		sum += strlen(c->instances[i].text);
	for (unsigned i = 0; i < c->n_access; i++)
		sum += strlen(c->access[i].host);
	if (c->error.what)
		sum += strlen(c->error.what) + strlen(c->error.at.file);
	if (sum > (size_t)PF_PREPROC_MAX * 64)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "\n@@\n";
	struct pf_view text = { (const char *)data, size };
	struct pf_view other = { "", 0 };
	const char *at = size > 0 ? memmem(data, size, mark, sizeof(mark) - 1) : NULL;
	if (at) {
		text.n = (size_t)(at - text.p) + 1;
		other = (struct pf_view){ at + sizeof(mark) - 1, size - text.n - sizeof(mark) + 2 };
	}
	const struct pf_preproc_input in = { .name = "c", .text = text, .include = include, .arg = &other };
	struct pf_logconfig c;
	if (pf_logconfig_read(&c, &in) == 0)
		walk(&c);
	pf_logconfig_done(&c);
	return 0;
}
