/* tests/fuzz/fuzz_wire.c - messages between the recorder and an isolated module. First byte even: a module's process sends anything, and the
 * recorder makes its calls (bit 1: records are analysed at once; bit 2: there are no declared metrics at first). Odd: what a recorder would send,
 * to the end that a module's process has, with a module that uses all that there is. That end leaves by _exit(), which is ours here. */
#include <fcntl.h>
#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/time.h"
#include "import/isolate.h"
#include "import/isolate_calls.h"
#include "import/isolate_child.h"

enum { RECORDER_MAX = 8 << 10 /* what it answers must fit into the socket, which nobody reads */ };

/* Where the module's end goes when it would end its process; NULL: it does. */
static jmp_buf *way_out;

_Noreturn void __real__exit(int status); /* NOLINT(bugprone-reserved-identifier): the linker's names */
_Noreturn void __wrap__exit(int status); /* NOLINT(bugprone-reserved-identifier) */

_Noreturn void __wrap__exit(int status) /* NOLINT(bugprone-reserved-identifier) */
{
	if (way_out)
		longjmp(*way_out, 1);
	__real__exit(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch(void *arg, struct pf_view tag, struct pf_view line)
{
	unsigned *sum = arg;
	for (size_t i = 0; i < tag.n; i++)
		*sum += (unsigned char)tag.p[i];
	for (size_t i = 0; i < line.n; i++)
		*sum += (unsigned char)line.p[i];
}

static void hear(void *arg, enum pf_severity severity, const char *text)
{
	(void)severity;
	touch(arg, pf_view_of(text), pf_view_of(""));
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void exported(struct perfolio_export *to, const char *name, const char *units, double v, int gauge,
		     const char *format, const char *group, const char *title)
{
	const char *const texts[] = { name, units, format, group, title };
	(void)v;
	(void)gauge;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		touch(to->host, pf_view_of(texts[i] ? texts[i] : ""), pf_view_of(""));
}
/* NOLINTEND(readability-function-size) */

static void exported_text(struct perfolio_export *to, const char *text)
{
	touch(to->host, pf_view_of(text), pf_view_of(""));
}

/* What pf_import_open() does for each module, and a run with each interval. */
static void use(struct pf_import *imp, struct pf_module *m, struct pf_frames *frames, bool declares, unsigned *sum)
{
	struct pf_err err = { 0 };
	struct perfolio_setup setup = { .size = sizeof(setup) };
	if (pf_iso_meet(m, &err) < 0)
		return;
	m->ctx.name = m->is.name;
	int rc = m->is.init(&m->ctx, "a,b", &setup);
	m->initialised = true;
	if (rc < 0 || !setup.key || pf_key_init(&m->match, setup.key, &err) < 0)
		return;
	m->key = strdup(setup.key);
	if (declares && m->key && pf_module_declare_all(m, &setup, &err) < 0)
		return;
	struct pf_buf out = { 0 };
	struct perfolio_export to = {
		.size = sizeof(to), .host = sum, .summary = exported, .detail = exported, .text = exported_text
	};
	pf_import_update_header(imp, &out);
	pf_import_get_header(imp, "# a header\n");
	for (int i = 0; i < 3 && !m->off; i++) {
		struct pf_sample *sample = pf_frames_begin(frames, i * PF_NS_PER_SEC, i * PF_NS_PER_SEC);
		if (!sample)
			break;
		pf_import_sample(imp, sample);
		pf_import_init_interval(imp);
		pf_import_get_data(imp);
		pf_import_analyze(imp, PF_VIEW("x"), PF_VIEW("1 2 3"));
		pf_import_interval_end(imp);
		struct pf_step step = pf_frames_step(frames);
		for (int type = PERFOLIO_BRIEF_TITLE; type <= PERFOLIO_BRIEF_TOTALS; type++)
			pf_import_brief(imp, type, &step, &out);
		pf_import_verbose(imp, i == 0, false, &step, PF_VIEW(""), &out);
		for (int type = PERFOLIO_PLOT_SUM_NAMES; type <= PERFOLIO_PLOT_DET; type++)
			pf_import_plot(imp, -1, type, &step, &out);
		pf_import_export(imp, 'l', &step, &to);
		touch(sum, pf_buf_text(&out), PF_VIEW(""));
		pf_buf_clear(&out);
	}
	pf_buf_done(&out);
}

static void hostile_module(int fd, unsigned how)
{
	unsigned sum = 0;
	const struct pf_notice notice = { hear, &sum };
	const struct pf_import_setup setup = { .notice = &notice };
	struct pf_frames frames;
	struct pf_import *imp;
	struct pf_catalog *cat = pf_catalog_new();
	if (!cat || pf_import_open(&imp, &setup, cat, NULL) < 0)
		abort();
	imp->line = touch;
	imp->line_arg = &sum;
	imp->analyze = how & 1;
	imp->records = 100;
	struct pf_module *m = &imp->modules[imp->n++];
	*m = (struct pf_module){ .ctx = { .size = sizeof(m->ctx), .host = &imp->host }, .imp = imp };
	m->iso = calloc(1, sizeof(*m->iso));
	if (!m->iso)
		abort();
	m->iso->wire.fd = fd;
	m->iso->statm_fd = -1;
	m->iso->deadline_ns = PF_NS_PER_SEC / 4;
	m->iso->restarts = UINT16_MAX; /* nobody is started again here */
	pf_frames_init(&frames, cat);
	use(imp, m, &frames, !(how & 2), &sum);
	m->is.done = NULL;
	pf_frames_done(&frames);
	(void)pf_import_close(imp);
	(void)pf_catalog_free(cat);
}

/* A module that records, sets, declares, reads and draws in every callback. */
static const struct perfolio_metric metrics[] = {
	{ .size = sizeof(metrics[0]),
	  .name = "n",
	  .type = PERFOLIO_U64,
	  .semantics = PERFOLIO_COUNTER,
	  .units = "count",
	  .heading = "N" },
	{ .size = sizeof(metrics[0]),
	  .name = "s",
	  .domain = "d",
	  .type = PERFOLIO_STRING,
	  .semantics = PERFOLIO_INSTANT },
};

static int busy_init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	if (args && args[0] == 'e')
		ctx->host->error(ctx, args);
	setup->options = "sd";
	setup->key = args ? args : "busy";
	setup->metrics = metrics;
	setup->n_metrics = 2;
	return args && args[0] == 'd' ? PERFOLIO_DROP : 0;
}

static int busy_data(struct perfolio_ctx *ctx)
{
	ctx->host->record(ctx, "busy", "1 2 3\n4 5 6");
	ctx->host->set_u64(ctx, 0, NULL, 5);
	ctx->host->set_i64(ctx, 0, "x", -5);
	ctx->host->set_double(ctx, 7, NULL, 0.5);
	ctx->host->set_string(ctx, 1, "one", ctx->host->state->datetime);
	ctx->host->logmsg(ctx, 'W', ctx->host->state->subsys);
	(void)ctx->host->declare(ctx, &metrics[1]);
	(void)ctx->host->getproc(ctx, 99, "/proc/self/stat", "busy-p", 0, 1, NULL);
	return 0;
}

static int busy_analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	if (type[0] == 'r')
		ctx->host->record(ctx, data, type);
	return data[0] == 'f' ? -1 : 0;
}

static int busy_interval(struct perfolio_ctx *ctx)
{
	ctx->host->record(ctx, ctx->host->state->interval, ctx->host->state->rate);
	return 0;
}

static int busy_header(struct perfolio_ctx *ctx, const char *header)
{
	ctx->host->logmsg(ctx, header[0], header);
	return 0;
}

static int busy_text(struct perfolio_ctx *ctx, struct perfolio_text *text)
{
	ctx->host->addf(text, "# %s %g\n", ctx->host->state->host, ctx->host->state->int_secs);
	return 0;
}

static int busy_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *text)
{
	return type == PERFOLIO_BRIEF_TITLE ? 0 : busy_text(ctx, text);
}

static int busy_verbose(struct perfolio_ctx *ctx, int print_header, int home, struct perfolio_text *text)
{
	return print_header || home ? busy_text(ctx, text) : 0;
}

static int busy_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *text)
{
	return type == PERFOLIO_PLOT_SUM ? busy_text(ctx, text) : 0;
}

static int busy_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	(void)ctx;
	if (kind == 's')
		to->text(to, "busy");
	to->summary(to, "n", "count", 1, 0, NULL, NULL, NULL);
	to->detail(to, "n", NULL, 1, 1, "%d", "g", "t");
	return 0;
}

static void busy_done(struct perfolio_ctx *ctx)
{
	ctx->host->record(ctx, "busy", "done");
}

static void hostile_recorder(int fd)
{
	const struct pf_import_setup setup = { .path = (const char *const[]){ NULL } };
	struct pf_import *imp;
	struct pf_catalog *cat = pf_catalog_new();
	struct pf_iso_side *s = calloc(1, sizeof(*s));
	if (!s || !cat || pf_import_open(&imp, &setup, cat, NULL) < 0)
		abort();
	imp->answers = 100;
	imp->records = 100;
	pf_iso_side_init(s, imp, fd);
	s->m.is = (struct perfolio_module){ .size = sizeof(s->m.is),
					    .major = PERFOLIO_MODULE_MAJOR,
					    .minor = PERFOLIO_MODULE_MINOR,
					    .name = "busy",
					    .init = busy_init,
					    .get_data = busy_data,
					    .analyze = busy_analyze,
					    .init_interval = busy_interval,
					    .interval_end = busy_interval,
					    .get_header = busy_header,
					    .update_header = busy_text,
					    .print_brief = busy_brief,
					    .print_verbose = busy_verbose,
					    .print_plot = busy_plot,
					    .print_export = busy_export,
					    .done = busy_done };
	s->m.ctx.name = s->m.is.name;
	jmp_buf out;
	way_out = &out;
	__lsan_disable(); /* a process that ends in the middle of a call leaves what the call holds */
	if (setjmp(out) == 0)
		pf_iso_side_serve(s);
	__lsan_enable();
	way_out = NULL;
	for (unsigned i = 0; i < PF_WIRE_STATE_TEXTS; i++)
		pf_buf_done(&s->texts.texts[i]);
	for (unsigned i = 0; i < sizeof(s->args) / sizeof(s->args[0]); i++)
		pf_buf_done(&s->args[i]);
	pf_buf_done(&s->text);
	pf_wire_done(&s->wire);
	pf_module_files_done(&s->m);
	free(s->m.key);
	if (imp->root_fd >= 0)
		(void)close(imp->root_fd);
	(void)pf_import_close(imp);
	(void)pf_catalog_free(cat);
	free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int ends[2];
	if (size < 1 || size > 64 << 10 || ((data[0] & 1) && size > RECORDER_MAX))
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		abort();
	if (send(ends[1], data + 1, size - 1, MSG_DONTWAIT) != (ssize_t)size - 1)
		abort();
	(void)shutdown(ends[1], SHUT_WR);
	if (data[0] & 1)
		hostile_recorder(ends[0]);
	else
		hostile_module(ends[0], data[0] >> 1);
	(void)close(ends[1]);
	return 0;
}
