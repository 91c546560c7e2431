/* Unit tests of base/spawn.c: what a program finds when it starts. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/spawn.h"

/* What @command writes; its status is 0. */
static void output(const char *command, bool with_us, struct pf_buf *out, pid_t *ret_pid)
{
	int ends[2], status;
	char chunk[512];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	const struct pf_spawn s = { (const char *const[]){ "sh", "-c", command, NULL }, ends[1], with_us };
	assert_int_equal(pf_spawn(&s, ret_pid), 0);
	(void)close(ends[1]);
	for (ssize_t n = read(ends[0], chunk, sizeof(chunk)); n > 0; n = read(ends[0], chunk, sizeof(chunk)))
		pf_buf_add(out, chunk, (size_t)n);
	(void)close(ends[0]);
	assert_int_equal(waitpid(*ret_pid, &status, 0), *ret_pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void its_output_is_the_pipe_and_the_rest_is_null(void **state)
{
	(void)state;
	for (int with_us = 0; with_us < 2; with_us++) {
		struct pf_buf out = { 0 };
		pid_t pid;
		output("cat; echo out; echo err >&2; readlink /proc/self/fd/0 /proc/$$/fd/2", with_us, &out, &pid);
		assert_string_equal(pf_buf_text(&out).p, "out\n/dev/null\n/dev/null\n");
		pf_buf_done(&out);
	}
}

static void no_signal_is_blocked_or_ignored(void **state)
{
	(void)state;
	sigset_t some, before;
	(void)sigemptyset(&some);
	(void)sigaddset(&some, SIGTERM);
	(void)sigaddset(&some, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &some, &before);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGHUP, SIG_IGN);
	for (int with_us = 0; with_us < 2; with_us++) {
		struct pf_buf out = { 0 };
		pid_t pid;
		/* Signals 32 and 33 are the C library's; whoever started us may have them ignored. */
		output("exec sed -n -e 's/0000000[01][08]0000000$/0000000000000000/' -e '/^Sig[BI][lg]/p' /proc/self/status",
		       with_us, &out, &pid);
		assert_string_equal(pf_buf_text(&out).p, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
		pf_buf_done(&out);
	}
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	(void)signal(SIGHUP, SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

static void it_leads_a_group(void **state)
{
	(void)state;
	for (int with_us = 0; with_us < 2; with_us++) {
		struct pf_buf out = { 0 };
		char want[32];
		pid_t pid;
		output("set -- $(cat /proc/$$/stat); echo $5", with_us, &out, &pid);
		(void)snprintf(want, sizeof(want), "%d\n", (int)pid);
		assert_string_equal(pf_buf_text(&out).p, want);
		pf_buf_done(&out);
	}
}

static void a_program_that_is_not_there_is_told(void **state)
{
	(void)state;
	pid_t pid = 7;
	int status;
	const char *const argv[] = { "/nosuch/program", NULL };
	struct pf_spawn s = { argv, STDERR_FILENO, false };
	assert_int_equal(pf_spawn(&s, &pid), -ENOENT);
	s.with_us = true;
	assert_int_equal(pf_spawn(&s, &pid), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 127);
}

/* Its end of the pipe is closed only when it has ended. */
static void with_us_it_ends_when_we_are_killed(void **state)
{
	(void)state;
	int ends[2], ready[2], status;
	char c;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t parent = fork();
	if (parent == 0) {
		pid_t pid;
		const char *const argv[] = { "sh", "-c", "echo; exec sleep 1000", NULL };
		const struct pf_spawn s = { argv, ends[1], true };
		(void)!write(ready[1], pf_spawn(&s, &pid) == 0 ? "1" : "0", 1);
		(void)pause();
		_exit(0);
	}
	(void)close(ends[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(c, '1');
	assert_int_equal(read(ends[0], &c, 1), 1); /* it runs */
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, &status, 0), parent);
	assert_int_equal(read(ends[0], &c, 1), 0);
	(void)close(ends[0]);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_output_is_the_pipe_and_the_rest_is_null),
		cmocka_unit_test(no_signal_is_blocked_or_ignored),
		cmocka_unit_test(it_leads_a_group),
		cmocka_unit_test(a_program_that_is_not_there_is_told),
		cmocka_unit_test(with_us_it_ends_when_we_are_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
