/* sinks/metricsfile.c - a whole recording as one file of OpenMetrics, with times: what `promtool tsdb create-blocks-from openmetrics` and other
 * readers take. The format wants the lines of a series together and the series of a family together, so nothing can be written before all
 * is known. */
#include "sinks/metricsfile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/time.h"
#include "model/select.h"
#include "sinks/exposition.h"
#include "sinks/series.h"
#include "sinks/sink.h"

enum { FLUSH = 64 * 1024 };

enum loss { NO_NUMBER, BELOW_ZERO, SAME_NAME, BYTES, EVENTS, N_LOSSES };

static const char *const losses[N_LOSSES] = {
	[NO_NUMBER] = "are no numbers",
	[BELOW_ZERO] = "are counters below zero",
	[SAME_NAME] = "are of instances that look the same as others",
	[BYTES] = "are bytes without a meaning",
	[EVENTS] = "are records of events",
};

/* @time: of the sample, as it stands on its lines. @lost: values that the format cannot hold, by kind; @lost_metrics: of how many metrics, @lost_of: bits of the kinds by metric. @family: whose series are being written */
struct metrics_file {
	struct pf_sink sink;
	struct pf_outlet *to;
	struct pf_outlet_fd own;
	struct pf_expo expo;
	const struct pf_catalog *catalog;
	struct pf_series_set set;
	char folder[4096];
	struct pf_buf time;
	struct pf_buf text;
	uint64_t lost[N_LOSSES];
	unsigned lost_metrics[N_LOSSES];
	uint8_t *lost_of;
	unsigned n_lost_of;
	const struct pf_expo_family *family;
};

/* Beside the file that is written; for standard output where temporary files are. */
static void choose_folder(struct metrics_file *f, const char *path)
{
	const char *slash = path && strcmp(path, "-") != 0 ? strrchr(path, '/') : NULL;
	const char *temporary = getenv("TMPDIR");
	if (slash && (size_t)(slash - path) < sizeof(f->folder))
		memcpy(f->folder, path, slash == path ? 1 : (size_t)(slash - path));
	else if (path && strcmp(path, "-") != 0)
		memcpy(f->folder, ".", 1);
	else
		(void)strncpy(f->folder, temporary && temporary[0] ? temporary : "/tmp", sizeof(f->folder) - 1);
	f->set.folder = f->folder;
}

static int open_file(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct metrics_file *f = calloc(1, sizeof(*f));
	if (!f)
		return pf_err_set(err, -ENOMEM, "no memory for the output");
	f->sink.kind = &pf_sink_metricsfile;
	f->to = pf_outlet_or_fd(spec->outlet, &f->own, spec->fd);
	f->catalog = spec->catalog;
	f->set.fd = -1;
	choose_folder(f, spec->path);
	*ret_sink = &f->sink;
	return 0;
}

/* Seconds with as many decimals as they have, in threes, and three at least. */
static void make_time(struct pf_buf *to, int64_t time_ns)
{
	pf_buf_clear(to);
	pf_buf_fmt(to, " %lld.%09lld", (long long)(time_ns / PF_NS_PER_SEC), (long long)(time_ns % PF_NS_PER_SEC));
	for (unsigned i = 0; i < 2 && to->n > 3 && memcmp(to->p + to->n - 3, "000", 3) == 0; i++)
		to->n -= 3;
	pf_buf_char(to, '\n');
}

static int lose(struct metrics_file *f, enum loss kind, unsigned metric)
{
	if (metric >= f->n_lost_of) {
		unsigned n = metric + 64;
		uint8_t *more = reallocarray(f->lost_of, n, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + f->n_lost_of, 0, n - f->n_lost_of);
		f->lost_of = more;
		f->n_lost_of = n;
	}
	f->lost[kind]++;
	f->lost_metrics[kind] += !(f->lost_of[metric] & 1 << kind);
	f->lost_of[metric] |= (uint8_t)(1 << kind);
	return 0;
}

/* Why there is no form for it. */
static enum loss why_not(const struct pf_step *step, unsigned metric, unsigned slot)
{
	enum pf_type type = step->catalog->metrics[metric]->type;
	if (type == PF_AGGREGATE)
		return BYTES;
	if (type > PF_STRING)
		return EVENTS;
	bool real = type == PF_FLOAT || type == PF_DOUBLE;
	return real && !isfinite(pf_sample_get(step->cur, metric, slot).d) ? NO_NUMBER : BELOW_ZERO;
}

static int put_value(struct metrics_file *f, const struct pf_step *step, unsigned metric, unsigned slot,
		     struct pf_err *err)
{
	struct pf_view labels;
	struct pf_series *series;
	const struct pf_expo_family *family;
	if (!pf_expo_tells(step, metric, slot))
		return lose(f, why_not(step, metric, slot), metric);
	int rc = pf_expo_family(&f->expo, step->catalog, metric, &family);
	if (rc == 0)
		rc = pf_expo_labels(&f->expo, step, metric, slot, &labels);
	if (rc == 0)
		rc = pf_series_find(&f->set, metric, labels, &series);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for a series");
	if (series->seq == step->cur->seq)
		return lose(f, SAME_NAME, metric);
	series->seq = step->cur->seq;
	size_t before = series->text.n;
	pf_expo_value(&series->text, family, step->catalog->metrics[metric], pf_sample_get(step->cur, metric, slot));
	pf_buf_view(&series->text, pf_buf_text(&f->time));
	return pf_series_grown(&f->set, series, series->text.n - before, err);
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct metrics_file *f = (struct metrics_file *)s;
	make_time(&f->time, step->cur->time_ns);
	int rc = f->time.failed ? f->time.failed : pf_expo_listen(&f->expo, step->catalog);
	for (unsigned metric = 0; metric < step->catalog->n_metrics && rc == 0; metric++) {
		const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, metric);
		unsigned n = dom ? dom->n : 1;
		for (unsigned slot = 0; slot < n && rc == 0; slot++) {
			if (pf_sample_has(step->cur, metric, slot) &&
			    pf_select_tells(step->catalog, metric, slot, step->cur))
				rc = put_value(f, step, metric, slot, err);
		}
	}
	return rc;
}

static int flush(struct metrics_file *f)
{
	int rc = f->text.failed ? f->text.failed : pf_outlet_put(f->to, pf_buf_text(&f->text), 0);
	pf_buf_clear(&f->text);
	return rc;
}

/* Lines get their names now. */
static int put_lines(void *arg, const struct pf_series *s, struct pf_view text)
{
	struct metrics_file *f = arg;
	struct pf_view line;
	while (text.n > 0) {
		const char *end = memchr(text.p, '\n', text.n);
		line = (struct pf_view){ text.p, end ? (size_t)(end - text.p) + 1 : text.n };
		pf_expo_name(&f->text, f->family, s->key);
		pf_buf_view(&f->text, line);
		text = (struct pf_view){ text.p + line.n, text.n - line.n };
	}
	return f->text.n >= FLUSH ? flush(f) : 0;
}

static int put_family(struct metrics_file *f, unsigned metric, struct pf_err *err)
{
	unsigned i = metric < f->set.n_of ? f->set.first[metric] : 0;
	int rc = i > 0 ? pf_expo_family(&f->expo, f->catalog, metric, &f->family) : 0;
	if (rc == 0 && i > 0)
		pf_buf_view(&f->text, f->family->head[PF_EXPO_OPEN]);
	for (; i > 0 && rc == 0; i = f->set.series[i - 1].after)
		rc = pf_series_each(&f->set, &f->set.series[i - 1], put_lines, f, err);
	return rc;
}

bool pf_metricsfile_loss(const struct pf_sink *s, unsigned i, struct pf_metricsfile_loss *ret_loss)
{
	const struct metrics_file *f = (const struct metrics_file *)s;
	if (i >= N_LOSSES)
		return false;
	*ret_loss = (struct pf_metricsfile_loss){ losses[i], f->lost[i], f->lost_metrics[i] };
	return true;
}

static int write_all(struct metrics_file *f, struct pf_err *err)
{
	struct pf_err why = { 0 };
	int rc = 0;
	for (unsigned metric = 0; metric < f->catalog->n_metrics && rc == 0; metric++)
		rc = put_family(f, metric, &why);
	pf_buf_str(&f->text, "# EOF\n");
	if (rc == 0)
		rc = flush(f);
	if (rc == 0 || rc == -EPIPE)
		return rc; /* a reader that is gone needs no sentence */
	return why.rc < 0 ? pf_err_set(err, rc, "%s", why.text)
			  : pf_err_set(err, rc, "writing the output failed: %s", strerror(-rc));
}

static int close_file(struct pf_sink *s, struct pf_err *err)
{
	struct metrics_file *f = (struct metrics_file *)s;
	int rc = write_all(f, err);
	free(f->lost_of);
	pf_series_done(&f->set);
	pf_expo_done(&f->expo);
	pf_buf_done(&f->time);
	pf_buf_done(&f->text);
	free(f);
	return rc;
}

const struct pf_sink_kind pf_sink_metricsfile = {
	.name = "metricsfile",
	.open = open_file,
	.sample = sample,
	.close = close_file,
};
