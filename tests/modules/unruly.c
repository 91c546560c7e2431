/* tests/modules/unruly.c - an import module that misbehaves as its arguments say: WORD, or WORD@N for the N-th GetData only. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfolio/module.h>

enum { CALLS, STATE };

static const struct perfolio_metric metrics[] = {
	[CALLS] = { sizeof(metrics[0]), "calls", NULL, PERFOLIO_U64, PERFOLIO_INSTANT, "count", "Calls", "of GetData" },
	[STATE] = { sizeof(metrics[0]), "state", "part", PERFOLIO_S32, PERFOLIO_INSTANT, "", "State", "by part" },
};

struct own {
	char word[32];
	unsigned at;
	unsigned calls;
};

static unsigned number(const char *text)
{
	unsigned n = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		n = 10 * n + (unsigned)(*text - '0');
	return n;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct own *own = calloc(1, sizeof(*own));
	if (!own)
		return -ENOMEM;
	ctx->own = own;
	if (args)
		(void)snprintf(own->word, sizeof(own->word), "%s", args);
	char *at = strchr(own->word, '@');
	if (at) {
		*at = '\0';
		own->at = number(at + 1);
	}
	if (strcmp(own->word, "init-hang") == 0)
		(void)sleep(1000);
	setup->options = "sd";
	setup->key = "^unruly";
	setup->metrics = metrics;
	setup->n_metrics = 2;
	return 0;
}

static int is(const struct own *own, const char *word)
{
	return strcmp(own->word, word) == 0 && (own->at == 0 || own->at == own->calls);
}

static void flood(struct perfolio_ctx *ctx)
{
	for (int i = 0; i < 1000000; i++)
		ctx->host->record(ctx, "unruly:x", "1 2 3 4 5 6 7 8 9");
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct own *own = ctx->own;
	char text[64];
	own->calls++;
	(void)snprintf(text, sizeof(text), "%u", own->calls);
	if (is(own, "sleep"))
		(void)sleep(30);
	if (is(own, "spin"))
		for (volatile unsigned long i = 0;; i++)
			continue;
	if (is(own, "nap"))
		(void)usleep(1200000);
	if (is(own, "exit"))
		exit(3);
	if (is(own, "fork"))
		(void)fork();
	if (is(own, "leak")) {
		char *lost = malloc(1024);
		if (lost)
			memset(lost, 1, 1024);
	}
	if (is(own, "hog")) {
		for (int i = 0; i < 16; i++) {
			char *lost = malloc(16 << 20);
			if (lost)
				memset(lost, 1, 16 << 20);
		}
	}
	if (is(own, "open"))
		(void)open("/dev/null", O_RDONLY);
	if (is(own, "flood"))
		flood(ctx);
	if (is(own, "logs"))
		for (int i = 0; i < 100000; i++)
			ctx->host->logmsg(ctx, 'I', "still here");
	if (is(own, "type"))
		ctx->host->record(ctx, "un ruly", "1");
	if (is(own, "control"))
		ctx->host->record(ctx, "unruly", "1 \033[2J");
	if (is(own, "error"))
		ctx->host->error(ctx, "had enough");
	ctx->host->record(ctx, "unruly", text);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	const struct own *own = ctx->own;
	if (strcmp(type, "unruly") != 0)
		return 0;
	if (is(own, "crash"))
		raise(SIGSEGV);
	ctx->host->set_u64(ctx, CALLS, NULL, number(data));
	ctx->host->set_i64(ctx, STATE, "left", 1);
	ctx->host->set_i64(ctx, STATE, "right", -1);
	if (is(own, "undeclared"))
		ctx->host->set_u64(ctx, 7, NULL, 1);
	if (is(own, "mixed"))
		ctx->host->set_string(ctx, CALLS, NULL, "many");
	if (is(own, "instance"))
		ctx->host->set_i64(ctx, STATE, NULL, 1);
	if (is(own, "range"))
		ctx->host->set_i64(ctx, CALLS, NULL, -1);
	return 0;
}

static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	const struct own *own = ctx->own;
	if (type == PERFOLIO_BRIEF_TITLE)
		ctx->host->add(line, "<Unruly>");
	else if (type == PERFOLIO_BRIEF_NAMES)
		ctx->host->add(line, "   Calls");
	else if (type == PERFOLIO_BRIEF_VALUES)
		ctx->host->addf(line, "%*u", is(own, "brief") ? 12 : 8, own->calls);
	return 0;
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	const struct own *own = ctx->own;
	const char *sep = ctx->host->state->separator;
	if (type == PERFOLIO_PLOT_SUM_NAMES)
		ctx->host->addf(line, "[UNRULY]Calls%s[UNRULY]More%s", sep, sep);
	else if (type == PERFOLIO_PLOT_SUM)
		ctx->host->addf(line, is(own, "plot") ? "%s%u" : "%s%u%s0", sep, own->calls, sep);
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
	.name = "unruly",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.print_brief = print_brief,
	.print_plot = print_plot,
	.done = done,
};
