/* Unit tests of record/dialog_text.c and dialog_command.c: the wording, and the programs that show it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "record/dialog.h"

static const struct pf_dialog_about run = {
	.folio = "run.folio", .creator = "prog", .host = "vm", .elapsed_s = 10, .bytes = 20480, .pid = 4711
};

#define RUN_FOR(time, size)                                                                                            \
	"PCP recording for the archive folio \"run.folio\" and the host \"vm\" has been in progress for " time         \
	" and in that time the pmlogger process has created an archive of " size ".\n"
#define MAY_END                                                                                                        \
	"\nAt any time this pmlogger process may be terminated with the following command:\n  $ pmsignal -s TERM 4711\n"

static void assert_text(enum pf_dialog_kind kind, const struct pf_dialog_about *about, const char *want)
{
	struct pf_buf b = { 0 };
	pf_dialog_text(&b, kind, about);
	assert_string_equal(pf_buf_text(&b).p, want);
	pf_buf_done(&b);
}

static void each_event_has_its_text(void **state)
{
	(void)state;
	assert_text(PF_DIALOG_STATUS, &run, RUN_FOR("10 seconds", "20.0 Kbytes") MAY_END);
	assert_text(
		PF_DIALOG_DETACH, &run,
		RUN_FOR("10 seconds",
			"20.0 Kbytes") "\nThe application that launched pmlogger has asked pmlogger to continue independently and the PCP archive "
				       "will grow at the rate of 7200.0 Kbytes per hour or 168.8 Mbytes per day.\n" MAY_END);
	assert_text(
		PF_DIALOG_LOST, &run,
		RUN_FOR("10 seconds",
			"20.0 Kbytes") "\nThe application that launched pmlogger has exited and you must decide if the PCP recording session "
				       "should be terminated or continued.  If recording is continued the PCP archive will grow at the rate of "
				       "7200.0 Kbytes per hour or 168.8 Mbytes per day.\n" MAY_END
				       "\nTerminate this PCP recording session now?");
	assert_text(
		PF_DIALOG_QUIT, &run,
		RUN_FOR("10 seconds",
			"20.0 Kbytes") "\nThe application that launched pmlogger has terminated this PCP recording session.\n");
}

static void who_can_replay_is_told_how(void **state)
{
	(void)state;
	struct pf_dialog_about about = run;
	about.replay = true;
	assert_text(
		PF_DIALOG_STATUS, &about,
		RUN_FOR("10 seconds",
			"20.0 Kbytes") "\nThis archive may be replayed with the following command:\n  $ pmafm run.folio replay\n" MAY_END);
}

static void times_and_sizes_change_their_units(void **state)
{
	(void)state;
#define K UINT64_C(1024)
	static const struct {
		int64_t elapsed_s;
		uint64_t bytes;
		const char *want;
	} cases[] = {
		{ -1, 0, RUN_FOR("1 seconds", "0 bytes") },
		{ 239, 10 * K - 1, RUN_FOR("239 seconds", "10239 bytes") },
		{ 240, 10 * K, RUN_FOR("4 minutes", "10.0 Kbytes") },
		{ 269, 10 * K * K - 1, RUN_FOR("4 minutes", "10240.0 Kbytes") },
		{ 270, 10 * K * K, RUN_FOR("5 minutes", "10.0 Mbytes") },
		{ 36000, 10 * K * K * K - 1, RUN_FOR("600 minutes", "10240.0 Mbytes") },
		{ 36000, 10 * K * K * K, RUN_FOR("600 minutes", "10240 Mbytes") },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_dialog_about about = run;
		struct pf_buf b = { 0 };
		about.elapsed_s = cases[i].elapsed_s;
		about.bytes = cases[i].bytes;
		pf_dialog_text(&b, PF_DIALOG_STATUS, &about);
		assert_true(pf_view_starts(pf_buf_text(&b), cases[i].want));
		pf_buf_done(&b);
	}
}

static void names_of_others_do_no_harm(void **state)
{
	(void)state;
	struct pf_dialog_about about = run;
	struct pf_buf b = { 0 };
	about.folio = NULL;
	about.host = "a\033]2;b\nc";
	pf_dialog_text(&b, PF_DIALOG_QUIT, &about);
	assert_true(pf_view_starts(pf_buf_text(&b), "PCP recording for the archive folio \"<unknown>\" and the host "
						    "\"a\\x1b]2;b\\x0ac\" has"));
	pf_buf_done(&b);
}

static char folder[64];

/* $PATH is a folder of programs that are never run. */
static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-dialog-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	(void)setenv("PATH", folder, 1);
	(void)setenv("DISPLAY", ":99", 1);
	(void)unsetenv("WAYLAND_DISPLAY");
	(void)unsetenv("PCP_XCONFIRM_PROG");
	return 0;
}

static void program(const char *name, bool there)
{
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!there) {
		assert_int_equal(unlink(path), 0);
		return;
	}
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	(void)close(fd);
}

static int remove_folder(void **state)
{
	(void)state;
	static const char *const names[] = { "pmquery", "zenity", "xmessage" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[128];
		(void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		(void)unlink(path);
	}
	return rmdir(folder);
}

/* The words, each followed by '|'. */
static void assert_command(enum pf_dialog_kind kind, const char *text, const char *options, const char *want)
{
	struct pf_dialog_command c;
	struct pf_buf b = { 0 };
	assert_int_equal(pf_dialog_command(&c, kind, "prog", "/tmp/msg", text, options), 0);
	for (unsigned i = 0; i < c.n; i++)
		pf_buf_fmt(&b, "%s|", c.words[i]);
	assert_null(c.words[c.n]);
	assert_string_equal(pf_buf_text(&b).p, want);
	pf_dialog_command_done(&c);
	pf_buf_done(&b);
}

#define X10   "xxxxxxxxxx"
#define TITLE "PCP Archive Recording Session - prog|"

static void the_program_that_is_there_gets_its_words(void **state)
{
	(void)state;
	struct pf_dialog_command c;
	assert_int_equal(pf_dialog_command(&c, PF_DIALOG_LOST, "prog", "/tmp/msg", "text", ""), -ENOENT);
	pf_dialog_command_done(&c);
	program("xmessage", true);
	assert_command(PF_DIALOG_LOST, "text", "",
		       "xmessage|-center|-title|" TITLE "-print|-buttons|Yes,No|-default|Yes|text\n|");
	assert_command(PF_DIALOG_QUIT, "text", " -geometry  +10+10 ",
		       "xmessage|-geometry|+10+10|-title|" TITLE "-print|-buttons|Close|text\n|");
	char text[201];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[70] = text[78] = text[120] = ' ';
	assert_command(PF_DIALOG_QUIT, text, "-geometry +1+1",
		       "xmessage|-geometry|+1+1|-title|" TITLE "-print|-buttons|Close|" X10 X10 X10 X10 X10 X10 X10
		       " xxxxxxx\n" X10 X10 X10 X10 "x\n" X10 X10 X10 X10 X10 X10 X10 "xxxxxxxx\nx\n|");
	program("zenity", true);
	assert_command(PF_DIALOG_LOST, "a\\n<b>\nc", "-geometry 300x200+1+1",
		       "zenity|--question|--switch|--no-markup|--no-wrap|--title=" TITLE
		       "--text=a\\\\n<b>\nc\n|--width=300|"
		       "--height=200|--icon-name=dialog-question|--extra-button=No|--extra-button=Yes|");
	assert_command(PF_DIALOG_STATUS, "text", "-geometry +1+1",
		       "zenity|--question|--switch|--no-markup|--no-wrap|--title=" TITLE
		       "--text=text\n|--icon-name=dialog-information|--extra-button=Close|");
	program("pmquery", true);
	assert_command(PF_DIALOG_DETACH, "text", "-geometry +10+10",
		       "pmquery|-print|-geometry|+10+10|-c|-header|" TITLE "-file|/tmp/msg|-icon|info|-b|Close|");
	(void)unsetenv("DISPLAY");
	assert_int_equal(pf_dialog_command(&c, PF_DIALOG_LOST, "prog", "/tmp/msg", "text", ""), -ENOENT);
	pf_dialog_command_done(&c);
	(void)setenv("WAYLAND_DISPLAY", "wayland-0", 1);
	assert_command(PF_DIALOG_LOST, "text", "",
		       "pmquery|-print|-c|-header|" TITLE "-file|/tmp/msg|-icon|question|-B|Yes|-b|No|");
}

static void ones_own_program_comes_first_display_or_not(void **state)
{
	(void)state;
	(void)unsetenv("DISPLAY");
	(void)unsetenv("WAYLAND_DISPLAY");
	(void)setenv("PCP_XCONFIRM_PROG", "/opt/my confirm", 1);
	assert_command(PF_DIALOG_LOST, "text", "-x",
		       "/opt/my|confirm|-x|-c|-header|" TITLE "-file|/tmp/msg|-icon|question|-B|Yes|-b|No|");
	(void)setenv("PCP_XCONFIRM_PROG", " ", 1);
	struct pf_dialog_command c;
	assert_int_equal(pf_dialog_command(&c, PF_DIALOG_LOST, "prog", "/tmp/msg", "text", ""), -ENOENT);
	pf_dialog_command_done(&c);
}

static void too_many_words_are_refused(void **state)
{
	(void)state;
	char options[2 * PF_DIALOG_WORDS + 1];
	(void)setenv("PCP_XCONFIRM_PROG", "prog", 1);
	for (size_t i = 0; i < sizeof(options) - 1; i++)
		options[i] = i % 2 ? ' ' : 'x';
	options[sizeof(options) - 1] = '\0';
	struct pf_dialog_command c;
	assert_int_equal(pf_dialog_command(&c, PF_DIALOG_LOST, "prog", "/tmp/msg", "text", options), -E2BIG);
	pf_dialog_command_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_has_its_text),
		cmocka_unit_test(who_can_replay_is_told_how),
		cmocka_unit_test(times_and_sizes_change_their_units),
		cmocka_unit_test(names_of_others_do_no_harm),
		cmocka_unit_test_setup_teardown(the_program_that_is_there_gets_its_words, make_folder, remove_folder),
		cmocka_unit_test(ones_own_program_comes_first_display_or_not),
		cmocka_unit_test(too_many_words_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
