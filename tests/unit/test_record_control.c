/* Unit tests of record/control.c and dialog.c: lines in any pieces, and dialogs that answer, fail or hang. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/stop.h"
#include "record/control.h"

/* @ours: where the launcher writes; @asked: how often numbers were. */
struct channel {
	struct pf_control *control;
	int ours;
	int log_fd;
	unsigned asked;
};

static char folder[64];

static char *in_folder(const char *name)
{
	static char path[128];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-control-XXXXXX");
	(void)unsetenv("DISPLAY");
	(void)unsetenv("WAYLAND_DISPLAY");
	if (!mkdtemp(folder))
		return -1;
	(void)setenv("TMPDIR", folder, 1);
	(void)unsetenv("PCP_TMPFILE_DIR");
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	static const char *const names[] = { "program", "words", "log", "unique", "pid" };
	for (unsigned i = 0; i < PF_N(names); i++)
		(void)unlink(in_folder(names[i]));
	return rmdir(folder);
}

/* From now on dialogs are shown by a script; NULL: by nothing. */
static void show_with(const char *script)
{
	if (!script) {
		(void)unsetenv("PCP_XCONFIRM_PROG");
		return;
	}
	struct pf_buf b = { 0 };
	pf_buf_fmt(&b, "#!/bin/sh\ncd %s\necho \"$@\" >>words\n%s\n", folder, script);
	int fd = open(in_folder("program"), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, b.p, b.n), 0);
	assert_int_equal(close(fd), 0);
	pf_buf_done(&b);
	(void)unlink(in_folder("words"));
	(void)setenv("PCP_XCONFIRM_PROG", in_folder("program"), 1);
}

static void about(void *arg, struct pf_dialog_about *about)
{
	(void)arg;
	about->host = "vm";
	about->elapsed_s = 10;
	about->bytes = 1000;
}

static void numbers(void *arg)
{
	(*(unsigned *)arg)++;
}

static void open_channel_of(struct channel *ch, bool quiet, const int *ends)
{
	struct pf_err err = { 0 };
	ch->ours = ends[1];
	ch->log_fd = open(in_folder("log"), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
	ch->asked = 0;
	const struct pf_control_setup setup = { .fd = ends[0],
						.quiet = quiet,
						.log_fd = ch->log_fd,
						.numbers = numbers,
						.about = about,
						.arg = &ch->asked };
	assert_int_equal(pf_control_open(&ch->control, &setup, &err), 0);
}

static void open_channel(struct channel *ch, bool quiet)
{
	int ends[2];
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	open_channel_of(ch, quiet, ends);
}

static void close_channel(struct channel *ch)
{
	ch->control = pf_control_close(ch->control);
	pf_closep(&ch->ours);
	(void)close(ch->log_fd);
	glob_t texts;
	assert_int_equal(glob(in_folder("msg*"), 0, NULL, &texts), GLOB_NOMATCH); /* none is left behind */
}

static void say(const struct channel *ch, const char *text)
{
	assert_int_equal(pf_io_write_all(ch->ours, text, strlen(text)), 0);
}

/* Serve until the recording is to stop; a test that waits in vain fails. */
static void serve_until_stop(const struct channel *ch)
{
	struct pollfd fd = { .fd = pf_control_fd(ch->control), .events = POLLIN };
	while (!pf_control_serve(ch->control))
		assert_int_equal(poll(&fd, 1, 60000), 1);
}

/* Serve until the script has been run and has said something @n times. */
static void serve_until_words(const struct channel *ch, unsigned n)
{
	for (int tries = 0; tries < 6000; tries++) {
		struct pf_buf b = { 0 };
		unsigned lines = 0;
		assert_false(pf_control_serve(ch->control));
		if (pf_io_read_file(AT_FDCWD, in_folder("words"), 1 << 16, &b, NULL) == 0) {
			for (size_t i = 0; i < b.n; i++)
				lines += b.p[i] == '\n';
		}
		pf_buf_done(&b);
		if (lines == n)
			return;
		(void)poll(NULL, 0, 10);
	}
	fail_msg("the dialog program was not run %u times", n);
}

static void assert_file(const char *name, const char *part, unsigned times)
{
	struct pf_buf b = { 0 };
	unsigned n = 0;
	if (pf_io_read_file(AT_FDCWD, in_folder(name), 1 << 20, &b, NULL) < 0)
		pf_buf_str(&b, "");
	for (const char *p = b.p ? strstr(b.p, part) : NULL; p; p = strstr(p + 1, part))
		n++;
	if (n != times)
		print_error("%s: %s\n", name, b.p ? b.p : "");
	assert_int_equal(n, times);
	pf_buf_done(&b);
}

static void lines_come_in_any_pieces(void **state)
{
	(void)state;
	static const char text[] = "V0\nFrun.folio\nPprog\nR\nS\n?\nD\n";
	show_with(NULL);
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		struct channel ch;
		open_channel(&ch, false);
		for (size_t at = 0; at < sizeof(text) - 1; at += piece) {
			size_t left = sizeof(text) - 1 - at;
			assert_int_equal(pf_io_write_all(ch.ours, text + at, left < piece ? left : piece), 0);
			assert_false(pf_control_serve(ch.control));
		}
		assert_int_equal(ch.asked, 1);
		assert_file("log", "folio \"run.folio\" and the host \"vm\"", 2);
		assert_file("log", "$ pmafm run.folio replay", 2);
		assert_file("log", "Warning: pmconfirm(1) failed", 1);
		assert_file("log", "Error: pmconfirm(1) failed", 1);
		assert_file("log", "continue independently", 1);
		pf_closep(&ch.ours); /* it runs on alone */
		ch.ours = -1;
		assert_false(pf_control_serve(ch.control));
		close_channel(&ch);
	}
}

static void a_launcher_that_does_not_read_is_not_waited_for(void **state)
{
	(void)state;
	struct channel ch;
	int ends[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	open_channel_of(&ch, true, ends);
	for (unsigned i = 0; i < 100000; i++)
		pf_control_tell(ch.control, PF_VIEW("N 1 2 3\n")); /* more than the channel holds: returns at all */
	say(&ch, "S\n");
	assert_false(pf_control_serve(ch.control));
	assert_int_equal(ch.asked, 1);
	int ours = dup(ch.ours);
	close_channel(&ch);
	char text[4096];
	size_t all = 0;
	for (ssize_t n = read(ours, text, sizeof(text)); n > 0; n = read(ours, text, sizeof(text)))
		all += (size_t)n;
	(void)close(ours);
	assert_true(all > 0 && all % strlen("N 1 2 3\n") == 0); /* whole lines */
}

static void everything_else_is_the_launcher_lost(void **state)
{
	(void)state;
	char long_line[PF_CONTROL_LINE + 2];
	memset(long_line, 'F', sizeof(long_line) - 1);
	long_line[sizeof(long_line) - 1] = '\0';
	const char *const cases[] = { "", "V0\nF", "Q", "x\033\n", "\n", long_line };
	show_with(NULL);
	for (unsigned i = 0; i < PF_N(cases); i++) {
		for (int quiet = 0; quiet < 2; quiet++) {
			struct channel ch;
			open_channel(&ch, quiet);
			say(&ch, cases[i]);
			if (i < 3) {
				(void)close(ch.ours);
				ch.ours = -1;
			}
			serve_until_stop(&ch);
			assert_file("log", "Terminate this PCP recording session now?", quiet ? 0 : 1);
			assert_file("log", "illegal recording session control message: ",
				    !quiet && (i == 3 || i == 4) ? 1 : 0);
			assert_file("log", "Error: illegal recording session control message: \"x\\x1b\"\n",
				    !quiet && i == 3 ? 1 : 0);
			close_channel(&ch);
		}
	}
}

static void only_the_end_of_the_channel_removes_the_unique_file(void **state)
{
	(void)state;
	show_with(NULL);
	for (int end = 0; end < 2; end++) {
		struct channel ch;
		char line[160];
		int fd = open(in_folder("unique"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		(void)close(fd);
		open_channel(&ch, true);
		(void)snprintf(line, sizeof(line), "U%s\n%s", in_folder("unique"), end ? "" : "Q\n");
		say(&ch, line);
		if (end) {
			(void)close(ch.ours);
			ch.ours = -1;
		}
		serve_until_stop(&ch);
		assert_int_equal(access(in_folder("unique"), F_OK), end ? -1 : 0);
		close_channel(&ch);
	}
}

static void options_reach_the_program(void **state)
{
	(void)state;
	show_with("echo Close");
	struct channel ch;
	open_channel(&ch, false);
	say(&ch, "Pprog\nR-geometry +1+1\n?-geometry +2+2\n");
	serve_until_words(&ch, 1);
	say(&ch, "?\n");
	serve_until_words(&ch, 2);
	assert_file("words", "-geometry +2+2 -c -header PCP Archive Recording Session - prog -file ", 1);
	assert_file("words", "-geometry +1+1 -c", 1);
	assert_file("words", " -icon info -b Close", 2);
	say(&ch, "Q -geometry +3+3\n");
	serve_until_stop(&ch);
	struct pf_stop signals;
	assert_int_equal(pf_stop_open(&signals, NULL), 0);
	pf_control_linger(ch.control, &signals);
	pf_stop_close(&signals);
	assert_file("words", "-geometry +3+3 -c", 1);
	assert_file("log", "Dialog:", 0);
	close_channel(&ch);
}

static void the_answer_decides(void **state)
{
	(void)state;
	static const struct {
		const char *script;
		bool stop;
		bool logged;
	} cases[] = {
		{ "echo Yes", true, false },
		{ "printf Yes", true, false },
		{ "echo Yes; exec sleep 1000", true, false },
		{ "echo No", false, false },
		{ "echo; exit 1", false, false },
		{ "echo Yes and no", false, false },
		{ "head -c 100000 /dev/zero", false, false },
		{ "exit 0", true, true },
		{ "kill -SEGV $$", true, true },
		{ "exec >&-; exec sleep 1000", true, true },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct channel ch;
		show_with(cases[i].script);
		open_channel(&ch, false);
		(void)close(ch.ours);
		ch.ours = -1;
		if (cases[i].stop) {
			serve_until_stop(&ch);
		} else {
			serve_until_words(&ch, 1);
			for (int k = 0; k < 20; k++) {
				assert_false(pf_control_serve(ch.control));
				(void)poll(NULL, 0, 10);
			}
		}
		assert_file("log", "Terminate this PCP recording session now?", cases[i].logged ? 1 : 0);
		close_channel(&ch);
	}
}

static void a_program_that_is_not_there_stops(void **state)
{
	(void)state;
	struct channel ch;
	open_channel(&ch, false);
	(void)setenv("PCP_XCONFIRM_PROG", "/nosuch/program", 1);
	(void)close(ch.ours);
	ch.ours = -1;
	serve_until_stop(&ch);
	assert_file("log", "Error: pmconfirm(1) failed for recording session dialog\nDialog:\nPCP recording", 1);
	close_channel(&ch);
}

static void one_is_open_and_the_others_wait(void **state)
{
	(void)state;
	show_with("until [ -e unique ]; do sleep 0.01; done; rm -f unique; echo Close");
	struct channel ch;
	open_channel(&ch, false);
	say(&ch, "?1\n?2\nD3\n");
	serve_until_words(&ch, 1);
	for (unsigned n = 2; n <= 3; n++) {
		int fd = open(in_folder("unique"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		(void)close(fd);
		serve_until_words(&ch, n);
	}
	assert_file("words", "1 -c", 1);
	assert_file("words", "2 -c", 1);
	assert_file("words", "3 -c", 1);
	close_channel(&ch);
}

static void more_than_can_wait_is_logged(void **state)
{
	(void)state;
	show_with("exec sleep 1000");
	struct channel ch;
	open_channel(&ch, false);
	for (int i = 0; i < 20; i++)
		say(&ch, "?\n");
	serve_until_words(&ch, 1);
	assert_file("log", "Warning: pmconfirm(1) failed", 5);
	say(&ch, "D\n");
	(void)pf_control_serve(ch.control);
	assert_file("log", "Error: pmconfirm(1) failed", 0);
	close_channel(&ch);
}

static void a_program_that_hangs_ends_with_the_logger(void **state)
{
	(void)state;
	show_with("echo $$ >pid; exec sleep 1000");
	struct channel ch;
	struct pf_buf b = { 0 };
	uint64_t pid = 0;
	open_channel(&ch, false);
	(void)close(ch.ours);
	ch.ours = -1;
	serve_until_words(&ch, 1);
	for (int tries = 0; tries < 6000 && pid == 0; tries++) {
		if (pf_io_read_file(AT_FDCWD, in_folder("pid"), 100, &b, NULL) < 0 ||
		    pf_view_u64(pf_view_trim(pf_buf_text(&b)), &pid) < 0)
			(void)poll(NULL, 0, 10);
	}
	assert_true(pid > 0);
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)pid);
	assert_int_equal(access(path, F_OK), 0);
	close_channel(&ch);
	assert_int_equal(access(path, F_OK), -1);
	pf_buf_done(&b);
}

static void a_file_is_no_channel(void **state)
{
	(void)state;
	struct pf_control *control;
	struct pf_err err = { 0 };
	int fd = open(in_folder("log"), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	const struct pf_control_setup setup = { .fd = fd, .log_fd = 2, .about = about };
	assert_int_equal(pf_control_open(&control, &setup, &err), -EINVAL);
	assert_non_null(strstr(err.text, "not a pipe or socket"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_in_any_pieces),
		cmocka_unit_test(a_launcher_that_does_not_read_is_not_waited_for),
		cmocka_unit_test(everything_else_is_the_launcher_lost),
		cmocka_unit_test(only_the_end_of_the_channel_removes_the_unique_file),
		cmocka_unit_test(options_reach_the_program),
		cmocka_unit_test(the_answer_decides),
		cmocka_unit_test(a_program_that_is_not_there_stops),
		cmocka_unit_test(one_is_open_and_the_others_wait),
		cmocka_unit_test(more_than_can_wait_is_logged),
		cmocka_unit_test(a_program_that_hangs_ends_with_the_logger),
		cmocka_unit_test(a_file_is_no_channel),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
