/* tests/modules/wild.c - an import module that does harm in one callback: arguments CALLBACK=DEED[@N], from the N-th call of that callback on, or
 * CALLBACK=DEED!N in the N-th only. Deeds: crash, abort, leak (1 GiB), flood, hang, stack, recurse, exit, files, close. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfolio/module.h>

static const struct perfolio_metric metrics[] = {
	{ sizeof(metrics[0]), "calls", NULL, PERFOLIO_U64, PERFOLIO_INSTANT, "count", "Calls", "of GetData" },
};

struct own {
	char callback[24];
	char deed[16];
	int at;
	int only;
	int calls;
	unsigned samples;
};

static void crash(void)
{
	volatile int *volatile nowhere = NULL;
	*nowhere = 1;
}

/* Over everything above this function's frame. */
static __attribute__((noinline)) void stack(void)
{
	volatile char small[16];
	volatile char *volatile at = small;
	for (int i = 0; i < 1 << 24; i++)
		at[i] = 'x';
}

static __attribute__((noinline)) int recurse(int n)
{
	volatile char room[4096];
	room[n % 4096] = (char)n;
	return n < 0 ? 0 : recurse(n + 1) + room[n % 4096];
}

static void leak(void)
{
	for (int i = 0; i < 64; i++) {
		char *lost = malloc(16 << 20);
		if (lost)
			memset(lost, 1, 16 << 20);
		(void)usleep(10000);
	}
}

/* @text: what a callback that draws was given, or NULL */
static void flood(struct perfolio_ctx *ctx, struct perfolio_text *text)
{
	for (int i = 0; i < 300000; i++) {
		ctx->host->record(ctx, "wildflood", "1 2 3 4 5 6 7 8 9");
		ctx->host->set_u64(ctx, 0, NULL, 1);
		if (i < 1000)
			ctx->host->logmsg(ctx, 'I', "still here");
		if (text && i < 100000)
			ctx->host->add(text, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	}
}

static void take_files(void)
{
	for (int i = 0; i < 100000; i++) {
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
	}
}

static void harm(struct perfolio_ctx *ctx, const char *deed, struct perfolio_text *text)
{
	if (strcmp(deed, "crash") == 0)
		crash();
	if (strcmp(deed, "abort") == 0)
		abort();
	if (strcmp(deed, "leak") == 0)
		leak();
	if (strcmp(deed, "flood") == 0)
		flood(ctx, text);
	while (strcmp(deed, "hang") == 0)
		(void)sleep(1000);
	if (strcmp(deed, "stack") == 0)
		stack();
	if (strcmp(deed, "recurse") == 0)
		(void)recurse(0);
	if (strcmp(deed, "exit") == 0)
		exit(0);
	if (strcmp(deed, "files") == 0)
		take_files();
	for (int i = 0; strcmp(deed, "close") == 0 && i < 1024; i++)
		(void)close(i);
}

static void begins(struct perfolio_ctx *ctx, const char *callback, struct perfolio_text *text)
{
	struct own *own = ctx->own;
	if (strcmp(own->callback, callback) != 0)
		return;
	own->calls++;
	if (own->only ? own->calls == own->at : own->calls >= own->at)
		harm(ctx, own->deed, text);
}

/* $WILD_FLAG names a file: the first Init makes it, later ones do not come back. */
static void hang_again(void)
{
	const char *flag = getenv("WILD_FLAG");
	int fd = flag ? open(flag, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	while (flag && fd < 0)
		(void)sleep(1000);
	if (fd >= 0)
		(void)close(fd);
}

static void take_args(struct own *own, const char *args)
{
	const char *sign = strchr(args, '=');
	if (!sign)
		return;
	size_t n = strcspn(sign + 1, "@!");
	const char *number = sign + 1 + n;
	(void)snprintf(own->callback, sizeof(own->callback), "%.*s", (int)(sign - args), args);
	(void)snprintf(own->deed, sizeof(own->deed), "%.*s", (int)n, sign + 1);
	own->only = *number == '!';
	own->at = *number != '\0' ? number[1] - '0' : 1;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct own *own = calloc(1, sizeof(*own));
	if (!own)
		return -ENOMEM;
	ctx->own = own;
	take_args(own, args ? args : "");
	begins(ctx, "init", NULL);
	hang_again();
	setup->options = "s";
	setup->key = "^wild";
	setup->metrics = metrics;
	setup->n_metrics = 1;
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct own *own = ctx->own;
	char text[32];
	begins(ctx, "get_data", NULL);
	(void)snprintf(text, sizeof(text), "%u", ++own->samples);
	ctx->host->record(ctx, "wild", text);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	if (strcmp(type, "wild") != 0)
		return 0;
	begins(ctx, "analyze", NULL);
	ctx->host->set_u64(ctx, 0, NULL, strlen(data));
	return 0;
}

static int init_interval(struct perfolio_ctx *ctx)
{
	begins(ctx, "init_interval", NULL);
	return 0;
}

static int interval_end(struct perfolio_ctx *ctx)
{
	begins(ctx, "interval_end", NULL);
	return 0;
}

static int get_header(struct perfolio_ctx *ctx, const char *header)
{
	(void)header;
	begins(ctx, "get_header", NULL);
	return 0;
}

static int update_header(struct perfolio_ctx *ctx, struct perfolio_text *header)
{
	begins(ctx, "update_header", header);
	ctx->host->add(header, "# wild\n");
	return 0;
}

static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	static const char *const texts[] = {
		[PERFOLIO_BRIEF_TITLE] = "<-Wild->",
		[PERFOLIO_BRIEF_NAMES] = "   Calls",
		[PERFOLIO_BRIEF_VALUES] = "       1",
	};
	if (type == PERFOLIO_BRIEF_VALUES)
		begins(ctx, "print_brief", line);
	if ((size_t)type < sizeof(texts) / sizeof(texts[0]) && texts[type])
		ctx->host->add(line, texts[type]);
	return 0;
}

static int print_verbose(struct perfolio_ctx *ctx, int print_header, int home, struct perfolio_text *lines)
{
	(void)print_header;
	(void)home;
	begins(ctx, "print_verbose", lines);
	ctx->host->add(lines, "wild 1\n");
	return 0;
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	if (type == PERFOLIO_PLOT_SUM)
		begins(ctx, "print_plot", line);
	ctx->host->add(line, type == PERFOLIO_PLOT_SUM_NAMES ? "[WILD]Calls " : type == PERFOLIO_PLOT_SUM ? " 1" : "");
	return 0;
}

static int print_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	(void)kind;
	begins(ctx, "print_export", NULL);
	to->summary(to, "wild.calls", "", 1, 1, NULL, NULL, NULL);
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	begins(ctx, "done", NULL);
	free(ctx->own);
	ctx->own = NULL;
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "wild",
	.version = "1.0",
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
	.print_export = print_export,
	.done = done,
};
