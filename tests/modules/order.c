/* tests/modules/order.c - an import module that writes down its calls. Arguments: FILE[,WORD...]; the file is appended to.
 * Words: "drop" Init withdraws, "fail" GetData fails, "error" GetData calls error(), "initerror" Init does, "s", "d" options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfolio/module.h>

struct order {
	FILE *log;
	char words[200];
	unsigned n;
};

static int has(const struct order *o, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = o->words; (p = strstr(p, word)) != NULL; p += n) {
		if ((p == o->words || p[-1] == ',') && (p[n] == '\0' || p[n] == ','))
			return 1;
	}
	return 0;
}

static void note(const struct perfolio_ctx *ctx, const char *text)
{
	const struct order *o = ctx->own;
	(void)fprintf(o->log, "%s\n", text);
	(void)fflush(o->log);
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	char path[200];
	if (!args)
		return -EINVAL;
	size_t n = strcspn(args, ",");
	(void)snprintf(path, sizeof(path), "%.*s", (int)n, args);
	struct order *o = calloc(1, sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->log = fopen(path, "a");
	if (!o->log) {
		free(o);
		return -EIO;
	}
	(void)snprintf(o->words, sizeof(o->words), "%s", args[n] == ',' ? args + n + 1 : "");
	ctx->own = o;
	note(ctx, "Init");
	if (has(o, "drop"))
		return PERFOLIO_DROP;
	if (has(o, "initerror")) {
		ctx->host->error(ctx, "no such thing");
		return 0;
	}
	setup->options = has(o, "d") ? has(o, "s") ? "sd" : "d" : "s";
	setup->key = "ord";
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct order *o = ctx->own;
	char data[40];
	note(ctx, "GetData");
	if (has(o, "fail"))
		return -EIO;
	if (has(o, "error")) {
		ctx->host->error(ctx, "the well is dry");
		return 0;
	}
	(void)snprintf(data, sizeof(data), "%u", o->n++);
	ctx->host->record(ctx, "ord", data);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	(void)type;
	(void)data;
	note(ctx, "Analyze");
	return 0;
}

static int init_interval(struct perfolio_ctx *ctx)
{
	note(ctx, "InitInterval");
	return 0;
}

static int interval_end(struct perfolio_ctx *ctx)
{
	note(ctx, "IntervalEnd");
	return 0;
}

static int get_header(struct perfolio_ctx *ctx, const char *header)
{
	note(ctx, header && strchr(header, '#') ? "GetHeader" : "GetHeader without a header");
	return 0;
}

static int update_header(struct perfolio_ctx *ctx, struct perfolio_text *header)
{
	note(ctx, "UpdateHeader");
	ctx->host->add(header, "# Order:      yes\n");
	return 0;
}

static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	char text[40];
	(void)snprintf(text, sizeof(text), "PrintBrief %d", (int)type);
	note(ctx, text);
	if (type <= PERFOLIO_BRIEF_VALUES)
		ctx->host->add(line, "order ");
	return 0;
}

static int print_verbose(struct perfolio_ctx *ctx, int heading, int home, struct perfolio_text *lines)
{
	(void)home;
	note(ctx, heading ? "PrintVerbose heading" : "PrintVerbose");
	ctx->host->add(lines, "order\n");
	return 0;
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	char text[40];
	(void)snprintf(text, sizeof(text), "PrintPlot %d", (int)type);
	note(ctx, text);
	ctx->host->addf(line, type <= PERFOLIO_PLOT_DET_NAMES ? "[ORD]N%s" : "%s1", ctx->host->state->separator);
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	struct order *o = ctx->own;
	if (!o)
		return;
	note(ctx, "done");
	(void)fclose(o->log);
	free(o);
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "order",
	.version = "1",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.init_interval = init_interval,
	.interval_end = interval_end,
	.get_header = get_header,
	.update_header = update_header,
	.print_brief = print_brief,
	.print_verbose = print_verbose,
	.print_plot = print_plot,
	.done = done,
};
