/* modules/nvidia.c - an import module: graphics processors of NVIDIA, as nvidia-smi tells of them. Source of the facts: nvidia-smi(1) and
 * `nvidia-smi --help-query-gpu`.
 *
 * nvidia-smi is run once per interval through the host's getexec, which ends it when it takes too long. A line of its output is one
 * processor; words such as [N/A], [Not Supported] or [Unknown Error] are no values. What is recorded is the line, so playback sees what was
 * seen. Arguments, separated by commas: s and d for summary and detail (both without), i=N to ask only every N-th interval,
 * cmd=PATH for another program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfolio/module.h>

enum { GPU, MEM, USED, TOTAL, TEMP, POWER, CLOCK, MEMCLOCK, FAN, UUID, NAME, N_METRICS };

#define LEVEL(name, type, units, heading, help)                                                                        \
	{                                                                                                              \
		sizeof(struct perfolio_metric), name, "gpu", type, PERFOLIO_INSTANT, units, heading, help              \
	}

static const struct perfolio_metric metrics[N_METRICS] = {
	[GPU] = LEVEL("gpu.busy", PERFOLIO_U32, "", "Gpu%", "percent of the time in which kernels ran"),
	[MEM] = LEVEL("gpu.memory_busy", PERFOLIO_U32, "", "Mem%",
		      "percent of the time in which memory was read or written"),
	[USED] = LEVEL("gpu.memory_used", PERFOLIO_U64, "Mbyte", "UsedMB", "memory in use"),
	[TOTAL] = LEVEL("gpu.memory_total", PERFOLIO_U64, "Mbyte", "TotMB", "memory that is built in"),
	[TEMP] = LEVEL("gpu.temperature", PERFOLIO_U32, "", "TempC", "degrees Celsius"),
	[POWER] = LEVEL("gpu.power", PERFOLIO_DOUBLE, "", "Watt", "power that is drawn, in watts"),
	[CLOCK] = LEVEL("gpu.clock", PERFOLIO_U32, "", "MHz", "clock of the multiprocessors, in MHz"),
	[MEMCLOCK] = LEVEL("gpu.memory_clock", PERFOLIO_U32, "", "MemMHz", "clock of the memory, in MHz"),
	[FAN] = LEVEL("gpu.fan", PERFOLIO_U32, "", "Fan%", "speed that the fan is meant to have, in percent"),
	[UUID] = LEVEL("gpu.uuid", PERFOLIO_STRING, "", "Uuid", "the card, wherever it is plugged in"),
	[NAME] = LEVEL("gpu.name", PERFOLIO_STRING, "", "Name", "the product"),
};

/* What is asked for, in the order of the line. The name comes last, since it may have a comma. */
static const char *const query = "--query-gpu=index,uuid,utilization.gpu,utilization.memory,memory.used,memory.total,"
				 "temperature.gpu,power.draw,clocks.sm,clocks.mem,fan.speed,name "
				 "--format=csv,noheader,nounits";

/* Metrics of the fields between uuid and name. */
static const int numbers[] = { GPU, MEM, USED, TOTAL, TEMP, POWER, CLOCK, MEMCLOCK, FAN };

enum { N_NUMBERS = sizeof(numbers) / sizeof(numbers[0]), FIELD = 128 };

struct nvidia {
	char options[3];
	char command[512];
	unsigned every;
	unsigned count;
};

/* A whole decimal number with or without a fraction. Return: 0, or -1 if it is none. */
static int number(const char *text, double *ret_v)
{
	double v = 0, unit = 1;
	int digits = 0, fraction = 0;
	for (; *text != '\0'; text++) {
		if (*text == '.' && !fraction) {
			fraction = 1;
			continue;
		}
		if (*text < '0' || *text > '9' || ++digits > 15)
			return -1;
		v = v * 10 + (*text - '0');
		if (fraction)
			unit *= 10;
	}
	if (digits == 0)
		return -1;
	*ret_v = v / unit;
	return 0;
}

/* One word of the arguments. Return: 0, or -1 if it is none. */
static int take_word(struct nvidia *n, const char *word)
{
	double every;
	if (strcmp(word, "s") == 0 || strcmp(word, "d") == 0 || strcmp(word, "sd") == 0 || strcmp(word, "ds") == 0) {
		size_t have = strlen(n->options);
		if (have + strlen(word) >= sizeof(n->options))
			return -1;
		memcpy(n->options + have, word, strlen(word) + 1);
		return 0;
	}
	if (strncmp(word, "i=", 2) == 0 && number(word + 2, &every) == 0 && every >= 1 && every <= 86400) {
		n->every = (unsigned)every;
		return 0;
	}
	if (strncmp(word, "cmd=", 4) == 0 && word[4] != '\0') {
		int len = snprintf(n->command, sizeof(n->command), "%s %s", word + 4, query);
		return len > 0 && (size_t)len < sizeof(n->command) ? 0 : -1;
	}
	return -1;
}

static int take_arguments(struct nvidia *n, const char *args)
{
	char word[384];
	while (args && *args != '\0') {
		size_t len = strcspn(args, ",");
		if (len == 0 || len >= sizeof(word))
			return -1;
		memcpy(word, args, len);
		word[len] = '\0';
		if (take_word(n, word) < 0)
			return -1;
		args += args[len] == ',' ? len + 1 : len;
	}
	return 0;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct nvidia *n = calloc(1, sizeof(*n));
	if (!n)
		return -ENOMEM;
	ctx->own = n;
	n->every = 1;
	(void)snprintf(n->command, sizeof(n->command), "nvidia-smi %s", query);
	if (take_arguments(n, args) < 0) {
		ctx->host->error(ctx, "nvidia: arguments are s, d, i=N (every N-th interval) and cmd=PATH");
		return 0;
	}
	if (n->options[0] == '\0')
		memcpy(n->options, "sd", 3);
	setup->options = n->options;
	setup->key = "^nvidia:$";
	setup->metrics = metrics;
	setup->n_metrics = N_METRICS;
	return 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct nvidia *n = ctx->own;
	if (n->count++ % n->every == 0)
		(void)ctx->host->getexec(ctx, 0, n->command, "nvidia"); /* the host tells what went wrong, once */
	return 0;
}

/* The next field of a line whose fields stand between ", ". Return: 0, or -1 at the end. */
static int field(const char **rest, char ret[FIELD])
{
	const char *p = *rest;
	if (!p)
		return -1;
	while (*p == ' ')
		p++;
	size_t len = strcspn(p, ",");
	*rest = p[len] == ',' ? p + len + 1 : NULL;
	while (len > 0 && (p[len - 1] == ' ' || p[len - 1] == '\r'))
		len--;
	if (len >= FIELD)
		return -1;
	memcpy(ret, p, len);
	ret[len] = '\0';
	return 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	(void)type;
	const struct perfolio_host *host = ctx->host;
	char index[FIELD], uuid[FIELD], text[FIELD], id[FIELD + 4];
	double v;
	/* A message of nvidia-smi ("No devices were found") is no line of numbers. */
	if (field(&data, index) < 0 || number(index, &v) < 0 || field(&data, uuid) < 0)
		return 0;
	(void)snprintf(id, sizeof(id), "gpu%s", index);
	if (uuid[0] != '\0' && uuid[0] != '[')
		host->set_string(ctx, UUID, id, uuid);
	for (unsigned i = 0; i < N_NUMBERS; i++) {
		if (field(&data, text) < 0)
			return 0;
		if (number(text, &v) < 0)
			continue; /* [N/A] and its like */
		if (metrics[numbers[i]].type == PERFOLIO_DOUBLE)
			host->set_double(ctx, (uint32_t)numbers[i], id, v);
		else
			host->set_u64(ctx, (uint32_t)numbers[i], id, (uint64_t)v);
	}
	if (data) {
		while (*data == ' ')
			data++;
		(void)snprintf(text, sizeof(text), "%s", data);
		host->set_string(ctx, NAME, id, text);
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
	.name = "nvidia",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.done = done,
};
