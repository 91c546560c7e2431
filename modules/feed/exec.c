/* modules/feed/exec.c - what any program prints as an import module: --import exec[=NAME],[OPTIONS,]COMMAND. The program is run once per interval
 * or, with the option stream, stays and is read as it prints. Options and lines: perfolio-openmetrics(7). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/time.h"
#include "formats/feed/family.h"
#include "formats/feed/valueline.h"
#include "scrape.h"

enum {
	TIMEOUT_MAX = 3600,
	LINES_MAX = 1000000,
	LINES_DEFAULT = 10000,
	METRICS_DEFAULT = 1000,
	METRICS_MAX = 8000,
	BYTES_DEFAULT = 1 << 20,
	BYTES_MAX = 64 << 20
};

/* @seen: series of the text at hand, @text its number; @line: number of the line; @stream: a later value takes the place of an earlier one */
struct exec {
	struct pf_scrape scrape;
	struct pf_valueline value;
	struct pf_seen seen;
	uint32_t text;
	unsigned line;
	bool stream;
	char *args;
	char *key;
	char instance[PF_VALUE_INSTANCE_MAX + 1];
};

static void begin(void *arg, bool strict)
{
	struct exec *e = arg;
	(void)strict;
	e->text++;
	e->line = 0;
	e->seen.n = 0;
}

static void line(void *arg, struct pf_view text)
{
	struct exec *e = arg;
	struct pf_valueline *v = &e->value;
	e->line++;
	int rc = pf_valueline_parse(text, v);
	if (rc == 0)
		return;
	if (rc < 0) {
		pf_scrape_bad(&e->scrape, e->line, v->why);
		return;
	}
	if (v->instance.n > PF_VALUE_INSTANCE_MAX) {
		pf_scrape_bad(&e->scrape, e->line, "an instance of more than 255 bytes");
		return;
	}
	uint64_t hash = pf_feed_hash(v->instance, pf_feed_hash(v->name, PF_FEED_SEED) * 31);
	int added = pf_seen_add(&e->seen, hash, e->text);
	if (added < 0 || (added == 0 && !e->stream)) {
		pf_scrape_bad(&e->scrape, e->line, added < 0 ? "no memory" : "a value that was there before");
		return;
	}
	struct pf_value_in in = { v->name, v->instance, v->counter, pf_values_units(v->units), v->help, v->value };
	const char *why = "";
	if (pf_values_set(&e->scrape.values, &in, &why) < 0)
		pf_scrape_bad(&e->scrape, e->line, why);
	else
		e->scrape.good += (unsigned)added;
}

static void end(void *arg)
{
	(void)arg;
}

/* What stands before the command. */
struct options {
	const char *show;
	bool detail, stream;
	double timeout, metrics, lines, bytes;
};

static int take_options(struct perfolio_ctx *ctx, char **args, struct options *opt)
{
	const struct pf_scrape_option options[] = {
		{ .key = "show=", .text = &opt->show },
		{ .key = "detail", .flag = &opt->detail },
		{ .key = "stream", .flag = &opt->stream },
		{ .key = "timeout=", .max = TIMEOUT_MAX, .seconds = &opt->timeout },
		{ .key = "metrics=", .max = METRICS_MAX, .number = &opt->metrics },
		{ .key = "lines=", .max = LINES_MAX, .number = &opt->lines },
		{ .key = "bytes=", .max = BYTES_MAX, .number = &opt->bytes },
	};
	return pf_scrape_options(ctx, args, options, PF_N(options));
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct exec *e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	ctx->own = e;
	struct pf_scrape *s = &e->scrape;
	s->ctx = ctx;
	e->args = strdup(args ? args : "");
	(void)snprintf(s->type, sizeof(s->type), "ex:%s", ctx->name);
	if (!e->args || asprintf(&e->key, "^%s$", s->type) < 0) {
		e->key = NULL;
		return -ENOMEM;
	}
	char *command = e->args;
	struct options opt = {
		.timeout = 10, .metrics = METRICS_DEFAULT, .lines = LINES_DEFAULT, .bytes = BYTES_DEFAULT
	};
	if (take_options(ctx, &command, &opt) < 0)
		return 0;
	if (pf_values_init(&s->values, ctx, opt.show ? opt.show : ".", (unsigned)opt.metrics, true) < 0) {
		ctx->host->error(ctx, "show= has no regular expression");
		return 0;
	}
	e->stream = opt.stream;
	s->limit = (size_t)opt.bytes;
	s->lines = (uint64_t)opt.lines;
	s->what = command;
	if (!ctx->host->state->playback) {
		const struct pf_feed_spec spec = { .kind = opt.stream ? PF_FEED_STREAM : PF_FEED_ONCE,
						   .what = command,
						   .timeout_ns = (int64_t)(opt.timeout * (double)PF_NS_PER_SEC),
						   .limit = s->limit };
		if (command[strspn(command, " \t")] == '\0') {
			ctx->host->error(ctx, "it needs a command: exec[=NAME],[OPTIONS,]COMMAND");
			return 0;
		}
		s->feed = pf_feed_new(&spec);
		if (!s->feed)
			return -ENOMEM;
	}
	setup->options = opt.detail ? "sd" : "s";
	setup->key = e->key;
	setup->flags = PERFOLIO_LISTS;
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	pf_scrape_get(&((struct exec *)ctx->own)->scrape);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	struct exec *e = ctx->own;
	const struct pf_scrape_use use = { begin, line, end, e };
	(void)type;
	pf_scrape_analyze(&e->scrape, data, &use);
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	struct exec *e = ctx->own;
	if (!e)
		return;
	pf_scrape_done(&e->scrape);
	free(e->seen.rows);
	free(e->args);
	free(e->key);
	free(e);
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "exec",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.done = done,
};
