/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * modules/hello.c - the example of an import module: three made-up numbers that grow.
 *
 * It records and draws as the hello module of collectl does, to the byte, and declares its metrics beside that, so that the structured
 * formats and the archives have them too. Written from the import API's manual and from what collectl 4.3.1 prints.
 *
 * Each interval has the records "hw-0 HelloWorld N", "hw-1 ..." and "hw-2 ...", N = instance * 10 * number of records so far.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfolio/module.h>

enum { N_HW = 3, NUMBER_SIZE = PERFOLIO_CVT_SIZE };

/* Beyond this, no text is a value of ours. */
#define NUMBER_LIMIT 1e15

enum { TOTAL, VALUE };

/* @value: the last of each instance, kept over the intervals; @total: of this interval */
struct hello {
	int summary, detail;
	unsigned records;
	double value[N_HW];
	double total;
	double grand_total;
};

static const struct perfolio_metric metrics[] = {
	[TOTAL] = { sizeof(struct perfolio_metric), "total", NULL, PERFOLIO_DOUBLE, PERFOLIO_INSTANT, "count", "Total",
		    "sum of the values of one interval" },
	[VALUE] = { sizeof(struct perfolio_metric), "value", "hw", PERFOLIO_DOUBLE, PERFOLIO_INSTANT, "count", "Value",
		    "value of one instance" },
};

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	const char *options = args ? args : "s";
	size_t n = strspn(options, "sd");
	if (n == 0 || options[n] != '\0') {
		ctx->host->error(ctx, "valid hw options are: s,d and sd");
		return 0;
	}
	struct hello *h = calloc(1, sizeof(*h));
	if (!h) {
		ctx->host->error(ctx, "no memory");
		return 0;
	}
	h->summary = strchr(options, 's') != NULL;
	h->detail = strchr(options, 'd') != NULL;
	ctx->own = h;

	setup->options = h->summary && h->detail ? "sd" : h->summary ? "s" : "d";
	setup->key = "hw";
	setup->metrics = metrics;
	setup->n_metrics = sizeof(metrics) / sizeof(metrics[0]);
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct hello *h = ctx->own;
	for (unsigned i = 0; i < N_HW; i++) {
		char type[NUMBER_SIZE];
		char data[NUMBER_SIZE];
		(void)snprintf(type, sizeof(type), "hw-%u", i);
		(void)snprintf(data, sizeof(data), "HelloWorld %u", i * 10 * h->records++);
		ctx->host->record(ctx, type, data);
	}
	return 0;
}

/* The number behind a dash, or -1. */
static int index_of(const char *type)
{
	const char *dash = strchr(type, '-');
	if (!dash || dash[1] < '0' || dash[1] > '9')
		return -1;
	return dash[2] >= '0' && dash[2] <= '9' ? -1 : dash[1] - '0';
}

/* The second word of the data, as far as it is a number. */
static double number_of(const char *data)
{
	const char *word = data + strcspn(data, " \t");
	double v = strtod(word, NULL);
	return v > -NUMBER_LIMIT && v < NUMBER_LIMIT ? v : 0; /* not for infinity and NaN, either */
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	struct hello *h = ctx->own;
	int i = index_of(type);
	double v = number_of(data);
	if (i >= 0 && i < N_HW) {
		char name[NUMBER_SIZE];
		h->value[i] = v;
		(void)snprintf(name, sizeof(name), "hw%d", i);
		ctx->host->set_double(ctx, VALUE, name, v);
	}
	h->total += v;
	ctx->host->set_double(ctx, TOTAL, NULL, h->total);
	return 0;
}

static int init_interval(struct perfolio_ctx *ctx)
{
	struct hello *h = ctx->own;
	h->total = 0;
	return 0;
}

static int update_header(struct perfolio_ctx *ctx, struct perfolio_text *header)
{
	ctx->host->add(header, "# HelloWorld: Version 1.0\n");
	return 0;
}

static double per_second(const struct perfolio_ctx *ctx, double v)
{
	double s = ctx->host->state->int_secs;
	return v / (s > 0 ? s : 1);
}

static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	const struct perfolio_host *host = ctx->host;
	struct hello *h = ctx->own;
	char number[NUMBER_SIZE];
	switch (type) {
	case PERFOLIO_BRIEF_TITLE:
		host->add(line, "<-Hello->");
		break;
	case PERFOLIO_BRIEF_NAMES:
		host->add(line, "  Total  ");
		break;
	case PERFOLIO_BRIEF_VALUES:
		host->addf(line, "   %4s   ", host->cvt(ctx, per_second(ctx, h->total), 4, 0, 0, number));
		break;
	case PERFOLIO_BRIEF_RESET:
		h->grand_total = 0;
		break;
	case PERFOLIO_BRIEF_COUNT:
		h->grand_total += h->total;
		break;
	case PERFOLIO_BRIEF_TOTALS:
		host->addf(line, "   %4s   ", host->cvt(ctx, h->grand_total, 4, 0, 0, number));
		break;
	}
	return 0;
}

static void verbose_summary(const struct perfolio_ctx *ctx, int heading, int home, struct perfolio_text *lines)
{
	const struct perfolio_host *host = ctx->host;
	const struct hello *h = ctx->own;
	char number[NUMBER_SIZE];
	if (heading) {
		host->add(lines, home ? "" : "\n");
		host->addf(lines, "# HELLO STATISTICS (%s)\n", host->state->rate);
		host->addf(lines, "#%s   Total\n", host->state->mini_filler);
	}
	if (!host->state->show_col_headers)
		host->addf(lines, "%s  %7s\n", host->state->datetime,
			   host->cvt(ctx, per_second(ctx, h->total), 7, 0, 0, number));
}

/* Values as they are, not divided by the interval: as collectl's hello prints them. */
static void verbose_detail(const struct perfolio_ctx *ctx, int heading, int home, struct perfolio_text *lines)
{
	const struct perfolio_host *host = ctx->host;
	const struct hello *h = ctx->own;
	if (heading) {
		host->add(lines, home ? "" : "\n");
		host->addf(lines, "# HELLO DETAIL (%s)\n", host->state->rate);
		host->addf(lines, "#%s HW    Value\n", host->state->mini_filler);
	}
	for (unsigned i = 0; !host->state->show_col_headers && i < N_HW; i++) {
		char number[NUMBER_SIZE];
		host->addf(lines, "%s  %2u  %7s\n", host->state->datetime, i,
			   host->cvt(ctx, h->value[i], 7, 0, 0, number));
	}
}

static int print_verbose(struct perfolio_ctx *ctx, int heading, int home, struct perfolio_text *lines)
{
	const struct hello *h = ctx->own;
	if (h->summary)
		verbose_summary(ctx, heading, home, lines);
	if (h->detail)
		verbose_detail(ctx, heading, home, lines);
	return 0;
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	const struct perfolio_host *host = ctx->host;
	const struct hello *h = ctx->own;
	const char *separator = host->state->separator;
	switch (type) {
	case PERFOLIO_PLOT_SUM_NAMES:
		host->addf(line, "[HW]Tot%s", separator);
		break;
	case PERFOLIO_PLOT_DET_NAMES:
		for (unsigned i = 0; i < N_HW; i++)
			host->addf(line, "[HW:%u]Val%s", i, separator);
		break;
	case PERFOLIO_PLOT_SUM:
		host->addf(line, "%s%lld", separator, (long long)per_second(ctx, h->total));
		break;
	case PERFOLIO_PLOT_DET:
		for (unsigned i = 0; i < N_HW; i++)
			host->addf(line, "%s%u%s%lld", separator, i, separator,
				   (long long)per_second(ctx, h->value[i]));
		break;
	}
	return 0;
}

static int print_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	const struct hello *h = ctx->own;
	double total = (double)(long long)per_second(ctx, h->total); /* exporters get whole numbers, not rounded ones */
	char text[2 * NUMBER_SIZE];
	if (kind == 's') {
		(void)snprintf(text, sizeof(text), "  (hwtotals (hw %lld))\n", (long long)total);
		to->text(to, text);
		return 0;
	}
	if (h->summary)
		to->summary(to, kind == 'g' ? "hwtotals.hw" : "hwtotals.val", "num/sec", total, 1, NULL, "hello", NULL);
	for (unsigned i = 0; h->detail && i < N_HW; i++) {
		(void)snprintf(text, sizeof(text), "hwinfo.hw%u.val", i);
		to->detail(to, text, "num/sec", (double)(long long)per_second(ctx, h->value[i]), 1, NULL, NULL, NULL);
	}
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	free(ctx->own);
	ctx->own = NULL;
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "hello",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.init_interval = init_interval,
	.update_header = update_header,
	.print_brief = print_brief,
	.print_verbose = print_verbose,
	.print_plot = print_plot,
	.print_export = print_export,
	.done = done,
};
