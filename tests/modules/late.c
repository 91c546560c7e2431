/* tests/modules/late.c - an import module that learns what its metrics are from its data: "NAME VALUE", declared when first seen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfolio/module.h>

enum { NAMES_MAX = 8 };

/* @names: declared so far; the number of a metric is its place plus @first */
struct late {
	char names[NAMES_MAX][32];
	int numbers[NAMES_MAX];
	int n;
	int samples;
};

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	(void)args;
	ctx->own = calloc(1, sizeof(struct late));
	setup->options = "sd";
	setup->key = "^late$";
	return ctx->own ? 0 : -ENOMEM;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct late *l = ctx->own;
	ctx->host->record(ctx, "late", "jobs 10");
	if (++l->samples > 2)
		ctx->host->record(ctx, "late", "queue.left 7");
	return 0;
}

static int number_of(struct perfolio_ctx *ctx, struct late *l, const char *name)
{
	for (int i = 0; i < l->n; i++) {
		if (strcmp(l->names[i], name) == 0)
			return l->numbers[i];
	}
	const struct perfolio_metric metric = {
		sizeof(metric), name, strchr(name, '.') ? "side" : NULL, PERFOLIO_DOUBLE, PERFOLIO_INSTANT,
		"count",	NULL, "declared when it was seen"
	};
	int number = ctx->host->declare(ctx, &metric);
	if (number < 0 || l->n == NAMES_MAX)
		return -1;
	(void)snprintf(l->names[l->n], sizeof(l->names[0]), "%s", name);
	l->numbers[l->n++] = number;
	return number;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	(void)type;
	char name[32];
	size_t n = strcspn(data, " ");
	if (n >= sizeof(name))
		return 0;
	memcpy(name, data, n);
	name[n] = '\0';
	int number = number_of(ctx, ctx->own, name);
	if (number >= 0)
		ctx->host->set_double(ctx, (uint32_t)number, strchr(name, '.') ? "left" : NULL, strtod(data + n, NULL));
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	free(ctx->own);
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "late",
	.version = "1",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.done = done,
};
