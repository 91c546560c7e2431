/* tests/unit/test_modules_values.c - names, headings and units that modules make out of what others call their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../modules/feed/values.h"
#include "base/cleanup.h"

static void names_are_legal_and_follow_one_rule(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		bool dotted;
		const char *out;
	} cases[] = {
		{ "node_load1", false, "load1" },
		{ "node_", false, "node_" },
		{ "nodeload", false, "nodeload" },
		{ "go_info", false, "go_info" },
		{ "a:b", false, "a_b" },
		{ "_x", false, "x_x" },
		{ "9x", false, "x9x" },
		{ "node_9x", false, "x9x" },
		{ "a.b", false, "a_b" },
		{ "a.b", true, "a.b" },
		{ ".a..b.", true, "x_a.x_b_" },
		{ "a.9", true, "a.x9" },
		{ "", false, "x" },
		{ "scrape", false, "scrape_" },
		{ "scrape.up", true, "scrape_.up" },
		{ "scrapes", false, "scrapes" },
		{ "\xc3\xa4 b", false, "x___b" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char name[PF_VALUE_NAME_MAX + 1];
		pf_values_name(pf_view_of(cases[i].in), "node", cases[i].dotted, name);
		assert_string_equal(name, cases[i].out);
	}
}

static void long_names_stay_apart(void **state)
{
	(void)state;
	char a[200], b[200], name_a[PF_VALUE_NAME_MAX + 1], name_b[PF_VALUE_NAME_MAX + 1];
	memset(a, 'a', sizeof(a));
	memset(b, 'a', sizeof(b));
	b[199] = 'b';
	for (size_t n = 1; n <= sizeof(a); n++) {
		pf_values_name((struct pf_view){ a, n }, "m", true, name_a);
		assert_in_range(strlen(name_a), 1, PF_VALUE_NAME_MAX);
	}
	pf_values_name((struct pf_view){ b, sizeof(b) }, "m", true, name_b);
	assert_int_equal(strlen(name_a), PF_VALUE_NAME_MAX);
	assert_string_not_equal(name_a, name_b);
	memcpy(a, "scrape.", 7);
	pf_values_name((struct pf_view){ a, 79 }, "m", true, name_a);
	assert_in_range(strlen(name_a), 1, PF_VALUE_NAME_MAX);
	memset(a, '.', sizeof(a));
	pf_values_name((struct pf_view){ a, sizeof(a) }, "m", true, name_a);
	assert_in_range(strlen(name_a), 1, PF_VALUE_NAME_MAX);
	for (const char *p = name_a; *p != '\0'; p++)
		assert_false(p[0] == '.' && (p[1] == '.' || p[1] == '_' || p[1] == '\0'));
}

static void headings_are_the_last_words_that_fit(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "load1", "load1" },
		{ "network_receive_bytes_total", "receive" },
		{ "cpu_seconds_total", "cpu" },
		{ "memory_MemFree_bytes", "MemFree" },
		{ "abcdefghijk", "defghijk" },
		{ "x_abcdefghijk", "defghijk" },
		{ "queue.length", "length" },
		{ "a_b_c_d_e", "b_c_d_e" },
		{ "x", "x" },
		{ "_total", "_total" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char heading[9];
		pf_values_heading(cases[i][0], heading);
		assert_string_equal(heading, cases[i][1]);
	}
}

/* A host that keeps what it is told. */
static struct {
	char names[32][PF_VALUE_NAME_MAX + 1];
	bool instances[32];
	int n;
	int last;
	char instance[256];
	double value;
} told;

static int declare(struct perfolio_ctx *ctx, const struct perfolio_metric *metric)
{
	(void)ctx;
	if (told.n == 32)
		return -E2BIG;
	(void)snprintf(told.names[told.n], sizeof(told.names[0]), "%s", metric->name);
	told.instances[told.n] = metric->domain;
	return told.n++;
}

static void set_double(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, double value)
{
	(void)ctx;
	told.last = (int)metric;
	told.value = value;
	(void)snprintf(told.instance, sizeof(told.instance), "%s", instance ? instance : "(none)");
}

static int set(struct pf_values *v, const char *name, const char *instance, double value)
{
	const char *why = "";
	struct pf_value_in in = { pf_view_of(name), pf_view_of(instance), false, "", PF_VIEW(""), value };
	told.last = -1;
	return pf_values_set(v, &in, &why);
}

static void values_find_their_metric(void **state)
{
	(void)state;
	const struct perfolio_host host = { .size = sizeof(host), .declare = declare, .set_double = set_double };
	struct perfolio_ctx ctx = { .size = sizeof(ctx), .host = &host, .name = "m" };
	struct pf_values v;
	assert_int_equal(pf_values_init(&v, &ctx, "(", 6, true), -EINVAL);
	assert_int_equal(pf_values_init(&v, &ctx, NULL, 6, true), 0);
	assert_int_equal(set(&v, "a", "", 1), 0);
	assert_string_equal(told.names[told.last], "a");
	assert_string_equal(told.instance, "(none)");
	assert_int_equal(set(&v, "a", "i", 2), 0);
	assert_string_equal(told.names[told.last], "a_labels");
	assert_int_equal(set(&v, "a", "", 3), 0);
	assert_string_equal(told.names[told.last], "a");
	assert_int_equal(set(&v, "b", "i", 4), 0);
	assert_int_equal(set(&v, "b", "", 5), 0);
	assert_string_equal(told.names[told.last], "b");
	assert_string_equal(told.instance, "-");
	assert_int_equal(set(&v, "a", "", NAN), 0);
	assert_int_equal(told.last, -1);
	assert_true(set(&v, "a.b", "", 1) < 0); /* below a value */
	assert_true(set(&v, "a.b", "", 1) < 0);
	assert_int_equal(set(&v, "c.d", "", 1), 0);
	assert_true(set(&v, "c", "", 1) < 0);
	assert_true(set(&v, "b:", "", 1) == 0);
	assert_int_equal(set(&v, "g", "", 1), -E2BIG);
	assert_int_equal(set(&v, "b", "i", 4), 0);
	pf_values_done(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_legal_and_follow_one_rule),
		cmocka_unit_test(long_names_stay_apart),
		cmocka_unit_test(headings_are_the_last_words_that_fit),
		cmocka_unit_test(values_find_their_metric),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
