/* record/session and record/logger: names, refusals, the control channel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
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

static void archives_of_one_host_get_letters_and_the_28th_is_refused(void **state)
{
	(void)state;
	char folio[128];
	(void)snprintf(folio, sizeof(folio), "%s/many.folio", folder);
	struct pf_session *s;
	struct pf_err err = { 0 };
	assert_int_equal(pf_session_new(&s, folio, "test", NULL), 0);
	for (unsigned i = 0; i < 27; i++)
		assert_int_equal(pf_session_add(s, "self:", NULL), 0);
	assert_int_equal(pf_session_add(s, "self:", &err), -EEXIST);
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
	assert_int_equal(pf_session_new(&s, folder, "test", &err), -EEXIST);
	assert_non_null(strstr(err.text, "is there already"));
	(void)snprintf(folio, sizeof(folio), "%s/no/x.folio", folder);
	assert_int_equal(pf_session_new(&s, folio, "test", NULL), -ENOENT);

	(void)snprintf(folio, sizeof(folio), "%s/x.folio", folder);
	assert_int_equal(pf_session_new(&s, folio, "test", NULL), 0);
	struct pf_session *second;
	assert_int_equal(pf_session_new(&second, folio, "test", NULL), -EEXIST);
	static const char *const hosts[] = { "", "host:port", "a/b", "[::1]:0" };
	for (unsigned i = 0; i < PF_N(hosts); i++)
		assert_int_equal(pf_session_add(s, hosts[i], NULL), -EINVAL);
	assert_int_equal(pf_session_add(s, "pcps://host", NULL), -ENOTSUP);
	assert_int_equal(pf_session_n_hosts(s), 0);
	(void)pf_session_free(s);
	assert_int_equal(empty_folder(), 0);
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
					     .tell = true,
					     .signals = &none };
	struct pf_err err = { 0 };
	if (pf_logger_run(&spec, &err) < 0)
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
		cmocka_unit_test(the_control_channel_stops_a_logger),
		cmocka_unit_test(a_detached_logger_runs_on),
		cmocka_unit_test(letters_are_checked),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
