/* import/isolate_calls.c - the callbacks of an isolated module as the recorder calls them, and what the module says back. */
#include "import/isolate_calls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"

const char *const pf_call_names[PF_N_CALLS] = {
	[PF_CALL_INIT] = "init",
	[PF_CALL_GET_DATA] = "get_data",
	[PF_CALL_ANALYZE] = "analyze",
	[PF_CALL_INIT_INTERVAL] = "init_interval",
	[PF_CALL_INTERVAL_END] = "interval_end",
	[PF_CALL_GET_HEADER] = "get_header",
	[PF_CALL_UPDATE_HEADER] = "update_header",
	[PF_CALL_BRIEF] = "print_brief",
	[PF_CALL_VERBOSE] = "print_verbose",
	[PF_CALL_PLOT] = "print_plot",
	[PF_CALL_EXPORT] = "print_export",
	[PF_CALL_DONE] = "done",
};

static int answer(struct pf_iso *iso, int64_t v)
{
	pf_wire_begin(&iso->wire, PF_WIRE_ANSWER);
	pf_wire_u64(&iso->wire, (uint64_t)v);
	pf_wire_end(&iso->wire);
	return pf_wire_send(&iso->wire, iso->until_ns);
}

static int take_record(struct pf_module *m, struct pf_wire_fields *f)
{
	struct pf_view tag, text;
	bool wants_answer = pf_wire_get_u64(f) != 0;
	bool second = pf_wire_get_u64(f) != 0;
	(void)pf_wire_get_text(f, &tag);
	(void)pf_wire_get_text(f, &text);
	if (f->bad)
		return -EPROTO;
	pf_module_record(m, tag, text, second);
	if (m->iso->state == PF_ISO_DOWN || m->iso->state == PF_ISO_GIVEN_UP)
		return 0; /* it ended while this was analysed */
	return wants_answer ? answer(m->iso, 0) : 0;
}

static int take_value(struct pf_module *m, struct pf_wire_fields *f)
{
	uint64_t metric = pf_wire_get_u64(f);
	const char *instance = pf_wire_get_str(f);
	uint64_t given = pf_wire_get_u64(f);
	union pf_value v = { .u = pf_wire_get_u64(f) };
	const char *text = pf_wire_get_str(f);
	bool known = given == PERFOLIO_U64 || given == PERFOLIO_S64 || given == PERFOLIO_DOUBLE ||
		     (given == PERFOLIO_STRING && text);
	if (f->bad || !known || metric > UINT32_MAX)
		return -EPROTO;
	if (given == PERFOLIO_STRING)
		v.s = text;
	pf_module_set(m, (uint32_t)metric, instance, (enum perfolio_type)given, v);
	return 0;
}

static struct perfolio_metric get_metric(struct pf_wire_fields *f)
{
	struct perfolio_metric metric = { .size = sizeof(metric) };
	metric.name = pf_wire_get_str(f);
	metric.domain = pf_wire_get_str(f);
	metric.type = (enum perfolio_type)pf_wire_get_u64(f);
	metric.semantics = (enum perfolio_semantics)pf_wire_get_u64(f);
	metric.units = pf_wire_get_str(f);
	metric.heading = pf_wire_get_str(f);
	metric.help = pf_wire_get_str(f);
	return metric;
}

/* One that was started again declares what it has declared before. */
static int64_t known_metric(const struct pf_module *m, const char *name)
{
	size_t n = strlen(m->is.name);
	for (unsigned i = 0; name && m->iso->restarts > 0 && i < m->n_declared; i++) {
		const char *have = m->declared[i]->name;
		if (strncmp(have, m->is.name, n) == 0 && have[n] == '.' && strcmp(have + n + 1, name) == 0)
			return i;
	}
	return -1;
}

static int take_declare(struct pf_module *m, struct pf_wire_fields *f)
{
	struct perfolio_metric metric = get_metric(f);
	if (f->bad)
		return -EPROTO;
	int64_t number = known_metric(m, metric.name);
	return answer(m->iso, number >= 0 ? number : pf_module_declare(&m->ctx, &metric));
}

static int take_setup(struct pf_module *m, struct pf_wire_fields *f)
{
	struct pf_iso *iso = m->iso;
	struct perfolio_setup *s = &iso->setup;
	const char *options = pf_wire_get_str(f);
	const char *key = pf_wire_get_str(f);
	uint64_t flags = pf_wire_get_u64(f);
	uint64_t n = pf_wire_get_u64(f);
	if (f->bad || n > PF_MODULE_METRICS_MAX)
		return -EPROTO;
	if (m->initialised) { /* started again */
		bool same = key && s->key && strcmp(key, s->key) == 0 && n == s->n_metrics;
		for (uint64_t i = 0; same && i < n; i++) {
			struct perfolio_metric metric = get_metric(f);
			same = metric.name && iso->metrics[i].name && strcmp(metric.name, iso->metrics[i].name) == 0;
		}
		iso->lost = !same;
		return f->bad ? -EPROTO : 0;
	}
#define KEEP(text) ((text) ? pf_arena_dup(&iso->arena, pf_view_of(text)) : NULL)
	*s = (struct perfolio_setup){
		.size = sizeof(*s), .options = KEEP(options), .key = KEEP(key), .flags = (uint32_t)flags
	};
	iso->metrics = n > 0 ? pf_arena_alloc(&iso->arena, n * sizeof(*iso->metrics)) : NULL;
	if (n > 0 && !iso->metrics)
		return -ENOMEM;
	for (uint64_t i = 0; i < n; i++) {
		struct perfolio_metric *to = &iso->metrics[i];
		*to = get_metric(f);
		to->name = KEEP(to->name);
		to->domain = KEEP(to->domain);
		to->units = KEEP(to->units);
		to->heading = KEEP(to->heading);
		to->help = KEEP(to->help);
	}
#undef KEEP
	s->metrics = iso->metrics;
	s->n_metrics = (uint32_t)n;
	return f->bad ? -EPROTO : 0;
}

static int take_export(struct pf_module *m, struct pf_wire_fields *f)
{
	struct perfolio_export *to = m->iso->to;
	uint64_t which = pf_wire_get_u64(f);
	const char *name = pf_wire_get_str(f);
	const char *units = pf_wire_get_str(f);
	double v = pf_wire_get_double(f);
	int gauge = (int)pf_wire_get_u64(f);
	const char *format = pf_wire_get_str(f);
	const char *group = pf_wire_get_str(f);
	const char *title = pf_wire_get_str(f);
	if (f->bad)
		return -EPROTO;
	if (to && which == 2 && to->text && name)
		to->text(to, name);
	else if (to && which == 1 && to->detail)
		to->detail(to, name, units, v, gauge, format, group, title);
	else if (to && which == 0 && to->summary)
		to->summary(to, name, units, v, gauge, format, group, title);
	return 0;
}

static int take_notice(const struct pf_module *m, struct pf_wire_fields *f)
{
	uint64_t severity = pf_wire_get_u64(f);
	const char *text = pf_wire_get_str(f);
	if (text)
		pf_notice(m->imp->notice, severity == PF_INFO ? PF_INFO : PF_WARNING, "%s", text);
	return f->bad ? -EPROTO : 0;
}

static int take_changed(const struct pf_module *m, struct pf_wire_fields *f)
{
	const char *name = pf_wire_get_str(f);
	const char *value = pf_wire_get_str(f);
	if (name && value && m->imp->scripts.changed)
		m->imp->scripts.changed(m->imp->scripts.arg, name, value);
	return f->bad ? -EPROTO : 0;
}

static int take_say(const struct pf_module *m, struct pf_wire_fields *f)
{
	struct pf_view text;
	if (pf_wire_get_text(f, &text) && m->imp->scripts.say)
		m->imp->scripts.say(m->imp->scripts.arg, text.p, text.n);
	return f->bad ? -EPROTO : 0;
}

int pf_iso_take(struct pf_module *m, int kind, struct pf_wire_fields *f)
{
	switch (kind) {
	case PF_WIRE_RECORD:
		return take_record(m, f);
	case PF_WIRE_VALUE:
		return take_value(m, f);
	case PF_WIRE_DECLARE:
		return take_declare(m, f);
	case PF_WIRE_SETUP:
		return take_setup(m, f);
	case PF_WIRE_EXPORT:
		return take_export(m, f);
	case PF_WIRE_NOTICE:
		return take_notice(m, f);
	case PF_WIRE_CHANGED:
		return take_changed(m, f);
	case PF_WIRE_SAY:
		return take_say(m, f);
	default:
		return -EPROTO;
	}
}

int pf_iso_refuse(struct pf_iso *iso, int kind, struct pf_wire_fields *f)
{
	iso->until_ns = pf_time_mono_ns();
	if (kind == PF_WIRE_RECORD && pf_wire_get_u64(f) == 0)
		return 0;
	return answer(iso, kind == PF_WIRE_RECORD ? 0 : -EAGAIN);
}

int pf_iso_take_return(struct pf_module *m, struct pf_wire_fields *f)
{
	int rc = (int)pf_wire_get_u64(f);
	struct pf_err failed = { .rc = (int)pf_wire_get_u64(f) };
	const char *why = pf_wire_get_str(f);
	failed.ends = pf_wire_get_u64(f) != 0;
	failed.status = (int)pf_wire_get_u64(f);
	struct pf_view text;
	(void)pf_wire_get_text(f, &text);
	if (failed.rc < 0 && m->failed.rc == 0) {
		(void)snprintf(failed.text, sizeof(failed.text), "%s", why ? why : "");
		m->failed = failed;
	}
	struct perfolio_text *to = m->iso->text;
	if (to && m->script)
		pf_buf_clear(to->buf);
	if (to)
		pf_buf_view(to->buf, text);
	return rc;
}

/* Callbacks. */

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct pf_module *m = pf_module_of(ctx);
	if (!pf_iso_begin(m, PF_CALL_INIT))
		return -ECANCELED;
	pf_wire_str(&m->iso->wire, args);
	int rc = pf_iso_end(m);
	if (m->iso->state != PF_ISO_UP)
		return -ECANCELED;
	*setup = m->iso->setup;
	return rc;
}

int pf_iso_ask_init(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	iso->call = iso->outer = PF_CALL_INIT;
	iso->until_ns = pf_time_mono_ns() + iso->deadline_ns;
	pf_iso_put_call(m, PF_CALL_INIT);
	pf_wire_str(&iso->wire, m->args);
	pf_wire_end(&iso->wire);
	return pf_wire_send(&iso->wire, iso->until_ns);
}

void pf_iso_after_init(struct pf_module *m, int rc)
{
	struct pf_iso *iso = m->iso;
	iso->state = rc < 0 || rc == PERFOLIO_DROP || iso->lost ? PF_ISO_GIVEN_UP : PF_ISO_UP;
	if (iso->state == PF_ISO_GIVEN_UP) {
		pf_notice(m->imp->notice, PF_WARNING, "module %s: started again, %s, going on without it", m->is.name,
			  iso->lost ? "it declares something else" : "its init fails");
		return;
	}
	if (((iso->mask >> PF_CALL_INIT_INTERVAL) & 1) && pf_iso_begin(m, PF_CALL_INIT_INTERVAL))
		(void)pf_iso_end(m);
}

static int simple(struct perfolio_ctx *ctx, enum pf_call which)
{
	struct pf_module *m = pf_module_of(ctx);
	return pf_iso_begin(m, which) ? pf_iso_end(m) : 0;
}

/* Once per interval, so this is where the process is looked after. */
static int get_data(struct perfolio_ctx *ctx)
{
	return pf_iso_is_ready(pf_module_of(ctx)) ? simple(ctx, PF_CALL_GET_DATA) : 0;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	struct pf_module *m = pf_module_of(ctx);
	if (!pf_iso_begin(m, PF_CALL_ANALYZE))
		return 0;
	pf_wire_str(&m->iso->wire, type);
	pf_wire_str(&m->iso->wire, data);
	return pf_iso_end(m);
}

static int init_interval(struct perfolio_ctx *ctx)
{
	return simple(ctx, PF_CALL_INIT_INTERVAL);
}

static int interval_end(struct perfolio_ctx *ctx)
{
	return simple(ctx, PF_CALL_INTERVAL_END);
}

static int get_header(struct perfolio_ctx *ctx, const char *header)
{
	struct pf_module *m = pf_module_of(ctx);
	if (!pf_iso_begin(m, PF_CALL_GET_HEADER))
		return 0;
	pf_wire_str(&m->iso->wire, header);
	return pf_iso_end(m);
}

/* A callback that draws. Return: its result; @ret_drawn: bytes that it added. */
static int draw(struct pf_module *m, enum pf_call which, const int *args, unsigned n_args, struct perfolio_text *text,
		size_t *ret_drawn)
{
	size_t before = text->buf->n;
	int rc = 0;
	m->iso->text = text;
	if (pf_iso_begin(m, which)) {
		for (unsigned i = 0; i < n_args; i++)
			pf_wire_u64(&m->iso->wire, (uint64_t)(int64_t)args[i]);
		rc = pf_iso_end(m);
	}
	m->iso->text = NULL;
	*ret_drawn = text->buf->n > before ? text->buf->n - before : 0;
	return rc;
}

static int update_header(struct perfolio_ctx *ctx, struct perfolio_text *header)
{
	size_t drawn;
	return draw(pf_module_of(ctx), PF_CALL_UPDATE_HEADER, NULL, 0, header, &drawn);
}

/* Lines keep their shape while the module is not there. */
static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	struct pf_module *m = pf_module_of(ctx);
	const int args[] = { (int)type };
	size_t drawn;
	int rc = draw(m, PF_CALL_BRIEF, args, 1, line, &drawn);
	unsigned *width = (int)type >= 0 && type <= PERFOLIO_BRIEF_TOTALS ? &m->iso->brief_n[type] : NULL;
	if (width && m->iso->state == PF_ISO_UP)
		*width = (unsigned)drawn;
	else if (width)
		pf_buf_pad(line->buf, ' ', *width > drawn ? *width - drawn : 0);
	return rc;
}

static int print_verbose(struct perfolio_ctx *ctx, int print_header, int home, struct perfolio_text *lines)
{
	const int args[] = { print_header, home };
	size_t drawn;
	return draw(pf_module_of(ctx), PF_CALL_VERBOSE, args, 2, lines, &drawn);
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	struct pf_module *m = pf_module_of(ctx);
	const int args[] = { (int)type };
	const char *separator = m->imp->host.state->separator;
	size_t drawn, before = line->buf->n;
	int rc = draw(m, PF_CALL_PLOT, args, 1, line, &drawn);
	unsigned *columns = (int)type >= 0 && type <= PERFOLIO_PLOT_DET ? &m->iso->plot_n[type] : NULL;
	if (columns && m->iso->state == PF_ISO_UP) {
		*columns = 0;
		for (size_t i = before; i < line->buf->n; i++)
			*columns += line->buf->p[i] == separator[0];
	} else if (columns && (type == PERFOLIO_PLOT_SUM || type == PERFOLIO_PLOT_DET) && drawn == 0) {
		for (unsigned i = 0; i < *columns; i++)
			pf_buf_fmt(line->buf, "%c0", separator[0]);
	}
	return rc;
}

static int print_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	struct pf_module *m = pf_module_of(ctx);
	if (!pf_iso_begin(m, PF_CALL_EXPORT))
		return 0;
	pf_wire_u64(&m->iso->wire, (uint64_t)kind);
	m->iso->to = to;
	int rc = pf_iso_end(m);
	m->iso->to = NULL;
	return rc;
}

static void done(struct perfolio_ctx *ctx)
{
	(void)simple(ctx, PF_CALL_DONE); /* it has no result */
}

struct perfolio_module pf_iso_stand_ins(uint64_t mask)
{
#define HAS(call, function) ((mask >> (call)) & 1 ? (function) : NULL)
	return (struct perfolio_module){
		.size = sizeof(struct perfolio_module),
		.major = PERFOLIO_MODULE_MAJOR,
		.minor = PERFOLIO_MODULE_MINOR,
		.init = init,
		.get_data = get_data, /* always: this is where the process is looked after */
		.analyze = HAS(PF_CALL_ANALYZE, analyze),
		.init_interval = HAS(PF_CALL_INIT_INTERVAL, init_interval),
		.interval_end = HAS(PF_CALL_INTERVAL_END, interval_end),
		.get_header = HAS(PF_CALL_GET_HEADER, get_header),
		.update_header = HAS(PF_CALL_UPDATE_HEADER, update_header),
		.print_brief = HAS(PF_CALL_BRIEF, print_brief),
		.print_verbose = HAS(PF_CALL_VERBOSE, print_verbose),
		.print_plot = HAS(PF_CALL_PLOT, print_plot),
		.print_export = HAS(PF_CALL_EXPORT, print_export),
		.done = HAS(PF_CALL_DONE, done),
	};
#undef HAS
}
