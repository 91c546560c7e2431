/* cmd/trace.c - D programs: `perfolio trace`, and dtrace by name. Options, messages and statuses: dtrace(1). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "cmd/cmd.h"
#include "cmd/trace.h"
#include "formats/text/doc.h"
#include "sinks/sink.h"

enum { WAIT_MS = 200, SCRIPT_LIMIT = 16 << 20 };

static struct {
	struct pf_trace_args args;
	volatile sig_atomic_t signals, broken_pipe;
	const struct pf_sink_kind *kind;
	struct pf_sink *sink;
	bool structured;
} arg;

static int fail(const struct pf_err *err)
{
	pf_trace_say(&arg.args, "%s", err->text);
	return PF_EXIT_ERROR;
}

static void on_signal(int number)
{
	if (number != SIGCHLD)
		arg.signals++;
}

static void catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	for (size_t i = 0; i < PF_N(numbers); i++) {
		struct sigaction action = { .sa_handler = on_signal };
		struct sigaction old;
		(void)sigaction(numbers[i], NULL, &old); /* cannot fail for these */
		if (old.sa_handler != SIG_IGN || numbers[i] == SIGCHLD)
			(void)sigaction(numbers[i], &action, NULL);
	}
	(void)signal(SIGPIPE, SIG_IGN);
}

static int run_now(const char *command)
{
	return pf_system(command, false);
}

/* run_systems() - system(): text runs each when its turn comes; a document tells the status, and its reader must not see the
 * command's output. */
static int run_systems(const struct pf_event *event)
{
	int rc = 0;
	for (size_t i = 0; i < event->n_records; i++) {
		struct pf_record *r = (struct pf_record *)(uintptr_t)&event->records[i];
		if (r->kind != PF_RECORD_SYSTEM)
			continue;
		if (!arg.structured) {
			r->system.run = run_now;
			continue;
		}
		rc = rc < 0 ? rc : arg.kind->flush(arg.sink);
		r->system.status = pf_system(r->system.text, arg.structured && !arg.args.output);
	}
	return rc;
}

static int on_event(void *unused, const struct pf_event *event)
{
	struct pf_err err = { 0 };
	(void)unused;
	if (event->kind == PF_EVENT_ERROR || (event->kind == PF_EVENT_DROP && !arg.structured))
		pf_trace_say(&arg.args, "%s", event->msg);
	int rc = run_systems(event);
	if (rc == 0)
		rc = arg.kind->event(arg.sink, event, &err);
	return rc;
}

/* read_script() - to its end, also from a pipe. */
static int read_script(const char *path, struct pf_buf *text)
{
	pf_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		char *room = pf_buf_reserve(text, 65536);
		ssize_t n = room ? read(fd, room, 65536) : 0;
		if (!room)
			return -ENOMEM;
		if (n < 0 && errno == EINTR && !arg.signals)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		text->n += (size_t)n;
		if (text->n > SCRIPT_LIMIT)
			return -EFBIG;
	}
	pf_buf_char(text, 0);
	return text->failed;
}

/* compile() - one text; says how many probes it matched. */
static int compile(struct pf_trace *t, struct pf_trace_word *text, int argc, char **argv)
{
	struct pf_err err = { 0 };
	const char *source = text->given;
	if (text->origin == PF_D_SCRIPT) {
		int rc = arg.args.cpp ? pf_cpp_run(text->given, &text->file, &err)
				      : read_script(text->given, &text->file);
		if (rc < 0) {
			if (err.text[0])
				return fail(&err);
			pf_trace_say(&arg.args, "failed to open %s: %s", text->given, strerror(-rc));
			return PF_EXIT_ERROR;
		}
		source = text->file.p ? text->file.p : "";
	}
	const char *values[256];
	int n = argc < 255 ? argc : 255;
	values[0] = text->origin == PF_D_SCRIPT ? text->given : arg.args.called;
	memcpy(values + 1, argv, (size_t)n * sizeof(*values));
	const struct pf_trace_program program = { text->origin, text->given, source, n + 1, values };
	if (pf_trace_compile(t, &program, &text->probes, &err) == 0) {
		if (arg.args.verbose)
			pf_trace_print_stability(t, text);
		return PF_EXIT_OK;
	}
	(void)fail(&err);
	if (arg.args.ours && strstr(err.text, "does not match any probes"))
		pf_trace_say(&arg.args, "`perfolio trace -l` lists all probes, with -P syscall those of one provider");
	return PF_EXIT_ERROR;
}

static void tell_matches(struct pf_trace *t)
{
	if (pf_trace_getopt(t, "quiet") > 0)
		return;
	for (unsigned i = 0; i < arg.args.n_texts; i++) {
		const struct pf_trace_word *text = &arg.args.texts[i];
		const char *s = text->probes == 1 ? "" : "s";
		if (text->origin == PF_D_SCRIPT)
			pf_trace_say(&arg.args, "script '%s' matched %u probe%s", text->given, text->probes, s);
		else
			pf_trace_say(&arg.args, "description '%.*s' matched %u probe%s",
				     (int)strcspn(text->given, "{/;"), text->given, text->probes, s);
	}
	if (pf_trace_getopt(t, "destructive") > 0)
		pf_trace_say(&arg.args, "allowing destructive actions");
}

/* open_output() - the sink for what is to come; a document begins at once. */
static int open_output(struct pf_trace *t, int *ret_fd)
{
	struct pf_err err = { 0 };
	struct pf_doc_options doc = { 0 };
	if (pf_trace_oformat(t) && pf_doc_options_parse(pf_trace_oformat(t), true, &doc, &err) < 0)
		return fail(&err);
	arg.structured = doc.format != PF_FORMAT_TEXT;
	int fd = STDOUT_FILENO;
	if (arg.args.output) {
		fd = open(arg.args.output, O_WRONLY | O_CREAT | O_CLOEXEC | (arg.structured ? O_TRUNC : O_APPEND),
			  0666);
		if (fd < 0) {
			pf_trace_say(&arg.args, "failed to open output file '%s': %s", arg.args.output,
				     strerror(errno));
			return PF_EXIT_ERROR;
		}
	}
	*ret_fd = fd;
	struct pf_sink_spec spec = { .fd = fd, .doc = &doc, .trace = t, .events = true };
	arg.kind = arg.structured ? &pf_sink_emit : &pf_sink_dtext;
	int rc = arg.kind->open(&arg.sink, &spec, &err);
	if (rc == -EPIPE)
		arg.broken_pipe = 1;
	return rc < 0 && rc != -EPIPE ? fail(&err) : PF_EXIT_OK;
}

/* consume() - until the program, a signal, the end of the processes or of the reader. Return: 0 or the error. */
static int consume(struct pf_trace *t, struct pf_err *err)
{
	bool quiet = pf_trace_getopt(t, "quiet") > 0;
	int status;
	for (;;) {
		int rc = pf_trace_consume(t, WAIT_MS, on_event, NULL, err);
		if (rc >= 0)
			rc = arg.kind->flush(arg.sink);
		if (rc < 0 && rc != -EINTR)
			return rc;
		if (arg.signals || pf_trace_exited(t, &status) || pf_trace_ended(&arg.args, quiet))
			return 0;
	}
}

/* finish() - END, what is left, the aggregations. After a second signal only what must be. */
static int finish(struct pf_trace *t, struct pf_err *err)
{
	if (arg.signals && !arg.structured)
		(void)!write(arg.args.output ? STDERR_FILENO : STDOUT_FILENO, "\n",
			     arg.args.output ? 0 : 1); /* behind ^C */
	int rc = pf_trace_stop(t, err);
	do
		rc = rc < 0 ? rc : pf_trace_consume(t, 0, on_event, NULL, err);
	while (rc == -EINTR && arg.signals < 2);
	if (rc >= 0 && arg.signals < 2 && (!arg.structured || arg.args.all_aggregations))
		rc = pf_trace_aggregations(t, true, on_event, NULL, err);
	return rc == -EINTR ? 0 : rc;
}

/* run_program() - everything is compiled: trace. */
static int run_program(struct pf_trace *t)
{
	struct pf_err err = { 0 };
	int fd = -1;
	if (pf_trace_go(t, &err) < 0) {
		pf_trace_say(&arg.args, "could not enable tracing: %s", err.text);
		return PF_EXIT_ERROR;
	}
	tell_matches(t);
	int status = open_output(t, &fd);
	if (status)
		return status;
	pf_trace_let_run(&arg.args);
	int rc = arg.broken_pipe ? -EPIPE : consume(t, &err);
	if (rc >= 0)
		rc = finish(t, &err);
	if (rc < 0 && rc != -EPIPE)
		pf_trace_say(&arg.args, "processing aborted: %s%s",
			     err.text[0] ? "" : "writing the output: ", err.text[0] ? err.text : strerror(-rc));
	struct pf_err close_err = { 0 };
	int closed = arg.sink ? arg.kind->close(arg.sink, &close_err) : 0;
	if (closed < 0 && closed != -EPIPE && rc >= 0)
		(void)fail(&close_err);
	if (fd > STDERR_FILENO && close(fd) < 0 && closed == 0)
		closed = -errno;
	if ((rc < 0 && rc != -EPIPE) || (closed < 0 && closed != -EPIPE))
		return PF_EXIT_ERROR;
	return pf_trace_exited(t, &status) ? status & 255 : PF_EXIT_OK;
}

/* show_code() - -S: what the kernel would run. */
static int show_code(struct pf_trace *t)
{
	struct pf_err err = { 0 };
	struct pf_buf text = { 0 };
	int rc = pf_trace_code(t, &text, &err);
	if (rc == 0)
		rc = pf_io_write_all(STDERR_FILENO, text.p, text.n);
	pf_buf_done(&text);
	return rc < 0 && err.text[0] ? fail(&err) : PF_EXIT_OK;
}

static int work(struct pf_trace *t, int argc, char **argv)
{
	struct pf_trace_args *a = &arg.args;
	int status = pf_trace_options(a, t, argc, argv);
	if (status)
		return status < 0 ? PF_EXIT_OK : status;
	if (a->mode == 'V') {
		(void)printf("%s: Oracle D 2.0\n", a->called);
		if (a->verbose)
			(void)printf("This is dtrace of perfolio %s\n", PF_VERSION);
		return PF_EXIT_OK;
	}
	if (a->mode == 'l')
		return pf_trace_print_list(a, t);
	if (!a->n_texts) {
		pf_trace_say(a, "no probes specified%s",
			     a->ours ? ": give a program, -n 'PROBE { ... }' or -s FILE" : "");
		return PF_EXIT_ERROR;
	}
	if (a->command && a->mode != 'e' && pf_trace_start(a) < 0)
		return PF_EXIT_ERROR;
	if (a->child > 0 || a->n_processes)
		pf_trace_target(t, a->child > 0 ? a->child : a->processes[0].pid);
	for (unsigned i = 0; i < a->n_texts && !status; i++)
		status = compile(t, &a->texts[i], argc - optind, argv + optind);
	if (!status && a->listing)
		status = show_code(t);
	return status || a->mode == 'e' ? status : run_program(t);
}

static int run(int argc, char **argv, const char *called)
{
	struct pf_err err = { 0 };
	struct pf_trace *t = NULL;
	arg.args.ours = !called;
	arg.args.called = called ? called : "perfolio trace";
	if (argc < 2)
		return pf_trace_usage(&arg.args, false);
	catch_signals();
	if (pf_trace_open(&t, NULL, &err) < 0) {
		pf_trace_say(&arg.args, "failed to initialize dtrace: %s", err.text);
		return PF_EXIT_ERROR;
	}
	int status = work(t, argc, argv);
	pf_trace_processes_done(&arg.args);
	for (unsigned i = 0; i < arg.args.n_texts; i++)
		pf_buf_done(&arg.args.texts[i].file);
	if (fflush(stdout) != 0 && errno != EPIPE)
		status = status ? status : PF_EXIT_ERROR;
	(void)pf_trace_close(t); /* may take a while; everything has been said */
	return status;
}

const struct pf_cmd pf_cmd_trace = { "trace", "dtrace", "run D programs: one-line questions to the kernel", run };
