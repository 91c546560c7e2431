/* engine/plan.c - check a request, then choose. */
#include "engine/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/environment.h"
#include "engine/files.h"
#include "groups/list.h"
#include "import/import.h"

static int refuse(struct pf_err *err, const char *text)
{
	return pf_err_set(err, -EINVAL, "%s", text);
}

static bool is_playback(const struct pf_request *req)
{
	return req->playback || req->files;
}

static bool is_remote(const struct pf_request *req)
{
	return !is_playback(req) && req->host && strcmp(req->host, "self:") != 0;
}

/* Which switches cannot stand together; the first row that holds is told. */
static int check_conflicts(const struct pf_request *req, struct pf_err *err)
{
	bool playback = is_playback(req);
	bool exporting = req->export || req->vmstat;
	bool remote = is_remote(req);
	bool analyzing = req->proc_analyze || req->slab_analyze;
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ req->all && req->all_detail, "can't mix --all with --ALL" },
		{ req->all && req->subsys, "can't mix -s with -all" },
		{ req->all_detail && req->subsys, "can't mix -s with -ALL" },
		{ (req->verbose || req->full) && req->plot, "can't use -P with --verbose" },
		{ req->verbose && req->filename, "can't use -f with --verbose" },
		{ req->vmstat && (req->all || req->all_detail), "can't mix --vmstat with --all or --ALL" },
		{ req->vmstat && req->export, "can't mix --vmstat with --export" },
		{ exporting && req->verbose, "can't use --export with --verbose" },
		{ exporting && req->oformat, "can't use --export with --oformat" },
		{ req->stats && !playback, "statistics not allowed interactively" },
		{ req->stats && req->verbose, "statistics not allowed in verbose mode" },
		{ req->stats && (req->plot || req->oformat || exporting), "statistics are only for the brief format" },
		{ req->stat_options && !req->stats, "--statopts required --stats" },
		{ req->stat_options && req->stat_options[strspn(req->stat_options, "ais")] != '\0',
		  "valid --statopts are [ais]" },
		{ req->oformat && req->plot, "can't use -P with --oformat" },
		{ req->oformat && req->verbose, "can't use --verbose with --oformat" },
		{ req->oformat && req->filename, "-f records raw text; use --output FILE with --oformat" },
		{ req->output && req->filename, "can't use -f with --output" },
		{ req->address && playback, "-p not allowed with -A" },
		{ req->address && req->home, "--home cannot be used with -A" },
		{ req->address && req->output, "can't use --output with -A" },
		{ req->home && playback, "--home does not apply to -p" },
		{ req->home && req->filename, "--home only applies to terminal output" },
		{ playback && req->interval, "-i not allowed with -p" },
		{ playback && req->runtime, "-R not allowed with -p" },
		{ playback && req->has_flush, req->as_peer ? "-p not allowed with -F" : "-F not allowed with -p" },
		{ playback && req->daemon, "-p not allowed with -D" },
		{ req->has_utime && !req->filename, "--utime requires -f" },
		{ req->has_utime && (req->utime > 7 || req->utime < 0), "max value for --utime is 7" },
		{ playback && req->align && !req->interpolate,
		  req->as_peer ? "--align only applies to record mode"
			       : "--align is for sampling, and for recordings with --interpolate" },
		{ analyzing && !playback, "--procanalyze/--slabanalyze require -p" },
		{ analyzing && !req->filename, "--procanalyze/--slabanalyze require -f" },
		{ analyzing && req->plot && !req->plot_implied && !req->subsys,
		  "--procanalyze/--slabanalyze with -P requires -s" },
		{ playback && req->filename && !req->plot && !analyzing, "MUST specify -P if -p and -f" },
		{ req->raw_too && playback, "--rawtoo does not work in playback mode" },
		{ req->raw_too && !req->filename, "--rawtoo requires -f" },
		{ req->raw_too && !req->plot && !exporting, "--rawtoo requires -P or --export" },
		{ req->extract && !playback, "--extract only applies to playback mode" },
		{ req->extract && req->subsys, "-s not allowed in 'extract' mode" },
		{ req->extract && !req->from && !req->thru, "--from OR --thru required in 'extract' mode" },
		{ !playback && (req->from || req->thru),
		  req->as_peer ? "--from/--thru only apply to -p"
			       : "--from and --thru are for recordings: perfolio replay FILE" },
		{ !playback && req->has_offset, req->as_peer ? "-offsettime only applies to playback mode"
							     : "--offsettime is for recordings: perfolio replay FILE" },
		{ !playback && req->grep,
		  req->as_peer ? "--grep only applies to -p" : "--grep is for recordings: perfolio replay FILE" },
		{ !playback && req->interpolate, "--interpolate is for recordings: perfolio replay FILE" },
		{ req->host && req->host[0] == '\0', "--host '' names no host" },
		{ !playback && req->offset, "--offset is for recordings: perfolio replay FILE" },
		{ req->interpolate && (req->extract || req->grep || (req->debug & 4)),
		  "--interpolate computes values and has no raw text: it does not go with --extract, --grep and -d4" },
		{ req->interpolate && req->import,
		  "--interpolate does not know what values of modules mean, leave out --import" },
		{ remote && req->filename && (req->plot || !exporting),
		  "-f makes files of what this host's kernel says; record other hosts with perfolio record FOLIO -h HOST" },
		{ remote && (req->import || req->root || req->show_header),
		  "--import, --root and --showheader are for the host itself, leave out --host" },
		{ remote && (req->debug & 4), "-d4 shows raw text, which a pmcd does not give" },
		{ req->has_cgroup_depth && (req->cgroup_depth < 0 || req->cgroup_depth > 128),
		  "--cgroupdepth must be a number of levels, 0 to 128" },
		{ req->roll && !req->filename, "-r requires -f" },
		{ req->has_count && (req->runtime || req->roll), "-c conflicts with -r and -R" },
		{ req->roll && req->runtime, "pick either -r or -R" },
		{ req->has_count && req->count < 0, "-c must be numeric" },
		{ req->has_header_repeat && req->header_repeat < -1, "--headerrepeat must be >= -1" },
	};
	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].wrong)
			return refuse(err, rules[i].text);
	}
	return 0;
}

static int choose_options(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	struct pf_view_options *view = &plan->view;
	for (const char *p = req->options ? req->options : ""; *p != '\0'; p++) {
		if (!strchr("TdDmUngGxX12zacui^", *p))
			return refuse(err, req->as_peer
						   ? "invalid option"
						   : "-o knows only the letters TdDmUngGxX12zacui, see --showoptions");
		enum pf_time_form form = *p == 'T'   ? PF_TIMES_HMS
					 : *p == 'd' ? PF_TIMES_MD_HMS
					 : *p == 'D' ? PF_TIMES_YMD_HMS
						     : PF_TIMES_NONE;
		if (form != PF_TIMES_NONE && view->times != PF_TIMES_NONE && view->times != form)
			return refuse(err, "use only 1 of -o dDT");
		if (form != PF_TIMES_NONE)
			view->times = form;
		if (strchr("12ac", *p) && !req->plot)
			return pf_err_set(err, -EINVAL, "option %c only apply to -P", *p);
		if (*p == 'z' && !req->plot)
			return refuse(err, "-oz only applies to -P files");
		view->millis |= *p == 'm';
		view->no_divide |= *p == 'n';
		view->utc |= *p == 'U';
		if (*p == 'g' || *p == 'G')
			view->big_numbers = *p;
		if (*p == '1' || *p == '2')
			view->decimals = (unsigned)(*p - '0');
	}
	view->utc |= req->utc;
	if (view->utc && !req->plot)
		return refuse(err, "-ou/--utc only apply to -P format");
	if (view->utc && view->times != PF_TIMES_NONE)
		return refuse(err, "can't mix UTC time with other time formats");
	if (req->options && strchr(req->options, 'a') && strchr(req->options, 'c'))
		return refuse(err, "-oa conflicts with -oc");
	if (req->options && strchr(req->options, 'i') && (!req->plot || is_playback(req)))
		return refuse(err, "-oi only supported interactively with -P to terminal");
	return 0;
}

static int choose_separator(struct pf_plan *plan, struct pf_err *err)
{
	const char *text = plan->req->separator;
	plan->separator[0] = ' ';
	plan->view.separator = plan->separator;
	if (!text)
		return 0;
	if (strchr(text, '%'))
		return refuse(err, "--sep cannot be a '%'");
	uint64_t code;
	bool number = pf_view_u64(pf_view_of(text), &code) == 0;
	if (!number && strlen(text) != 1)
		return refuse(err, "--sep much be 1 character or a number");
	if (!plan->req->plot)
		return refuse(err, "--sep only applies to plot format");
	if (number && (code == 0 || code > 126))
		return refuse(err, "--sep as a number must be the code of a character, 1 to 126");
	plan->separator[0] = number ? (char)code : text[0];
	return 0;
}

/* Letters of a sub-option, each with the variant that it sets. */
struct suboption {
	char letter;
	uint64_t variant;
	bool later;
};

static int choose_suboptions(struct pf_plan *plan, const char *text, const struct suboption *table, const char *wrong,
			     struct pf_err *err)
{
	for (const char *p = text ? text : ""; *p != '\0'; p++) {
		const struct suboption *row = table;
		while (row->letter != '\0' && row->letter != *p)
			row++;
		if (row->letter == '\0')
			return refuse(err, wrong);
		if (row->later)
			return pf_err_set(err, -ENOTSUP, "sub-option '%c' is not available in this version", *p);
		plan->view.variants |= row->variant;
	}
	return 0;
}

static int choose_memory(struct pf_plan *plan, struct pf_err *err)
{
	static const struct suboption table[] = {
		{ 'P', PF_WITH_PHYSICAL, false }, { 'V', PF_WITH_VIRTUAL, false }, { 'p', PF_WITH_PAGES, false },
		{ 's', PF_WITH_SCAN, false },	  { 'R', PF_WITH_CHANGES, false }, { 0 },
	};
	int rc = choose_suboptions(plan, plan->req->mem_options, table, "invalid value for --memopts", err);
	if (rc < 0)
		return rc;
	uint64_t parts = PF_WITH_PHYSICAL | PF_WITH_VIRTUAL | PF_WITH_PAGES | PF_WITH_SCAN;
	if ((plan->view.variants & PF_WITH_CHANGES) && (plan->view.variants & parts))
		return refuse(err, "--memopts R cannot be user with any of [psPV]");
	plan->verbose_wanted |= (plan->view.variants & parts) != 0;
	return 0;
}

/* Lines between headings: what a terminal of the height in the settings shows below one. */
static int terminal_lines(const struct pf_plan *plan)
{
	int64_t height = plan->settings->term_height;
	return height > 3 && height < 10000 ? (int)height - 2 : 1;
}

static int choose_view(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	struct pf_view_options *view = &plan->view;
	view->wide = req->wide;
	view->full = req->full;
	view->home = req->home;
	view->header_repeat = req->has_header_repeat ? (int)req->header_repeat : req->plot ? 0 : terminal_lines(plan);
	view->variants |= req->as_peer ? PF_AS_PEER : 0;
	view->variants |= req->io_sizes ? PF_WITH_SIZES | PF_WITH_NET_SIZES | PF_WITH_IB_SIZES : 0;
	view->zone_local = true;
	plan->verbose_wanted |= req->verbose || req->full;
	view->stats = req->stats;
	view->stats_averages = req->stat_options && strchr(req->stat_options, 'a');
	view->stats_intervals = req->stat_options && strchr(req->stat_options, 'i');
	view->stats_files = req->stat_options && strchr(req->stat_options, 's');
	int rc = choose_options(plan, err);
	if (rc == 0)
		rc = choose_separator(plan, err);
	if (rc == 0)
		rc = choose_memory(plan, err);
	if (rc == 0)
		rc = req->ib_options && strcmp(req->ib_options, "i") != 0
			     ? refuse(err, "only valid value for --xopts is 'i'")
			     : 0;
	view->variants |= req->ib_options ? PF_WITH_IB_SIZES : 0;
	view->variants |= req->env_options && strchr(req->env_options, 'M') ? PF_WITH_ENV_LINES : 0;
	if (rc == 0)
		rc = pf_plan_protocols(plan, err);
	if (rc == 0 && req->oformat) {
		rc = pf_doc_options_parse(req->oformat, true, &plan->doc, err);
		if (rc < 0)
			return pf_err_context(err, rc, "--oformat");
	}
	return rc;
}

static int choose_export(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	if (!req->export && !req->vmstat)
		return 0;
	if (!req->vmstat && pf_export_is_script(req->export)) {
		plan->export = (struct pf_export_options){ .kind = &pf_sink_script };
		return 0;
	}
	int rc = pf_export_options_parse(req->vmstat ? "vmstat" : req->export, &plan->export, err);
	if (rc < 0 && !plan->export.kind && req->as_peer)
		return pf_err_set(err, rc, "can't find export file '%.*s.ph' in ./ OR /usr/share/collectl/",
				  (int)strcspn(req->export, ","), req->export);
	if (rc < 0)
		return plan->export.kind && !req->as_peer
			       ? pf_err_context(err, rc, "--export %s", plan->export.kind->name)
			       : rc;
	if (plan->export.kind == &pf_sink_vmstat && req->subsys)
		return refuse(err, "-s not allowed with 'vmstat'");
	if (!plan->export.kind->snapshot && req->filename && !req->raw_too)
		return refuse(err, "-f requires either --rawtoo or -P");
	return 0;
}

static int choose_times(struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	/* collectl takes -c with -p and ignores it. */
	plan->count = req->has_count && !(is_playback(req) && req->as_peer) ? req->count : -1;
	if (req->env_test && !is_playback(req))
		plan->count = 1; /* the answer is always the same */
	plan->interval_text = req->interval ? req->interval : req->daemon ? plan->settings->interval[0] : "1";
	int rc = pf_times_interval(plan->interval_text, !req->as_peer, plan->interval_ns, err);
	if (rc == 0)
		pf_plan_interval_text(plan);
	if (rc == 0)
		rc = pf_plan_intervals(plan, letters, err);
	plan->rolls = req->roll != NULL;
	if (rc == 0 && req->roll)
		rc = pf_roll_parse(&plan->roll, req->roll, err);
	if (rc == 0 && req->runtime)
		rc = pf_times_runtime(req->runtime, !req->as_peer, &plan->runtime_ns, err);
	if (rc == 0)
		rc = pf_plan_cost_limit(plan, err);
	plan->import_limits.isolate = req->import_isolate;
	if (rc == 0 && req->import_deadline)
		rc = pf_import_deadline(req->import_deadline, &plan->import_limits.deadline_ns, err);
	if (rc == 0 && req->import_records)
		rc = pf_import_records(req->import_records, &plan->import_limits.records, err);
	if (rc == 0 && req->import_answers)
		rc = pf_import_answers(req->import_answers, &plan->import_limits.answers, err);
	if (rc == 0 && req->import_memory)
		rc = pf_import_memory(req->import_memory, &plan->import_limits.memory_mb, err);
	return rc;
}

/* --offset and --interpolate */
static int choose_steps(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	int rc = req->offset ? pf_times_span(req->offset, &plan->offset_ns, err) : 0;
	if (rc < 0)
		return pf_err_context(err, rc, "--offset");
	rc = req->interpolate ? pf_times_span(req->interpolate, &plan->step_ns, err) : 0;
	if (rc < 0)
		return pf_err_context(err, rc, "--interpolate");
	if (req->interpolate && plan->step_ns < PF_NS_PER_MS)
		return refuse(err, "--interpolate: steps are at least a millisecond long");
	return 0;
}

/* "--from A-B" is the short form of both. collectl takes every dash for that. */
static int choose_span(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	struct pf_moment thru = { 0 };
	if (req->as_peer && req->thru && strchr(req->thru, '-'))
		return refuse(err, "do not specify 2 times with --thru");
	if (req->as_peer && req->thru && req->from && strchr(req->from, '-'))
		return refuse(err, "do not specify 2 times with --from and also use --thru");
	int rc = req->from ? pf_moment_span(req->from, req->as_peer, &plan->from, &plan->thru, err) : 0;
	if (rc == 0 && req->thru && plan->thru.given)
		return refuse(err, "do not specify 2 times with --from and also use --thru");
	if (rc == 0 && req->thru)
		rc = pf_moment_parse(req->thru, "--thru", req->as_peer, &plan->thru, err);
	if (rc < 0 && req->thru && pf_moment_span(req->thru, req->as_peer, &thru, &thru, NULL) == 0)
		return refuse(err, "do not specify 2 times with --thru");
	return rc == 0 ? choose_steps(plan, err) : rc;
}

static int choose_letters(struct pf_plan *plan, char ret_letters[PF_LETTERS_MAX], struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	bool vmstat = plan->export.kind == &pf_sink_vmstat;
	const char *subsys = vmstat ? "cm" : req->subsys;
	int rc = subsys ? pf_letters_parse(plan, subsys, err) : 0;
	if (rc < 0)
		return rc;
	bool alone = !subsys && !req->all && !req->all_detail; /* --top without anything above it */
	pf_letters_top(plan, alone);
	const char *base = req->daemon ? plan->settings->core : req->import && !subsys ? "" : "cdn";
	char all[PF_LETTERS_MAX] = "";
	const char *every = req->as_peer ? "bcdfijmnstxBCDEFJMNXYZ" : "bcdfijmnstxqpBCDEFJMNXZQ";
	for (const char *p = every; (req->all || req->all_detail) && *p != '\0'; p++) {
		bool detail = *p >= 'A' && *p <= 'Z';
		if (pf_letters_have(*p) && (req->all_detail || !detail))
			all[strlen(all)] = *p;
	}
	pf_letters_final(plan, all[0] ? all : base, ret_letters);
	if (!is_playback(req))
		pf_plan_cost_letters(plan, NULL, ret_letters);
	if (strchr(ret_letters, 'T') && !req->plot && !req->filename && !is_playback(req) && !req->oformat)
		return refuse(err, "-sT can only be used with -f or -P");
	if (ret_letters[0] == '\0' && !is_playback(req) && !req->import)
		return refuse(err, "no subsystems selected");
	if (all[0]) {
		memcpy(plan->letters, ret_letters, sizeof(plan->letters));
		plan->letters_given = true;
	}
	return 0;
}

/* --metrics and --instances */
static int choose_names(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	if (!req->metrics && !req->instances)
		return 0;
	if (!is_playback(req))
		return refuse(err, "--metrics and --instances choose from recordings; perfolio replay shows those");
	if (plan->doc.format == PF_FORMAT_TEXT)
		return refuse(err, "--metrics and --instances choose what documents show: add --oformat csv or jsonl; "
				   "views show what -s says");
	int rc = req->metrics ? pf_patterns_parse(&plan->metrics, "--metrics", req->metrics, err) : 0;
	if (rc == 0 && req->instances)
		rc = pf_patterns_parse(&plan->instances, "--instances", req->instances, err);
	return rc;
}

static int check_values(const struct pf_plan *plan, struct pf_err *err)
{
	int64_t debug = plan->req->debug;
	int rc = plan->req->playback ? pf_files_check(plan->req->playback, err) : 0;
	if (rc < 0)
		return rc;
	if (debug < 0)
		return pf_err_set(err, -EINVAL, "-d takes a sum of 1, 2, 4 ..., see perfolio-watch(1)");
	return 0;
}

int pf_plan_make(struct pf_plan *plan, const struct pf_request *req, const struct pf_notice *notice, struct pf_err *err)
{
	*plan = (struct pf_plan){ .req = req,
				  .settings = req->settings ? req->settings : pf_settings_default(),
				  .notice = notice };
	char letters[PF_LETTERS_MAX];
	int rc = check_conflicts(req, err);
	plan->pmcd = is_remote(req) ? req->host : NULL;
	if (rc == 0)
		rc = choose_export(plan, err);
	if (rc == 0)
		rc = choose_letters(plan, letters, err);
	if (rc == 0)
		rc = choose_view(plan, err);
	if (rc == 0)
		rc = pf_plan_top(plan, is_playback(req), err);
	if (rc == 0)
		rc = choose_times(plan, letters, err);
	if (rc == 0)
		rc = pf_plan_limits(plan, letters, is_playback(req), err);
	if (rc == 0)
		rc = pf_plan_two_raw(plan, letters, err);
	if (rc == 0)
		rc = pf_plan_lists(plan, letters, is_playback(req), err);
	if (rc == 0)
		rc = pf_plan_devices(plan, letters, err);
	if (rc == 0)
		rc = pf_environment_new(&plan->env, req, req->env_debug ? notice : NULL, err);
	if (rc == 0)
		rc = choose_span(plan, err);
	if (rc == 0)
		rc = choose_names(plan, err);
	if (rc == 0)
		rc = check_values(plan, err);
	if (rc == 0 && !is_playback(req)) {
		memcpy(plan->letters, letters, sizeof(letters));
		plan->letters_given = true;
	}
	return rc;
}

void pf_plan_done(struct pf_plan *plan)
{
	pf_plan_devices_done(plan);
	pf_plan_lists_done(plan);
	pf_patterns_done(&plan->metrics);
	pf_patterns_done(&plan->instances);
	plan->env = pf_environment_free(plan->env);
	*plan = (struct pf_plan){ 0 };
}

unsigned pf_plan_groups(const char *letters, const struct pf_group *ret_groups[PF_GROUPS_MAX + 1])
{
	unsigned n = 0;
	for (unsigned g = 0; pf_groups[g] && n < PF_GROUPS_MAX; g++) {
		if (strpbrk(pf_groups[g]->letters, letters))
			ret_groups[n++] = pf_groups[g];
	}
	ret_groups[n] = NULL;
	return n;
}

/* Brief is for summaries; whatever has rows of its own needs more than one line. */
static bool needs_verbose(const struct pf_plan *plan, const char *letters, const struct pf_import *import)
{
	for (const char *p = letters; *p != '\0'; p++) {
		if (!strchr("bcdfgijlmnstxqpo", *p))
			return true;
	}
	return plan->verbose_wanted || (import && pf_import_n_detail(import) > 0);
}

const struct pf_sink_kind *pf_plan_area(const struct pf_plan *plan, const char *letters, const struct pf_import *import)
{
	char above[PF_LETTERS_MAX] = "";
	for (const char *p = letters; *p != '\0'; p++) {
		if (*p != plan->view.top_letter)
			above[strlen(above)] = *p;
	}
	if (above[0] == '\0' && !import)
		return NULL;
	return needs_verbose(plan, above, import) ? &pf_sink_verbose : &pf_sink_brief;
}

const struct pf_sink_kind *pf_plan_sink(const struct pf_plan *plan, const char *letters, const struct pf_import *import)
{
	if (plan->export.kind)
		return plan->export.kind;
	if (plan->doc.format != PF_FORMAT_TEXT)
		return &pf_sink_emit;
	if (plan->req->plot)
		return pf_plan_plots(plan) && !plan->req->address ? &pf_sink_plotfiles : &pf_sink_plot;
	if (plan->view.top_key && !plan->view.top_scrolls && !is_playback(plan->req))
		return &pf_sink_screen;
	return needs_verbose(plan, letters, import) ? &pf_sink_verbose : &pf_sink_brief;
}

unsigned pf_plan_sinks(const struct pf_plan *plan, const struct pf_sink_kind *view,
		       const struct pf_sink_kind *ret_kinds[PF_TEE_MAX])
{
	unsigned n = 0;
	ret_kinds[n++] = view;
	if (pf_plan_plots(plan) && view != &pf_sink_plotfiles)
		ret_kinds[n++] = &pf_sink_plotfiles;
	return n;
}
