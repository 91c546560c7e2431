/* cmd/trace.c - D programs: `perfolio trace`, and dtrace by name. Options, messages and statuses: dtrace(1). */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/program.h"
#include "base/sentence.h"
#include "cmd/cmd.h"
#include "cmd/trace.h"
#include "formats/text/doc.h"
#include "sinks/sink.h"
#include "trace/trace.h"

enum { MOST_TEXTS = 256, SCRIPT_LIMIT = 16 << 20, WAIT_MS = 200, OFORMAT = 256 };

/* One -n, -s, -P, -m, -f or -i. */
struct text {
	enum pf_d_origin origin;
	const char *given;
	struct pf_buf file; /* of -s */
	unsigned probes;
};

static struct args {
	const char *called;
	struct text texts[MOST_TEXTS];
	unsigned n_texts;
	const char *output, *command;
	char mode; /* 'l', 'e', 'V' or 0 */
	bool ours, cpp, all_aggregations;
	bool all_formats; /* --oformat knows more words than -x oformat */
	pid_t pids[16], child;
	unsigned n_pids;
	int child_gate;
	volatile sig_atomic_t signals, broken_pipe;
	const struct pf_sink_kind *kind;
	struct pf_sink *sink;
	bool structured;
} arg;

/* say() - one line on standard error. */
static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	char text[2 * PF_ERR_TEXT];
	va_list args;
	va_start(args, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, args);
	va_end(args);
	(void)fprintf(stderr, "%s: %s\n", arg.called, text);
}

static int fail(const struct pf_err *err)
{
	say("%s", err->text);
	return PF_EXIT_ERROR;
}

static int usage(FILE *to)
{
	(void)fprintf(to,
		      "usage: %s [-CeFlqOVvwZ] [-b bufsz] [-c cmd] [-o output] [-p pid] [-s script] [-x opt[=val]]\n"
		      "\t[-P provider [[predicate] action]] [-m [provider:]module [...]]\n"
		      "\t[-f [[provider:]module:]func [...]] [-n [[[provider:]module:]func:]name [...]]\n"
		      "\t[-i probe-id [...]] [args ...]\n\n"
		      "  -n 'syscall::openat:entry { @[execname] = count(); }'   trace with a one-line program\n"
		      "  -s FILE            trace with a program from a file\n"
		      "  -l                 list probes that match -P -m -f -n -i\n"
		      "  -c CMD, -p PID     until this command or process ends; $target is its pid\n"
		      "  -x oformat=json    output as a document: json, xml, html\n"
		      "  --oformat json     the same, also jsonl and csv\n"
		      "  -q                 only what the program prints\n"
		      "  -o FILE            output to a file\n"
		      "  -w                 allow destructive actions\n",
		      arg.called);
	return to == stdout ? PF_EXIT_OK : PF_EXIT_USAGE;
}

static int check_oformat(const char *words)
{
	struct pf_doc_options o;
	if (pf_doc_options_parse(words, arg.all_formats, &o, NULL) < 0)
		return -EINVAL;
	return (int)o.format; /* numbered as dtrace_getopt() tells them */
}

/* set_option() - "name" or "name=value" of -x. */
static int set_option(struct pf_trace *t, const char *text)
{
	struct pf_err err = { 0 };
	const char *equals = strchr(text, '=');
	pf_autofree char *name = strndup(text, equals ? (size_t)(equals - text) : strlen(text));
	if (!name)
		return -ENOMEM;
	int rc = pf_trace_setopt(t, name, equals ? equals + 1 : NULL, &err);
	if (rc < 0)
		say("failed to set -x %s: %s", name, err.text);
	return rc;
}

/* set_oformat() - --oformat: as -x oformat, with the words of our other commands, and errors that name what is wrong. */
static int set_oformat(struct pf_trace *t, const char *words)
{
	struct pf_err err = { 0 };
	struct pf_doc_options o;
	if (pf_doc_options_parse(words, true, &o, &err) < 0) {
		say("%s", err.text);
		return -EINVAL;
	}
	arg.all_formats = true;
	int rc = pf_trace_setopt(t, "oformat", words, &err);
	arg.all_formats = false;
	if (rc < 0)
		say("%s", err.text);
	return rc;
}

/* set_letter() - an option that has a letter of its own. */
static int set_letter(struct pf_trace *t, char letter, const char *name, const char *value)
{
	struct pf_err err = { 0 };
	int rc = pf_trace_setopt(t, name, value, &err);
	if (rc < 0 && value)
		say("failed to set -%c %s: %s", letter, value, err.text);
	else if (rc < 0)
		say("failed to set -%c: %s", letter, err.text);
	return rc;
}

/* set_from_environment() - DTRACE_OPT_NAME=value. */
static int set_from_environment(struct pf_trace *t)
{
	static const char prefix[] = "DTRACE_OPT_";
	for (char **e = environ; *e; e++) {
		if (strncmp(*e, prefix, sizeof(prefix) - 1) != 0)
			continue;
		pf_autofree char *text = strdup(*e + sizeof(prefix) - 1);
		if (!text)
			return -ENOMEM;
		for (char *p = text; *p && *p != '='; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		int rc = set_option(t, text);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int add_text(enum pf_d_origin origin, const char *given)
{
	if (arg.n_texts == MOST_TEXTS) {
		say("more than %d programs", MOST_TEXTS);
		return -E2BIG;
	}
	arg.texts[arg.n_texts++] = (struct text){ .origin = origin, .given = given };
	return 0;
}

static int add_pid(const char *text)
{
	uint64_t pid;
	if (pf_view_u64(pf_view_of(text), &pid) < 0 || pid == 0 || pid > INT32_MAX || arg.n_pids == PF_N(arg.pids)) {
		say("invalid pid: %s", text);
		return -EINVAL;
	}
	if (kill((pid_t)pid, 0) < 0 && errno == ESRCH) {
		say("failed to grab pid %s: no such process", text);
		return -ESRCH;
	}
	arg.pids[arg.n_pids++] = (pid_t)pid;
	return 0;
}

static int set_mode(char mode)
{
	if (arg.mode && arg.mode != mode) {
		say("only one of the [-GhlV] options can be specified at a time");
		return -EINVAL;
	}
	arg.mode = mode;
	return 0;
}

/* one_option() - Return: 0; -EINVAL usage; other negative: said already. */
static int one_option(struct pf_trace *t, int c)
{
	static const struct {
		char letter;
		const char *name;
	} flags[] = {
		{ 'F', "flowindent" }, { 'q', "quiet" }, { 'w', "destructive" }, { 'Z', "zdefs" }, { 'v', "verbose" }
	};
	static const struct {
		char letter;
		enum pf_d_origin origin;
	} texts[] = { { 's', PF_D_SCRIPT }, { 'n', PF_D_NAME },	    { 'P', PF_D_PROVIDER },
		      { 'm', PF_D_MODULE }, { 'f', PF_D_FUNCTION }, { 'i', PF_D_ID } };
	for (size_t i = 0; i < PF_N(flags); i++) {
		if (flags[i].letter == c)
			return set_letter(t, flags[i].letter, flags[i].name, NULL) < 0 ? -ECANCELED : 0;
	}
	for (size_t i = 0; i < PF_N(texts); i++) {
		if (texts[i].letter == c)
			return add_text(texts[i].origin, optarg) < 0 ? -ECANCELED : 0;
	}
	switch (c) {
	case 'b':
		return set_letter(t, 'b', "bufsize", optarg) < 0 ? -ECANCELED : 0;
	case OFORMAT:
		return set_oformat(t, optarg) < 0 ? -ECANCELED : 0;
	case 'x':
		return set_option(t, optarg) < 0 ? -ECANCELED : 0;
	case 'c':
		arg.command = optarg;
		return 0;
	case 'p':
		return add_pid(optarg) < 0 ? -ECANCELED : 0;
	case 'o':
		arg.output = optarg;
		return 0;
	case 'C':
		arg.cpp = true;
		return 0;
	case 'O':
		arg.all_aggregations = true;
		return 0;
	case 'e':
	case 'l':
	case 'V':
		return set_mode((char)c);
	case 'D':
	case 'I':
	case 'U':
	case 'L':
	case 'X':
		return pf_cpp_option((char)c, optarg) < 0 ? -ECANCELED : 0;
	case 'S':
	case '3':
	case '6':
		return 0;
	default:
		if (optopt > 0 && optopt < 0x7f)
			say(c == ':' && arg.ours ? "-%c needs a value behind it" : "illegal option -- %c", optopt);
		return -EINVAL;
	}
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

/* start_command() - fork; the child waits at a pipe until tracing has begun. */
static int start_command(struct pf_trace *t)
{
	int gate[2];
	if (pipe2(gate, O_CLOEXEC) < 0) {
		say("cannot run %s: %s", arg.command, strerror(errno));
		return -errno;
	}
	pf_autofree char *copy = strdup(arg.command);
	char *words[256] = { 0 };
	size_t n = 0;
	for (char *p = copy; p && *p && n + 1 < PF_N(words);) {
		p += strspn(p, " \t\n");
		if (!*p)
			break;
		words[n++] = p;
		p += strcspn(p, " \t\n");
		if (*p)
			*p++ = 0;
	}
	int rc = n ? pf_program_find(words[0]) : 0;
	if (rc < 0) {
		(void)close(gate[0]);
		(void)close(gate[1]);
		say("failed to execute %s: %s", words[0], strerror(-rc));
		return rc;
	}
	pid_t pid = n ? fork() : -1;
	if (pid < 0) {
		say("failed to run '%s': %s", arg.command, n ? strerror(errno) : "no command");
		return -EINVAL;
	}
	if (pid == 0) {
		char byte;
		(void)close(gate[1]);
		if (read(gate[0], &byte, 1) == 1)
			(void)execvp(words[0], words);
		_exit(127);
	}
	(void)close(gate[0]);
	arg.child = pid;
	arg.child_gate = gate[1];
	pf_trace_target(t, pid);
	return 0;
}

static void let_command_run(void)
{
	if (arg.child_gate > 0) {
		(void)!write(arg.child_gate, "g", 1); /* a child that is gone will be noticed */
		(void)close(arg.child_gate);
		arg.child_gate = -1;
	}
}

/* processes_ended() - have all of -c and -p gone? False if there were none. */
static bool processes_ended(bool quiet)
{
	int status;
	if (arg.child > 0 && waitpid(arg.child, &status, WNOHANG) == arg.child) {
		if (!quiet && WIFSIGNALED(status))
			say("pid %d terminated by SIG%s", arg.child, sigabbrev_np(WTERMSIG(status)));
		else if (!quiet && WEXITSTATUS(status))
			say("pid %d exited with status %d", arg.child, WEXITSTATUS(status));
		else if (!quiet)
			say("pid %d has exited", arg.child);
		arg.child = -1;
	}
	bool any = arg.command != NULL;
	bool alive = arg.child > 0;
	for (unsigned i = 0; i < arg.n_pids; i++) {
		any = true;
		if (arg.pids[i] && kill(arg.pids[i], 0) < 0 && errno == ESRCH) {
			if (!quiet)
				say("pid %d has exited", arg.pids[i]);
			arg.pids[i] = 0;
		}
		alive |= arg.pids[i] != 0;
	}
	return any && !alive;
}

/* run_systems() - system(): what was printed so far goes out first. A document's reader must not see the command's output. */
static int run_systems(const struct pf_event *event)
{
	int rc = 0;
	for (size_t i = 0; i < event->n_records; i++) {
		struct pf_record *r = (struct pf_record *)(uintptr_t)&event->records[i];
		if (r->kind != PF_RECORD_SYSTEM)
			continue;
		rc = rc < 0 ? rc : arg.kind->flush(arg.sink);
		r->system.status = pf_system(r->system.text, arg.structured && !arg.output);
	}
	return rc;
}

static int on_event(void *unused, const struct pf_event *event)
{
	struct pf_err err = { 0 };
	(void)unused;
	if (event->kind == PF_EVENT_ERROR || (event->kind == PF_EVENT_DROP && !arg.structured))
		say("%s", event->msg);
	int rc = run_systems(event);
	if (rc == 0)
		rc = arg.kind->event(arg.sink, event, &err);
	return rc;
}

static int on_list(void *err, const struct pf_probe_name *p)
{
	if (printf("%5d %10s %17s %33s %s\n", p->id, p->provider, p->module, p->function, p->name) >= 0)
		return 0;
	int rc = -errno;
	return pf_err_set(err, rc, "cannot write the output: %s", strerror(-rc));
}

static int list_probes(struct pf_trace *t)
{
	struct pf_err err = { 0 };
	(void)printf("%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
	int rc = arg.n_texts ? 0 : pf_trace_list(t, PF_D_NAME, NULL, on_list, &err, &err);
	for (unsigned i = 0; i < arg.n_texts && rc >= 0; i++)
		rc = pf_trace_list(t, arg.texts[i].origin, arg.texts[i].given, on_list, &err, &err);
	if (rc == -EPIPE)
		return PF_EXIT_OK;
	return rc < 0 ? fail(&err) : PF_EXIT_OK;
}

/* compile() - one text; says how many probes it matched. */
static int compile(struct pf_trace *t, struct text *text, int argc, char **argv)
{
	struct pf_err err = { 0 };
	const char *source = text->given;
	if (text->origin == PF_D_SCRIPT) {
		int rc = pf_io_read_file(AT_FDCWD, text->given, SCRIPT_LIMIT, &text->file, NULL);
		if (rc == 0 && arg.cpp)
			rc = pf_cpp_run(text->given, &text->file, &err);
		if (rc < 0) {
			if (err.text[0])
				return fail(&err);
			say("failed to open %s: %s", text->given, strerror(-rc));
			return PF_EXIT_ERROR;
		}
		source = text->file.p ? text->file.p : "";
	}
	const char *values[256];
	int n = argc < 255 ? argc : 255;
	values[0] = text->origin == PF_D_SCRIPT ? text->given : arg.called;
	memcpy(values + 1, argv, (size_t)n * sizeof(*values));
	const struct pf_trace_program program = { text->origin, text->given, source, n + 1, values };
	if (pf_trace_compile(t, &program, &text->probes, &err) == 0)
		return PF_EXIT_OK;
	(void)fail(&err);
	if (arg.ours && strstr(err.text, "does not match any probes"))
		say("`perfolio trace -l` lists all probes, with -P syscall those of one provider");
	return PF_EXIT_ERROR;
}

static void tell_matches(struct pf_trace *t)
{
	if (pf_trace_getopt(t, "quiet") > 0)
		return;
	for (unsigned i = 0; i < arg.n_texts; i++) {
		const struct text *text = &arg.texts[i];
		const char *s = text->probes == 1 ? "" : "s";
		if (text->origin == PF_D_SCRIPT)
			say("script '%s' matched %u probe%s", text->given, text->probes, s);
		else
			say("description '%.*s' matched %u probe%s", (int)strcspn(text->given, "{/;"), text->given,
			    text->probes, s);
	}
	if (pf_trace_getopt(t, "destructive") > 0)
		say("allowing destructive actions");
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
	if (arg.output) {
		fd = open(arg.output, O_WRONLY | O_CREAT | O_CLOEXEC | (arg.structured ? O_TRUNC : O_APPEND), 0666);
		if (fd < 0) {
			say("failed to open output file '%s': %s", arg.output, strerror(errno));
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
		if (arg.signals || pf_trace_exited(t, &status) || processes_ended(quiet))
			return 0;
	}
}

/* finish() - END, what is left, the aggregations. After a second signal only what must be. */
static int finish(struct pf_trace *t, struct pf_err *err)
{
	if (arg.signals && !arg.structured)
		(void)!write(arg.output ? STDERR_FILENO : STDOUT_FILENO, "\n", arg.output ? 0 : 1); /* behind ^C */
	int rc = pf_trace_stop(t, err);
	do
		rc = rc < 0 ? rc : pf_trace_consume(t, 0, on_event, NULL, err);
	while (rc == -EINTR && arg.signals < 2);
	if (rc >= 0 && arg.signals < 2 && (!arg.structured || arg.all_aggregations))
		rc = pf_trace_aggregations(t, true, on_event, NULL, err);
	return rc == -EINTR ? 0 : rc;
}

/* run_program() - everything is compiled: trace. */
static int run_program(struct pf_trace *t)
{
	struct pf_err err = { 0 };
	int fd = -1;
	if (pf_trace_go(t, &err) < 0) {
		say("could not enable tracing: %s", err.text);
		return PF_EXIT_ERROR;
	}
	tell_matches(t);
	int status = open_output(t, &fd);
	if (status)
		return status;
	let_command_run();
	int rc = arg.broken_pipe ? -EPIPE : consume(t, &err);
	if (rc >= 0)
		rc = finish(t, &err);
	if (rc < 0 && rc != -EPIPE)
		say("processing aborted: %s%s",
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

static int work(struct pf_trace *t, int argc, char **argv)
{
	if (set_from_environment(t) < 0)
		return PF_EXIT_ERROR;
	static const struct option longs[] = { { "oformat", required_argument, NULL, OFORMAT }, { 0 } };
	static const char letters[] = ":3:6:b:Cc:D:eFf:I:i:L:lm:n:Oo:P:p:qSs:U:VvwX:x:Z";
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		int rc = one_option(t, c);
		if (rc < 0)
			return rc == -EINVAL ? usage(stderr) : PF_EXIT_ERROR;
	}
	if (arg.mode == 'V') {
		(void)printf("%s: Oracle D 2.0\n", arg.called);
		return PF_EXIT_OK;
	}
	if (arg.mode == 'l')
		return list_probes(t);
	if (!arg.n_texts) {
		say("no probes specified%s", arg.ours ? ": give a program, -n 'PROBE { ... }' or -s FILE" : "");
		return argc > 1 ? PF_EXIT_ERROR : usage(stderr);
	}
	if (arg.command && arg.mode != 'e' && start_command(t) < 0)
		return PF_EXIT_ERROR;
	if (arg.n_pids && !arg.command)
		pf_trace_target(t, arg.pids[0]);
	for (unsigned i = 0; i < arg.n_texts; i++) {
		int status = compile(t, &arg.texts[i], argc - optind, argv + optind);
		if (status)
			return status;
	}
	return arg.mode == 'e' ? PF_EXIT_OK : run_program(t);
}

static int run(int argc, char **argv, const char *called)
{
	struct pf_err err = { 0 };
	struct pf_trace *t = NULL;
	arg.ours = !called;
	arg.called = called ? called : "perfolio trace";
	if (argc < 2)
		return usage(stderr);
	if (!called && strcmp(argv[1], "--help") == 0)
		return usage(stdout);
	catch_signals();
	if (pf_trace_open(&t, NULL, &err) < 0) {
		say("failed to initialize dtrace: %s", err.text);
		return PF_EXIT_ERROR;
	}
	pf_trace_check_oformat(t, check_oformat);
	int status = work(t, argc, argv);
	if (arg.child_gate > 0)
		(void)close(arg.child_gate); /* the command never began */
	for (unsigned i = 0; i < arg.n_texts; i++)
		pf_buf_done(&arg.texts[i].file);
	if (fflush(stdout) != 0 && errno != EPIPE)
		status = status ? status : PF_EXIT_ERROR;
	(void)pf_trace_close(t); /* may take a while; everything has been said */
	return status;
}

const struct pf_cmd pf_cmd_trace = { "trace", "dtrace", "run D programs: one-line questions to the kernel", run };
