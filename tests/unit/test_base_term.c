/* base/term: keys and sizes of a pseudo terminal. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/term.h"

/* A pseudo terminal that nobody controls: a child makes it its own, so that it is in the foreground there. */
struct terminal {
	int master;
	int slave;
};

static void open_terminal(struct terminal *t)
{
	t->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(t->master >= 0);
	assert_int_equal(grantpt(t->master), 0);
	assert_int_equal(unlockpt(t->master), 0);
	const char *name = ptsname(t->master);
	assert_non_null(name);
	t->slave = open(name, O_RDWR | O_NOCTTY);
	assert_true(t->slave >= 0);
}

static void close_terminal(const struct terminal *t)
{
	(void)close(t->slave);
	(void)close(t->master);
}

/* @check in a process that the terminal belongs to. Its status is 0 if all was well, else the number of what was not. */
static int in_foreground(const struct terminal *t, int (*check)(const struct terminal *t))
{
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (setsid() < 0 || ioctl(t->slave, TIOCSCTTY, 0) < 0)
			_exit(99);
		_exit(check(t));
	}
	int status = -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void type(const struct terminal *t, const char *keys)
{
	size_t n = strlen(keys);
	struct pollfd pfd = { .fd = t->slave, .events = POLLIN };
	if (write(t->master, keys, n) != (ssize_t)n || poll(&pfd, 1, 5000) != 1)
		_exit(98);
}

static void the_size_is_that_of_the_terminal(void **state)
{
	struct terminal t;
	struct winsize size = { .ws_row = 33, .ws_col = 101 };
	unsigned rows = 1;
	unsigned columns = 2;
	(void)state;
	open_terminal(&t);
	assert_int_equal(pf_term_size(t.slave, &rows, &columns), -ENOTTY); /* it does not tell */
	assert_int_equal(rows, 1);
	assert_int_equal(ioctl(t.master, TIOCSWINSZ, &size), 0);
	assert_int_equal(pf_term_size(t.slave, &rows, &columns), 0);
	assert_int_equal(rows, 33);
	assert_int_equal(columns, 101);
	close_terminal(&t);
}

static void what_is_no_terminal_has_neither_size_nor_keys(void **state)
{
	int fds[2];
	unsigned rows = 1;
	unsigned columns = 2;
	struct pf_term_keys k;
	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "q", 1), 1);
	assert_int_equal(pf_term_size(fds[0], &rows, &columns), -ENOTTY);
	assert_int_equal(rows, 1);
	assert_int_equal(columns, 2);
	assert_false(pf_term_keys_open(&k, fds[0], true));
	assert_false(pf_term_keys_ready(&k));
	assert_int_equal(pf_term_keys_read(&k), 0);
	pf_term_keys_close(&k);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static int keys_come_one_by_one(const struct terminal *t)
{
	struct pf_term_keys k;
	if (!pf_term_keys_open(&k, t->slave, true) || !k.raw || !pf_term_keys_ready(&k))
		return 1;
	if (pf_term_keys_read(&k) != 0)
		return 2;
	type(t, "ab");
	if (pf_term_keys_read(&k) != 'a' || pf_term_keys_read(&k) != 'b' || pf_term_keys_read(&k) != 0)
		return 3;
	pf_term_keys_close(&k);
	return k.fd == -1 && pf_term_keys_read(&k) == 0 ? 0 : 4;
}

static void keys_are_read_without_waiting_for_a_line(void **state)
{
	struct terminal t;
	(void)state;
	open_terminal(&t);
	assert_int_equal(in_foreground(&t, keys_come_one_by_one), 0);
	close_terminal(&t);
}

static int sequences_are_skipped(const struct terminal *t)
{
	struct pf_term_keys k;
	if (!pf_term_keys_open(&k, t->slave, true))
		return 1;
	type(t, "\033[A\033OP\033[15;2~x");
	for (int i = 0; i < 3; i++) {
		if (pf_term_keys_read(&k) != 0)
			return 2 + i;
	}
	int key = pf_term_keys_read(&k);
	pf_term_keys_close(&k);
	return key == 'x' ? 0 : 9;
}

static void function_keys_mean_nothing(void **state)
{
	struct terminal t;
	(void)state;
	open_terminal(&t);
	assert_int_equal(in_foreground(&t, sequences_are_skipped), 0);
	close_terminal(&t);
}

static int modes_come_back(const struct terminal *t)
{
	struct termios before;
	struct termios during;
	struct termios after;
	struct pf_term_keys k;
	if (tcgetattr(t->slave, &before) < 0 || !(before.c_lflag & ICANON) || !(before.c_lflag & ECHO))
		return 1;
	if (!pf_term_keys_open(&k, t->slave, true) || tcgetattr(t->slave, &during) < 0)
		return 2;
	if ((during.c_lflag & (ICANON | ECHO)) || !(during.c_lflag & ISIG))
		return 3;
	if (tcsetattr(t->slave, TCSANOW, &before) < 0) /* as a shell does that stopped us */
		return 4;
	if (!pf_term_keys_ready(&k) || tcgetattr(t->slave, &during) < 0 || (during.c_lflag & ICANON))
		return 5;
	pf_term_keys_close(&k);
	if (tcgetattr(t->slave, &after) < 0)
		return 6;
	return after.c_lflag == before.c_lflag ? 0 : 7;
}

static void the_terminal_is_left_as_it_was(void **state)
{
	struct terminal t;
	(void)state;
	open_terminal(&t);
	assert_int_equal(in_foreground(&t, modes_come_back), 0);
	close_terminal(&t);
}

static void whoever_is_not_in_the_foreground_reads_nothing(void **state)
{
	struct terminal t;
	struct pf_term_keys k;
	struct termios modes;
	(void)state;
	open_terminal(&t);
	assert_true(pf_term_keys_open(&k, t.slave, true));
	assert_false(k.raw);
	assert_false(pf_term_keys_ready(&k));
	assert_int_equal(tcgetattr(t.slave, &modes), 0);
	assert_true(modes.c_lflag & ICANON);
	assert_int_equal(write(t.master, "q\n", 2), 2);
	assert_int_equal(pf_term_keys_read(&k), 0);
	pf_term_keys_close(&k);
	close_terminal(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_size_is_that_of_the_terminal),
		cmocka_unit_test(what_is_no_terminal_has_neither_size_nor_keys),
		cmocka_unit_test(keys_are_read_without_waiting_for_a_line),
		cmocka_unit_test(function_keys_mean_nothing),
		cmocka_unit_test(the_terminal_is_left_as_it_was),
		cmocka_unit_test(whoever_is_not_in_the_foreground_reads_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
