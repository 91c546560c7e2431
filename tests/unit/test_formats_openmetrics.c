/* tests/unit/test_formats_openmetrics.c - what exporters give is read as the specifications say, and one bad line spoils only itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/feed/openmetrics.h"

/* Everything that a text gave: "name{instance} value;" in one text, and the bad lines. */
struct got {
	char series[4096];
	size_t n;
	unsigned n_series, n_bad, line;
	char why[200];
	struct pf_om_series last;
	char help[128], unit[64], family[64];
};

static void series(void *arg, const struct pf_om_series *s)
{
	struct got *g = arg;
	struct pf_buf name = { 0 };
	pf_om_instance(s->labels, s->n_labels, 255, &name);
	g->n += (size_t)snprintf(g->series + g->n, sizeof(g->series) - g->n, "%.*s{%s} %g;", (int)s->name.n, s->name.p,
				 name.p, s->value);
	pf_buf_done(&name);
	g->n_series++;
	g->last = *s;
	(void)snprintf(g->help, sizeof(g->help), "%.*s", (int)s->help.n, s->help.p);
	(void)snprintf(g->unit, sizeof(g->unit), "%.*s", (int)s->unit.n, s->unit.p);
	(void)snprintf(g->family, sizeof(g->family), "%.*s", (int)s->family.n, s->family.p);
}

static void bad(void *arg, unsigned line, const char *why)
{
	struct got *g = arg;
	if (g->n_bad++ > 0)
		return;
	g->line = line;
	(void)snprintf(g->why, sizeof(g->why), "%s", why);
}

static struct got read_view(struct pf_view text, bool strict, struct pf_om_limits limits)
{
	struct got g = { 0 };
	const struct pf_om_to to = { series, bad, &g };
	struct pf_om *om = pf_om_new(&limits);
	assert_non_null(om);
	pf_om_text(om, text, strict, &to);
	(void)pf_om_free(om);
	return g;
}

static struct got read_text(const char *text)
{
	return read_view(pf_view_of(text), false, (struct pf_om_limits){ 0 });
}

static void values_have_their_names_labels_and_numbers(void **state)
{
	(void)state;
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "a 1\n", "a{-} 1;" },
		{ "a 1", "a{-} 1;" },
		{ "a\t1e3 \n", "a{-} 1000;" },
		{ "a:b_c9 -2.5\n", "a:b_c9{-} -2.5;" },
		{ "a{} 3\n", "a{-} 3;" },
		{ "a{x=\"1\"} 3 1395066363000\n", "a{x=1} 3;" },
		{ "a{y=\"2\",x=\"1\",} 3\n", "a{y=2,x=1} 3;" },
		{ "a {  y = \"2\" , x=\"1\" }  3\n", "a{y=2,x=1} 3;" },
		{ "a{x=\"q\\\"b\\\\s\\nn\"} 3\n", "a{x=q\"b\\\\s\\nn} 3;" },
		{ "a{x=\"1,2\"} 3\n", "a{x=1\\,2} 3;" },
		{ "a{x=\"\xc3\xa4\xf0\x9f\x98\x80\"} 3\n", "a{x=\xc3\xa4\xf0\x9f\x98\x80} 3;" },
		{ "a +Inf\nb -inf\nc NaN\n", "a{-} inf;b{-} -inf;c{-} nan;" },
		{ "a 1\r\nb 2\r\n", "a{-} 1;b{-} 2;" },
		{ "\n# a comment\n#\n   \n#TYPES\na 1\n", "a{-} 1;" },
		{ "a{x=\"}\"} 1\n", "a{x=}} 1;" },
		{ "a 1 # {id=\"5\"} 0.5 1.5\n# EOF\n", "a{-} 1;" },
		{ "a 1 2 # {} 0.5\n# EOF", "a{-} 1;" },
		{ "", "" },
		{ "# EOF\n", "" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct got g = read_text(cases[i].in);
		if (g.n_bad > 0)
			print_error("%s: %s\n", cases[i].in, g.why);
		assert_int_equal(g.n_bad, 0);
		assert_string_equal(g.series, cases[i].out);
	}
}

static void a_bad_line_spoils_only_itself(void **state)
{
	(void)state;
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "9a 1", "no name" },
		{ "a", "no blank" },
		{ "a ", "no value" },
		{ "a-b 1", "no blank" },
		{ "a{x=\"1\"}", "no value" },
		{ "a x", "no number: 'x'" },
		{ "a 0x10", "no number" },
		{ "a 1_000", "no number" },
		{ "a 1,5", "no number" },
		{ "a 1e999", "no number" },
		{ "a infinit", "no number" },
		{ "a 1 x", "a time that is no number" },
		{ "a 1 NaN", "a time that is no number" },
		{ "a 1 2 3", "something behind" },
		{ "a{x=1} 1", "without quotes" },
		{ "a{x=\"1} 1", "closing quote" },
		{ "a{x=\"\\t\"} 1", "escapes nothing" },
		{ "a{x=\"\\", "escapes nothing" },
		{ "a{x} 1", "NAME=\"VALUE\"" },
		{ "a{1x=\"\"} 1", "NAME=\"VALUE\"" },
		{ "a{x:y=\"\"} 1", "NAME=\"VALUE\"" },
		{ "a{x=\"1\" y=\"2\"} 1", "comma" },
		{ "a{x=\"1\"", "comma" },
		{ "a{,} 1", "NAME=\"VALUE\"" },
		{ "a{x=\"1\",x=\"2\"} 1", "twice: 'x'" },
		{ "a{x=\"\xff\"} 1", "UTF-8" },
		{ "a{x=\"\xc0\xaf\"} 1", "UTF-8" },
		{ "a{x=\"\xed\xa0\x80\"} 1", "UTF-8" },
		{ "# TYPE a nonsense", "no type 'nonsense'" },
		{ "# TYPE a", "no type" },
		{ "# TYPE 9 gauge", "no name" },
		{ "# HELP", "no name" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char text[256];
		(void)snprintf(text, sizeof(text), "before 1\n%s\nafter 2\n", cases[i].line);
		struct got g = read_text(text);
		if (g.n_bad != 1 || !strstr(g.why, cases[i].why))
			print_error("%s: %u bad, %s\n", cases[i].line, g.n_bad, g.why);
		assert_int_equal(g.n_bad, 1);
		assert_int_equal(g.line, 2);
		assert_non_null(strstr(g.why, cases[i].why));
		assert_string_equal(g.series, "before{-} 1;after{-} 2;");
	}
	struct got g = read_view(PF_VIEW("a 1\nb\0c 2\nd 3\n"), false, (struct pf_om_limits){ 0 });
	assert_int_equal(g.n_bad, 1);
	assert_string_equal(g.series, "a{-} 1;d{-} 3;");
}

static void a_series_counts_once(void **state)
{
	(void)state;
	struct got g =
		read_text("a 1\na 2\na{x=\"1\",y=\"2\"} 3\na{y=\"2\",x=\"1\"} 4\na{x=\"1\",y=\"3\"} 5\na{x=\"\"} 6\n");
	assert_string_equal(g.series, "a{-} 1;a{x=1,y=2} 3;a{x=1,y=3} 5;");
	assert_int_equal(g.n_bad, 3);
	assert_non_null(strstr(g.why, "there before: 'a'"));

	/* In the next text all are new. */
	struct got two = { 0 };
	const struct pf_om_to to = { series, bad, &two };
	struct pf_om *om = pf_om_new(&(struct pf_om_limits){ 0 });
	for (int i = 0; i < 3; i++)
		pf_om_text(om, PF_VIEW("# TYPE a counter\na_total 1\na_total{x=\"1\"} 1\n"), false, &to);
	(void)pf_om_free(om);
	assert_int_equal(two.n_series, 6);
	assert_int_equal(two.n_bad, 0);
}

static void types_say_what_a_series_is(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum pf_om_type type;
		bool counter, created, counts;
		const char *family;
	} cases[] = {
		{ "# TYPE a counter\na_total 1\n", PF_OM_COUNTER, true, false, false, "a" },
		{ "# TYPE a_total counter\na_total 1\n", PF_OM_COUNTER, true, false, false, "a_total" },
		{ "# TYPE a counter\na_created 1\n", PF_OM_COUNTER, false, true, false, "a" },
		{ "# TYPE a gauge\na 1\n", PF_OM_GAUGE, false, false, false, "a" },
		{ "# TYPE a untyped\na 1\n", PF_OM_UNKNOWN, false, false, false, "a" },
		{ "a 1\n", PF_OM_UNKNOWN, false, false, false, "a" },
		{ "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\n", PF_OM_HISTOGRAM, true, false, true, "a" },
		{ "# TYPE a histogram\na_sum -1\n", PF_OM_HISTOGRAM, true, false, false, "a" },
		{ "# TYPE a histogram\na_count 1\n", PF_OM_HISTOGRAM, true, false, true, "a" },
		{ "# TYPE a gaugehistogram\na_bucket{le=\"1\"} 1\n# EOF\n", PF_OM_GAUGEHISTOGRAM, false, false, true,
		  "a" },
		{ "# TYPE a gaugehistogram\na_gcount 1\n# EOF\n", PF_OM_GAUGEHISTOGRAM, false, false, true, "a" },
		{ "# TYPE a summary\na{quantile=\"0.5\"} 1\n", PF_OM_SUMMARY, false, false, false, "a" },
		{ "# TYPE a summary\na_count 1\n", PF_OM_SUMMARY, true, false, true, "a" },
		{ "# TYPE a info\na_info{v=\"1\"} 1\n# EOF\n", PF_OM_INFO, false, false, false, "a" },
		{ "# TYPE a stateset\na{a=\"on\"} 1\n# EOF\n", PF_OM_STATESET, false, false, false, "a" },
		{ "# TYPE a summary\n# TYPE a_count gauge\na_count 1\n", PF_OM_GAUGE, false, false, false, "a_count" },
		{ "# TYPE a summary\nb_count 1\n", PF_OM_UNKNOWN, false, false, false, "b_count" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct got g = read_text(cases[i].text);
		if (g.n_bad > 0)
			print_error("%s: %s\n", cases[i].text, g.why);
		assert_int_equal(g.n_bad, 0);
		assert_int_equal(g.n_series, 1);
		assert_int_equal(g.last.type, cases[i].type);
		assert_int_equal(g.last.counter, cases[i].counter);
		assert_int_equal(g.last.created, cases[i].created);
		assert_int_equal(g.last.counts, cases[i].counts);
		assert_string_equal(g.family, cases[i].family);
	}
}

static void types_refuse_what_they_cannot_have(void **state)
{
	(void)state;
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "# TYPE a histogram\na 1\n", "name its type does not have: 'a'" },
		{ "# TYPE a histogram\na_bucket 1\n", "without the label le" },
		{ "# TYPE a histogram\na_bucket{le=\"x\"} 1\n", "a bound that is no number: 'x'" },
		{ "# TYPE a histogram\na_bucket{le=\"NaN\"} 1\n", "a bound that is no number" },
		{ "# TYPE a histogram\na_count -1\n", "below zero" },
		{ "# TYPE a summary\na 1\n", "without the label quantile" },
		{ "# TYPE a summary\na{quantile=\"2\"} 1\n", "not from 0 to 1" },
		{ "# TYPE a counter\na_total -1\n", "below zero" },
		{ "# TYPE a info\na_info 2\n# EOF\n", "not 1" },
		{ "# TYPE a info\na 1\n# EOF\n", "does not have" },
		{ "# TYPE a stateset\na{b=\"on\"} 1\n# EOF\n", "label of its name" },
		{ "# TYPE a stateset\na{a=\"on\"} 2\n# EOF\n", "neither 0 nor 1" },
		{ "# TYPE a gauge\n# TYPE a gauge\n", "second TYPE for 'a'" },
		{ "# HELP a x\n# HELP a x\n", "second HELP" },
		{ "# UNIT a_s s\n# UNIT a_s s\n# EOF\n", "second UNIT" },
		{ "# UNIT a seconds\n# EOF\n", "not the end of the name" },
		{ "# UNIT seconds seconds\n# EOF\n", "not the end of the name" },
		{ "a_x 1\n# TYPE a_x gauge\n", "behind values of 'a_x'" },
		{ "# EOF\na 1\n", "behind # EOF" },
		{ "# EOF\n# EOF\n", "behind # EOF" },
		{ "# TYPE a unknown\n", "cut off" },
		{ "# TYPE a info\n", "cut off" },
		{ "a 1 # x\n# EOF\n", "exemplar without labels" },
		{ "a 1 # {x=\"1\"}\n# EOF\n", "exemplar without a value" },
		{ "a 1 # {x=\"1\"} 1 x\n# EOF\n", "exemplar with a time" },
		{ "a 1 # {x=\"1\"} 1 2 3\n# EOF\n", "behind an exemplar" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct got g = read_text(cases[i].text);
		if (g.n_bad != 1 || !strstr(g.why, cases[i].why))
			print_error("%s: %u bad, %s\n", cases[i].text, g.n_bad, g.why);
		assert_int_equal(g.n_bad, 1);
		assert_non_null(strstr(g.why, cases[i].why));
		assert_int_equal(g.n_series, strncmp(cases[i].text, "a_x 1", 5) == 0);
	}
}

static void only_openmetrics_must_end(void **state)
{
	(void)state;
	assert_int_equal(read_text("a 1\n").n_bad, 0);
	struct got g = read_view(PF_VIEW("a 1\n"), true, (struct pf_om_limits){ 0 });
	assert_int_equal(g.n_bad, 1);
	assert_int_equal(g.n_series, 1);
	assert_int_equal(read_view(PF_VIEW("a 1\n# EOF\n"), true, (struct pf_om_limits){ 0 }).n_bad, 0);
}

static void help_and_unit_come_with_the_series(void **state)
{
	(void)state;
	struct got g =
		read_text("# HELP a_seconds one\\ntwo \\\\ \\x\n# TYPE a_seconds counter\n# UNIT a_seconds seconds\n"
			  "a_seconds_total 1\n# EOF\n");
	assert_int_equal(g.n_bad, 0);
	assert_string_equal(g.help, "one\ntwo \\ \\x");
	assert_string_equal(g.unit, "seconds");
}

static void what_a_text_may_have_is_limited(void **state)
{
	(void)state;
	struct got g =
		read_view(PF_VIEW("a 1\nb 1\nc 1\na{x=\"1\"} 1\n"), false, (struct pf_om_limits){ .families = 2 });
	assert_int_equal(g.n_series, 3);
	assert_non_null(strstr(g.why, "more families than allowed, at 'c'"));
	g = read_view(PF_VIEW("a 1\nb 1\nc 1\n"), false, (struct pf_om_limits){ .series = 2 });
	assert_int_equal(g.n_series, 2);
	assert_non_null(strstr(g.why, "more series than allowed, at 'c'"));
	g = read_view(PF_VIEW("aaaaaaaaaaaaaaa 1\nb 1\n"), false, (struct pf_om_limits){ .line = 12 });
	assert_int_equal(g.n_series, 1);
	assert_non_null(strstr(g.why, "more than 11 bytes"));

	/* Families that are gone make room. */
	struct got all = { 0 };
	const struct pf_om_to to = { series, bad, &all };
	struct pf_om *om = pf_om_new(&(struct pf_om_limits){ .families = 2 });
	for (int i = 0; i < 50; i++) {
		char text[64];
		int n = snprintf(text, sizeof(text), "a%d 1\nb%d 1\n", i, i);
		pf_om_text(om, (struct pf_view){ text, (size_t)n }, false, &to);
	}
	(void)pf_om_free(om);
	assert_int_equal(all.n_bad, 0);
	assert_int_equal(all.n_series, 100);
}

static void many_labels_are_refused(void **state)
{
	(void)state;
	char text[2048] = "a{";
	for (int i = 0; i < 65; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "l%d=\"\",", i);
	(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "} 1\n");
	struct got g = read_text(text);
	assert_int_equal(g.n_series, 0);
	assert_non_null(strstr(g.why, "64 labels"));
}

static void long_instances_stay_apart(void **state)
{
	(void)state;
	char long_a[400], long_b[400];
	memset(long_a, 'x', sizeof(long_a));
	memset(long_b, 'x', sizeof(long_b));
	long_b[399] = 'y';
	const struct pf_om_label a = { PF_VIEW("l"), { long_a, 400 } }, b = { PF_VIEW("l"), { long_b, 400 } };
	struct pf_buf name_a = { 0 }, name_b = { 0 };
	pf_om_instance(&a, 1, 255, &name_a);
	pf_om_instance(&b, 1, 255, &name_b);
	assert_int_equal(name_a.n, 255);
	assert_int_equal(name_b.n, 255);
	assert_memory_equal(name_a.p, name_b.p, 238);
	assert_string_not_equal(name_a.p, name_b.p);

	/* A character is not cut in two. */
	for (int i = 0; i < 400; i += 2)
		memcpy(long_a + i, "\xc3\xa4", 2);
	pf_om_instance(&a, 1, 255, &name_a);
	assert_true(name_a.p[name_a.n - 17] == '~');
	assert_int_equal((unsigned char)name_a.p[name_a.n - 18], 0xa4);
	pf_buf_done(&name_a);
	pf_buf_done(&name_b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_their_names_labels_and_numbers),
		cmocka_unit_test(a_bad_line_spoils_only_itself),
		cmocka_unit_test(a_series_counts_once),
		cmocka_unit_test(types_say_what_a_series_is),
		cmocka_unit_test(types_refuse_what_they_cannot_have),
		cmocka_unit_test(only_openmetrics_must_end),
		cmocka_unit_test(help_and_unit_come_with_the_series),
		cmocka_unit_test(what_a_text_may_have_is_limited),
		cmocka_unit_test(many_labels_are_refused),
		cmocka_unit_test(long_instances_stay_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
