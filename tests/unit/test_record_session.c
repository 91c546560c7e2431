/* record/session and record/logger: names, refusals, the control channel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "engine/stop.h"
#include "formats/pcp/reader.h"
#include "record/logger.h"
#include "record/session.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-session-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

/* Return: how many files there were. */
static unsigned empty_folder(void)
{
	unsigned n = 0;
	DIR *dir = opendir(folder);
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		if (e->d_name[0] == '.')
			continue;
		(void)unlinkat(dirfd(dir), e->d_name, 0);
		n++;
	}
	if (dir)
		(void)closedir(dir);
	return n;
}

static int remove_folder(void **state)
{
	(void)state;
	(void)empty_folder();
	return rmdir(folder);
}

static int new_session(struct pf_session **ret_session, const char *folio, struct pf_err *err)
{
	const struct pf_session_spec spec = { .folio = folio, .creator = "test", .form = PF_SESSION_LOG };
	return pf_session_new(ret_session, &spec, err);
}

static void archives_of_one_host_get_letters_and_the_28th_is_refused(void **state)
{
	(void)state;
	char folio[128];
	(void)snprintf(folio, sizeof(folio), "%s/many.folio", folder);
	struct pf_session *s;
	struct pf_err err = { 0 };
	assert_int_equal(new_session(&s, folio, NULL), 0);
	for (unsigned i = 0; i < 27; i++)
		assert_int_equal(pf_session_add(s, "self:", false, NULL), 0);
	assert_int_equal(pf_session_add(s, "self:", false, &err), -EEXIST);
	assert_non_null(strstr(err.text, "too many times"));

	/* DIR/XXXXXX.HOST, DIR/XXXXXXa.HOST ... DIR/XXXXXXz.HOST */
	size_t unique = strlen(folder) + 1 + 6;
	const char *first = pf_session_host(s, 0)->base;
	for (unsigned i = 0; i < pf_session_n_hosts(s); i++) {
		const struct pf_session_host *h = pf_session_host(s, i);
		assert_memory_equal(h->base, first, unique);
		const char *rest = h->base + unique;
		if (i > 0)
			assert_int_equal(*rest++, 'a' + (int)i - 1);
		assert_int_equal(*rest, '.');
		assert_string_equal(rest + 1, h->host);
	}
	(void)pf_session_free(s);
	assert_int_equal(empty_folder(), 0); /* no archive came to be: the folio is gone, the unique name is free */
}

static void a_session_refuses_what_is_there_or_cannot_be(void **state)
{
	(void)state;
	char folio[128];
	struct pf_session *s;
	struct pf_err err = { 0 };
	assert_int_equal(new_session(&s, folder, &err), -EEXIST);
	assert_non_null(strstr(err.text, "is there already"));
	(void)snprintf(folio, sizeof(folio), "%s/no/x.folio", folder);
	assert_int_equal(new_session(&s, folio, NULL), -ENOENT);

	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	assert_int_equal(new_session(&s, folio, NULL), 0);
	struct pf_session *second;
	assert_int_equal(new_session(&second, folio, NULL), -EEXIST);
	static const char *const hosts[] = { "", "host:port", "a/b", "[::1]:0" };
	for (unsigned i = 0; i < PF_N(hosts); i++)
		assert_int_equal(pf_session_add(s, hosts[i], false, NULL), -EINVAL);
	assert_int_equal(pf_session_add(s, "pcps://host", false, NULL), -ENOTSUP);
	assert_int_equal(pf_session_n_hosts(s), 0);
	(void)pf_session_free(s);
	assert_int_equal(empty_folder(), 0);
}

static bool is_there(const char *name)
{
	char path[192];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return access(path, F_OK) == 0;
}

/* What the file @name has, cut at @size. */
static const char *text_of(const char *name, char *text, size_t size)
{
	char path[192];
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;
	text[n] = '\0';
	if (f)
		(void)fclose(f);
	return text;
}

static void make_program(const char *text, char *path, size_t size)
{
	(void)snprintf(path, size, "%s/program", folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

static void wait_until_all_ended(struct pf_session *s)
{
	for (unsigned i = 0; i < pf_session_n_hosts(s); i++) {
		struct pollfd end = { .fd = pf_session_host(s, i)->fd, .events = POLLIN };
		while (pf_session_host(s, i)->status == -1) {
			if (end.fd >= 0)
				(void)poll(&end, 1, 100);
			(void)pf_session_reap(s);
		}
	}
}

static void calls_in_another_order_are_refused(void **state)
{
	(void)state;
	char folio[128];
	struct pf_session *s;
	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	assert_int_equal(new_session(&s, folio, NULL), 0);
	assert_int_equal(pf_session_phase(s), PF_SESSION_BEGIN);
	assert_int_equal(pf_session_arg(s, PF_SESSION_ALL, "-v", NULL), -EINVAL);
	assert_int_equal(pf_session_start(s, "/bin/false", NULL), -EINVAL);
	assert_int_equal(pf_session_ask(s, PF_SESSION_ALL, PF_SESSION_STOP, NULL), -EINVAL);
	assert_int_equal(pf_session_add(s, "self:", true, NULL), 0);
	assert_int_equal(pf_session_phase(s), PF_SESSION_HOSTS);
	assert_int_equal(pf_session_add(s, "self:", true, NULL), -EINVAL);
	assert_int_equal(pf_session_ask(s, 0, PF_SESSION_STATUS, NULL), -EINVAL);
	assert_int_equal(pf_session_arg(s, 1, "-v", NULL), -EINVAL);
	assert_int_equal(pf_session_start(s, "/bin/false", NULL), 0);
	assert_int_equal(pf_session_phase(s), PF_SESSION_ON);
	assert_int_equal(pf_session_start(s, "/bin/false", NULL), -EINVAL);
	assert_int_equal(pf_session_add(s, "self:", false, NULL), -EINVAL);
	assert_int_equal(pf_session_arg(s, 0, "-v", NULL), -EINVAL);
	wait_until_all_ended(s);
	assert_int_equal(pf_session_host(s, 0)->status, 0x100);
	assert_int_equal(pf_session_phase(s), PF_SESSION_ON);
	assert_int_equal(pf_session_ask(s, 0, PF_SESSION_STATUS, NULL), -EPIPE);
	assert_int_equal(pf_session_ask(s, 0, PF_SESSION_STOP, NULL), -EPIPE);
	assert_int_equal(pf_session_phase(s), PF_SESSION_OFF);
	assert_int_equal(pf_session_ask(s, 0, PF_SESSION_STOP, NULL), -EINVAL);
	(void)pf_session_free(s);
	assert_int_equal(empty_folder(), 0);
}

static void a_start_that_fails_leaves_nothing(void **state)
{
	(void)state;
	char folio[128];
	struct pf_session *s;
	struct pf_err err = { 0 };
	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	assert_int_equal(new_session(&s, folio, NULL), 0);
	assert_int_equal(pf_session_add(s, "self:", false, NULL), 0);
	assert_int_equal(pf_session_start(s, "/no/such/program", &err), -ENOENT);
	assert_non_null(strstr(err.text, "cannot start its logger"));
	assert_int_equal(pf_session_phase(s), PF_SESSION_OFF);
	assert_int_equal(pf_session_host(s, 0)->fd, -1);
	(void)pf_session_free(s);
	assert_int_equal(empty_folder(), 0);
}

/* The second configuration cannot be written: nothing was launched, and no file is left. */
static void a_configuration_that_cannot_be_written_stops_the_start(void **state)
{
	(void)state;
	char folio[128];
	struct pf_session *s;
	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	const struct pf_session_spec spec = { .folio = folio, .creator = "test", .form = PF_SESSION_PMLOGGER };
	assert_int_equal(pf_session_new(&s, &spec, NULL), 0);
	assert_int_equal(pf_session_add(s, "a", false, NULL), 0);
	assert_int_equal(pf_session_add(s, "b", false, NULL), 0);
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(full >= 0);
	assert_true(dup2(full, fileno(pf_session_host(s, 1)->config)) >= 0);
	(void)close(full);
	assert_true(fputs("log mandatory on 1 sec { kernel.all.load }\n", pf_session_host(s, 1)->config) >= 0);
	assert_int_equal(pf_session_start(s, "/bin/true", NULL), -ENOSPC);
	assert_int_equal(pf_session_host(s, 0)->pid, 0);
	assert_null(pf_session_host(s, 0)->config);
	assert_int_equal(empty_folder(), 0);
	(void)pf_session_free(s);
}

static void a_pmlogger_gets_the_words_and_lines_that_pcp_gives_it(void **state)
{
	(void)state;
	char folio[128], program[128], want[512], text[512], name[64];
	make_program("#!/bin/sh\necho \"$*\" >&2; pwd >\"${0%/*}/cwd\"\nhead -n 5 <&3 >\"$8.lines\"\n", program,
		     sizeof(program));
	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	const struct pf_session_spec spec = {
		.folio = folio, .creator = "m\ne", .form = PF_SESSION_PMLOGGER, .replay = true
	};
	struct pf_session *s;
	assert_int_equal(pf_session_new(&s, &spec, NULL), 0);
	assert_true(fputs("again\n", pf_session_replay(s)) >= 0);
	assert_int_equal(pf_session_add(s, "b", false, NULL), 0);
	assert_int_equal(pf_session_add(s, "a", true, NULL), 0);
	assert_int_equal(pf_session_add(s, "x/y", false, NULL), -ENOENT);
	char unique[8];
	(void)snprintf(unique, sizeof(unique), "%s", pf_session_unique(s));
	assert_int_equal(fprintf(pf_session_host(s, 0)->config, "what\n"), 5);
	int keep = dup(STDERR_FILENO);
	(void)snprintf(text, sizeof(text), "%s/words", folder);
	int words = open(text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	assert_true(keep >= 0 && words >= 0 && dup2(words, STDERR_FILENO) >= 0);
	int rc = pf_session_start(s, program, NULL);
	(void)dup2(keep, STDERR_FILENO);
	(void)close(keep);
	(void)close(words);
	assert_int_equal(rc, 0);
	assert_null(pf_session_replay(s));
	assert_int_equal(pf_session_ask(s, 0, PF_SESSION_STATUS, "-geometry\n+1+1"), 0); /* not two lines */
	assert_int_equal(pf_session_ask(s, 1, PF_SESSION_DETACH, NULL), 0);
	assert_int_equal(pf_session_ask(s, 1, PF_SESSION_STATUS, NULL), -EINVAL);
	assert_int_equal(pf_session_host(s, 1)->fd, -1);
	wait_until_all_ended(s);
	assert_int_equal(pf_session_host(s, 0)->status, 0);
	assert_int_equal(pf_session_host(s, 0)->fd, -1);

	(void)snprintf(want, sizeof(want), "-x 3 -h b -l %s.b.log -c %s.b.config %s.b\n", unique, unique, unique);
	assert_non_null(strstr(text_of("words", text, sizeof(text)), want));
	(void)snprintf(want, sizeof(want), "%s\n", folder);
	assert_string_equal(text_of("cwd", text, sizeof(text)), want);
	(void)snprintf(want, sizeof(want), "V0\nF%s\nPm e\nR\n?-geometry +1+1\n", folio);
	(void)snprintf(name, sizeof(name), "%s.b.config.lines", unique);
	assert_string_equal(text_of(name, text, sizeof(text)), want);
	(void)snprintf(want, sizeof(want), "V0\nF%s\nPm e\nR\nD\n", folio);
	(void)snprintf(name, sizeof(name), "%s.a.config.lines", unique);
	assert_string_equal(text_of(name, text, sizeof(text)), want);
	(void)snprintf(name, sizeof(name), "%s.b.config", unique);
	assert_string_equal(text_of(name, text, sizeof(text)), "what\n");
	assert_string_equal(text_of(unique, text, sizeof(text)), "again\n");
	(void)snprintf(want, sizeof(want),
		       "Creator: m e %s\n#               Host                    Basename\n#\n"
		       "Archive:        a                       %s.a\nArchive:        b                       %s.b\n",
		       unique, unique, unique);
	assert_non_null(strstr(text_of("x.folio", text, sizeof(text)), want));
	(void)pf_session_free(s);
	assert_true(is_there("x.folio"));
	assert_true(is_there(unique));
	(void)empty_folder();
}

/* Run a logger that finds @text on its control channel, whose other end is closed behind it if @closed. Return: samples in its archive. */
static unsigned run_logger(const char *text, bool closed, int64_t count, char *told, size_t size)
{
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/log", folder);
	int pair[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(write(pair[0], text, strlen(text)), (ssize_t)strlen(text));
	if (closed)
		assert_int_equal(shutdown(pair[0], SHUT_WR), 0);
	struct pf_stop none = { .fd = -1 };
	const struct pf_logger_spec spec = { .host = "self:",
					     .path = path,
					     .letters = "c",
					     .interval_ns = INT64_C(5000000),
					     .count = count,
					     .control_fd = pair[1],
					     .with_pid_fd = -1,
					     .tell = true,
					     .signals = &none };
	struct pf_err err = { 0 };
	if (pf_logger_run(&spec, NULL, &err) < 0)
		fail_msg("%s", err.text);
	ssize_t n = recv(pair[0], told, size - 1, MSG_DONTWAIT);
	told[n > 0 ? n : 0] = '\0';
	(void)close(pair[0]);
	(void)close(pair[1]);

	struct pf_pcp_reader *r;
	struct pf_pcp_result result;
	unsigned samples = 0;
	assert_int_equal(pf_pcp_reader_open(&r, path, NULL, NULL), 0);
	while (pf_pcp_reader_next(r, &result, NULL) == 1)
		samples++;
	(void)pf_pcp_reader_close(r);
	assert_int_equal(empty_folder(), 3);
	return samples;
}

static void the_control_channel_stops_a_logger(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool closed;
	} cases[] = {
		{ "V0\nFrun.folio\nPtest\nR\nQ\n", false }, /* told to */
		{ "V0\n?\n", true },			    /* the launcher is gone */
		{ "Vwhat", true },			    /* in the middle of a line */
		{ "V0\nnonsense\n", false },		    /* something else speaks there */
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		char told[128];
		unsigned samples = run_logger(cases[i].text, cases[i].closed, -1, told, sizeof(told));
		assert_true(samples >= 1);
		char want[64];
		(void)snprintf(want, sizeof(want), "R\nE %u ", samples);
		assert_int_equal(strncmp(told, want, strlen(want)), 0);
	}
}

static void a_logger_tells_numbers_when_asked(void **state)
{
	(void)state;
	char told[128];
	(void)run_logger("V0\nS\nQ\n", false, -1, told, sizeof(told));
	assert_int_equal(strncmp(told, "R\nS 1 ", 6), 0);
	assert_non_null(strstr(told, "\nE "));
}

static void a_detached_logger_runs_on(void **state)
{
	(void)state;
	char told[128];
	assert_int_equal(run_logger("V0\nD\n", true, 5, told, sizeof(told)), 6);
}

static void letters_are_checked(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	assert_int_equal(pf_logger_letters("cdnm", NULL), 0);
	assert_int_equal(pf_logger_letters("CD", NULL), 0);
	assert_int_equal(pf_logger_letters("c~", &err), -EINVAL);
	assert_non_null(strstr(err.text, "'~'"));
	assert_non_null(strstr(err.text, "d disk"));
	assert_int_equal(pf_logger_letters("", NULL), -EINVAL);
	assert_int_equal(pf_logger_letters("\033", &err), -EINVAL);
	assert_null(strchr(err.text, '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(archives_of_one_host_get_letters_and_the_28th_is_refused),
		cmocka_unit_test(a_session_refuses_what_is_there_or_cannot_be),
		cmocka_unit_test(calls_in_another_order_are_refused),
		cmocka_unit_test(a_start_that_fails_leaves_nothing),
		cmocka_unit_test(a_configuration_that_cannot_be_written_stops_the_start),
		cmocka_unit_test(a_pmlogger_gets_the_words_and_lines_that_pcp_gives_it),
		cmocka_unit_test(the_control_channel_stops_a_logger),
		cmocka_unit_test(a_logger_tells_numbers_when_asked),
		cmocka_unit_test(a_detached_logger_runs_on),
		cmocka_unit_test(letters_are_checked),
	};
	static const char *const shows[] = { "DISPLAY", "WAYLAND_DISPLAY", "PCP_XCONFIRM_PROG" };
	for (unsigned i = 0; i < PF_N(shows); i++)
		(void)unsetenv(shows[i]); /* nobody is asked whether a logger may end */
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
