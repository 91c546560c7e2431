/* base/duration.c: lengths of time as people type them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "base/duration.h"

#define MS  INT64_C(1000000)
#define SEC (1000 * MS)

/* What PCP's own pmParseInterval() gives, but for "5ms", "1w" and what is too long or no number ("inf", "5 5.2.1"). */
static void numbers_with_units_are_added_up(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		int rc;
		int64_t ns;
	} cases[] = {
		{ "5", 0, 5 * SEC },
		{ "0.5", 0, 500 * MS },
		{ ".5", 0, 500 * MS },
		{ "5.", 0, 5 * SEC },
		{ "0", 0, 0 },
		{ "1e1s", 0, 10 * SEC },
		{ "500msec", 0, 500 * MS },
		{ "500 msec", 0, 500 * MS },
		{ "5ms", 0, 5 * MS },
		{ "5usec", 0, 5000 },
		{ "5 nanoseconds", 0, 5 },
		{ "1sec", 0, SEC },
		{ "5 S", 0, 5 * SEC },
		{ "1.5min", 0, 90 * SEC },
		{ "1 MIN", 0, 60 * SEC },
		{ "1hour 30min", 0, 5400 * SEC },
		{ "1h30", 0, 3630 * SEC },
		{ "4d6h30m", 0, 369000 * SEC },
		{ " 4 days 6 hours 30 minutes ", 0, 369000 * SEC },
		{ "4d6.5h", 0, 369000 * SEC },
		{ "5 5", 0, 10 * SEC },
		{ "2w", 0, 14 * 86400 * SEC },
		{ "292y", -EINVAL, 7 },
		{ "106751d", 0, 106751 * (86400 * SEC) },
		{ "106752d", -ERANGE, 7 },
		{ "106751d 106751d", -ERANGE, 7 },
		{ "1e400", -ERANGE, 7 },
		{ "", -EINVAL, 7 },
		{ "  ", -EINVAL, 7 },
		{ ".", -EINVAL, 7 },
		{ "s", -EINVAL, 7 },
		{ "-5", -EINVAL, 7 },
		{ "1sec,", -EINVAL, 7 },
		{ "1 month", -EINVAL, 7 },
		{ "inf", -EINVAL, 7 },
		{ "nan", -EINVAL, 7 },
		{ "0x10", -EINVAL, 7 },
		{ "1e", -EINVAL, 7 },
		{ "se", -EINVAL, 7 },
		{ "1se", -EINVAL, 7 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ns = 7; /* must survive failure */
		int rc = pf_duration_parse(pf_view_of(cases[i].in), &ns);
		if (rc != cases[i].rc || ns != cases[i].ns)
			fail_msg("'%s' gives %d, %lld", cases[i].in, rc, (long long)ns);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_with_units_are_added_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
