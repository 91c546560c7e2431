/* cmd/options_run.c - run what the shared switches ask for, and tell how it ended: ours and, by the name collectl, the peer's way. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/outlet.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "cmd/daemon.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/say.h"
#include "cmd/startup.h"
#include "engine/address.h"
#include "engine/hardware.h"
#include "engine/plan.h"
#include "engine/run.h"
#include "engine/slabs.h"

/* What the hooks need to know. */
struct telling {
	const struct pf_options *options;
	enum pf_flavour flavour;
	const struct pf_plan *plan; /* once there is one */
	struct pf_messages log;
	struct pf_daemon daemon;
};

/* What is refused or stops the program also stands in the log. */
static void log_error(const struct telling *t, const char *text)
{
	char line[PF_ERR_TEXT + 16];
	(void)snprintf(line, sizeof(line), "%s%s", t->flavour == PF_FLAVOUR_PEER ? "Error: " : "", text);
	pf_messages_tell(&t->log, 'F', line);
}

/* A refused request. @outlet: of -A: the peer tells it there, once there is one. Return: exit status. */
static int usage_error(enum pf_flavour flavour, struct pf_outlet *outlet, bool getopt, int rc, const char *text)
{
	if (flavour != PF_FLAVOUR_PEER) {
		(void)fprintf(stderr, "perfolio: %s\n", text);
		return rc == -ENOMEM ? PF_EXIT_ERROR : PF_EXIT_USAGE;
	}
	if (getopt)
		(void)fprintf(stderr, "%s\n", text);
	struct pf_buf out = { 0 };
	struct pf_outlet_fd own;
	outlet = outlet && outlet->one_reader ? outlet : NULL;
	pf_buf_fmt(&out, "Error: %s\n", getopt ? "type -h for help" : text);
	if (strncmp(text, "invalid switch", 14) != 0)
		pf_buf_str(&out, "type 'collectl -h' for help\n");
	(void)pf_outlet_put(pf_outlet_or_fd(outlet, &own, STDOUT_FILENO), pf_buf_text(&out), 0); /* the status tells */
	pf_buf_done(&out);
	return PF_EXIT_ERROR;
}

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	const struct telling *t = arg;
	const struct pf_request *req = &t->options->request;
	if (severity == PF_SAID) {
		(void)puts(text);
		return;
	}
	pf_messages_tell(&t->log, severity == PF_INFO ? 'I' : 'W', text);
	bool logged = severity == PF_INFO && t->log.log.n > 0;
	bool wanted = severity == PF_INFO ? req->messages : !req->quiet;
	if (!wanted || logged)
		return;
	(void)fflush(stdout);
	(void)fprintf(stderr, "%s%s\n", t->flavour == PF_FLAVOUR_PEER ? "" : "perfolio: ", text);
}

static void ready(void *arg)
{
	struct telling *t = arg;
	pf_daemon_ready(&t->daemon);
	const struct pf_request *req = &t->options->request;
	bool live = !req->playback && !req->files;
	if (t->flavour == PF_FLAVOUR_PEER && live && !req->filename && !req->quiet && !req->oformat && !req->env_test)
		(void)printf("waiting for %s second sample...\n", t->plan->wait_text);
	(void)fflush(stdout);
}

static void playing(void *arg, const char *path)
{
	const struct telling *t = arg;
	if (!t->options->request.messages)
		return;
	(void)putchar('\n');
	pf_say(stdout, "Playing back %s", path);
	(void)fflush(stdout);
}

/* The peer's last words of a playback that showed nothing. */
static void tell_nothing(const struct pf_options *o, const struct pf_run_result *result)
{
	const struct pf_request *req = &o->request;
	if (result->n_shown > 0 || result->signal || result->closed)
		return;
	if (result->n_matched == 0)
		(void)puts("no files found containing -yyyymmdd-hhmmss.raw OR within specified time period");
	else if (req->top && !req->subsys)
		return;
	else if (result->n_files == 0)
		(void)printf("No files selected contain the selected data.%s\n",
			     req->messages ? "" : "  Try again with -m.");
	else if ((!result->reached || req->grep) && result->n_matched == 1)
		(void)puts("No records selected for playback!  Are --from/--thru` wrong?");
}

static int status_of(const struct pf_options *o, enum pf_flavour flavour, const struct pf_run_result *result)
{
	bool playback = o->request.playback || o->request.files;
	if (flavour == PF_FLAVOUR_PEER) {
		if (playback)
			tell_nothing(o, result);
		else if (result->signal == 2)
			(void)puts("Ouch!");
		return PF_EXIT_OK;
	}
	if (playback && result->n_files == 0 && !result->signal && !result->closed) {
		(void)fputs("perfolio: nothing to show: no recording with the wanted data was found\n", stderr);
		return PF_EXIT_UNUSABLE;
	}
	bool nothing = playback && result->n_shown == 0 && !result->documented && !o->request.grep && !result->signal &&
		       !result->closed;
	if (nothing)
		(void)fputs("perfolio: nothing to show: no interval lies within the recording and the wanted time\n",
			    stderr);
	if (result->lost)
		return nothing && !result->reached ? PF_EXIT_UNUSABLE : PF_EXIT_LOSS;
	return nothing ? PF_EXIT_UNUSABLE : PF_EXIT_OK;
}

/* A script wants the program to end. */
static int script_end(const struct pf_err *err)
{
	(void)fflush(stdout);
	if (err->text[0])
		(void)fprintf(stderr, "%s\n", err->text);
	return err->status;
}

/* An error while it was running. */
static int run_error(enum pf_flavour flavour, struct pf_outlet *outlet, bool playback, int rc, const struct pf_err *err)
{
	const char *text = err->text[0] ? err->text : strerror(-rc);
	if (err->ends)
		return script_end(err);
	if (flavour == PF_FLAVOUR_PEER)
		return usage_error(flavour, outlet, false, rc, text);
	(void)fflush(stdout);
	(void)fprintf(stderr, "perfolio: %s\n", text);
	bool unusable = rc == -EINVAL || rc == -ENODATA || rc == -EPROTO || rc == -EBADMSG;
	return playback && unusable ? PF_EXIT_UNUSABLE : PF_EXIT_ERROR;
}

/* --showheader and --showcolheaders. */
static int show(const struct pf_options *o, const struct pf_plan *plan, struct pf_run_result *result,
		struct pf_err *err)
{
	struct pf_buf out = { 0 };
	bool playback = o->request.playback || o->request.files;
	int rc;
	if (!o->request.show_header)
		rc = playback ? pf_run_file_headings(plan, &out, result, err) : pf_run_headings(plan, &out, err);
	else
		rc = playback ? pf_run_file_headers(plan, &out, err) : pf_run_header(plan, &out, err);
	if (rc == 0)
		rc = pf_io_write_all(STDOUT_FILENO, pf_buf_text(&out).p, out.n);
	pf_buf_done(&out);
	return rc == -EPIPE ? 0 : rc;
}

/* -d1 */
static void tell_plan(const struct pf_plan *plan, bool playback)
{
	const char *letters = plan->letters[0] ? plan->letters : "as recorded";
	pf_notice(plan->notice, PF_SAID, "subsystems: %s; view: %s", letters,
		  pf_plan_sink(plan, plan->letters, NULL)->name);
	if (playback)
		return;
	pf_notice(plan->notice, PF_SAID, "intervals: %s seconds, processes and slabs every %u of them",
		  plan->interval_text, plan->second_every);
	if (plan->rolls)
		pf_notice(plan->notice, PF_SAID,
			  "files roll %02d minutes behind midnight and every %d; kept %d days, logs %d months",
			  plan->roll.first_min, plan->roll.every_min, plan->roll.days, plan->roll.months);
}

static void tell_life(const struct telling *t, const char *what)
{
	char text[160];
	(void)snprintf(text, sizeof(text), "V%s %s %s...", t->flavour == PF_FLAVOUR_PEER ? "4.3.1-1" : PF_VERSION, what,
		       t->log.host);
	pf_messages_life(&t->log, text);
}

static void tell_end(const struct telling *t, int signal)
{
	char text[160];
	const char *name = signal == SIGTERM ? "TERM" : signal == SIGHUP ? "HUP" : NULL;
	(void)snprintf(text, sizeof(text), "Shutting down in response to signal %s on %s...", name ? name : "",
		       t->log.host);
	if (name)
		pf_messages_tell(&t->log, 'W', text);
	pf_messages_life(&t->log, "Terminating...");
}

static int run_plan(const struct pf_options *o, enum pf_flavour flavour, const struct pf_plan *plan,
		    struct telling *telling)
{
	struct pf_err err = { 0 };
	bool playback = o->request.playback || o->request.files;
	struct pf_run_result result;
	if (o->request.show_header || o->request.show_headings) {
		int rc = show(o, plan, &result, &err);
		bool told = rc == 0 && playback && !o->request.show_header;
		return rc < 0 ? run_error(flavour, NULL, playback, rc, &err)
		       : told ? status_of(o, flavour, &result)
			      : PF_EXIT_OK;
	}
	struct pf_run_hooks hooks = { ready, playing, telling };
	if (o->request.debug & 1)
		tell_plan(plan, playback);
	if (!playback)
		tell_life(telling, "Beginning execution on");
	int rc = o->request.extract ? pf_run_extract(plan, &hooks, &result, &err)
		 : playback	    ? pf_run_playback(plan, &hooks, &result, &err)
				    : pf_run_live(plan, &hooks, &result, &err);
	if (result.closed && plan->outlet)
		pf_notice(plan->notice, PF_WARNING, "Shutting down due to a broken pipe");
	if (rc < 0)
		log_error(telling, err.text[0] ? err.text : strerror(-rc));
	else if (!playback)
		tell_end(telling, result.signal);
	return rc < 0 ? run_error(flavour, plan->outlet, playback, rc, &err) : status_of(o, flavour, &result);
}

/* --showrootslabs, which says more, and --showslabaliases. */
static int show_slabs(const struct pf_options *o, enum pf_flavour flavour)
{
	struct pf_err err = { 0 };
	struct pf_buf out = { 0 };
	const struct pf_request *req = &o->request;
	const struct pf_slabs_wish wish = { o->show_root_slabs, req->slab_filter, flavour == PF_FLAVOUR_PEER };
	const char *root = req->root ? req->root : "/";
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? pf_err_set(&err, -errno, "%s: %s", root, strerror(errno))
			: pf_slabs_list(fd, &wish, &out, &err);
	if (fd >= 0)
		(void)close(fd);
	if (rc == 0)
		rc = pf_io_write_all(STDOUT_FILENO, pf_buf_text(&out).p, out.n);
	pf_buf_done(&out);
	return rc < 0 && rc != -EPIPE ? run_error(flavour, NULL, false, rc, &err) : PF_EXIT_OK;
}

static int run_outlet(const struct pf_options *o, enum pf_flavour flavour, struct telling *telling,
		      struct pf_plan *plan, struct pf_err *err)
{
	if (plan->outlet || o->request.show_header || o->request.show_headings)
		return run_plan(o, flavour, plan, telling);
	int rc = pf_address_open(&plan->outlet, &o->request, plan->notice, err);
	if (rc < 0)
		return run_error(flavour, NULL, false, rc, err);
	int status = run_plan(o, flavour, plan, telling);
	plan->outlet = pf_outlet_close(plan->outlet);
	return status;
}

/* A request that can be run. The peer connects first, so that whoever is at the other end also hears why nothing will come. */
static int plan_and_run(const struct pf_options *o, enum pf_flavour flavour, struct telling *telling,
			struct pf_plan *plan, const struct pf_notice *notice)
{
	struct pf_err err = { 0 };
	struct pf_outlet *outlet = NULL;
	int status;
	bool first = flavour == PF_FLAVOUR_PEER && !o->request.show_header && !o->request.show_headings;
	*plan = (struct pf_plan){ 0 };
	int rc = first ? pf_address_open(&outlet, &o->request, notice, &err) : 0;
	if (rc == 0)
		rc = pf_plan_make(plan, &o->request, notice, &err);
	plan->outlet = outlet;
	if (rc == 0 && !plan->export.help && !o->request.playback && !o->request.files && !plan->pmcd)
		rc = pf_hardware_check(plan, &err);
	if (rc < 0)
		log_error(telling, err.text);
	if (rc > 0)
		status = PF_EXIT_OK;
	else if (rc == 0 && plan->export.help)
		status = fputs(pf_export_usage(&plan->export), stdout) < 0 ? PF_EXIT_ERROR : PF_EXIT_OK;
	else if (rc < 0)
		status = usage_error(flavour, outlet, false, rc, err.text);
	else
		status = run_outlet(o, flavour, telling, plan, &err);
	outlet = pf_outlet_close(outlet);
	pf_plan_done(plan);
	return status;
}

/* What holds for the whole process: title, mask, user; a daemon goes on in a child. Return: 0 go on; 1 @ret_status; negative errno. */
static int become(const struct pf_options *o, struct telling *t, int argc, char **argv, int *ret_status,
		  struct pf_err *err)
{
	const struct pf_request *req = &o->request;
	int rc = pf_daemon_check(&t->daemon, req, err);
	if (rc == 0 && o->umask)
		rc = pf_daemon_umask(o->umask, err);
	if (rc < 0)
		return rc;
	if (req->pname) {
		char title[1024];
		(void)snprintf(title, sizeof(title), "%s-%s %s",
			       t->flavour == PF_FLAVOUR_PEER ? "collectl" : "perfolio", req->pname, req->command_line);
		pf_daemon_title(argc, argv, title);
	}
	if (!req->daemon)
		return 0;
	t->log.uid = t->daemon.uid;
	t->log.gid = t->daemon.gid;
	return pf_daemon_start(&t->daemon, ret_status, err);
}

static int run_request(struct pf_options *o, enum pf_flavour flavour, struct telling *t, int argc, char **argv)
{
	struct pf_err err = { 0 };
	struct pf_plan plan;
	struct pf_notice notice = { tell, t };
	int status = PF_EXIT_ERROR;
	t->plan = &plan;
	pf_messages_begin(&t->log, &o->request);
	int rc = become(o, t, argc, argv, &status, &err);
	if (rc < 0) {
		log_error(t, err.text);
		status = usage_error(flavour, NULL, false, rc, err.text);
		if (flavour != PF_FLAVOUR_PEER && rc != -EINVAL)
			status = PF_EXIT_ERROR;
	} else if (rc == 0) {
		status = plan_and_run(o, flavour, t, &plan, &notice);
	}
	if (rc == 0)
		pf_daemon_end(&t->daemon);
	pf_messages_done(&t->log);
	return status;
}

/* Without a switch: as much as fits beside each other, and headings as often as they scroll away. */
static void fit_terminal(struct pf_request *req)
{
	static const struct {
		unsigned columns;
		const char *subsys;
		const char *options;
	} choices[] = { { 118, "cdmn", "T" }, { 109, "cdmn", "" }, { 89, "cdm", "T" }, { 80, "cdm", "" },
			{ 61, "cm", "T" },    { 52, "cm", "" },	   { 31, "c", "T" },   { 0, "c", "" } };
	unsigned rows = 0;
	unsigned columns = 0;
	bool known = pf_term_size(STDOUT_FILENO, &rows, &columns) == 0 && columns > 0;
	unsigned i = 0;
	while (known && choices[i].columns > columns)
		i++;
	req->subsys = choices[i].subsys;
	req->options = choices[i].options;
	req->has_header_repeat = known && rows > 4;
	req->header_repeat = rows > 4 ? rows - 2 : 0;
}

int pf_options_run(int argc, char **argv, enum pf_flavour flavour)
{
	struct pf_options o = { 0 };
	struct pf_err err = { 0 };
	struct pf_startup startup;
	bool getopt = false;
	int status;
	struct telling telling = { .options = &o, .flavour = flavour, .daemon = { -1, -1, -1, "", false, 0, 0 } };
	struct pf_notice notice = { tell, &telling };
	int rc = pf_startup_begin(&startup, argc, argv, flavour, &notice, &err);
	if (rc == 0)
		rc = pf_options_parse(startup.argc, startup.argv, startup.n_daemon, flavour, &o, &getopt, &err);
	o.request.settings = &startup.settings;
	o.request.daemon_options = startup.daemon ? startup.settings.daemon : NULL;

	o.request.to_terminal = isatty(STDOUT_FILENO);
	if (rc == 0 && argc <= 1 && flavour == PF_FLAVOUR_WATCH)
		fit_terminal(&o.request);
	if (rc < 0)
		status = usage_error(flavour, NULL, getopt, rc, err.text);
	else if (pf_options_print(&o, flavour))
		status = PF_EXIT_OK;
	else if (o.show_root_slabs || o.show_slab_aliases)
		status = show_slabs(&o, flavour);
	else
		status = run_request(&o, flavour, &telling, argc, argv);
	pf_options_done(&o);
	pf_startup_done(&startup);
	return status;
}
