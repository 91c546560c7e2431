/* tests/fuzz/fuzz_openmetrics.c - texts of exporters (first byte even, bit 1: known to be OpenMetrics) and lines of programs (odd). Each text
 * is read twice by the same reader, with limits that are met. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/view.h"
#include "formats/feed/openmetrics.h"
#include "formats/feed/valueline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
	unsigned bytes;
	unsigned series, bad;
	struct pf_buf name;
};

static void touch(struct sum *sum, struct pf_view v)
{
	for (size_t i = 0; i < v.n; i++)
		sum->bytes += (unsigned char)v.p[i];
}

static void series(void *arg, const struct pf_om_series *s)
{
	struct sum *sum = arg;
	touch(sum, s->name);
	touch(sum, s->family);
	touch(sum, s->help);
	touch(sum, s->unit);
	pf_om_instance(s->labels, s->n_labels, 64, &sum->name);
	if (sum->name.n > 64 || s->name.n == 0 || s->family.n == 0)
		abort();
	sum->series++;
}

static void bad(void *arg, unsigned line, const char *why)
{
	struct sum *sum = arg;
	(void)line;
	touch(sum, pf_view_of(why));
	sum->bad++;
}

static void fuzz_text(struct pf_view text, bool strict)
{
	struct sum sum = { 0 };
	const struct pf_om_to to = { series, bad, &sum };
	struct pf_om *om = pf_om_new(&(struct pf_om_limits){ .line = 256, .families = 16, .series = 64 });
	if (!om)
		return;
	pf_om_text(om, text, strict, &to);
	unsigned n_series = sum.series, n_bad = sum.bad;
	pf_om_text(om, text, strict, &to);
	if (n_series > 64 || sum.series != 2 * n_series || sum.bad != 2 * n_bad)
		abort(); /* a text must mean the same again */
	(void)pf_om_free(om);
	pf_buf_done(&sum.name);
}

static void fuzz_lines(struct pf_view text)
{
	struct pf_view line;
	struct sum sum = { 0 };
	struct pf_valueline v;
	while (pf_view_line(&text, &line) == 0) {
		int rc = pf_valueline_parse(line, &v);
		if (rc > 0 && (v.name.n == 0 || isinf(v.value)))
			abort();
		touch(&sum, v.name);
		touch(&sum, v.instance);
		touch(&sum, v.units);
		touch(&sum, v.help);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct pf_view text = { (const char *)data + 1, size - 1 };
	if (data[0] & 1)
		fuzz_lines(text);
	else
		fuzz_text(text, data[0] & 2);
	return 0;
}
