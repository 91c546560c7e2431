/* engine/parts.c - open, connect and close what a run needs. */
#include "engine/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/analyses.h"
#include "engine/devices.h"
#include "engine/keys.h"
#include "groups/list.h"
#include "import/extension.h"
#include "import/import.h"
#include "sinks/calc.h"
#include "sinks/times.h"

int pf_parts_root(const struct pf_plan *plan, struct pf_err *err)
{
	const char *path = plan->req->root ? plan->req->root : "/";
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
}

static int open_output(struct pf_parts *p, struct pf_err *err)
{
	const char *path = p->plan->req->output;
	p->fd = STDOUT_FILENO;
	if (!path)
		return 0;
	p->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (p->fd < 0)
		return pf_err_set(err, -errno, "%s: cannot write: %s", path, strerror(errno));
	p->own_fd = true;
	return 0;
}

/* The text's way out, and what is served while it is waited for. */
static int open_outlet(struct pf_parts *p, struct pf_err *err)
{
	p->out = pf_outlet_or_fd(p->plan->outlet, &p->plain, p->fd);
	int rc = pf_loop_open(&p->loop, err);
	if (rc == 0 && p->out->kind->attach)
		rc = p->out->kind->attach(p->out, &p->loop);
	return rc;
}

static void setup_state(struct pf_parts *p)
{
	const struct pf_plan *plan = p->plan;
	p->state = (struct perfolio_state){
		.size = sizeof(p->state),
		.datetime = "",
		.mini_filler = "",
		.rate = plan->view.no_divide ? "/int" : "/sec",
		.separator = plan->view.separator,
		.int_secs = 1,
		.interval = plan->interval_text,
		.subsys = plan->letters,
		.show_col_headers = plan->req->show_headings,
		.playback = plan->req->playback || plan->req->files,
		.recording = pf_plan_records(plan) && !plan->req->plot,
		.plot = plan->req->plot,
		.verbose = plan->req->verbose,
		.debug = (int)plan->req->debug,
		.peer = plan->req->as_peer,
	};
}

/* Letters that nothing here serves are left out. */
static void choose_letters(struct pf_parts *p, const char *letters)
{
	unsigned n = 0;
	for (; *letters != '\0' && n + 1 < sizeof(p->chosen); letters++) {
		if (pf_letters_have(*letters) && !memchr(p->chosen, *letters, n))
			p->chosen[n++] = *letters;
	}
	p->chosen[n] = '\0';
	p->has_chosen = true;
}

/* A script wrote a variable that decides about the view. */
static void script_changed(void *arg, const char *name, const char *value)
{
	struct pf_parts *p = arg;
	int64_t number = 0;
	(void)pf_view_i64(pf_view_of(value), &number);
	if (strcmp(name, "verboseFlag") == 0)
		p->wants_verbose = number != 0;
	else if (strcmp(name, "sameColsFlag") == 0)
		p->scripts.same_columns = number != 0;
	else if (strcmp(name, "subsys") == 0)
		choose_letters(p, value);
	else if (strcmp(name, "newLog") == 0)
		p->wants_roll = true;
}

/* What a script prints outside of a line being drawn; what was drawn before is out already, or as good as. */
static void script_says(void *arg, const char *text, size_t n)
{
	struct pf_parts *p = arg;
	(void)pf_io_write_all(p->fd >= 0 ? p->fd : STDOUT_FILENO, text,
			      n); /* whoever is gone is noticed when something is drawn */
}

/* The modules of --import, and behind them that of an exporter's x=. */
static int list_modules(const struct pf_plan *plan, const char *const *folders, struct pf_buf *list, struct pf_err *err)
{
	if (plan->req->import)
		pf_buf_str(list, plan->req->import);
	if (plan->export.extension[0] == '\0')
		return list->failed ? pf_err_set(err, list->failed, "no memory") : 0;
	return pf_import_extend(list, plan->export.extension, folders, plan->req->as_peer, err);
}

/* The same for printText(), which goes to whoever reads the output. */
static void script_sends(void *arg, const char *text, size_t n, bool ends)
{
	struct pf_parts *p = arg;
	if (!p->plan->outlet) {
		script_says(arg, text, n);
		return;
	}
	struct pf_buf piece = { 0 };
	pf_buf_add(&piece, text, n);
	if (ends && p->out->framed)
		pf_buf_str(&piece, ">>><<<\n");
	(void)pf_outlet_put(p->out, pf_buf_text(&piece), 0); /* whoever is gone is noticed when something is drawn */
	pf_buf_done(&piece);
}

static int open_import(struct pf_parts *p, struct pf_err *err)
{
	char **folders = NULL;
	struct pf_buf list = { 0 };
	int rc = pf_import_path(&folders, err);
	if (rc == 0)
		rc = list_modules(p->plan, (const char *const *)folders, &list, err);
	if (rc < 0) {
		(void)pf_import_path_free(folders);
		pf_buf_done(&list);
		return rc;
	}
	pf_scripts_fill(&p->scripts, p->plan, &p->state);
	struct pf_import_setup setup = {
		.spec = list.n > 0 ? pf_buf_text(&list).p : NULL,
		.exporter = p->plan->export.kind == &pf_sink_script ? p->plan->req->export : NULL,
		.path = (const char *const *)folders,
		.limits = p->plan->import_limits,
		.interval_ns = p->plan->interval_ns[0],
		.lines = pf_plan_lines(p->plan),
		.state = &p->state,
		.style = { .wide = p->plan->view.wide, .big = p->plan->view.big_numbers },
		.exit_on_error = p->plan->req->as_peer,
		.scripts = { p->scripts.vars, script_changed, script_says, script_sends, p },
		.notice = p->plan->notice,
	};
	rc = pf_import_open(&p->import, &setup, p->catalog, err);
	(void)pf_import_path_free(folders);
	pf_buf_done(&list);
	return rc;
}

int pf_parts_exporter(struct pf_parts *p, char letters[PF_LETTERS_MAX], struct pf_err *err)
{
	p->state.subsys = letters;
	int rc = p->import ? pf_import_start_exporter(p->import, err) : 0;
	if (p->has_chosen)
		memcpy(letters, p->chosen, sizeof(p->chosen));
	return rc;
}

int pf_parts_open(struct pf_parts *p, const struct pf_plan *plan, struct pf_err *err)
{
	*p = (struct pf_parts){
		.plan = plan, .fd = -1, .view = plan->view, .stop = { .fd = -1 }, .loop = { .fd = -1 }
	};
	p->catalog = pf_catalog_new();
	if (!p->catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	p->select = (struct pf_select){ .filters = plan->filters,
					.groups = pf_groups,
					.peer = plan->req->as_peer,
					.chosen = plan->req->as_peer || plan->disk_lines || plan->net_lines };
	p->catalog->select = &p->select;
	p->catalog->remap = plan->remap;
	pf_chosen_open(&p->named, p->catalog, plan->metrics.text ? plan->metrics.each : NULL,
		       plan->instances.text ? plan->instances.each : NULL);
	pf_frames_init(&p->frames, p->catalog);
	setup_state(p);
	bool scripts = plan->req->import || plan->export.extension[0] || plan->export.kind == &pf_sink_script;
	int rc = scripts ? open_import(p, err) : 0;
	if (rc == 0)
		rc = open_output(p, err);
	if (rc == 0)
		rc = open_outlet(p, err);
	if (rc == 0)
		rc = pf_stop_open(&p->stop, err);
	p->view.import = p->import;
	p->view.letters = p->letters;
	return rc;
}

int pf_parts_close_sink(struct pf_parts *p, struct pf_err *err)
{
	struct pf_sink *sink = PF_TAKE(p->sink);
	return sink ? sink->kind->close(sink, err) : 0;
}

int pf_parts_close(struct pf_parts *p, int rc, struct pf_err *err)
{
	int crc = pf_parts_close_sink(p, rc < 0 ? NULL : err);
	rc = rc < 0 ? rc : crc;
	int erc = pf_parts_echo(p);
	if (rc == 0 && erc < 0 && erc != -EPIPE)
		(void)pf_err_set(err, erc, "writing the output failed: %s", strerror(-erc));
	rc = rc < 0 ? rc : erc;
	if (p->own_fd && close(p->fd) < 0 && rc == 0)
		rc = pf_err_set(err, -errno, "%s: %s", p->plan->req->output, strerror(errno));
	p->state.host = ""; /* it is the source's */
	if (p->source)
		p->source = p->source->kind->close(p->source);
	p->import = pf_import_close(p->import);
	pf_frames_done(&p->frames);
	pf_chosen_done(&p->named);
	p->catalog = pf_catalog_free(p->catalog);
	pf_stop_close(&p->stop);
	if (p->out && p->out->kind->attach)
		(void)p->out->kind->attach(p->out, NULL); /* its loop ends here */
	pf_loop_close(&p->loop);
	pf_plots_done(&p->plots);
	pf_buf_done(&p->echo);
	pf_buf_done(&p->datetime);
	pf_buf_done(&p->filler);
	pf_buf_done(&p->links);
	return rc;
}

int pf_parts_select(struct pf_parts *p, const char *letters, struct pf_err *err)
{
	(void)strncpy(p->letters, letters, sizeof(p->letters) - 1);
	p->view.variants &= ~(uint64_t)(PF_WITH_INTERRUPTS | PF_WITH_CPU_DETAIL | PF_WITH_FRAGMENTS);
	p->view.variants |= pf_plan_variants(letters);
	unsigned n = pf_plan_groups(letters, p->groups);
	for (unsigned i = 0; i < n; i++) {
		int rc = pf_group_base(p->catalog, p->groups[i], &p->bases[i], err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Modules that draw for themselves put the time where the view would. In verbose it stands on the lines only if all lines have the same
 * columns; collectl forgets that while live (seen with 4.3.1, two kinds of a module's lines), so times are kept there. */
static void setup_module_times(struct pf_parts *p, const struct pf_sink_kind *kind)
{
	if (!p->import)
		return;
	p->module_view = p->view;
	size_t n = strlen(p->letters) + pf_import_n_summary(p->import) + pf_import_n_detail(p->import);
	bool details = strpbrk(p->letters, "BCDEFJMNTXYZ") != NULL;
	if (kind == &pf_sink_verbose && p->state.playback && (n != 1 || details)) {
		p->module_view.times = PF_TIMES_NONE;
		p->module_view.millis = false;
	}
	pf_scripts_times(&p->scripts, &p->module_view);
	pf_buf_clear(&p->filler);
	pf_buf_pad(&p->filler, ' ', pf_times_width(&p->module_view));
	p->state.mini_filler = pf_buf_text(&p->filler).n ? p->filler.p : "";
}

const struct pf_sink_kind *pf_parts_view(const struct pf_parts *p)
{
	const struct pf_sink_kind *kind = pf_plan_sink(p->plan, p->letters, p->import);
	bool verbose = (p->view.variants & PF_TCP_IPEXT) != 0; /* chosen now, or when it was recorded */
	verbose |= p->wants_verbose || p->asked_verbose;
	if (p->plan->req->as_peer && p->has_chosen) /* what details made verbose stays so without them */
		verbose |= pf_plan_sink(p->plan, p->plan->letters, p->import) == &pf_sink_verbose;
	return verbose && kind == &pf_sink_brief ? &pf_sink_verbose : kind;
}

static struct pf_sink_spec sink_spec(struct pf_parts *p, int64_t interval_ns)
{
	return (struct pf_sink_spec){
		.fd = p->fd,
		.outlet = p->plan->outlet,
		.loop = p->state.playback ? NULL : &p->loop,
		.path = !p->plan->export.kind ? p->plan->req->output
			: p->plan->outlet     ? NULL
					      : p->plan->req->filename,
		.view = &p->view,
		.doc = &p->plan->doc,
		.export = &p->plan->export,
		.files = &p->plots.files,
		.live = !p->state.playback,
		.keys = !p->state.playback && pf_keys_are_wanted(p->plan),
		.groups = p->groups,
		.bases = p->bases,
		.catalog = p->catalog,
		.notice = p->plan->notice,
		.interval_ns = interval_ns,
		.area = p->view.top_key ? pf_plan_area(p->plan, p->letters, p->import) : NULL,
		.term_height = (unsigned)p->plan->settings->term_height,
	};
}

int pf_parts_open_sink(struct pf_parts *p, int64_t interval_ns, struct pf_err *err)
{
	int rc = pf_parts_close_sink(p, err);
	if (rc < 0)
		return rc;
	const struct pf_sink_kind *kind = pf_parts_view(p);
	const struct pf_sink_kind *kinds[PF_TEE_MAX];
	struct pf_sink_spec specs[PF_TEE_MAX];
	const char *letters[PF_TEE_MAX] = { NULL };
	bool analyzing = p->plan->req->proc_analyze || p->plan->req->slab_analyze;
	unsigned n = analyzing ? pf_analyses_sinks(p->plan, p->letters, p->plot_letters, kinds, letters)
			       : pf_plan_sinks(p->plan, kind, kinds);
	for (unsigned i = 0; i < n; i++) {
		specs[i] = sink_spec(p, interval_ns);
		specs[i].letters = letters[i];
	}
	for (unsigned i = 1; i < n; i++)
		specs[i].outlet = NULL; /* what goes on beside the view has files of its own */
	if (p->view.stats && kind != &pf_sink_brief)
		return pf_err_set(err, -EINVAL, "statistics not allowed in verbose mode");
	setup_module_times(p, kind);
	p->shown_interval_ns = interval_ns;
	p->state.verbose = kind == &pf_sink_verbose || (p->plan->export.kind && p->plan->req->as_peer);
	p->state.host = p->view.host ? p->view.host : "";
	p->state.subsys = p->letters;
	return pf_tee_open(&p->sink, kinds, specs, n, err);
}

int pf_parts_echo(struct pf_parts *p)
{
	if (p->echo.n == 0)
		return p->echo.failed;
	int rc = pf_outlet_put(p->out, pf_buf_text(&p->echo), 0);
	pf_buf_clear(&p->echo);
	return rc;
}

/* What modules may read about the sample that is going to be shown. Documents and mixed sections carry times of their own. */
static void update_state(struct pf_parts *p, const struct pf_step *step)
{
	pf_buf_clear(&p->datetime);
	pf_times_add(&p->datetime, &p->module_view, step->cur->time_ns);
	p->state.datetime = pf_buf_text(&p->datetime).n ? p->datetime.p : "";
	struct pf_calc_step calc; /* modules divide by what the columns beside theirs are divided by */
	pf_calc_begin(&calc, step, &p->view);
	p->state.int_secs = calc.seconds > 0 ? calc.seconds : 1;
	p->state.time_ns = step->cur->time_ns;
	pf_scripts_update(&p->scripts, &p->view, p->shown_interval_ns, step->cur->time_ns);
}

/* With the first sample, whichever way it goes. */
static void tell_filters(struct pf_parts *p, const struct pf_step *step)
{
	if (!p->filters_told)
		pf_devices_tell(p->plan, p->catalog, step->cur);
	p->filters_told = true;
}

int pf_parts_baseline(struct pf_parts *p, const struct pf_step *step, struct pf_err *err)
{
	tell_filters(p, step);
	int orc = pf_devices_offline(&p->view, p->catalog, &p->frames);
	if (orc >= 0)
		orc = pf_chosen_look(&p->named, step);
	if (orc < 0)
		return pf_err_set(err, orc, "no memory for a sample");
	/* Documents also want values that have no predecessor; the text views have nothing to say about them. */
	bool document = p->sink && p->plan->doc.format != PF_FORMAT_TEXT && p->source && !p->source->kind->live;
	document |= p->sink && p->sink->kind->levels;
	int rc = document ? p->sink->kind->sample(p->sink, step, err) : 0;
	if (p->import)
		pf_import_init_interval(p->import);
	p->scripts.first_pass = 0;
	return rc;
}

/* What was drawn goes out before modules speak again: they may print. */
static int end_cycle(struct pf_parts *p, struct pf_err *err)
{
	int rc = pf_import_has_scripts(p->import) ? pf_parts_flush(p, err) : 0;
	p->state.mini_instances++;
	p->state.counted2 = p->state.counted2 == p->state.limit2 ? 0 : p->state.counted2;
	if (!p->state.show_col_headers)
		pf_import_init_interval(p->import);
	p->scripts.first_pass = 0;
	return rc;
}

int pf_parts_show(struct pf_parts *p, const struct pf_step *step, struct pf_err *err)
{
	int rc = pf_parts_echo(p);
	if (rc < 0)
		return rc;
	tell_filters(p, step);
	int orc = pf_devices_offline(&p->view, p->catalog, &p->frames);
	if (orc >= 0)
		orc = pf_chosen_look(&p->named, step);
	if (orc < 0)
		return pf_err_set(err, orc, "no memory for a sample");
	if (p->import) {
		update_state(p, step);
		pf_import_interval_end(p->import);
		rc = pf_parts_fatal(p, err);
		if (rc < 0)
			return rc;
	}
	bool shown = p->sink && !(p->plan->req->debug & 32); /* -d32: sampled, but nothing is made of it */
	rc = shown ? p->sink->kind->sample(p->sink, step, err) : 0;
	if (rc >= 0)
		rc = pf_parts_fatal(p, err);
	if (p->import && rc >= 0)
		rc = end_cycle(p, err);
	return rc < 0 ? rc : pf_parts_fatal(p, err);
}

/* A value, or why there is none. */
static bool has_any(const struct pf_sample *sample, unsigned metric)
{
	int32_t code;
	unsigned n = metric < sample->n_metrics ? sample->cells[metric].cap : 0;
	for (unsigned slot = 0; slot < n; slot++) {
		if (pf_sample_has(sample, metric, slot))
			return true;
	}
	return pf_sample_failed(sample, metric, &code);
}

/* @moves: some of the terms may change with each sample. Return: is one of those in this one? */
static bool has_terms(const struct pf_step *step, const struct pf_terms *terms, unsigned base, bool *moves)
{
	for (unsigned i = 0; i < terms->n; i++) {
		if (step->catalog->metrics[base + terms->metric[i]]->sem == PF_DISCRETE)
			continue;
		*moves = true;
		if (has_any(step->cur, base + terms->metric[i]))
			return true;
	}
	return false;
}

static bool has_column(const struct pf_step *step, const struct pf_column *col, unsigned base, bool *moves)
{
	const struct pf_terms instead = PF_SUM((uint16_t)(col->instead - 1));
	if (has_terms(step, &col->num, base, moves) || has_terms(step, &col->den, base, moves) ||
	    (col->instead != 0 && has_terms(step, &instead, base, moves)))
		return true;
	int other = col->other ? pf_catalog_find(step->catalog, pf_view_of(col->other)) : -1;
	return other >= 0 && has_any(step->cur, (unsigned)other);
}

bool pf_parts_lacks(struct pf_parts *p, const struct pf_step *step)
{
	const struct pf_sink_kind *kind = pf_parts_view(p);
	enum pf_view_kind view = kind == &pf_sink_verbose ? PF_VIEW_VERBOSE
				 : kind == &pf_sink_plot  ? PF_VIEW_PLOT
							  : PF_VIEW_BRIEF;
	bool moves = false;
	if (!step->sparse || p->import || p->plan->step_ns > 0 || p->plan->export.kind || p->view.top_key ||
	    (view == PF_VIEW_BRIEF && kind != &pf_sink_brief))
		return false;
	for (unsigned g = 0; p->groups[g]; g++) {
		for (unsigned i = 0; i < p->groups[g]->n_layouts; i++) {
			const struct pf_layout *l = &p->groups[g]->layouts[i];
			for (unsigned c = 0; l->view == view && strchr(p->letters, l->letter) && c < l->n_columns;
			     c++) {
				if (has_column(step, &l->columns[c], p->bases[g], &moves)) {
					p->has_view = true;
					return false;
				}
			}
		}
	}
	return moves && step->prev && p->has_view;
}

int pf_parts_flush(struct pf_parts *p, struct pf_err *err)
{
	int rc = p->sink && p->sink->kind->flush ? p->sink->kind->flush(p->sink) : 0;
	return rc < 0 && rc != -EPIPE ? pf_err_set(err, rc, "writing the output failed: %s", strerror(-rc)) : rc;
}

int pf_parts_fatal(const struct pf_parts *p, struct pf_err *err)
{
	const struct pf_err *fatal = p->import ? pf_import_fatal(p->import) : NULL;
	if (!fatal)
		return 0;
	*err = *fatal;
	return err->rc;
}

int pf_parts_headings(int fd, bool first, struct pf_buf *out)
{
	struct pf_buf text = { 0 };
	int rc = pf_io_pread_all(fd, 1 << 20, &text);
	struct pf_view rest = pf_buf_text(&text);
	struct pf_view line;
	bool blank = false, any = false;
	while (rc == 0 && pf_view_line(&rest, &line) == 0) {
		bool heading = pf_view_starts(line, "#") && !pf_view_starts(line, "### RECORD");
		if (first && any && !heading)
			break;
		if (heading && blank && !first)
			pf_buf_char(out, '\n');
		if (heading || first) {
			pf_buf_view(out, line);
			pf_buf_char(out, '\n');
		}
		any |= heading;
		blank = line.n == 0;
	}
	pf_buf_done(&text);
	return rc < 0 ? rc : out->failed;
}
