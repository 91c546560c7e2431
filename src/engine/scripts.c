/* engine/scripts.c - the variables that import modules in Perl read. Names and values are collectl's; what it learns only after Init is
 * marked late here, too, since modules test for that. */
#include "engine/scripts.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"
#include "engine/plan.h"
#include "import/import.h"
#include "model/layout.h"
#include "sinks/times.h"

/* Modules compare the version as a text with numbers like 3.5.1. */
static const char *const version = "4.3.1-1";
static const char *const plot_formats[] = { ".0f", ".1f", ".2f" };

static void add(struct pf_scripts *s, const char *name, enum pf_script_type type, const void *at, bool late, bool told)
{
	s->vars[s->n++] = (struct pf_script_var){ name, type, at, late, told };
}

/* A text that stays as it is; NULL counts as empty. */
static void add_text(struct pf_scripts *s, const char *name, const char *text, bool late, bool told)
{
	const char **at = &s->texts[s->n_texts++];
	*at = text ? text : "";
	add(s, name, PF_SCRIPT_TEXT, at, late, told);
}

static void add_number(struct pf_scripts *s, const char *name, int64_t number)
{
	int *at = &s->numbers[s->n_numbers++];
	*at = (int)number;
	add(s, name, PF_SCRIPT_INT, at, false, false);
}

/* Title of the time column, as wide as times are. */
static const char *time_title(const struct pf_view_options *view)
{
	switch (view->times) {
	case PF_TIMES_HMS:
		return view->millis ? "Time         " : "Time     ";
	case PF_TIMES_MD_HMS:
		return view->millis ? "Date Time          " : "Date Time      ";
	case PF_TIMES_YMD_HMS:
		return view->millis ? "Date    Time          " : "Date    Time      ";
	default:
		return "";
	}
}

/* Filters that rows were chosen by already, and parts of collectl that are not there: what exporters test before they read. */
static const char *const empty[] = {
	"dskFiltKeep", "dskFiltIgnore", "netFiltKeep", "netFiltIgnore", "lustOpts", "clscr"
};
static const char *const zero[] = { "CltFlag", "MdsFlag", "OstFlag", "NumXRails", "headersPrinted" };

static void fill_absent(struct pf_scripts *s)
{
	for (unsigned i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		add_text(s, empty[i], NULL, false, false);
	for (unsigned i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		add_number(s, zero[i], 0);
}

static void fill_switches(struct pf_scripts *s, const struct pf_plan *plan)
{
	const struct pf_request *req = plan->req;
	add_text(s, "options", req->options, false, false);
	add_text(s, "filename", req->filename, false, false);
	add_text(s, "playback", req->playback, false, false);
	add_text(s, "export", req->export, false, false);
	add_text(s, "import", req->import, false, false);
	add_text(s, "userSubsys", req->subsys, false, false);
	add_text(s, "procFilt", req->proc_filter, false, false);
	add_text(s, "procOpts", req->proc_options, false, false);
	add_text(s, "envOpts", req->env_options ? req->env_options : "fpt", false, false);
	add_text(s, "envFilt", req->env_filter, false, false);
	add_text(s, "envRules", req->env_rules, false, false);
	add_text(s, "envRemap", req->env_remap, false, false);
	add_text(s, "envTestFile", req->env_test, false, false);
	add_text(s, "recInterval", plan->interval_text, false, false);
	s->vars[s->n - 1].at = &s->recorded_interval;
	add_text(s, "tcpFilt", NULL, false, false);
	s->vars[s->n - 1].at = &s->tcp_words;
	add_number(s, "plotFlag", req->plot);
	add_number(s, "homeFlag", req->home);
	add_number(s, "utcFlag", req->utc);
	add_number(s, "ioSizeFlag", req->io_sizes);
	add_number(s, "showColFlag", req->show_headings);
	add_number(s, "showHeaderFlag", req->show_header);
	add_number(s, "debug", req->debug);
	add_number(s, "count", plan->count);
	add_number(s, "daemonFlag", req->daemon);
	add_number(s, "sockFlag", req->address != NULL);
	add_number(s, "rawtooFlag", req->raw_too);
	add_number(s, "alignFlag", req->align);
	add_number(s, "rawPFlag", 0);
	s->vars[s->n - 1].late = true;
	add_number(s, "DefNetSpeed", plan->settings->net_speed_mbit);
	add_number(s, "hiResFlag", 1);
	add_number(s, "XCFlag", 0);
	add_number(s, "PcFlag", 1);
}

/* As it was typed; where only headings are wanted there is no interval, and collectl says 0 for each. */
static void add_interval(struct pf_scripts *s, const char *text, bool none)
{
	const char *colon = strchr(text, ':');
	if (none)
		text = !colon ? "0" : !strchr(colon + 1, ':') ? "0:0" : "0:0:0";
	add_text(s, "interval", text, false, true);
}

static void fill_host(struct pf_scripts *s)
{
	struct utsname u;
	if (uname(&u) < 0)
		memset(&u, 0, sizeof(u));
	memcpy(s->host, u.nodename, strnlen(u.nodename, sizeof(s->host) - 1));
	memcpy(s->kernel, u.release, strnlen(u.release, sizeof(s->kernel) - 1));
	s->host[strcspn(s->host, ".")] = '\0';
	for (size_t i = 0; i < sizeof(s->host); i++)
		s->lower_host[i] = (char)tolower((unsigned char)s->host[i]);
	add_text(s, "Host", s->host, false, false);
	add_text(s, "myHost", s->host, false, false);
	add_text(s, "HostLC", s->lower_host, true, false);
	pf_autoclose int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	pf_facts_distro(root, s->distro);
	add_text(s, "Distro", s->distro, true, false);
	add(s, "boottime", PF_SCRIPT_NS, &s->boot_ns, true, false);
	add_text(s, "Kernel", s->kernel, true, false);
	add_text(s, "Version", version, false, false);
	add_text(s, "ReqDir", PF_IMPORT_COLLECTL_FOLDER, false, false);
	s->n_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	add(s, "NumCpus", PF_SCRIPT_INT, &s->n_cpus, true, false);
	add_number(s, "HZ", sysconf(_SC_CLK_TCK));
	s->vars[s->n - 1].late = true;
	add_number(s, "PageSize", sysconf(_SC_PAGESIZE));
}

void pf_scripts_fill(struct pf_scripts *s, const struct pf_plan *plan, struct perfolio_state *state)
{
	*s = (struct pf_scripts){ .first_pass = 1, .same_columns = 1, .tcp_words = "", .recorded_interval = "" };
	unsigned decimals = plan->view.decimals;
	fill_switches(s, plan);
	fill_host(s);
	fill_absent(s);
	pf_scripts_times(s, &plan->view);
	add(s, "miniDateTime", PF_SCRIPT_TEXT, &s->time_title, true, false);
	add(s, "miniBlanks", PF_SCRIPT_TEXT, &s->time_blanks, true, false);
	add_text(s, "FS", plot_formats[decimals < 3 ? decimals : 0], true, false);
	add(s, "SEP", PF_SCRIPT_TEXT, &state->separator, !plan->req->separator, false);
	add(s, "rate", PF_SCRIPT_TEXT, &state->rate, true, false);
	add(s, "datetime", PF_SCRIPT_TEXT, &state->datetime, true, false);
	add(s, "miniFiller", PF_SCRIPT_TEXT, &state->mini_filler, true, false);
	add(s, "intSecs", PF_SCRIPT_DOUBLE, &state->int_secs, true, false);
	add_interval(s, state->interval, plan->req->show_headings);
	add(s, "subsys", PF_SCRIPT_TEXT, &state->subsys, false, true);
	add(s, "miniInstances", PF_SCRIPT_U64, &state->mini_instances, false, false);
	add(s, "counted2", PF_SCRIPT_U64, &state->counted2, false, false);
	add(s, "limit2", PF_SCRIPT_U64, &state->limit2, false, false);
	add(s, "lastSecs[0]", PF_SCRIPT_TEXT, &s->last_seconds, true, false);
	add(s, "lastSeconds[0]", PF_SCRIPT_NS, &state->time_ns, true, false);
	add(s, "seconds", PF_SCRIPT_NS, &state->time_ns, true, false);
	add(s, "fullTime", PF_SCRIPT_NS, &state->time_ns, true, false);
	add(s, "intSeconds", PF_SCRIPT_WHOLE, &state->time_ns, true, false);
	add(s, "intUsecs", PF_SCRIPT_MICROS, &state->time_ns, true, false);
	add(s, "usecs", PF_SCRIPT_MICROS, &state->time_ns, true, false);
	add(s, "verboseFlag", PF_SCRIPT_INT, &state->verbose, false, true);
	add(s, "sameColsFlag", PF_SCRIPT_INT, &s->same_columns, false, true);
	add(s, "firstPass", PF_SCRIPT_INT, &s->first_pass, false, false);
}

void pf_scripts_times(struct pf_scripts *s, const struct pf_view_options *view)
{
	static const char blanks[] = "                              ";
	s->time_title = time_title(view);
	s->boot_ns = view->boot_ns;
	s->time_blanks = blanks + sizeof(blanks) - 1 - strlen(s->time_title);
}

void pf_scripts_update(struct pf_scripts *s, const struct pf_view_options *view, int64_t interval_ns, int64_t time_ns)
{
	static const struct {
		uint64_t variant;
		char word;
	} words[] = { { PF_TCP_IP, 'i' },   { PF_TCP_TCP, 't' },   { PF_TCP_UDP, 'u' },
		      { PF_TCP_ICMP, 'c' }, { PF_TCP_IPEXT, 'I' }, { PF_TCP_TCPEXT, 'T' } };
	unsigned n = 0;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (view->variants & words[i].variant)
			s->tcp[n++] = words[i].word;
	}
	s->tcp[n] = '\0';
	s->tcp_words = s->tcp;
	if (view->n_cpus > 0)
		s->n_cpus = (int)view->n_cpus;
	(void)snprintf(s->recorded, sizeof(s->recorded), "%g", (double)interval_ns / (double)PF_NS_PER_SEC);
	s->recorded_interval = s->recorded;
	pf_times_number(s->seconds, view, time_ns);
	s->last_seconds = s->seconds;
}
