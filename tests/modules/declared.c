/* tests/modules/declared.c - an import module without a line of drawing: everything comes from its declared metrics. Its arguments are
 * the options, "s" if there are none. */
#include <perfolio/module.h>

enum { REQUESTS, LOAD, VERSION, BYTES, STATE };

static const struct perfolio_metric metrics[] = {
	[REQUESTS] = { sizeof(struct perfolio_metric), "requests", 0, PERFOLIO_U64, PERFOLIO_COUNTER, "count", "Reqs",
		       "requests served" },
	[LOAD] = { sizeof(struct perfolio_metric), "load", 0, PERFOLIO_DOUBLE, PERFOLIO_INSTANT, "", "Load", "load" },
	[VERSION] = { sizeof(struct perfolio_metric), "version", 0, PERFOLIO_STRING, PERFOLIO_DISCRETE, "", "Version",
		      "version of the server" },
	[BYTES] = { sizeof(struct perfolio_metric), "gpu.bytes", "gpu", PERFOLIO_U64, PERFOLIO_COUNTER, "byte", "Bytes",
		    "bytes moved" },
	[STATE] = { sizeof(struct perfolio_metric), "gpu.state", "gpu", PERFOLIO_S32, PERFOLIO_INSTANT, "", 0,
		    "state of the card" },
};

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	(void)ctx;
	setup->options = args ? args : "s";
	setup->key = "^decl$";
	setup->metrics = metrics;
	setup->n_metrics = sizeof(metrics) / sizeof(metrics[0]);
	return 0;
}

/* The records carry the running number, from which all values follow. */
static int get_data(struct perfolio_ctx *ctx)
{
	char text[2] = "0";
	int n = ctx->own ? *(const char *)ctx->own - '0' : 0;
	static const char digits[] = "0123456789";
	text[0] = digits[n % 10];
	ctx->own = (void *)(uintptr_t)&digits[(n + 1) % 10];
	ctx->host->record(ctx, "decl", text);
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	const struct perfolio_host *host = ctx->host;
	int n = data[0] - '0';
	(void)type;
	host->set_u64(ctx, REQUESTS, 0, (uint64_t)n * 100);
	host->set_double(ctx, LOAD, 0, n + 0.25);
	host->set_string(ctx, VERSION, 0, "v 1\033");
	host->set_u64(ctx, BYTES, "gpu0", (uint64_t)n * 2048);
	host->set_u64(ctx, BYTES, "gpu 1", (uint64_t)n * 1024);
	host->set_i64(ctx, STATE, "gpu0", -n);
	return 0;
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "declared",
	.version = "1",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
};
