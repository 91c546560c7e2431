/* cmd/trace_process.c - the processes of -c and -p: started and held, let run, noticed when they end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/program.h"
#include "base/view.h"
#include "cmd/trace.h"

enum { MOST_WORDS = 256 };

int pf_trace_add_pid(struct pf_trace_args *a, const char *text)
{
	uint64_t pid;
	if (pf_view_u64(pf_view_of(text), &pid) < 0 || pid == 0 || pid > INT32_MAX) {
		pf_trace_say(a, "invalid pid: %s", text);
		return -EINVAL;
	}
	if (a->n_processes == PF_TRACE_MOST_PIDS) {
		pf_trace_say(a, "more than %d processes with -p", PF_TRACE_MOST_PIDS);
		return -E2BIG;
	}
	if (kill((pid_t)pid, 0) < 0 && errno == ESRCH) {
		pf_trace_say(a, "failed to grab pid %s: no such process", text);
		return -ESRCH;
	}
	/* Since Linux 5.3; without, the process is asked for now and then. */
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	a->processes[a->n_processes++] = (struct pf_trace_process){ (pid_t)pid, fd };
	return 0;
}

/* split() - words of a command at blanks; there is no quoting. */
static size_t split(char *text, char **words)
{
	size_t n = 0;
	for (char *p = text; *p && n + 1 < MOST_WORDS;) {
		p += strspn(p, " \t\n");
		if (!*p)
			break;
		words[n++] = p;
		p += strcspn(p, " \t\n");
		if (*p)
			*p++ = 0;
	}
	words[n] = NULL;
	return n;
}

/* become() - in the child: wait to be let run, then be the command, with signals as a shell would give them. */
static void __attribute__((noreturn)) become(int gate, char **words)
{
	static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGPIPE };
	char byte;
	for (size_t i = 0; i < PF_N(ours); i++) {
		struct sigaction action;
		/* What was ignored when we were started stays so; SIGPIPE is ignored by us alone. */
		if (sigaction(ours[i], NULL, &action) == 0 && (action.sa_handler != SIG_IGN || ours[i] == SIGPIPE))
			(void)signal(ours[i], SIG_DFL);
	}
	ssize_t n;
	do
		n = read(gate, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		(void)execvp(words[0], words);
	_exit(127);
}

int pf_trace_start(struct pf_trace_args *a)
{
	pf_autofree char *copy = strdup(a->command);
	char *words[MOST_WORDS];
	if (!copy)
		return -ENOMEM;
	if (!split(copy, words)) {
		pf_trace_say(a, "failed to run '%s': no command", a->command);
		return -EINVAL;
	}
	int rc = pf_program_find(words[0]);
	if (rc < 0) {
		pf_trace_say(a, "failed to execute %s: %s", words[0], strerror(-rc));
		return rc;
	}
	int gate[2];
	pid_t pid = -1;
	if (pipe2(gate, O_CLOEXEC) == 0) {
		pid = fork();
		if (pid == 0) {
			(void)close(gate[1]);
			become(gate[0], words);
		}
		rc = -errno;
		(void)close(gate[0]);
		if (pid < 0)
			(void)close(gate[1]);
	} else {
		rc = -errno;
	}
	if (pid < 0) {
		pf_trace_say(a, "failed to run '%s': %s", a->command, strerror(-rc));
		return rc;
	}
	a->child = pid;
	a->child_gate = gate[1];
	return 0;
}

void pf_trace_let_run(struct pf_trace_args *a)
{
	if (a->child_gate > 0) {
		(void)!write(a->child_gate, "g", 1); /* a child that is gone will be noticed */
		(void)close(a->child_gate);
		a->child_gate = -1;
	}
}

/* reap() - has the child ended? Says how. */
static void reap(struct pf_trace_args *a, bool quiet)
{
	int status;
	if (a->child <= 0 || waitpid(a->child, &status, WNOHANG) != a->child)
		return;
	if (!quiet && WIFSIGNALED(status))
		pf_trace_say(a, "pid %d terminated by SIG%s", a->child, sigabbrev_np(WTERMSIG(status)));
	else if (!quiet && WEXITSTATUS(status))
		pf_trace_say(a, "pid %d exited with status %d", a->child, WEXITSTATUS(status));
	else if (!quiet)
		pf_trace_say(a, "pid %d has exited", a->child);
	a->child = -1;
}

static bool is_gone(const struct pf_trace_process *p)
{
	struct pollfd end = { .fd = p->fd, .events = POLLIN };
	if (p->fd >= 0)
		return poll(&end, 1, 0) > 0;
	return kill(p->pid, 0) < 0 && errno == ESRCH;
}

bool pf_trace_ended(struct pf_trace_args *a, bool quiet)
{
	reap(a, quiet);
	bool alive = a->child > 0;
	for (unsigned i = 0; i < a->n_processes; i++) {
		struct pf_trace_process *p = &a->processes[i];
		if (p->pid && is_gone(p)) {
			if (!quiet)
				pf_trace_say(a, "pid %d has exited", p->pid);
			if (p->fd >= 0)
				(void)close(p->fd);
			*p = (struct pf_trace_process){ 0, -1 };
		}
		alive |= p->pid != 0;
	}
	return (a->command || a->n_processes) && !alive;
}

void pf_trace_processes_done(struct pf_trace_args *a)
{
	if (a->child_gate > 0)
		(void)close(a->child_gate); /* the command never began */
	for (unsigned i = 0; i < a->n_processes; i++) {
		if (a->processes[i].fd >= 0)
			(void)close(a->processes[i].fd);
	}
}
