/* sources/pmcdspec: what a person writes for a pmcd, and what the environment adds. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "sources/pmcdspec.h"

static int clear(void **state)
{
	(void)state;
	static const char *const names[] = { "PMCD_PORT",
					     "PMCD_SOCKET",
					     "PCP_RUN_DIR",
					     "PMCD_CONNECT_TIMEOUT",
					     "PMCD_REQUEST_TIMEOUT",
					     "PMCD_RECONNECT_TIMEOUT" };
	for (unsigned i = 0; i < PF_N(names); i++)
		(void)unsetenv(names[i]);
	return 0;
}

static void hosts_ports_and_sockets_are_understood(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *path;
		const char *host;
		const char *ports; /* joined by commas */
	} cases[] = {
		{ "host", "", "host", "44321" },
		{ "host:4321", "", "host", "4321" },
		{ "host:1,2,65535", "", "host", "1,2,65535" },
		{ "pcp://host.example.org:7", "", "host.example.org", "7" },
		{ "pcp://host", "", "host", "44321" },
		{ "[::1]", "", "::1", "44321" },
		{ "[fe80::1%eth0]:9", "", "fe80::1%eth0", "9" },
		{ "local:", "/run/pcp/pmcd.socket", "localhost", "44321" },
		{ "unix:", "/run/pcp/pmcd.socket", "", "" },
		{ "unix:/tmp/s", "/tmp/s", "", "" },
		{ "unix:///tmp/s", "/tmp/s", "", "" },
		{ "local://tmp/s", "/tmp/s", "", "" },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_pmcd_spec s;
		char ports[80] = "";
		assert_int_equal(pf_pmcd_spec_parse(cases[i].text, &s, NULL), 0);
		for (unsigned k = 0; k < s.n_ports; k++) {
			size_t n = strlen(ports);
			(void)snprintf(ports + n, sizeof(ports) - n, "%s%s", k ? "," : "", s.ports[k]);
		}
		assert_string_equal(s.path, cases[i].path);
		assert_string_equal(s.host, cases[i].host);
		assert_string_equal(ports, cases[i].ports);
	}
}

static void what_cannot_be_is_refused_in_a_sentence(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int rc;
		const char *says;
	} cases[] = {
		{ "pcps://host", -ENOTSUP,
		  "pcps://host: encrypted connections to a pmcd are not available; use pcp://host" },
		{ "host@proxy", -ENOTSUP,
		  "host@proxy: a proxy (@) or attributes (?) of a connection to a pmcd are not available" },
		{ "host:", -EINVAL, "host:: no port behind the colon" },
		{ "host:0", -EINVAL, "host:0: '0' is no port, which is a number from 1 to 65535" },
		{ "host:1,x", -EINVAL, "host:1,x: 'x' is no port, which is a number from 1 to 65535" },
		{ "host:1,2,3,4,5,6,7,8,9", -EINVAL, "host:1,2,3,4,5,6,7,8,9: more than 8 ports" },
		{ "", -EINVAL, "'' names no host; it is HOST[:PORT], local: or unix:PATH" },
		{ "a/b", -EINVAL, "'a/b' names no host; it is HOST[:PORT], local: or unix:PATH" },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_pmcd_spec s;
		struct pf_err err = { 0 };
		assert_int_equal(pf_pmcd_spec_parse(cases[i].text, &s, &err), cases[i].rc);
		assert_string_equal(err.text, cases[i].says);
	}
}

static void the_environment_says_what_is_not_said(void **state)
{
	(void)state;
	struct pf_pmcd_spec s;
	assert_int_equal(setenv("PMCD_PORT", "5,6", 1), 0);
	assert_int_equal(setenv("PCP_RUN_DIR", "/elsewhere", 1), 0);
	assert_int_equal(pf_pmcd_spec_parse("host", &s, NULL), 0);
	assert_int_equal(s.n_ports, 2);
	assert_string_equal(s.ports[1], "6");
	assert_int_equal(pf_pmcd_spec_parse("host:7", &s, NULL), 0);
	assert_int_equal(s.n_ports, 1);
	assert_int_equal(pf_pmcd_spec_parse("local:", &s, NULL), 0);
	assert_string_equal(s.path, "/elsewhere/pmcd.socket");
	assert_int_equal(setenv("PMCD_SOCKET", "/a/socket", 1), 0);
	assert_int_equal(pf_pmcd_spec_parse("unix:", &s, NULL), 0);
	assert_string_equal(s.path, "/a/socket");
	assert_int_equal(setenv("PMCD_PORT", "many", 1), 0);
	struct pf_err err = { 0 };
	assert_int_equal(pf_pmcd_spec_parse("host", &s, &err), -EINVAL);
	assert_string_equal(err.text, "PMCD_PORT: 'many' is no port, which is a number from 1 to 65535");
}

static void times_are_those_of_pcp_unless_told(void **state)
{
	(void)state;
	struct pf_pmcd_times t = pf_pmcd_times();
	assert_true(t.connect_ns == 5 * PF_NS_PER_SEC && t.request_ns == 10 * PF_NS_PER_SEC);
	assert_int_equal(t.n_delays, 5);
	assert_true(t.delays_ns[4] / PF_NS_PER_SEC == 80);
	assert_int_equal(setenv("PMCD_REQUEST_TIMEOUT", "0.25", 1), 0);
	assert_int_equal(setenv("PMCD_CONNECT_TIMEOUT", "-1", 1), 0);
	assert_int_equal(setenv("PMCD_RECONNECT_TIMEOUT", "1,2.5", 1), 0);
	t = pf_pmcd_times();
	assert_true(t.request_ns / PF_NS_PER_MS == 250);
	assert_true(t.connect_ns == 5 * PF_NS_PER_SEC);
	assert_int_equal(t.n_delays, 2);
	assert_int_equal(setenv("PMCD_RECONNECT_TIMEOUT", "1,x", 1), 0);
	assert_int_equal(pf_pmcd_times().n_delays, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(hosts_ports_and_sockets_are_understood, clear),
		cmocka_unit_test_setup(what_cannot_be_is_refused_in_a_sentence, clear),
		cmocka_unit_test_setup(the_environment_says_what_is_not_said, clear),
		cmocka_unit_test_setup(times_are_those_of_pcp_unless_told, clear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
