/* edges.c - every edge of the three calls of record mode, as a transcript. It is run with the real libpcp_gui and with ours. `edges same`: what both say
 * alike; `edges ours`: where we differ on purpose (edges_ours.c). The logger is a script that writes what it gets into BASE.seen. */
#include "edges.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transcript.h"

static void a_name_that_is_there(void)
{
	close(open("there", O_WRONLY | O_CREAT, 0644));
	setup("there", 0);
	setup(".", 0);
	setup("no/such/folio", 0);
	setup("", 0);
	add("host", 0);
	control("status", NULL, PM_REC_STATUS, NULL);
	if (symlink("nowhere", "dangling") == 0)
		one_session("dangling");
	list(".");
}

static void a_second_setup(void)
{
	setup("folio", 0);
	setup("other", 0);
	list(".");
	pmRecordHost *rh = add("host", 0);
	setup("other", 0);
	control("on", NULL, PM_REC_ON, NULL);
	setup("other", 0);
	finish(&rh, 1);
	list(".");
}

static void requests_out_of_order(void)
{
	pmRecordHost nobody = { .fd_ipc = -1 };
	all_requests("no session", NULL);
	control("no session, setarg", NULL, PM_REC_SETARG, "-r");
	control("no session, on", NULL, PM_REC_ON, NULL);
	setup("folio", 0);
	all_requests("no host", NULL);
	all_requests("no host", &nobody);
	control("no host, setarg", NULL, PM_REC_SETARG, "-r");
	control("no host, on", NULL, PM_REC_ON, NULL);
	pmRecordHost *rh = add("host", 0);
	all_requests("a host", NULL);
	all_requests("a host", rh);
	control("on for one host", rh, PM_REC_ON, NULL);
	control("setarg for nobody", &nobody, PM_REC_SETARG, "-z");
	control("on", NULL, PM_REC_ON, NULL);
	control("on again", NULL, PM_REC_ON, NULL);
	control("on for one host", rh, PM_REC_ON, NULL);
	control("setarg", NULL, PM_REC_SETARG, "-r");
	control("setarg for one", rh, PM_REC_SETARG, "-r");
	control("42", NULL, 42, NULL);
	add("late", 0);
	control("status", rh, PM_REC_STATUS, NULL);
	control("status of all", NULL, PM_REC_STATUS, NULL);
	finish(&rh, 1);
	seen(".host");
	control("status after off", NULL, PM_REC_STATUS, NULL);
	control("setarg after off", NULL, PM_REC_SETARG, "-r");
	control("on after off", NULL, PM_REC_ON, NULL);
	add("late", 0);
}

static void words_and_files(void)
{
	pmRecordHost *rh[3];
	setup("./folio", 1);
	rh[0] = add("b", 0);
	rh[1] = add("a", 1);
	list(".");
	control("setarg", NULL, PM_REC_SETARG, "-r");
	control("setarg", rh[0], PM_REC_SETARG, "-T");
	control("setarg", rh[0], PM_REC_SETARG, "20 sec");
	control("setarg", NULL, PM_REC_SETARG, "-h");
	control("setarg", rh[1], PM_REC_SETARG, "");
	rh[2] = add("b", 0);
	for (int i = 0; i < 3; i++)
		show("before", rh[i]);
	fprintf(rh[0]->f_config, "log mandatory on 1 sec { one }\n");
	fprintf(rh[2]->f_config, "log mandatory on 1 sec { three }\n");
	control("on", NULL, PM_REC_ON, NULL);
	for (int i = 0; i < 3; i++)
		show("on", rh[i]);
	say("closed on exec: %d", fcntl(rh[0]->fd_ipc, F_GETFD) & FD_CLOEXEC);
	finish(rh, 3);
	for (int i = 0; i < 3; i++)
		show("off", rh[i]);
	char path[64];
	snprintf(path, sizeof(path), "%s.b.config", unique);
	cat(path);
	snprintf(path, sizeof(path), "%sa.b.config", unique);
	cat(path);
	seen(".b");
	seen(".a");
	seen("a.b");
}

static void a_folio(void)
{
	pmRecordHost *rh[2];
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%.4000s/folio", here);
	FILE *f = setup(path, 0);
	say("stream %s", fileno(f) > 2 ? "has a descriptor" : "is odd");
	rh[0] = add("first.example.com:44321", 0);
	rh[1] = add("a", 1);
	show("absolute", rh[1]);
	cat("folio");
	control("on", NULL, PM_REC_ON, NULL);
	cat("folio");
	finish(rh, 2);
	list(".");
}

static void modes(void)
{
	static const mode_t masks[] = { 0, 022, 077, 0137 };
	for (size_t i = 0; i < N(masks); i++) {
		char folder[16];
		snprintf(folder, sizeof(folder), "%zu", i);
		mkdir(folder, 0755);
		if (chdir(folder) < 0)
			return;
		umask(masks[i]);
		one_session("folio");
		umask(022);
		list(".");
		if (chdir("..") < 0)
			return;
	}
}

static void hosts_many_times(void)
{
	static pmRecordHost *rh[27];
	setup("folio", 0);
	for (size_t i = 0; i < N(rh); i++) {
		rh[i] = add("h", 0);
		show("host", rh[i]);
	}
	add("h", 0);
	pmRecordHost *other = add("g", 0);
	show("host", other);
	list(".");
	control("on", NULL, PM_REC_ON, NULL);
	finish(rh, N(rh));
	wait_end(other->pid);
}

static void a_logger_that_is_killed(void)
{
	static const int signals[] = { SIGKILL, SIGTERM };
	for (size_t i = 0; i < N(signals); i++) {
		char folio[16];
		pmRecordHost *rh[2];
		snprintf(folio, sizeof(folio), "folio%zu", i);
		setup(folio, 0);
		rh[0] = add("victim", 0);
		rh[1] = add("other", 0);
		control("on", NULL, PM_REC_ON, NULL);
		wait_line(".victim", "Pedges");
		kill(rh[0]->pid, signals[i]);
		wait_end(rh[0]->pid);
		control("status of all", NULL, PM_REC_STATUS, NULL);
		show("killed", rh[0]);
		control("status", rh[0], PM_REC_STATUS, NULL);
		control("status of the other", rh[1], PM_REC_STATUS, NULL);
		control("off", rh[0], PM_REC_OFF, NULL);
		control("off again", rh[0], PM_REC_OFF, NULL);
		finish(rh, 2);
		show("other", rh[1]);
	}
}

/* Statuses of a normal end, an error, and a logger that nobody can run. */
static void loggers_that_end_by_themselves(void)
{
	pmRecordHost *rh[3];
	setup("folio", 0);
	rh[0] = add("exit0", 0);
	rh[1] = add("exit1", 0);
	rh[2] = add("exit7", 0);
	control("on", NULL, PM_REC_ON, NULL);
	for (int i = 0; i < 3; i++)
		wait_end(rh[i]->pid);
	control("a request that fails", NULL, 0, NULL);
	for (int i = 0; i < 3; i++)
		show("ended", rh[i]);
	control("detach", rh[0], PM_REC_DETACH, NULL);
	control("detach", rh[0], PM_REC_DETACH, NULL);
	control("off of all", NULL, PM_REC_OFF, NULL);
	control("off of all", NULL, PM_REC_OFF, NULL);
	control("a request that fails", NULL, 0, NULL);
}

static void four_hosts(void)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	pmRecordHost *rh[4];
	setup("folio", 0);
	for (int i = 0; i < 4; i++)
		rh[i] = add(names[i], 0);
	control("on", NULL, PM_REC_ON, NULL);
	for (int i = 0; i < 4; i++) {
		char base[8];
		snprintf(base, sizeof(base), ".%s", names[i]);
		wait_line(base, "Pedges");
	}
	control("off a", rh[0], PM_REC_OFF, NULL);
	control("detach b", rh[1], PM_REC_DETACH, NULL);
	control("status c", rh[2], PM_REC_STATUS, NULL);
	close(rh[3]->fd_ipc);
	wait_end(rh[0]->pid);
	wait_end(rh[3]->pid);
	wait_line(".b", "D");
	for (int i = 0; i < 4; i++)
		control(names[i], rh[i], PM_REC_OFF, NULL);
	control("off of all", NULL, PM_REC_OFF, NULL);
	wait_end(rh[2]->pid);
	control("status of all", NULL, PM_REC_STATUS, NULL);
	for (int i = 0; i < 4; i++)
		show(names[i], rh[i]);
	seen(".a");
	seen(".b");
	seen(".c");
	seen(".d");
	kill(rh[1]->pid, SIGTERM);
	wait_end(rh[1]->pid);
	control("a request that fails", NULL, 0, NULL);
	show("b", rh[1]);
}

static void a_channel_that_was_closed(void)
{
	setup("folio", 0);
	pmRecordHost *rh = add("deaf", 0);
	control("on", NULL, PM_REC_ON, NULL);
	wait_line(".deaf", "Pedges");
	close(rh->fd_ipc);
	control("status", rh, PM_REC_STATUS, NULL);
	control("off", rh, PM_REC_OFF, NULL);
	show("off", rh);
	kill(rh->pid, SIGKILL);
	wait_end(rh->pid);
	control("a request that fails", NULL, 0, NULL);
	show("harvested", rh);
}

static int place(pmRecordHost *const *known, size_t n, const pmRecordHost *rh)
{
	for (size_t i = 0; i < n; i++) {
		if (known[i] == rh)
			return (int)i;
	}
	return -1;
}

static void structures_again(void)
{
	pmRecordHost *rh[3], *again[5];
	setup("one", 0);
	rh[0] = add("a", 0);
	rh[1] = add("b", 0);
	rh[2] = add("c", 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(rh, 3);
	show("of the first", rh[0]);
	setup("two", 0);
	for (int i = 0; i < 3; i++)
		show("after setup", rh[i]);
	for (int i = 0; i < 5; i++) {
		char name[8];
		snprintf(name, sizeof(name), "h%d", i);
		again[i] = add(name, 0);
		say("it is number %d", place(rh, 3, again[i]));
	}
	control("on", NULL, PM_REC_ON, NULL);
	finish(again, 5);
	show("of the second", again[0]);
	setup("three", 0);
	rh[0] = add("x", 0);
	rh[1] = add("y", 0);
	rh[2] = add("z", 0);
	for (int i = 0; i < 3; i++)
		say("it is number %d", place(again, 5, rh[i]));
	control("on", NULL, PM_REC_ON, NULL);
	finish(rh, 3);
}

static void nobody_waits_for_children(void)
{
	signal(SIGCHLD, SIG_IGN);
	setup("folio", 0);
	pmRecordHost *rh = add("exit1", 0);
	control("on", NULL, PM_REC_ON, NULL);
	while (kill(rh->pid, 0) == 0)
		poll(NULL, 0, 10);
	control("status", NULL, PM_REC_STATUS, NULL);
	control("off", NULL, PM_REC_OFF, NULL);
	show("unknown", rh);
	signal(SIGCHLD, SIG_DFL);
}

static const struct {
	const char *mode;
	const char *name;
	void (*run)(void);
} cases[] = {
#define CASE(mode, name)                                                                                               \
	{                                                                                                              \
		mode, #name, name                                                                                      \
	}
	CASE("same", a_name_that_is_there),
	CASE("same", a_second_setup),
	CASE("same", requests_out_of_order),
	CASE("same", words_and_files),
	CASE("same", a_folio),
	CASE("same", modes),
	CASE("same", hosts_many_times),
	CASE("same", a_logger_that_is_killed),
	CASE("same", loggers_that_end_by_themselves),
	CASE("same", four_hosts),
	CASE("same", a_channel_that_was_closed),
	CASE("same", structures_again),
	CASE("same", nobody_waits_for_children),
	CASE("ours", no_word_for_setarg),
	CASE("ours", two_defaults),
	CASE("ours", a_host_that_is_no_name),
	CASE("ours", a_folio_in_a_folder),
	CASE("ours", a_replay),
	CASE("ours", children_of_others),
	CASE("ours", an_early_end_is_seen),
	CASE("ours", a_channel_that_is_another_file),
	CASE("ours", a_start_that_fails),
	CASE("ours", a_start_without_descriptors),
	CASE("ours", loggers_of_sessions_before),
};

/* Each case in a process and a folder of its own. */
static int run_case(const char *name, void (*run)(void))
{
	int status = 1;
	printf("## %s\n", name);
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		if (mkdir(name, 0755) < 0 || chdir(name) < 0 || !getcwd(here, sizeof(here)))
			_exit(1);
		umask(022);
		alarm(60);
		run();
		exit(0);
	}
	waitpid(pid, &status, 0);
	if (status != 0)
		printf("%s ended with %#x\n", name, (unsigned)status);
	return status != 0;
}

int main(int argc, char **argv)
{
	int bad = argc != 2;
	for (size_t i = 0; argc == 2 && i < N(cases); i++) {
		if (strcmp(cases[i].mode, argv[1]) == 0 || strcmp(cases[i].name, argv[1]) == 0)
			bad |= run_case(cases[i].name, cases[i].run);
	}
	return bad;
}
