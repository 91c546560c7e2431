/* import/isolate_child.c - the process of an isolated module: it waits for calls, makes them, and sends what the module says. It was forked
 * from the recorder, so all that the module needs is there; what belongs to the recorder alone is closed. */
#include "import/isolate_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"

enum { SOCKET_FD = 3, SEND_AT = 64 * 1024 };

static int serve(struct pf_iso_side *s, struct pf_wire_fields *f);

/* Whoever asked is gone when this fails. A child of the module has no say. */
static void send_all(struct pf_iso_side *s)
{
	if (!pf_owner_is_us(&s->m.imp->owner) || pf_wire_send(&s->wire, INT64_MAX) < 0)
		_exit(0);
}

/* Until the answer is there; in the meantime there may be calls. */
static int64_t answer(struct pf_iso_side *s)
{
	send_all(s);
	for (;;) {
		struct pf_wire_fields f;
		int kind = pf_wire_next(&s->wire, &f);
		if (kind == PF_WIRE_ANSWER)
			return (int64_t)pf_wire_get_u64(&f);
		if (kind == PF_WIRE_CALL)
			(void)serve(s, &f);
		else if (kind != 0 || pf_wire_receive(&s->wire, INT64_MAX) < 0)
			_exit(0);
	}
}

static struct pf_iso_side *side_of(struct perfolio_ctx *ctx)
{
	return (struct pf_iso_side *)ctx;
}

static void keep_small(struct pf_iso_side *s)
{
	if (s->wire.out.n > SEND_AT)
		send_all(s);
}

static void send_record(struct pf_iso_side *s, struct pf_view tag, struct pf_view text, bool second)
{
	if (s->acknowledge && s->n_answered++ >= s->m.imp->answers) {
		s->m.n_dropped++;
		return;
	}
	pf_wire_begin(&s->wire, PF_WIRE_RECORD);
	pf_wire_u64(&s->wire, s->acknowledge);
	pf_wire_u64(&s->wire, second);
	pf_wire_text(&s->wire, tag);
	pf_wire_text(&s->wire, text);
	pf_wire_end(&s->wire);
	if (s->acknowledge)
		(void)answer(s);
	else
		keep_small(s);
}

static void line(void *arg, struct pf_view tag, struct pf_view text)
{
	send_record(arg, tag, text, false);
}

static void second_line(void *arg, struct pf_view tag, struct pf_view text)
{
	send_record(arg, tag, text, true);
}

static void value(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, enum perfolio_type given,
		  uint64_t bits, const char *text)
{
	struct pf_iso_side *s = side_of(ctx);
	pf_wire_begin(&s->wire, PF_WIRE_VALUE);
	pf_wire_u64(&s->wire, metric);
	pf_wire_str(&s->wire, instance);
	pf_wire_u64(&s->wire, (uint64_t)given);
	pf_wire_u64(&s->wire, bits);
	pf_wire_str(&s->wire, text);
	pf_wire_end(&s->wire);
	keep_small(s);
}

static void set_u64(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, uint64_t v)
{
	value(ctx, metric, instance, PERFOLIO_U64, v, NULL);
}

static void set_i64(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, int64_t v)
{
	value(ctx, metric, instance, PERFOLIO_S64, (uint64_t)v, NULL);
}

static void set_double(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof(bits));
	value(ctx, metric, instance, PERFOLIO_DOUBLE, bits, NULL);
}

static void set_string(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, const char *v)
{
	if (v)
		value(ctx, metric, instance, PERFOLIO_STRING, 0, v);
}

static void put_metric(struct pf_wire *w, const struct perfolio_metric *m)
{
	pf_wire_str(w, m->name);
	pf_wire_str(w, m->domain);
	pf_wire_u64(w, (uint64_t)m->type);
	pf_wire_u64(w, (uint64_t)m->semantics);
	pf_wire_str(w, m->units);
	pf_wire_str(w, m->heading);
	pf_wire_str(w, m->help);
}

static int declare(struct perfolio_ctx *ctx, const struct perfolio_metric *metric)
{
	struct pf_iso_side *s = side_of(ctx);
	if (!metric || metric->size < sizeof(*metric))
		return -EINVAL;
	pf_wire_begin(&s->wire, PF_WIRE_DECLARE);
	put_metric(&s->wire, metric);
	pf_wire_end(&s->wire);
	return (int)answer(s);
}

static void notice(void *arg, enum pf_severity severity, const char *text)
{
	struct pf_iso_side *s = arg;
	pf_wire_begin(&s->wire, PF_WIRE_NOTICE);
	pf_wire_u64(&s->wire, (uint64_t)severity);
	pf_wire_str(&s->wire, text);
	pf_wire_end(&s->wire);
	keep_small(s);
}

static void changed(void *arg, const char *name, const char *v)
{
	struct pf_iso_side *s = arg;
	pf_wire_begin(&s->wire, PF_WIRE_CHANGED);
	pf_wire_str(&s->wire, name);
	pf_wire_str(&s->wire, v);
	pf_wire_end(&s->wire);
}

static void say(void *arg, const char *text, size_t n)
{
	struct pf_iso_side *s = arg;
	pf_wire_begin(&s->wire, PF_WIRE_SAY);
	pf_wire_text(&s->wire, (struct pf_view){ text, n });
	pf_wire_end(&s->wire);
	keep_small(s);
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void put_export(struct pf_iso_side *s, uint64_t which, const char *name, const char *units, double v, int gauge,
		       const char *format, const char *group, const char *title)
{
	pf_wire_begin(&s->wire, PF_WIRE_EXPORT);
	pf_wire_u64(&s->wire, which);
	pf_wire_str(&s->wire, name);
	pf_wire_str(&s->wire, units);
	pf_wire_double(&s->wire, v);
	pf_wire_u64(&s->wire, (uint64_t)gauge);
	pf_wire_str(&s->wire, format);
	pf_wire_str(&s->wire, group);
	pf_wire_str(&s->wire, title);
	pf_wire_end(&s->wire);
	keep_small(s);
}

static void summary(struct perfolio_export *to, const char *name, const char *units, double v, int gauge,
		    const char *format, const char *group, const char *title)
{
	put_export(to->host, 0, name, units, v, gauge, format, group, title);
}

static void detail(struct perfolio_export *to, const char *name, const char *units, double v, int gauge,
		   const char *format, const char *group, const char *title)
{
	put_export(to->host, 1, name, units, v, gauge, format, group, title);
}

static void export_text(struct perfolio_export *to, const char *text)
{
	put_export(to->host, 2, text, NULL, 0, 0, NULL, NULL, NULL);
}
/* NOLINTEND(readability-function-size) */

static int call_init(struct pf_iso_side *s, const char *args)
{
	struct perfolio_setup setup = { .size = sizeof(setup) };
	int rc = s->m.is.init(&s->m.ctx, args, &setup);
	s->m.initialised = true;
	unsigned n = setup.metrics && setup.metrics[0].size >= sizeof(setup.metrics[0]) ? setup.n_metrics : 0;
	pf_wire_begin(&s->wire, PF_WIRE_SETUP);
	pf_wire_str(&s->wire, setup.options);
	pf_wire_str(&s->wire, setup.key);
	pf_wire_u64(&s->wire, setup.flags);
	n = n > PF_MODULE_METRICS_MAX ? PF_MODULE_METRICS_MAX : n;
	pf_wire_u64(&s->wire, n);
	for (unsigned i = 0; i < n; i++)
		put_metric(&s->wire, (const struct perfolio_metric *)(const void *)((const char *)setup.metrics +
										    (size_t)setup.metrics[0].size * i));
	pf_wire_end(&s->wire);
	/* The recorder sees to the key; here it only says that there was an Init. */
	free(s->m.key);
	s->m.key = strdup(setup.key ? setup.key : "");
	return rc;
}

/* A call's own copy of a text: more may be received while it runs. */
static const char *keep(struct pf_iso_side *s, struct pf_wire_fields *f, unsigned which)
{
	struct pf_view text;
	if (!pf_wire_get_text(f, &text))
		return NULL;
	struct pf_buf *b = &s->args[2 * s->depth + which];
	pf_buf_clear(b);
	pf_buf_view(b, text);
	return pf_buf_text(b).p;
}

/* NOLINTNEXTLINE(readability-function-size): one case per callback */
static int call(struct pf_iso_side *s, enum pf_call which, struct pf_wire_fields *f)
{
	struct perfolio_ctx *ctx = &s->m.ctx;
	const struct perfolio_module *is = &s->m.is;
	struct perfolio_text text = { &s->text };
	struct perfolio_export to = {
		.size = sizeof(to), .host = s, .summary = summary, .detail = detail, .text = export_text
	};
	int a, b;
	switch (which) {
	case PF_CALL_INIT:
		return call_init(s, keep(s, f, 0));
	case PF_CALL_GET_DATA:
		s->n_answered = 0;
		pf_module_new_interval(&s->m);
		return is->get_data ? is->get_data(ctx) : 0;
	case PF_CALL_ANALYZE: {
		const char *type = keep(s, f, 0);
		const char *data = keep(s, f, 1);
		return is->analyze && type && data ? is->analyze(ctx, type, data) : 0;
	}
	case PF_CALL_INIT_INTERVAL:
		pf_module_new_interval(&s->m);
		return is->init_interval ? is->init_interval(ctx) : 0;
	case PF_CALL_INTERVAL_END:
		return is->interval_end ? is->interval_end(ctx) : 0;
	case PF_CALL_GET_HEADER: {
		const char *header = keep(s, f, 0);
		return is->get_header && header ? is->get_header(ctx, header) : 0;
	}
	case PF_CALL_UPDATE_HEADER:
		return is->update_header ? is->update_header(ctx, &text) : 0;
	case PF_CALL_BRIEF:
		a = (int)pf_wire_get_u64(f);
		return is->print_brief ? is->print_brief(ctx, (enum perfolio_brief)a, &text) : 0;
	case PF_CALL_VERBOSE:
		a = (int)pf_wire_get_u64(f);
		b = (int)pf_wire_get_u64(f);
		return is->print_verbose ? is->print_verbose(ctx, a, b, &text) : 0;
	case PF_CALL_PLOT:
		a = (int)pf_wire_get_u64(f);
		return is->print_plot ? is->print_plot(ctx, (enum perfolio_plot)a, &text) : 0;
	case PF_CALL_EXPORT:
		a = (int)pf_wire_get_u64(f);
		b = is->print_export ? is->print_export(ctx, (char)a, &to) : 0;
		if (s->m.imp->script && s->m.imp->exit_on_error)
			s->m.imp->door->flush(s->m.imp->script, (char)a, &to);
		return b;
	case PF_CALL_DONE:
		if (is->done)
			is->done(ctx);
		return 0;
	case PF_N_CALLS:
		break;
	}
	return 0;
}

static int serve(struct pf_iso_side *s, struct pf_wire_fields *f)
{
	if (2 * s->depth + 1 >= PF_N(s->args))
		_exit(0);
	enum pf_call which = (enum pf_call)pf_wire_get_u64(f);
	bool acknowledge = pf_wire_get_u64(f) != 0;
	pf_iso_get_state(f, s->m.imp, s->state, &s->texts);
	struct pf_view before;
	(void)pf_wire_get_text(f, &before); /* what stands in the line already; only callbacks that draw look at it */
	bool draws = which >= PF_CALL_UPDATE_HEADER && which <= PF_CALL_PLOT;
	if (draws) {
		pf_buf_clear(&s->text);
		pf_buf_view(&s->text, before);
	}
	if (which != PF_CALL_ANALYZE || s->depth == 0)
		s->acknowledge = acknowledge;
	s->depth++;
	int rc = call(s, which, f);
	s->depth--;
	s->acknowledge = acknowledge;

	pf_wire_begin(&s->wire, PF_WIRE_RETURN);
	pf_wire_u64(&s->wire, (uint64_t)(int64_t)rc);
	pf_wire_u64(&s->wire, (uint64_t)(int64_t)s->m.failed.rc);
	pf_wire_str(&s->wire, s->m.failed.text);
	pf_wire_u64(&s->wire, s->m.failed.ends);
	pf_wire_u64(&s->wire, (uint64_t)(int64_t)s->m.failed.status);
	pf_wire_text(&s->wire, draws ? pf_buf_text(&s->text) : pf_view_of(""));
	pf_wire_end(&s->wire);
	s->m.failed = (struct pf_err){ 0 };
	send_all(s);
	return 0;
}

/* With no memory left for all, we are the ones to go. */
static void go_first(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)!write(fd, "1000", 4); /* it is what it was then */
	(void)close(fd);
}

static void set_up_process(int fd)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_NAME, "perfolio-module");
	go_first();
	(void)signal(SIGINT, SIG_IGN); /* the keyboard means the recorder, which ends us */
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	sigset_t none;
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (fd != SOCKET_FD && dup2(fd, SOCKET_FD) < 0)
		_exit(0);
	(void)fcntl(SOCKET_FD, F_SETFD, FD_CLOEXEC);
	(void)close_range(SOCKET_FD + 1, ~0U, 0); /* Linux 5.9; without it they stay open */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; null >= 0 && i <= STDERR_FILENO; i++)
		(void)dup2(null, i);
}

void pf_iso_side_init(struct pf_iso_side *s, struct pf_import *imp, int fd)
{
	s->m = (struct pf_module){ .ctx = { .size = sizeof(s->m.ctx), .host = &imp->host }, .imp = imp };
	s->wire.fd = fd;
	s->notice = (struct pf_notice){ notice, s };
	imp->notice = &s->notice;
	imp->watch = NULL;
	pf_owner_claim(&imp->owner);
	imp->line = line;
	imp->line_arg = s;
	imp->second_line = second_line;
	imp->second_arg = s;
	imp->analyze = false;
	imp->scripts.changed = changed;
	imp->scripts.say = say;
	imp->scripts.arg = s;
	imp->host.set_u64 = set_u64;
	imp->host.set_i64 = set_i64;
	imp->host.set_double = set_double;
	imp->host.set_string = set_string;
	imp->host.declare = declare;
	imp->root_fd = AT_FDCWD;
	s->state = (struct perfolio_state *)(uintptr_t)
			   imp->host.state; /* it is the run's, which lent it; here it is a copy */
}

static uint64_t mask_of(const struct perfolio_module *is)
{
	const bool has[PF_N_CALLS] = {
		[PF_CALL_INIT] = is->init,
		[PF_CALL_GET_DATA] = is->get_data,
		[PF_CALL_ANALYZE] = is->analyze,
		[PF_CALL_INIT_INTERVAL] = is->init_interval,
		[PF_CALL_INTERVAL_END] = is->interval_end,
		[PF_CALL_GET_HEADER] = is->get_header,
		[PF_CALL_UPDATE_HEADER] = is->update_header,
		[PF_CALL_BRIEF] = is->print_brief,
		[PF_CALL_VERBOSE] = is->print_verbose,
		[PF_CALL_PLOT] = is->print_plot,
		[PF_CALL_EXPORT] = is->print_export,
		[PF_CALL_DONE] = is->done,
	};
	uint64_t mask = 0;
	for (unsigned i = 0; i < PF_N_CALLS; i++)
		mask |= (uint64_t)has[i] << i;
	return mask;
}

static void hello(struct pf_iso_side *s, int rc, const struct pf_err *err)
{
	pf_wire_begin(&s->wire, PF_WIRE_HELLO);
	pf_wire_u64(&s->wire, (uint64_t)(int64_t)rc);
	pf_wire_str(&s->wire, err->text);
	pf_wire_str(&s->wire, s->m.is.name);
	pf_wire_str(&s->wire, s->m.is.version);
	pf_wire_str(&s->wire, s->m.path);
	pf_wire_u64(&s->wire, s->m.script);
	pf_wire_u64(&s->wire, mask_of(&s->m.is));
	pf_wire_end(&s->wire);
	send_all(s);
}

static void take_root(struct pf_import *imp, struct pf_wire_fields *f)
{
	const char *root = pf_wire_get_str(f);
	if (imp->root_fd >= 0)
		(void)close(imp->root_fd);
	imp->root_fd = root ? open(root, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
}

_Noreturn void pf_iso_side_serve(struct pf_iso_side *s)
{
	for (;;) {
		struct pf_wire_fields f;
		int kind = pf_wire_next(&s->wire, &f);
		if (kind == PF_WIRE_CALL)
			(void)serve(s, &f);
		else if (kind == PF_WIRE_ROOT)
			take_root(s->m.imp, &f);
		else if (kind != 0 || pf_wire_receive(&s->wire, INT64_MAX) < 0)
			_exit(0);
	}
}

_Noreturn void pf_iso_child(struct pf_module *m, int fd, const char *name, const char *const *path)
{
	struct pf_iso_side *s = calloc(1, sizeof(*s));
	if (!s)
		_exit(0);
	set_up_process(fd);
	pf_iso_side_init(s, m->imp, SOCKET_FD);
	int64_t most = m->iso->deadline_ns / 10 * 9; /* a command that is too slow is ended before we are */
	m->imp->exec_ns = most < m->imp->exec_ns ? most : m->imp->exec_ns;

	/* The caller's folders are gone when a module is started again. */
	char **folders = NULL;
	struct pf_err err = { 0 };
	if (!path && pf_import_path(&folders, &err) == 0)
		path = (const char *const *)folders;
	m->imp->path = path;
	int rc = pf_module_load(&s->m, name, path, &err);
	if (rc == 0 && m->alias)
		s->m.is.name = m->alias;
	s->m.ctx.name = s->m.is.name;
	hello(s, rc, &err);
	pf_iso_side_serve(s);
}
