/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * modules/misc.c - uptime, clock of the first processor, NFS mounts and logged-in users.
 *
 * Records, views and options are those of collectl's misc module, to the byte; written from the import API's manual and from what collectl
 * 4.3.1 prints. Options: i=SECONDS between two counts of the users, which start a program (60; a multiple of the main interval); a: lexpr
 * tells the users in every interval; s: a summary, which it is anyway.
 *
 * The files are held open and read again for each sample. The shown numbers are truncated as there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perfolio/module.h>

enum { UPTIME, CLOCK, MOUNTS, LOGINS };
enum { SECONDS_DEFAULT = 60, BLOCK = 4096, MOUNTS_MAX = 1 << 20 };

static const double DAY = 86400;
static const double VALUE_LIMIT = 1e15; /* beyond this, no text is a value of ours */

/* One number and what its total is made of. */
struct number {
	double now;
	double total;
};

/* @every, @samples: the users are counted in each @every-th sample
 * @cpuinfo, @mounts: held open, -1 not yet or not there; @text: room for the mounts, which grows */
struct misc {
	struct number uptime, clock, mounts, logins;
	long every;
	long samples;
	int always;
	int cpuinfo_fd;
	int mounts_fd;
	char *text;
	size_t room;
};

static const struct perfolio_metric metrics[] = {
	[UPTIME] = { sizeof(struct perfolio_metric), "uptime", NULL, PERFOLIO_DOUBLE, PERFOLIO_INSTANT, "sec", "Uptime",
		     "time since the host was booted" },
	[CLOCK] = { sizeof(struct perfolio_metric), "cpu_mhz", NULL, PERFOLIO_DOUBLE, PERFOLIO_INSTANT, "", "MHz",
		    "clock of the first processor in MHz" },
	[MOUNTS] = { sizeof(struct perfolio_metric), "nfs_mounts", NULL, PERFOLIO_U32, PERFOLIO_INSTANT, "count",
		     "Mounts", "file systems mounted through NFS" },
	[LOGINS] = { sizeof(struct perfolio_metric), "logins", NULL, PERFOLIO_U32, PERFOLIO_INSTANT, "count", "Logins",
		     "users logged in" },
};

/* Seconds of the main interval, which is the part before a colon; a run for headings has none. */
static double main_interval(const struct perfolio_ctx *ctx)
{
	double s = strtod(ctx->host->state->interval, NULL);
	return ctx->host->state->show_col_headers || !(s > 0) ? 1 : s;
}

/* "BEFORE'WHAT'BEHIND", of which WHAT is cut. */
static int refuse(struct perfolio_ctx *ctx, const char *before, const char *what, size_t n, const char *behind)
{
	char text[200];
	(void)snprintf(text, sizeof(text), "%s'%.*s'%s", before, (int)(n < 60 ? n : 60), what, behind);
	ctx->host->error(ctx, text);
	return -1;
}

/* Return: 0, -1 told. */
static int take_options(struct perfolio_ctx *ctx, struct misc *m, const char *args, double *ret_seconds)
{
	for (const char *p = args; p && *p != '\0';) {
		size_t n = strcspn(p, ",");
		size_t name = strcspn(p, "=,");
		if (name != 1 || !strchr("ais", p[0]))
			return refuse(ctx, "invalid misc option: ", p, name, "");
		if (p[0] == 'i')
			*ret_seconds = name < n ? strtod(p + name + 1, NULL) : 0;
		m->always |= p[0] == 'a';
		p += n + (p[n] == ',');
	}
	return 0;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct misc *m = calloc(1, sizeof(*m));
	if (!m) {
		ctx->host->error(ctx, "no memory");
		return 0;
	}
	ctx->own = m;
	m->cpuinfo_fd = m->mounts_fd = -1;
	double seconds = SECONDS_DEFAULT;
	if (take_options(ctx, m, args, &seconds) < 0)
		return 0;
	double interval = main_interval(ctx);
	double times = floor(seconds / interval);
	if (!(times >= 1 && times < 1e9 && times * interval == seconds)) {
		char text[32];
		(void)snprintf(text, sizeof(text), "%.15g", interval);
		(void)refuse(ctx, "misc interval option not a multiple of ", text, strlen(text), " seconds");
		return 0;
	}
	m->every = (long)times;
	m->samples = -1; /* the baseline comes before the first sample that is shown */
	setup->options = "s";
	setup->key = "misc";
	setup->metrics = metrics;
	setup->n_metrics = sizeof(metrics) / sizeof(metrics[0]);
	setup->flags = PERFOLIO_APPENDS;
	return 0;
}

/* Read a file from its start, keeping it open. Return: bytes, or -1. */
static ssize_t reread(struct perfolio_ctx *ctx, int *fd, const char *path, char *to, size_t size, size_t at)
{
	if (*fd < 0)
		*fd = ctx->host->open_file(ctx, path);
	ssize_t n = *fd < 0 ? -1 : pread(*fd, to, size, (off_t)at);
	if (n < 0 && *fd >= 0) {
		(void)close(*fd);
		*fd = -1;
	}
	return n;
}

/* The first processor stands in the first block. */
static void record_clock(struct perfolio_ctx *ctx, struct misc *m)
{
	char text[BLOCK];
	ssize_t n = reread(ctx, &m->cpuinfo_fd, "/proc/cpuinfo", text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	for (char *line = text; *line != '\0';) {
		char *end = line + strcspn(line, "\n");
		int last = *end == '\0';
		*end = '\0';
		if (strstr(line, "MHz")) {
			ctx->host->record(ctx, "misc-mhz", line);
			return;
		}
		line = last ? end : end + 1;
	}
}

/* All of the mounts, ended by a NUL. Return: bytes, or -1. */
static ssize_t read_mounts(struct perfolio_ctx *ctx, struct misc *m)
{
	size_t n = 0;
	for (;;) {
		if (n + BLOCK > m->room) {
			char *more = m->room < MOUNTS_MAX ? realloc(m->text, m->room + 4 * (size_t)BLOCK) : NULL;
			if (!more)
				return -1;
			m->text = more;
			m->room += 4 * (size_t)BLOCK;
		}
		ssize_t got = reread(ctx, &m->mounts_fd, "/proc/mounts", m->text + n, m->room - n - 1, n);
		if (got < 0)
			return -1;
		n += (size_t)got;
		if (got == 0)
			break;
	}
	m->text[n] = '\0';
	return (ssize_t)n;
}

static void record_mounts(struct perfolio_ctx *ctx, struct misc *m)
{
	unsigned count = 0;
	char number[16];
	if (read_mounts(ctx, m) < 0)
		return;
	for (const char *line = m->text; *line != '\0';) {
		const char *end = line + strcspn(line, "\n");
		const char *found = strstr(line, " nfs ");
		count += found && found < end;
		line = *end == '\0' ? end : end + 1;
	}
	(void)snprintf(number, sizeof(number), "%u", count);
	ctx->host->record(ctx, "misc-mounts", number);
}

static int is_due(long sample, long every)
{
	return (sample % every + every) % every == 0;
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct misc *m = ctx->own;
	(void)ctx->host->getproc(ctx, 0, "/proc/uptime", "misc-uptime", 0, 0, NULL);
	record_clock(ctx, m);
	record_mounts(ctx, m);
	if (is_due(m->samples++, m->every))
		(void)ctx->host->getexec(ctx, 4, "/usr/bin/who -s -u", "misc-logins");
	return 0;
}

/* Word @i of the data as far as it is a number. */
static double word(const char *data, unsigned i)
{
	for (; i > 0; i--) {
		data += strcspn(data, " \t");
		data += strspn(data, " \t");
	}
	double v = strtod(data, NULL);
	return v > -VALUE_LIMIT && v < VALUE_LIMIT ? v : 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	struct misc *m = ctx->own;
	const char *name = strstr(type, "misc-");
	name = name ? name + strlen("misc-") : "";
	if (strcmp(name, "uptime") == 0)
		ctx->host->set_double(ctx, UPTIME, NULL, m->uptime.now = word(data, 0));
	else if (strcmp(name, "mhz") == 0)
		ctx->host->set_double(ctx, CLOCK, NULL, m->clock.now = word(data, 3));
	else if (strcmp(name, "mounts") == 0)
		ctx->host->set_double(ctx, MOUNTS, NULL, m->mounts.now = word(data, 0));
	else if (strcmp(name, "logins:") == 0)
		ctx->host->set_double(ctx, LOGINS, NULL, m->logins.now = word(data, 0));
	return 0;
}

static void add_up(struct number *n, double value)
{
	n->total += value;
}

static int average(const struct number *n, double samples)
{
	return (int)(n->total / samples);
}

static void totals(const struct perfolio_ctx *ctx, const struct misc *m, struct perfolio_text *line)
{
	double n = ctx->host->state->mini_instances ? (double)ctx->host->state->mini_instances : 1;
	ctx->host->addf(line, " %4d %4d %2d %3d ", average(&m->uptime, n), average(&m->clock, n),
			average(&m->mounts, n), average(&m->logins, n));
}

/* collectl's misc does not pad the days, so that what follows stands too far to the left. */
static int days_width(const struct perfolio_state *state)
{
	int tells = state->size >= offsetof(struct perfolio_state, peer) + sizeof(state->peer);
	return tells && state->peer ? 0 : 4;
}

static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	const struct perfolio_host *host = ctx->host;
	struct misc *m = ctx->own;
	struct number *all[] = { &m->uptime, &m->clock, &m->mounts, &m->logins };
	char number[PERFOLIO_CVT_SIZE];
	switch (type) {
	case PERFOLIO_BRIEF_TITLE:
		host->add(line, "<------Misc------>");
		break;
	case PERFOLIO_BRIEF_NAMES:
		host->add(line, " UTim  MHz MT Log ");
		break;
	case PERFOLIO_BRIEF_VALUES:
		host->addf(line, " %*s %4d %2d %3d ", days_width(host->state),
			   host->cvt(ctx, m->uptime.now / DAY, 4, 0, 0, number), (int)m->clock.now, (int)m->mounts.now,
			   (int)m->logins.now);
		break;
	case PERFOLIO_BRIEF_RESET:
		for (unsigned i = 0; i < 4; i++)
			all[i]->total = 0;
		break;
	case PERFOLIO_BRIEF_COUNT:
		add_up(&m->uptime, floor(m->uptime.now / DAY + .5));
		for (unsigned i = 1; i < 4; i++)
			add_up(all[i], all[i]->now);
		break;
	case PERFOLIO_BRIEF_TOTALS:
		totals(ctx, m, line);
		break;
	}
	return 0;
}

static int print_verbose(struct perfolio_ctx *ctx, int heading, int home, struct perfolio_text *lines)
{
	const struct perfolio_host *host = ctx->host;
	const struct misc *m = ctx->own;
	char number[PERFOLIO_CVT_SIZE];
	if (heading) {
		host->add(lines, home ? "" : "\n");
		host->addf(lines, "# MISC STATISTICS\n#%s UpTime  CPU-MHz Mounts Logins\n", host->state->mini_filler);
	}
	if (!host->state->show_col_headers)
		host->addf(lines, "%s  %6s   %6d %6d %6d \n", host->state->datetime,
			   host->cvt(ctx, m->uptime.now / DAY, 4, 0, 0, number), (int)m->clock.now, (int)m->mounts.now,
			   (int)m->logins.now);
	return 0;
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	const struct perfolio_host *host = ctx->host;
	const struct misc *m = ctx->own;
	const char *s = host->state->separator;
	if (type == PERFOLIO_PLOT_SUM_NAMES)
		host->addf(line, "[MISC]Uptime%s[MISC]MHz%s[MISC]Mounts%s[MISC]Logins%s", s, s, s, s);
	else if (type == PERFOLIO_PLOT_SUM)
		host->addf(line, "%s%d%s%d%s%d%s%d", s, (int)(m->uptime.now / DAY), s, (int)m->clock.now, s,
			   (int)m->mounts.now, s, (int)m->logins.now);
	return 0;
}

static int print_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	const struct misc *m = ctx->own;
	int lexpr = kind == 'l';
	if (kind == 's') {
		char text[160];
		(void)snprintf(text, sizeof(text), "  (misc (uptime %d)(cpuMHz %d)(mounts %d)(logins %d))\n",
			       (int)(m->uptime.now / DAY), (int)m->clock.now, (int)m->mounts.now, (int)m->logins.now);
		to->text(to, text);
		return 0;
	}
	to->summary(to, "misc.uptime", "num", lexpr ? m->uptime.now / DAY : (int)(m->uptime.now / DAY), 0,
		    lexpr ? "%.3f" : NULL, NULL, NULL);
	to->summary(to, "misc.cpuMHz", "num", (int)m->clock.now, 0, NULL, NULL, NULL);
	to->summary(to, "misc.mounts", "num", (int)m->mounts.now, 0, NULL, NULL, NULL);
	if (!lexpr || m->always || is_due(m->samples - 1, m->every))
		to->summary(to, "misc.logins", "num", (int)m->logins.now, 0, NULL, NULL, NULL);
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	struct misc *m = ctx->own;
	if (!m)
		return;
	if (m->cpuinfo_fd >= 0)
		(void)close(m->cpuinfo_fd);
	if (m->mounts_fd >= 0)
		(void)close(m->mounts_fd);
	free(m->text);
	free(m);
	ctx->own = NULL;
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "misc",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.print_brief = print_brief,
	.print_verbose = print_verbose,
	.print_plot = print_plot,
	.print_export = print_export,
	.done = done,
};
