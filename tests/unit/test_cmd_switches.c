/* The parser of command lines: bundles, abbreviations and the words of the peer's parser. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "cmd/switches.h"

struct target {
	const char *subsys, *options, *format;
	int64_t count;
	bool has_count, plot, verbose, nohup;
};

#define AT(m) offsetof(struct target, m)

static const struct pf_switch table[] = {
	{ "subsys|s", PF_SWITCH_TEXT, AT(subsys), 0, false, false },
	{ "options|o", PF_SWITCH_TEXT, AT(options), 0, false, false },
	{ "count|c", PF_SWITCH_NUMBER, AT(count), AT(has_count), false, false },
	{ "plot|P", PF_SWITCH_FLAG, AT(plot), 0, false, false },
	{ "verbose", PF_SWITCH_FLAG, AT(verbose), 0, false, false },
	{ "version|v", PF_SWITCH_FLAG, AT(verbose), 0, false, false },
	{ "nohup", PF_SWITCH_FLAG, AT(nohup), 0, false, false },
	{ "oformat", PF_SWITCH_TEXT, AT(format), 0, false, true },
	{ "export", PF_SWITCH_TEXT, 0, 0, true, false },
	{ 0 },
};

enum { WORDS = 8 };

static int parse(const char *const words[WORDS], bool peer, struct target *t, const char **operands, struct pf_err *err)
{
	char copy[WORDS + 1][40];
	char *argv[WORDS + 2] = { copy[0] };
	int argc = 1;
	copy[0][0] = '\0';
	for (int i = 0; i < WORDS && words[i]; i++) {
		(void)strncpy(copy[argc], words[i], sizeof(copy[0]) - 1);
		copy[argc][sizeof(copy[0]) - 1] = '\0';
		argv[argc] = copy[argc];
		argc++;
	}
	*t = (struct target){ 0 };
	static char kept[WORDS + 1][40]; /* texts outlive this function's copies */
	memcpy(kept, copy, sizeof(kept));
	for (int i = 0; i < argc; i++)
		argv[i] = kept[i];
	return pf_switches_parse(argc, argv, table, peer, t, operands, err);
}

static void switches_are_bundled_and_abbreviated(void **state)
{
	(void)state;
	static const struct {
		const char *words[WORDS];
		struct target want;
	} cases[] = {
		{ { "-scd" }, { .subsys = "cd" } },
		{ { "-s", "cd" }, { .subsys = "cd" } },
		{ { "-s=cd" }, { .subsys = "cd" } },
		{ { "--subsys=cd" }, { .subsys = "cd" } },
		{ { "--sub", "cd" }, { .subsys = "cd" } },
		{ { "--s", "cd" }, { .subsys = "cd" } },
		{ { "-s", "-all" }, { .subsys = "-all" } },
		{ { "-Pc3" }, { .plot = true, .count = 3, .has_count = true } },
		{ { "-c", "-3" }, { .count = -3, .has_count = true } },
		{ { "--nohup" }, { .nohup = true } },
		{ { "-P", "--noplot" }, { .plot = false } },
		{ { "-P", "--no-plot" }, { .plot = false } },
		{ { "-oTm", "-P" }, { .options = "Tm", .plot = true } },
		{ { "--o", "T" }, { .options = "T" } },
		{ { "--oformat", "json" }, { .format = "json" } },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct target t;
		const char *operands[WORDS + 2];
		assert_int_equal(parse(cases[i].words, true, &t, operands, NULL), 0);
		const struct target *w = &cases[i].want;
		assert_string_equal(t.subsys ? t.subsys : "-", w->subsys ? w->subsys : "-");
		assert_string_equal(t.options ? t.options : "-", w->options ? w->options : "-");
		assert_string_equal(t.format ? t.format : "-", w->format ? w->format : "-");
		assert_int_equal(t.count, w->count);
		assert_int_equal(t.has_count, w->has_count);
		assert_int_equal(t.plot, w->plot);
		assert_int_equal(t.nohup, w->nohup);
		assert_null(operands[0]);
	}
}

static void errors_are_said_as_the_peer_says_them(void **state)
{
	(void)state;
	static const struct {
		const char *words[WORDS];
		int rc;
		const char *text;
	} cases[] = {
		{ { "--bogus" }, -EINVAL, "Unknown option: bogus" },
		{ { "-Q" }, -EINVAL, "Unknown option: Q" },
		{ { "-PQ" }, -EINVAL, "Unknown option: Q" },
		{ { "-cx" }, -EINVAL, "Value \"x\" invalid for option c (number expected)" },
		{ { "-c", "1.5" }, -EINVAL, "Value \"1.5\" invalid for option c (number expected)" },
		{ { "-c" }, -EINVAL, "Option c requires an argument" },
		{ { "--ver" }, -EINVAL, "Option ver is ambiguous (verbose, version)" },
		{ { "--plot=1" }, -EINVAL, "Option plot does not take an argument" },
		{ { "--export" }, -ENOTSUP, "--export is not available in this version" },
		{ { "--exp", "lexpr" }, -ENOTSUP, "--exp is not available in this version" },
		{ { "--oform", "json" }, -EINVAL, "Unknown option: oform" },
		{ { "--"
		    "-" },
		  -EINVAL,
		  "Unknown option: -" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct target t;
		struct pf_err err = { 0 };
		const char *operands[WORDS + 2];
		assert_int_equal(parse(cases[i].words, true, &t, operands, &err), cases[i].rc);
		assert_string_equal(err.text, cases[i].text);
	}
}

static void errors_under_our_name_name_the_switch(void **state)
{
	(void)state;
	struct target t;
	struct pf_err err = { 0 };
	const char *operands[WORDS + 2];
	assert_int_equal(parse((const char *const[WORDS]){ "-c", "xyz" }, false, &t, operands, &err), -EINVAL);
	assert_string_equal(err.text, "--count: 'xyz' is not a number");
	err = (struct pf_err){ 0 };
	assert_int_equal(parse((const char *const[WORDS]){ "--bogus" }, false, &t, operands, &err), -EINVAL);
	assert_string_equal(err.text, "no switch --bogus; see perfolio watch --help");
	err = (struct pf_err){ 0 };
	assert_int_equal(parse((const char *const[WORDS]){ "-c" }, false, &t, operands, &err), -EINVAL);
	assert_string_equal(err.text, "-c needs a value behind it; see perfolio watch --help");
}

static void other_words_are_operands(void **state)
{
	(void)state;
	struct target t;
	const char *operands[WORDS + 2];
	assert_int_equal(parse((const char *const[WORDS]){ "a", "-P", "-", "--", "-s" }, false, &t, operands, NULL), 0);
	assert_string_equal(operands[0], "a");
	assert_string_equal(operands[1], "-");
	assert_string_equal(operands[2], "-s");
	assert_null(operands[3]);
	assert_true(t.plot);
}

static void long_words_with_one_dash_are_taken_for_mistakes(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	char name[] = "x", all[] = "-all", good[] = "-scd", minus[] = "-s-all";
	char *bad[] = { name, all, NULL };
	char *fine[] = { name, good, minus, NULL };
	assert_int_equal(pf_switches_mistyped(2, bad, &err), -EINVAL);
	assert_string_equal(err.text, "invalid switch '-all'.  did you mean --all?  if not use '-a ll'");
	assert_int_equal(pf_switches_mistyped(3, fine, &err), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches_are_bundled_and_abbreviated),
		cmocka_unit_test(errors_are_said_as_the_peer_says_them),
		cmocka_unit_test(errors_under_our_name_name_the_switch),
		cmocka_unit_test(other_words_are_operands),
		cmocka_unit_test(long_words_with_one_dash_are_taken_for_mistakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
