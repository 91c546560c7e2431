/* record/folio and record/tools: what folios and files of tools say, also where they are broken. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "record/folio.h"
#include "record/tools.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-folio-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

/* Open @text as a folio in the folder; the file is gone afterwards. */
static int open_text(struct pf_folio_file *f, const char *text, struct pf_err *err)
{
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/some.folio", folder);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_true(fputs(text, to) >= 0);
	assert_int_equal(fclose(to), 0);
	int rc = pf_folio_open(f, path, err);
	(void)unlink(path);
	return rc;
}

static void a_folio_tells_its_maker_and_its_archives(void **state)
{
	(void)state;
	struct pf_folio_file f;
	struct pf_err err = { 0 };
	char path[128];
	assert_int_equal(open_text(&f,
				   "PCPFolio\nVersion: 1\n# comment\n\nCreated: on here at now\nCreator: show conf\n"
				   "Archive: h1 one\nArchive:\th2\t/abs/two\nArchive: h3\nArchive: h4 a b\n",
				   &err),
			 0);
	assert_string_equal(f.creator, "show");
	assert_string_equal(f.replay, "conf");
	assert_false(f.creator_extra);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.n_broken, 2);
	assert_string_equal(f.broken[0], "line 9: an archive has a host and a base name");
	(void)snprintf(path, sizeof(path), "%s/one", folder);
	assert_string_equal(f.members[0].path, path);
	assert_string_equal(f.members[1].path, "/abs/two");
	assert_string_equal(f.name, "some.folio");
	pf_folio_close(&f);
}

static void what_is_no_folio_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{ "", -EBADMSG },
		{ "PCPFolio\n", -EBADMSG },
		{ "Version: 1\nArchive: a b\n", -EBADMSG },
		{ "PCPFolio\nVersion: 2\n", -EPROTO },
		{ "PCPFolio\nVersion: 1\n", 0 },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_folio_file f;
		struct pf_err err = { 0 };
		assert_int_equal(open_text(&f, cases[i].text, &err), cases[i].rc);
		assert_int_equal(f.n, 0);
		pf_folio_close(&f);
	}
}

/* The base names that are chosen, with blanks behind them. */
static const char *chosen(const struct pf_folio_file *f, bool *ret_all)
{
	static char text[128];
	pf_autofree const struct pf_folio_member **list = pf_folio_chosen(f, ret_all);
	assert_non_null(list);
	text[0] = '\0';
	for (unsigned i = 0; list[i]; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s ", list[i]->base);
	return text;
}

static void hosts_and_archives_are_chosen_together(void **state)
{
	(void)state;
	struct pf_folio_file f;
	bool all;
	assert_int_equal(open_text(&f, "PCPFolio\nVersion: 1\nArchive: h1 a\nArchive: h2 b\nArchive: h1 c\n", NULL), 0);
	assert_string_equal(chosen(&f, &all), "a b c ");
	assert_true(all);
	assert_int_equal(pf_folio_choose_host(&f, "h3"), -ENOENT);
	assert_int_equal(pf_folio_choose_host(&f, "h1"), 0);
	assert_string_equal(chosen(&f, &all), "a c ");
	assert_false(all);
	assert_int_equal(pf_folio_choose_archive(&f, "c"), 0);
	assert_int_equal(pf_folio_choose_archive(&f, "2"), 0);
	assert_int_equal(pf_folio_choose_archive(&f, "02"), -ENOENT);
	assert_int_equal(pf_folio_choose_archive(&f, "0"), -ENOENT);
	assert_int_equal(pf_folio_choose_archive(&f, "4"), -ENOENT);
	assert_string_equal(chosen(&f, &all), "c ");
	pf_folio_choose_all_hosts(&f);
	assert_string_equal(chosen(&f, &all), "c b ");
	pf_folio_choose_all_archives(&f);
	assert_string_equal(chosen(&f, &all), "a b c ");
	assert_true(all);
	pf_folio_close(&f);
}

static void folders_are_told_from_the_root_on(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "/", "/" },	   { "/a/b", "/a/b/" },	    { "/a//./b/../c/", "/a/c/" },
		{ "/../..", "/" }, { "/a/../../b", "/b/" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		pf_autofree char *is = pf_folio_from_root(pf_view_of(cases[i][0]));
		assert_string_equal(is, cases[i][1]);
	}
}

static void assignments_name_tools_and_nothing_is_run(void **state)
{
	(void)state;
	struct pf_tools t = { 0 };
	static const char text[] = "# MULTI=\"no\"\n"
				   "MULTI=\"m1 m2\"  # rest\n"
				   "export FOO=bar\n"
				   "FOO='x y'; SINGLE='s1'\n"
				   "SINGLE=\"$SINGLE ${MULTI} s2 \\\n s3\n s4 $FOO $(touch /tmp/x)\"\n"
				   "if true; then\n"
				   "\tSPECIAL=s2\n"
				   "fi\n"
				   "REPLAY=\"m1\"\"r1\" SPECIAL=s3\n"
				   "MULTIPLE=no\n"
				   "MULTI =no\n";
	assert_int_equal(pf_tools_take(&t, pf_view_of(text)), 0);
	assert_int_equal(pf_tools_classes(&t, "no"), 0);
	assert_int_equal(pf_tools_classes(&t, "m1"), PF_TOOL_MULTI | PF_TOOL_SINGLE);
	assert_int_equal(pf_tools_classes(&t, "s1"), PF_TOOL_SINGLE);
	assert_int_equal(pf_tools_classes(&t, "s2"), PF_TOOL_SINGLE);
	assert_int_equal(pf_tools_classes(&t, "s3"), PF_TOOL_SINGLE | PF_TOOL_SPECIAL);
	assert_int_equal(pf_tools_classes(&t, "s4"), PF_TOOL_SINGLE);
	assert_int_equal(pf_tools_classes(&t, "m1r1"), PF_TOOL_REPLAY);
	pf_tools_done(&t);
}

static void broken_assignments_do_no_harm(void **state)
{
	(void)state;
	static const char *const texts[] = { "MULTI=\"a b", "MULTI='", "MULTI=", "MULTI=$", "MULTI=${", "MULTI=${MULTI",
					     "MULTI=\\",    "=x",      "\\",	 "MULTI",   "$MULTI=x", "MULTI=a|b&c" };
	for (size_t i = 0; i < PF_N(texts); i++) {
		struct pf_tools t = { 0 };
		assert_int_equal(pf_tools_take(&t, pf_view_of(texts[i])), 0);
		pf_tools_done(&t);
	}
	struct pf_tools t = { 0 };
	assert_int_equal(pf_tools_take(&t, (struct pf_view){ "MULTI=a\0b\n\0SINGLE=c", 20 }), 0);
	assert_int_equal(pf_tools_classes(&t, "a"), PF_TOOL_MULTI);
	pf_tools_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folio_tells_its_maker_and_its_archives),
		cmocka_unit_test(what_is_no_folio_is_refused),
		cmocka_unit_test(hosts_and_archives_are_chosen_together),
		cmocka_unit_test(folders_are_told_from_the_root_on),
		cmocka_unit_test(assignments_name_tools_and_nothing_is_run),
		cmocka_unit_test(broken_assignments_do_no_harm),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
