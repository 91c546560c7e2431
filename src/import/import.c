/* import/import.c - the list of modules and the order of calls: all are loaded first, in the order of the list, then Init runs in
 * reverse order, everything later in list order again. A module whose callback fails is heard once and called no more. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/meter.h"
#include "base/time.h"
#include "import/host.h"
#include "import/isolate.h"
#include "import/spec.h"

/* What a callback left behind: error() or its own return value switch the module off. */
static void after_call(struct pf_module *m, const char *callback, int rc)
{
	struct pf_import *imp = m->imp;
	if ((m->failed.rc == 0 && rc >= 0) || m->off) /* off: told by a call within this one */
		return;
	m->off = true;
	if (m->failed.rc < 0) {
		bool left = m->failed.ends && m->failed.text[0] == '\0'; /* exit() is meant for the program */
		if ((imp->exit_on_error || left) && imp->fatal.rc == 0) {
			imp->fatal = m->failed;
			return;
		}
		pf_notice(imp->notice, PF_WARNING, "module %s: %s, going on without it", m->is.name, m->failed.text);
		return;
	}
	pf_notice(imp->notice, PF_WARNING, "module %s: %s: %s, going on without it", m->is.name, callback,
		  strerror(rc > -4096 ? -rc : EINVAL));
}

/* Somebody may look on. And a module may fork: a child that comes back here is not the recorder, whose files it would spoil. */
static void watch_begin(const struct pf_import *imp, const char *callback)
{
	if (imp->watch && imp->watch->begin)
		imp->watch->begin(imp->watch->arg, callback);
}

static void watch_end(const struct pf_import *imp)
{
	if (!pf_owner_is_us(&imp->owner))
		_exit(0);
	if (imp->watch && imp->watch->end)
		imp->watch->end(imp->watch->arg);
}

static void module_done(struct pf_module *m)
{
	if (m->initialised && m->is.done) {
		watch_begin(m->imp, "done");
		m->is.done(&m->ctx);
		watch_end(m->imp);
	}
	pf_iso_close(m);
	pf_module_files_done(m);
	pf_key_done(&m->match);
	pf_module_undeclare(m);
	free(m->key);
	free(m->args);
	free(m->alias);
	free(m->path);
	if (m->handle)
		(void)dlclose(m->handle); /* nothing to be done if it stays */
}

struct pf_import *pf_import_close(struct pf_import *imp)
{
	if (!imp)
		return NULL;
	for (unsigned i = imp->n; i > 0; i--)
		module_done(&imp->modules[i - 1]);
	pf_module_close_exporter(imp);
	pf_module_scripts_done(imp);
	for (unsigned i = 0; i < PF_MODULE_DEPTH_MAX; i++)
		pf_buf_done(&imp->scratch[i]);
	pf_buf_done(&imp->text);
	pf_buf_done(&imp->lines);
	pf_buf_done(&imp->cell);
	pf_owner_done(&imp->owner);
	free(imp->modules);
	free(imp);
	return NULL;
}

/* Another name than its own, so that the same module can be there twice. Functions of a script are named after its file. */
static int take_alias(struct pf_module *m, struct pf_err *err)
{
	if (m->script)
		return pf_err_set(err, -EINVAL, "%s: a script goes by no other name, so '=%s' cannot be", m->path,
				  m->alias);
	if (strlen(m->alias) >= PF_MODULE_NAME_MAX)
		return pf_err_set(err, -EINVAL, "--import: '%.20s...' is longer than %d bytes", m->alias,
				  PF_MODULE_NAME_MAX - 1);
	m->is.name = m->alias;
	return 0;
}

/* The last word of the arguments may be "isolate" or "isolate=SECONDS"; it is not the module's. Arguments that were nothing else are none. */
static bool take_isolate(struct pf_module *m, int64_t *deadline_ns)
{
	char *comma = m->args ? strrchr(m->args, ',') : NULL;
	const char *word = comma ? comma + 1 : m->args;
	int64_t ns = 0;
	if (!word || strncmp(word, "isolate", 7) != 0 || (word[7] != '\0' && word[7] != '='))
		return false;
	if (word[7] == '=' &&
	    (pf_duration_parse(pf_view_of(word + 8), &ns) < 0 || ns == 0 || ns >= 86400 * PF_NS_PER_SEC))
		return false;
	if (ns > 0)
		*deadline_ns = ns;
	if (comma) {
		*comma = '\0';
	} else {
		free(m->args);
		m->args = NULL;
	}
	return true;
}

static int load(struct pf_import *imp, const struct pf_import_item *item, const char *const *path, struct pf_err *err)
{
	if (imp->n == PF_MODULES_MAX)
		return pf_err_set(err, -E2BIG, "--import: more than %d modules", PF_MODULES_MAX);
	struct pf_module *m = &imp->modules[imp->n++];
	*m = (struct pf_module){ .ctx = { .size = sizeof(m->ctx), .host = &imp->host }, .imp = imp };

	pf_autofree char *name = pf_view_dup(item->name);
	m->args = item->has_args ? pf_view_dup(item->args) : NULL;
	m->alias = item->alias.n > 0 ? pf_view_dup(item->alias) : NULL;
	if (!name || (item->has_args && !m->args) || (item->alias.n > 0 && !m->alias))
		return pf_err_set(err, -ENOMEM, "no memory");
	if (m->args)
		pf_import_unescape(m->args);
	int64_t deadline_ns = imp->deadline_ns;
	bool apart = take_isolate(m, &deadline_ns) || imp->isolate;
	int rc = apart ? pf_iso_load(m, name, path, deadline_ns, err) : pf_module_load(m, name, path, err);
	if (rc == 0 && m->alias)
		rc = take_alias(m, err);
	if (rc < 0)
		return rc;
	m->ctx.name = m->is.name;
	for (unsigned i = 0; i + 1 < imp->n; i++) {
		if (strcmp(imp->modules[i].is.name, m->is.name) == 0)
			return pf_err_set(err, -EEXIST,
					  "--import: module %s is there twice; give one another name, %s=NAME",
					  m->is.name, m->is.name);
	}
	return 0;
}

/* Options and key, which Init must have set. */
static int take_setup(struct pf_module *m, const struct perfolio_setup *setup, struct pf_err *err)
{
	if (!setup->options || (!strchr(setup->options, 's') && !strchr(setup->options, 'd')))
		return pf_err_set(err, -EINVAL, "module %s: Init set no options of 's' and 'd'", m->is.name);
	if (!setup->key)
		return pf_err_set(err, -EINVAL, "module %s: Init set no key", m->is.name);
	m->summary = strchr(setup->options, 's') != NULL;
	m->detail = strchr(setup->options, 'd') != NULL;
	m->key = strdup(setup->key);
	if (!m->key)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = pf_key_init(&m->match, m->key, err);
	if (rc < 0)
		return pf_err_context(err, rc, "module %s: key", m->is.name);
	m->appends = PF_HAS(setup, flags) && (setup->flags & PERFOLIO_APPENDS);
	m->lists = PF_HAS(setup, flags) && (setup->flags & PERFOLIO_LISTS);
	m->setup = *setup;
	return 0;
}

static int init(struct pf_module *m, struct pf_err *err)
{
	struct perfolio_setup setup = { .size = sizeof(setup) };
	watch_begin(m->imp, "init");
	int rc = m->is.init(&m->ctx, m->args, &setup);
	watch_end(m->imp);
	m->initialised = true;
	if (m->failed.rc < 0 && (m->imp->exit_on_error || (m->failed.ends && m->failed.text[0] == '\0'))) {
		*err = m->failed;
		return err->rc;
	}
	if (rc == PERFOLIO_DROP && m->failed.rc == 0) {
		m->off = true;
		return 0;
	}
	after_call(m, "init", rc);
	return m->off ? 0 : take_setup(m, &setup, err);
}

/* Modules never see a NULL text or an interval without length. */
static struct perfolio_state *complete_state(struct perfolio_state *s)
{
	const char **texts[] = { &s->datetime, &s->mini_filler, &s->host, &s->subsys };
	for (unsigned i = 0; i < PF_N(texts); i++) {
		if (!*texts[i])
			*texts[i] = "";
	}
	if (!s->rate)
		s->rate = "/sec";
	if (!s->separator)
		s->separator = " ";
	if (!s->interval)
		s->interval = "1";
	if (s->int_secs <= 0)
		s->int_secs = 1;
	s->size = sizeof(*s);
	return s;
}

int pf_import_open(struct pf_import **ret_import, const struct pf_import_setup *setup, struct pf_catalog *cat,
		   struct pf_err *err)
{
	struct pf_import *imp = calloc(1, sizeof(*imp));
	if (!imp)
		return pf_err_set(err, -ENOMEM, "no memory");
	imp->modules = calloc(PF_MODULES_MAX, sizeof(*imp->modules));
	imp->notice = setup->notice;
	imp->exit_on_error = setup->exit_on_error;
	pf_owner_claim(&imp->owner);
	imp->path = setup->path;
	imp->watch = setup->watch;
	imp->isolate = setup->limits.isolate;
	imp->records = setup->limits.records > 0 ? setup->limits.records : PF_MODULE_RECORDS_MAX;
	imp->answers = setup->limits.answers > 0 ? setup->limits.answers : PF_MODULE_ANSWERS_MAX;
	imp->memory_mb = setup->limits.memory_mb > 0 ? setup->limits.memory_mb : PF_MODULE_MEMORY_MB;
	imp->exec_ns = INT64_C(30) * 1000000000;
	imp->deadline_ns = pf_module_deadline(&setup->limits, setup->interval_ns);
	imp->filter = setup->lines;
	imp->filter.variants |= setup->lines.variants == 0 ? PF_TCP_USUAL : 0;
	imp->scripts = setup->scripts;
	imp->style = setup->style;
	imp->catalog = cat;
	imp->root_fd = AT_FDCWD;
	imp->host = pf_host_functions;
	imp->told = complete_state(setup->state ? setup->state : &imp->state);
	imp->host.state = imp->told;

	int rc = imp->modules ? 1 : pf_err_set(err, -ENOMEM, "no memory");
	struct pf_view rest = pf_view_of(setup->spec && !setup->file ? setup->spec : "");
	if (rc > 0 && setup->file) {
		const struct pf_import_item item = { .name = pf_view_of(setup->file),
						     .args = pf_view_of(setup->args ? setup->args : ""),
						     .has_args = setup->args != NULL };
		rc = load(imp, &item, setup->path, err);
	} else if (rc > 0 && !setup->spec) {
		rc = 0;
	}
	while (rc > 0) {
		struct pf_import_item item;
		rc = pf_import_item_next(&rest, &item, err);
		if (rc > 0) {
			int lrc = load(imp, &item, setup->path, err);
			rc = lrc < 0 ? lrc : rc;
		}
	}
	for (unsigned i = imp->n; rc == 0 && i > 0; i--)
		rc = init(&imp->modules[i - 1], err);
	if (rc == 0 && setup->exporter)
		rc = pf_module_open_exporter(imp, setup->exporter, setup->path, err);
	for (unsigned i = 0; rc == 0 && i < imp->n; i++) {
		if (!imp->modules[i].off)
			rc = pf_module_declare_all(&imp->modules[i], &imp->modules[i].setup, err);
	}
	imp->path = NULL; /* the caller's */
	if (rc < 0) {
		(void)pf_import_close(imp);
		return rc;
	}
	*ret_import = imp;
	return 0;
}

const struct pf_err *pf_import_fatal(const struct pf_import *imp)
{
	return imp->fatal.rc < 0 ? &imp->fatal : NULL;
}

void pf_import_root(struct pf_import *imp, int root_fd)
{
	imp->root_fd = root_fd;
	for (unsigned i = 0; i < imp->n; i++)
		pf_iso_root(&imp->modules[i]);
}

bool pf_import_has_scripts(const struct pf_import *imp)
{
	return imp->script != NULL;
}

unsigned pf_import_n_summary(const struct pf_import *imp)
{
	unsigned n = 0;
	for (unsigned i = 0; imp && i < imp->n; i++)
		n += !imp->modules[i].off && imp->modules[i].summary;
	return n;
}

unsigned pf_import_n_detail(const struct pf_import *imp)
{
	unsigned n = 0;
	for (unsigned i = 0; imp && i < imp->n; i++)
		n += !imp->modules[i].off && imp->modules[i].detail;
	return n;
}

const char *pf_import_key(const struct pf_import *imp, unsigned i)
{
	return i < imp->n ? imp->modules[i].key ? imp->modules[i].key : "" : NULL;
}

void pf_import_tap(struct pf_import *imp, void (*line)(void *arg, struct pf_view tag, struct pf_view line), void *arg,
		   bool analyze)
{
	imp->line = line;
	imp->line_arg = arg;
	imp->analyze = analyze;
}

void pf_import_second_tap(struct pf_import *imp, void (*line)(void *arg, struct pf_view tag, struct pf_view line),
			  void *arg)
{
	imp->second_line = line;
	imp->second_arg = arg;
}

void pf_import_sample(struct pf_import *imp, struct pf_sample *sample)
{
	imp->sample = sample;
	for (unsigned i = 0; i < imp->n; i++) {
		for (unsigned k = 0; k < imp->modules[i].n_declared; k++)
			imp->modules[i].declared[k]->hint = 0;
	}
}

/* Call @member of module @m if it has one and is on. */
#define CALL(m, member, ...)                                                                                           \
	do {                                                                                                           \
		if ((m)->off || !(m)->is.member)                                                                       \
			break;                                                                                         \
		watch_begin((m)->imp, #member);                                                                        \
		int called_rc = (m)->is.member(&(m)->ctx, ##__VA_ARGS__);                                              \
		watch_end((m)->imp);                                                                                   \
		after_call((m), #member, called_rc);                                                                   \
	} while (0)

void pf_import_meter(struct pf_import *imp, struct pf_meter *m)
{
	imp->meter = m;
	for (unsigned i = 0; m && i < imp->n; i++) {
		char name[PF_MODULE_NAME_MAX + 16];
		(void)snprintf(name, sizeof(name), "module %s", imp->modules[i].is.name);
		imp->modules[i].meter_source = pf_meter_source(m, name);
	}
}

/* Nothing can interrupt a callback that runs here; but who wonders why samples are late must learn it. */
static void get_data_watched(struct pf_import *imp, struct pf_module *m)
{
	int64_t start = pf_time_mono_ns();
	CALL(m, get_data);
	int64_t took = pf_time_mono_ns() - start;
	if (m->iso || m->told_slow || took <= imp->deadline_ns)
		return;
	m->told_slow = true;
	pf_notice(
		imp->notice, PF_WARNING,
		"module %s: get_data took %.3g s, more than %.3g s, and everything else waited; with ',isolate' behind its arguments nothing does",
		m->is.name, (double)took / (double)PF_NS_PER_SEC, (double)imp->deadline_ns / (double)PF_NS_PER_SEC);
}

/* One module, with the analysis of what it records. */
static void get_data_measured(struct pf_import *imp, struct pf_module *m)
{
	int64_t start = pf_meter_start(imp->meter);
	uint64_t before = m->n_recorded;
	get_data_watched(imp, m);
	if (m->meter_source == PF_METER_NONE)
		return;
	pf_meter_read_named(imp->meter, m->meter_source, start, m->n_recorded - before,
			    imp->meter->sources[m->meter_source].name);
	pf_meter_lap(imp->meter, m->meter_source);
}

void pf_import_moment(struct pf_import *imp, int64_t time_ns, uint64_t counted2, uint64_t limit2)
{
	imp->told->time_ns = time_ns;
	imp->told->counted2 = counted2;
	imp->told->limit2 = limit2;
}

void pf_import_get_data(struct pf_import *imp)
{
	for (unsigned i = 0; i < imp->n; i++) {
		pf_module_new_interval(&imp->modules[i]);
		if (imp->meter)
			get_data_measured(imp, &imp->modules[i]);
		else
			get_data_watched(imp, &imp->modules[i]);
	}
}

bool pf_import_wants(const struct pf_import *imp, struct pf_view type)
{
	for (unsigned i = 0; i < imp->n; i++) {
		if (imp->modules[i].is.analyze && pf_key_matches(&imp->modules[i].match, type))
			return true;
	}
	return false;
}

void pf_import_analyze(struct pf_import *imp, struct pf_view type, struct pf_view data)
{
	while (data.n > 0 && (data.p[0] == ' ' || data.p[0] == '\t')) {
		data.p++;
		data.n--;
	}
	if (data.n == 0 || imp->depth == PF_MODULE_DEPTH_MAX)
		return;

	struct pf_buf *text = &imp->scratch[imp->depth];
	pf_buf_clear(text);
	pf_buf_view(text, type);
	pf_buf_char(text, '\0');
	pf_buf_view(text, data);
	if (text->failed)
		return;
	type.p = text->p; /* what it was in may be gone when a module has been called */
	imp->depth++;
	for (unsigned i = 0; i < imp->n; i++) {
		struct pf_module *m = &imp->modules[i];
		if (pf_key_matches(&m->match, type))
			CALL(m, analyze, text->p, text->p + type.n + 1);
	}
	imp->depth--;
}

void pf_import_init_interval(struct pf_import *imp)
{
	for (unsigned i = 0; i < imp->n; i++) {
		pf_module_new_interval(&imp->modules[i]);
		CALL(&imp->modules[i], init_interval);
	}
}

void pf_import_interval_end(struct pf_import *imp)
{
	for (unsigned i = 0; i < imp->n; i++)
		CALL(&imp->modules[i], interval_end);
}

void pf_import_get_header(struct pf_import *imp, const char *header)
{
	for (unsigned i = 0; i < imp->n; i++)
		CALL(&imp->modules[i], get_header, header);
}

/* Only whole lines that begin with '#' may stand in a header; others get it. */
static void add_header_lines(struct pf_buf *header, struct pf_view text)
{
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		if (line.n == 0 || line.p[0] != '#')
			pf_buf_str(header, "# ");
		pf_buf_view(header, line);
		pf_buf_char(header, '\n');
	}
}

void pf_import_update_header(struct pf_import *imp, struct pf_buf *header)
{
	struct pf_buf own = { 0 };
	struct perfolio_text text = { &own };
	for (unsigned i = 0; i < imp->n; i++) {
		pf_buf_clear(&own);
		CALL(&imp->modules[i], update_header, &text);
		add_header_lines(header, pf_buf_text(&own));
	}
	pf_buf_done(&own);
}

void pf_import_brief(struct pf_import *imp, int type, const struct pf_step *step, struct pf_buf *out)
{
	struct perfolio_text text = { out };
	if (imp->host.state->show_col_headers && type > PERFOLIO_BRIEF_NAMES)
		return;
	for (unsigned i = 0; i < imp->n; i++) {
		struct pf_module *m = &imp->modules[i];
		if (m->is.print_brief)
			CALL(m, print_brief, (enum perfolio_brief)type, &text);
		else if (!m->off)
			pf_module_brief(m, type, step, out);
	}
}

/* By the name collectl, a module finds in its line what stood there before and whoever appends shows it again, as there. */
void pf_import_verbose(struct pf_import *imp, bool print_header, bool home, const struct pf_step *step,
		       struct pf_view before, struct pf_buf *out)
{
	struct pf_buf *lines = &imp->lines;
	struct perfolio_text text = { lines };
	pf_buf_clear(lines);
	if (imp->exit_on_error)
		pf_buf_view(lines, before);
	for (unsigned i = 0; i < imp->n; i++) {
		struct pf_module *m = &imp->modules[i];
		if (!imp->exit_on_error || (!m->appends && !m->script))
			pf_buf_clear(lines);
		if (m->is.print_verbose)
			CALL(m, print_verbose, print_header, home, &text);
		else if (!m->off)
			pf_module_verbose(m, print_header, home, step, lines);
		if (!m->off)
			pf_buf_view(out, pf_buf_text(lines));
	}
}

bool pf_import_has_detail(const struct pf_import *imp, unsigned i)
{
	return i < imp->n && imp->modules[i].detail;
}

void pf_import_plot(struct pf_import *imp, int which, int type, const struct pf_step *step, struct pf_buf *out)
{
	bool detail = type == PERFOLIO_PLOT_DET_NAMES || type == PERFOLIO_PLOT_DET;
	bool fresh = type != PERFOLIO_PLOT_SUM_NAMES; /* only there modules see what stands in front of their names */
	struct perfolio_text text = { fresh ? &imp->lines : out };
	if (imp->host.state->show_col_headers && type > PERFOLIO_PLOT_DET_NAMES)
		return;
	for (unsigned i = 0; i < imp->n; i++) {
		struct pf_module *m = &imp->modules[i];
		if ((detail ? !m->detail : !m->summary) || (which >= 0 && (unsigned)which != i))
			continue;
		pf_buf_clear(&imp->lines);
		if (m->is.print_plot)
			CALL(m, print_plot, (enum perfolio_plot)type, &text);
		else if (!m->off)
			pf_module_plot(m, type, step, out);
		pf_buf_view(out, pf_buf_text(&imp->lines));
	}
}

unsigned pf_import_n_instances(const struct pf_import *imp)
{
	unsigned n = 0;
	for (unsigned i = 0; i < imp->n; i++) {
		const struct pf_module *m = &imp->modules[i];
		for (unsigned k = 0; m->detail && !m->is.print_plot && k < m->n_declared; k++) {
			const struct pf_indom *dom = pf_catalog_domain_of(imp->catalog, m->declared[k]->index);
			n += dom && !m->declared[k]->aside ? dom->n : 0;
		}
	}
	return n;
}

unsigned pf_import_n_columns(const struct pf_import *imp)
{
	unsigned n = 0;
	for (unsigned i = 0; i < imp->n; i++) {
		const struct pf_module *m = &imp->modules[i];
		for (unsigned k = 0; !m->is.print_brief && k < m->n_declared; k++)
			n += m->declared[k]->row.type != PF_STRING && !m->declared[k]->aside;
	}
	return n;
}

void pf_module_give(struct pf_import *imp, unsigned i, char kind, const struct pf_step *step,
		    struct perfolio_export *to)
{
	struct pf_module *m = &imp->modules[i];
	if (m->is.print_export)
		CALL(m, print_export, kind, to);
	else if (!m->off)
		pf_module_export(m, kind, step, to);
}

void pf_import_export(struct pf_import *imp, char kind, const struct pf_step *step, struct perfolio_export *to)
{
	for (unsigned i = 0; i < imp->n; i++)
		pf_module_give(imp, i, kind, step, to);
	if (imp->script && imp->exit_on_error)
		imp->door->flush(imp->script, kind, to);
}
