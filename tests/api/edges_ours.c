/* edges_ours.c - edges of record mode where we differ from the real library on purpose, because it harms the caller there or contradicts its manual. */
#include "edges.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transcript.h"

void no_word_for_setarg(void)
{
	setup("folio", 0);
	pmRecordHost *rh = add("host", 0);
	control("setarg without a word", NULL, PM_REC_SETARG, NULL);
	control("on", NULL, PM_REC_ON, NULL);
	pmRecordHost nobody = { .fd_ipc = -1 };
	all_requests("of nobody", &nobody);
	finish(&rh, 1);
	say("no folio: %s", pmRecordSetup(NULL, "edges", 0) ? "stream" : name_of(errno));
	say("no creator: %s", pmRecordSetup("other", NULL, 0) ? "stream" : name_of(errno));
}

void two_defaults(void)
{
	pmRecordHost *rh[3];
	setup("folio", 0);
	rh[0] = add("a", 0);
	rh[1] = add("b", 1);
	add("c", 1);
	rh[2] = add("d", 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(rh, 3);
	cat("folio");
	list(".");
}

void a_host_that_is_no_name(void)
{
	pmRecordHost *rh;
	setup("folio", 0);
	add("a/b", 0);
	rh = add("ok", 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(&rh, 1);
	cat("folio");
}

void a_folio_in_a_folder(void)
{
	pmRecordHost *rh;
	mkdir("sub", 0755);
	setup("sub/folio", 0);
	rh = add("host", 1);
	show("before", rh);
	/* Another folder in between changes nothing. */
	say("chdir: %d", chdir("/"));
	control("on", NULL, PM_REC_ON, NULL);
	say("chdir: %d", chdir(here));
	finish(&rh, 1);
	list("sub");
	char path[64];
	snprintf(path, sizeof(path), "sub/%s.host.seen", unique);
	cat(path);
}

void a_replay(void)
{
	pmRecordHost *rh;
	with_control_file = 1;
	FILE *f = setup("with", 1);
	rh = add("host", 0);
	list(".");
	fprintf(f, "chart\n");
	control("on", NULL, PM_REC_ON, NULL);
	finish(&rh, 1);
	list(".");
	cat(unique);
	cat("with");
	mkdir("sub", 0755);
	if (chdir("sub") < 0)
		return;
	f = setup("without", 0);
	rh = add("host", 0);
	list(".");
	say("to nowhere: %d", fputs("chart\n", f) >= 0 && fflush(f) == 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(&rh, 1);
	list(".");
}

void children_of_others(void)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(5);
	wait_end(child);
	one_session("folio");
	pid_t pid = waitpid(child, &status, 0);
	say("our child: %s, status %d", pid == child ? "ours" : name_of(errno), status);
	say("others: %d", waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD);
}

/* A program waits for the end of a logger as the manual says. */
void an_early_end_is_seen(void)
{
	setup("folio", 0);
	pmRecordHost *rh = add("exit1", 0);
	control("on", NULL, PM_REC_ON, NULL);
	fd_set set;
	FD_ZERO(&set);
	FD_SET(rh->fd_ipc, &set);
	struct timeval limit = { .tv_sec = 20 };
	int rc = select(rh->fd_ipc + 1, &set, NULL, NULL, &limit);
	say("select: %d", rc);
	struct pollfd end = { .fd = rh->fd_ipc, .events = POLLIN };
	rc = poll(&end, 1, 20000);
	say("poll: %d %s", rc, end.revents & POLLHUP ? "hung up" : "not hung up");
	wait_end(rh->pid);
	control("status", rh, PM_REC_STATUS, NULL);
	show("ended", rh);
	finish(&rh, 1);
}

/* A channel that the program closed, and whose number another file has now, is left alone. */
void a_channel_that_is_another_file(void)
{
	setup("folio", 0);
	pmRecordHost *rh = add("host", 0);
	control("on", NULL, PM_REC_ON, NULL);
	wait_line(".host", "Pedges");
	int file = open("mine", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	dup2(file, rh->fd_ipc);
	int fd = rh->fd_ipc;
	wait_end(rh->pid);
	control("off", rh, PM_REC_OFF, NULL);
	struct stat st;
	say("still open: %s", fstat(fd, &st) < 0 ? "no" : st.st_size == 0 ? "empty" : "written to");
	close(file);
	close(fd);
}

void a_start_that_fails(void)
{
	pmRecordHost *rh;
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	setup("folio", 0);
	add("a", 0);
	rh = add("b", 0);
	dup2(full, fileno(rh->f_config));
	close(full);
	fprintf(rh->f_config, "log\n");
	control("on", NULL, PM_REC_ON, NULL);
	show("failed", rh);
	control("off", NULL, PM_REC_OFF, NULL);
	with_control_file = 1;
	list(".");
	one_session("folio");
}

/* A logger of the session before is still collected, and does not stay as a zombie. */
void loggers_of_sessions_before(void)
{
	setup("one", 0);
	pmRecordHost *rh = add("a", 0);
	control("on", NULL, PM_REC_ON, NULL);
	wait_line(".a", "Pedges");
	control("detach", NULL, PM_REC_DETACH, NULL);
	wait_line(".a", "D");
	pid_t pid = rh->pid;
	setup("two", 0);
	kill(pid, SIGTERM);
	wait_end(pid);
	control("a request that fails", NULL, 0, NULL);
	say("it is there: %d", kill(pid, 0));
	rh = add("b", 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(&rh, 1);
}

/* Some loggers run already when one cannot be launched. */
void a_start_without_descriptors(void)
{
	pmRecordHost *rh[8];
	struct rlimit usual, few;
	setup("folio", 0);
	for (int i = 0; i < 8; i++)
		rh[i] = add("h", 0);
	getrlimit(RLIMIT_NOFILE, &usual);
	few = usual;
	few.rlim_cur = (rlim_t)fileno(rh[7]->f_config) + 1;
	setrlimit(RLIMIT_NOFILE, &few);
	control("on", NULL, PM_REC_ON, NULL);
	setrlimit(RLIMIT_NOFILE, &usual);
	int launched = 0;
	for (int i = 0; i < 8; i++) {
		launched += rh[i]->pid > 0;
		if (rh[i]->fd_ipc != -1 || (rh[i]->pid > 0 && rh[i]->status != SIGKILL))
			show("left", rh[i]);
	}
	say("some were launched: %s", launched > 0 && launched < 8 ? "yes" : "no");
	int none = waitpid(-1, NULL, WNOHANG);
	say("and are gone: %s", none == -1 && errno == ECHILD ? "yes" : "no");
	with_control_file = 1;
	list(".");
	one_session("folio");
}
