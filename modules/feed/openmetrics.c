/* modules/feed/openmetrics.c - any exporter of OpenMetrics or Prometheus text as an import module: --import openmetrics[=NAME],[OPTIONS,]TARGET.
 * Options, names and instances: perfolio-openmetrics(7). */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"
#include "formats/feed/openmetrics.h"
#include "import/host.h"
#include "scrape.h"

enum {
	TIMEOUT_MAX = 3600,
	LINES_MAX = 1000000,
	LINES_DEFAULT = 50000,
	METRICS_DEFAULT = 2000,
	METRICS_MAX = 8000,
	SERIES_MAX = 1000000,
	BYTES_DEFAULT = 16 << 20,
	BYTES_MAX = 256 << 20
};

/* @curl: path of the shared object; @args: the arguments, cut up, which the target points into; @instance: name of the one at hand */
struct openmetrics {
	struct pf_scrape scrape;
	struct pf_om *om;
	char *curl;
	char *args;
	char *key;
	struct pf_buf instance;
};

static void bad_line(void *arg, unsigned line, const char *why)
{
	pf_scrape_bad(&((struct openmetrics *)arg)->scrape, line, why);
}

/* What the UNIT line says, or the name where exporters have no such lines. */
static const char *units_of(const struct pf_om_series *s)
{
	if (s->created)
		return "sec";
	if (s->counts)
		return "count";
	struct pf_view unit = s->unit;
	if (unit.n == 0) {
		unit = s->family;
		if (unit.n > 6 && memcmp(unit.p + unit.n - 6, "_total", 6) == 0)
			unit.n -= 6;
		const char *last = unit.n > 0 ? memrchr(unit.p, '_', unit.n) : NULL;
		unit = last ? (struct pf_view){ last + 1, (size_t)(unit.p + unit.n - last) - 1 } : PF_VIEW("");
	}
	bool base = pf_view_is(unit, "seconds") || pf_view_is(unit, "bytes") || pf_view_is(unit, "milliseconds");
	return base ? pf_values_units(unit) : s->counter ? "count" : "";
}

static void one_series(void *arg, const struct pf_om_series *s)
{
	struct openmetrics *o = arg;
	struct pf_view none = { "", 0 };
	if (s->n_labels > 0)
		pf_om_instance(s->labels, s->n_labels, PF_VALUE_INSTANCE_MAX, &o->instance);
	struct pf_value_in in = { s->name,    s->n_labels > 0 ? pf_buf_text(&o->instance) : none,
				  s->counter, units_of(s),
				  s->help,    s->value };
	const char *why = "";
	if (o->instance.failed) {
		pf_scrape_bad(&o->scrape, 0, "no memory");
	} else if (pf_values_set(&o->scrape.values, &in, &why) < 0) {
		char text[256];
		(void)snprintf(text, sizeof(text), "'%.*s': %s", s->name.n < 80 ? (int)s->name.n : 80, s->name.p, why);
		pf_scrape_bad(&o->scrape, 0, text);
	} else {
		o->scrape.good++;
	}
}

static void begin(void *arg, bool strict)
{
	pf_om_begin(((struct openmetrics *)arg)->om, strict);
}

static void line(void *arg, struct pf_view text)
{
	const struct pf_om_to to = { one_series, bad_line, arg };
	pf_om_line(((struct openmetrics *)arg)->om, text, &to);
}

static void end(void *arg)
{
	const struct pf_om_to to = { one_series, bad_line, arg };
	pf_om_end(((struct openmetrics *)arg)->om, &to);
}

/* The shared object with libcurl lies in feed/ beside this one. */
static char *curl_path(void)
{
	Dl_info info;
	char *path = NULL;
	if (dladdr(&perfolio_module, &info) == 0 || !info.dli_fname)
		return NULL;
	const char *slash = strrchr(info.dli_fname, '/');
	int n = slash ? (int)(slash - info.dli_fname) : 1;
	return asprintf(&path, "%.*s/feed/curl.so", n, slash ? info.dli_fname : ".") < 0 ? NULL : path;
}

/* Numbers of 0 were not given. */
struct options {
	const char *show;
	bool detail;
	double timeout, series, metrics, line, lines, bytes;
};

static int take_options(struct perfolio_ctx *ctx, char **args, struct options *opt)
{
	const struct pf_scrape_option options[] = {
		{ .key = "show=", .text = &opt->show },
		{ .key = "detail", .flag = &opt->detail },
		{ .key = "timeout=", .max = TIMEOUT_MAX, .seconds = &opt->timeout },
		{ .key = "series=", .max = SERIES_MAX, .number = &opt->series },
		{ .key = "metrics=", .max = METRICS_MAX, .number = &opt->metrics },
		{ .key = "line=", .max = 65536, .number = &opt->line },
		{ .key = "lines=", .max = LINES_MAX, .number = &opt->lines },
		{ .key = "bytes=", .max = BYTES_MAX, .number = &opt->bytes },
	};
	return pf_scrape_options(ctx, args, options, PF_N(options));
}

/* Who gets the text. Return: 0, or negative errno told. */
static int take_target(struct perfolio_ctx *ctx, struct openmetrics *o, const char *target, const struct options *opt)
{
	struct pf_scrape *s = &o->scrape;
	struct pf_feed_spec spec = { .kind = PF_FEED_URL,
				     .what = target,
				     .curl = o->curl,
				     .timeout_ns = (int64_t)(opt->timeout * (double)PF_NS_PER_SEC),
				     .limit = s->limit };
	s->what = target;
	if (strncmp(target, "http://", 7) == 0 || strncmp(target, "https://", 8) == 0) {
		struct pf_err err = { 0 };
		if (!o->curl || access(o->curl, R_OK) < 0) {
			ctx->host->error(ctx,
					 "URLs need perfolio's feed/curl.so beside its modules, which is built where "
					 "libcurl is; or use exec:curl -s URL");
			return -ENOTSUP;
		}
		if (pf_module_check_file(o->curl, true, &err) < 0) {
			ctx->host->error(ctx, err.text);
			return -EPERM;
		}
	} else if (strncmp(target, "exec:", 5) == 0) {
		spec.kind = PF_FEED_ONCE;
		spec.what = target + 5;
	} else if (target[0] == '\0' || strstr(target, "://")) {
		ctx->host->error(
			ctx,
			target[0] == '\0'
				? "it needs to know where to read: openmetrics[=NAME],[OPTIONS,]URL, FILE or exec:COMMAND"
				: "URLs of http:// and https:// only");
		return -EINVAL;
	} else {
		s->file = target;
		return 0;
	}
	s->feed = pf_feed_new(&spec);
	return s->feed ? 0 : -ENOMEM;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct openmetrics *o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;
	ctx->own = o;
	struct pf_scrape *s = &o->scrape;
	s->ctx = ctx;
	o->args = strdup(args ? args : "");
	o->curl = curl_path();
	(void)snprintf(s->type, sizeof(s->type), "om:%s", ctx->name);
	if (!o->args || asprintf(&o->key, "^%s$", s->type) < 0) {
		o->key = NULL;
		return -ENOMEM;
	}
	char *rest = o->args;
	struct options opt = {
		.timeout = 10, .metrics = METRICS_DEFAULT, .lines = LINES_DEFAULT, .bytes = BYTES_DEFAULT
	};
	if (take_options(ctx, &rest, &opt) < 0)
		return 0;
	s->limit = (size_t)opt.bytes;
	s->lines = (uint64_t)opt.lines;
	const struct pf_om_limits limits = { .line = (unsigned)opt.line,
					     .families = 2 * (unsigned)opt.metrics,
					     .series = (unsigned)opt.series };
	o->om = pf_om_new(&limits);
	if (!o->om)
		return -ENOMEM;
	if (pf_values_init(&s->values, ctx, opt.show, (unsigned)opt.metrics, false) < 0) {
		ctx->host->error(ctx, "show= has no regular expression");
		return 0;
	}
	if (!ctx->host->state->playback) {
		int rc = take_target(ctx, o, rest, &opt);
		if (rc < 0)
			return rc == -ENOMEM ? rc : 0;
	}
	setup->options = opt.detail ? "sd" : "s";
	setup->key = o->key;
	setup->flags = PERFOLIO_LISTS;
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	pf_scrape_get(&((struct openmetrics *)ctx->own)->scrape);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	struct openmetrics *o = ctx->own;
	const struct pf_scrape_use use = { begin, line, end, o };
	(void)type;
	pf_scrape_analyze(&o->scrape, data, &use);
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	struct openmetrics *o = ctx->own;
	if (!o)
		return;
	pf_scrape_done(&o->scrape);
	o->om = pf_om_free(o->om);
	pf_buf_done(&o->instance);
	free(o->curl);
	free(o->args);
	free(o->key);
	free(o);
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "openmetrics",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.done = done,
};
