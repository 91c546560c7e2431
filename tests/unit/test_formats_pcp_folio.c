/* formats/pcp/folio and zone: the texts that record mode writes, and those it must read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/folio.h"
#include "formats/pcp/zone.h"

static void folio_is_written_byte_for_byte_like_record_mode(void **state)
{
	(void)state;
	static const char want[] = "PCPFolio\n"
				   "Version: 1\n"
				   "# use pmafm(1) to process this PCP Archive Folio\n"
				   "#\n"
				   "Created: on vm at Mon Nov 30 03:59:36 2026\n"
				   "Creator: pmchart eDLefN\n"
				   "#               Host                    Basename\n"
				   "#\n"
				   "Archive:        localhost               eDLefN.localhost\n"
				   "Archive:        vm                      eDLefNa.vm\n";
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	tzset();
	struct pf_buf b = { 0 };
	pf_folio_head(&b, "vm", "pmchart", "eDLefN", INT64_C(1796011176) * 1000000000);
	pf_folio_entry(&b, "localhost", "eDLefN.localhost");
	pf_folio_entry(&b, "vm", "eDLefNa.vm");
	assert_string_equal(b.p, want);
	pf_buf_done(&b);
}

static void archives_are_found_between_comments_and_other_lines(void **state)
{
	(void)state;
	static const char text[] =
		"PCPFolio\nVersion: 1\n\n# Archive: no one\nCreated: on x\nAnything: else\n"
		"Archive:\t\thost-a  /var/log/a\nArchive: only-host\n  Archive: host-b b extra\nArchive: host-a b";
	struct pf_folio f;
	struct pf_folio_entry e;
	struct pf_err err = { 0 };
	assert_int_equal(pf_folio_parse(pf_view_of(text), &f, NULL), 0);
	assert_int_equal(pf_folio_next(&f, &e, NULL), 1);
	assert_true(pf_view_is(e.host, "host-a"));
	assert_true(pf_view_is(e.base, "/var/log/a"));
	assert_int_equal(pf_folio_next(&f, &e, &err), -EBADMSG);
	assert_string_equal(err.text, "line 8: an archive has a host and a base name");
	assert_int_equal(pf_folio_next(&f, &e, &err), -EBADMSG);
	assert_int_equal(pf_folio_next(&f, &e, NULL), 1);
	assert_true(pf_view_is(e.base, "b"));
	assert_int_equal(pf_folio_next(&f, &e, NULL), 0);
}

static void what_is_no_folio_is_refused(void **state)
{
	(void)state;
	static const char *const texts[] = { "", "PCP", "#!/bin/sh\nPCPFolio\n", "PCPFolio\n",
					     "PCPFolio\nArchive: a b\n" };
	for (size_t i = 0; i < PF_N(texts); i++) {
		struct pf_folio f;
		struct pf_err err = { 0 };
		assert_int_equal(pf_folio_parse(pf_view_of(texts[i]), &f, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "not a PCP archive folio"));
	}
}

static void zones_are_written_as_tz_says_them(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		long east_s;
		const char *want;
	} cases[] = {
		{ "UTC", 0, "UTC" },
		{ "AEDT", 11 * 3600, "AEDT-11" },
		{ "EST", -5 * 3600, "EST5" },
		{ "GMT", 0, "GMT0" },
		{ "IST", 19800, "IST-5:30" },
		{ "NST", -12600, "NST3:30" },
		{ "+03", 3 * 3600, "<+03>-3" },
		{ "+0545", 20700, "<+0545>-5:45" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char zone[64];
		pf_pcp_zone_posix(zone, sizeof(zone), cases[i].name, cases[i].east_s);
		assert_string_equal(zone, cases[i].want);
	}
}

static void zone_places_come_from_tz_or_the_link(void **state)
{
	(void)state;
	static const struct {
		const char *tz, *link, *want;
	} cases[] = {
		{ NULL, "/usr/share/zoneinfo/Etc/UTC", ":Etc/UTC" },
		{ "", "../usr/share/zoneinfo/Europe/Berlin", ":Europe/Berlin" },
		{ ":Asia/Tokyo", "/usr/share/zoneinfo/Etc/UTC", ":Asia/Tokyo" },
		{ "Asia/Tokyo", NULL, ":Asia/Tokyo" },
		{ "CET-1", "/usr/share/zoneinfo/Etc/UTC", "" },
		{ NULL, NULL, "" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char zone[64];
		pf_pcp_zone_info(zone, sizeof(zone), cases[i].tz, cases[i].link);
		assert_string_equal(zone, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folio_is_written_byte_for_byte_like_record_mode),
		cmocka_unit_test(archives_are_found_between_comments_and_other_lines),
		cmocka_unit_test(what_is_no_folio_is_refused),
		cmocka_unit_test(zones_are_written_as_tz_says_them),
		cmocka_unit_test(zone_places_come_from_tz_or_the_link),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
