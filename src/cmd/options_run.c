/* cmd/options_run.c - run what the shared switches ask for, and tell how it ended: ours and, by the name collectl, the peer's way. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/outlet.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "engine/address.h"
#include "engine/plan.h"
#include "engine/run.h"

/* What the hooks need to know. */
struct telling {
	const struct pf_options *options;
	enum pf_flavour flavour;
	const struct pf_plan *plan; /* once there is one */
};

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
	bool wanted = severity == PF_INFO ? req->messages : !req->quiet;
	if (!wanted)
		return;
	(void)fflush(stdout);
	(void)fprintf(stderr, "%s%s\n", t->flavour == PF_FLAVOUR_PEER ? "" : "perfolio: ", text);
}

static void ready(void *arg)
{
	const struct telling *t = arg;
	const struct pf_request *req = &t->options->request;
	bool live = !req->playback && !req->files;
	if (t->flavour == PF_FLAVOUR_PEER && live && !req->filename && !req->quiet && !req->oformat)
		(void)printf("waiting for %s second sample...\n", t->plan->wait_text);
	(void)fflush(stdout);
}

static void playing(void *arg, const char *path)
{
	const struct telling *t = arg;
	if (!t->options->request.messages)
		return;
	(void)printf("\nPlaying back %s\n", path);
	(void)fflush(stdout);
}

/* The peer's last words of a playback that showed nothing. */
static void tell_nothing(const struct pf_options *o, const struct pf_run_result *result)
{
	const struct pf_request *req = &o->request;
	if (result->n_shown > 0 || req->grep || result->signal || result->closed)
		return;
	if (result->n_matched == 0)
		(void)puts("no files found containing -yyyymmdd-hhmmss.raw OR within specified time period");
	else if (result->n_files == 0)
		(void)printf("No files selected contain the selected data.%s\n",
			     req->messages ? "" : "  Try again with -m.");
	else if (!result->reached)
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
	if (playback && result->n_shown == 0 && !result->documented && !o->request.grep && !result->signal &&
	    !result->closed)
		(void)fputs("perfolio: nothing to show: no interval lies within the recording and the wanted time\n",
			    stderr);
	return result->lost ? PF_EXIT_LOSS : PF_EXIT_OK;
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
	int rc = playback ? pf_run_playback(plan, &hooks, &result, &err) : pf_run_live(plan, &hooks, &result, &err);
	if (result.closed && plan->outlet)
		pf_notice(plan->notice, PF_WARNING, "Shutting down due to a broken pipe");
	return rc < 0 ? run_error(flavour, plan->outlet, playback, rc, &err) : status_of(o, flavour, &result);
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
	if (rc == 0 && plan->export.help)
		status = fputs(pf_export_usage(&plan->export), stdout) < 0 ? PF_EXIT_ERROR : PF_EXIT_OK;
	else if (rc < 0)
		status = usage_error(flavour, outlet, false, rc, err.text);
	else
		status = run_outlet(o, flavour, telling, plan, &err);
	outlet = pf_outlet_close(outlet);
	pf_plan_done(plan);
	return status;
}

int pf_options_run(int argc, char **argv, enum pf_flavour flavour)
{
	struct pf_options o;
	struct pf_err err = { 0 };
	struct pf_plan plan;
	bool getopt;
	int status;
	int rc = pf_options_parse(argc, argv, flavour, &o, &getopt, &err);
	struct telling telling = { &o, flavour, &plan };
	struct pf_notice notice = { tell, &telling };

	if (rc == 0 && argc <= 1 && flavour == PF_FLAVOUR_WATCH) {
		o.request.subsys = "cdmn";
		o.request.options = "T";
	}
	if (rc < 0) {
		status = usage_error(flavour, NULL, getopt, rc, err.text);
	} else if (pf_options_print(&o, flavour)) {
		status = PF_EXIT_OK;
	} else {
		status = plan_and_run(&o, flavour, &telling, &plan, &notice);
	}
	pf_options_done(&o);
	return status;
}
