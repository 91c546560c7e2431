/* test_sources_procfilter.c - which processes a list chooses, as perfolio and as collectl takes it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "sources/procfilter.h"

static enum pf_procfilter_choice choice(const char *list, bool as_peer, int32_t pid, const char *stat,
					struct pf_view cmdline)
{
	struct pf_process_filter *f = NULL;
	struct pf_err err = { 0 };
	assert_int_equal(pf_procfilter_new(&f, list, as_peer, NULL, &err), 0);
	enum pf_procfilter_choice c =
		pf_procfilter_keeps(f, pid, pf_view_of(stat), pf_view_of("Name:\tx\nUid:\t7\t7\t7\t7\n"), cmdline);
	(void)pf_procfilter_free(f);
	return c;
}

static void names_are_expressions_to_collectl_and_words_to_us(void **state)
{
	(void)state;
	static const struct {
		const char *list;
		bool ours, peer;
	} cases[] = {
		{ "cal.ha", false, true },    { "calpha", true, true },	     { "clph", true, true },
		{ "C[ab]lpha", false, true }, { "Calp", true, true },	     { "Clpha", false, false },
		{ "cx|pha$", false, true },   { "cbeta,C^al", false, true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_view none = { "", 0 };
		assert_int_equal(choice(cases[i].list, false, 9, "9 (alpha) S 3 9 9", none) != 0, cases[i].ours);
		assert_int_equal(choice(cases[i].list, true, 9, "9 (alpha) S 3 9 9", none) != 0, cases[i].peer);
	}
}

static void a_command_line_is_never_our_own(void **state)
{
	(void)state;
	struct pf_view line = pf_view_of("collectl --procfilt falpha");
	assert_int_equal(choice("falpha", false, 9, "9 (x) S 3", line), PF_PROCFILTER_PROCESS);
	assert_int_equal(choice("falpha", false, (int32_t)getpid(), "9 (x) S 3", line), PF_PROCFILTER_NONE);
	assert_int_equal(choice("falpha,u7", true, (int32_t)getpid(), "9 (x) S 3", line), PF_PROCFILTER_PROCESS);
}

static void the_first_part_that_fits_decides_about_threads_for_collectl(void **state)
{
	(void)state;
	struct pf_view none = { "", 0 };
	assert_int_equal(choice("calp,c+alp", true, 9, "9 (alpha) S 3", none), PF_PROCFILTER_PROCESS);
	assert_int_equal(choice("c+alp,calp", true, 9, "9 (alpha) S 3", none), PF_PROCFILTER_THREADS);
	assert_int_equal(choice("calp,c+alp", false, 9, "9 (alpha) S 3", none), PF_PROCFILTER_THREADS);
}

static void lists_that_collectl_refuses_are_refused_by_its_name_only(void **state)
{
	(void)state;
	static const struct {
		const char *list, *text;
	} cases[] = {
		{ "p1-5", "pid 1-5 not numeric in --procfilt" },
		{ ",calpha", "invalid task selection in --procfilt: " },
		{ "calpha,,p1", "invalid task selection in --procfilt: " },
		{ "c(", "--procfilt: '(' is no regular expression" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_process_filter *f = NULL;
		struct pf_err err = { 0 };
		assert_int_equal(pf_procfilter_new(&f, cases[i].list, true, NULL, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].text);
		assert_int_equal(pf_procfilter_new(&f, cases[i].list, false, NULL, &err), 0);
		(void)pf_procfilter_free(f);
	}
	assert_int_equal(choice("p9,", true, 9, "9 (x) S 3", (struct pf_view){ "", 0 }), PF_PROCFILTER_PROCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_expressions_to_collectl_and_words_to_us),
		cmocka_unit_test(a_command_line_is_never_our_own),
		cmocka_unit_test(the_first_part_that_fits_decides_about_threads_for_collectl),
		cmocka_unit_test(lists_that_collectl_refuses_are_refused_by_its_name_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
