/* The grid of samples, boundaries of recordings, and clocks that somebody sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/time.h"
#include "engine/pace.h"
#include "engine/plan.h"

#define S PF_NS_PER_SEC

static struct pf_pace begin(struct pf_request req, int64_t first_s, int64_t second_s, struct pf_pace_now now)
{
	struct pf_plan plan = { .req = &req, .interval_ns = { first_s * S, second_s * S }, .second_every = 1 };
	plan.second_every = second_s ? (unsigned)(second_s / first_s) : 1;
	struct pf_pace p;
	pf_pace_begin(&p, &plan, now);
	return p;
}

static void a_grid_begins_where_its_user_wants_it(void **state)
{
	(void)state;
	struct pf_pace_now now = { 1003 * S + 5, 7 * S };
	assert_int_equal(begin((struct pf_request){ 0 }, 10, 0, now).base_ns, now.wall_ns);
	assert_int_equal(begin((struct pf_request){ .as_peer = true }, 10, 0, now).base_ns, 1004 * S);
	assert_int_equal(begin((struct pf_request){ .align = true }, 10, 0, now).base_ns, 1010 * S);
	assert_int_equal(begin((struct pf_request){ .daemon = true }, 10, 60, now).base_ns, 1020 * S);
}

static void due_times_stay_on_the_grid_when_samples_are_late_or_the_clock_goes_back(void **state)
{
	(void)state;
	struct pf_pace p = begin((struct pf_request){ .align = true }, 10, 0, (struct pf_pace_now){ 1000 * S, 0 });
	assert_int_equal(pf_pace_due(&p, (struct pf_pace_now){ 1000 * S, 0 }), 1010 * S);
	assert_int_equal(pf_pace_due(&p, (struct pf_pace_now){ 1034 * S, 0 }), 1040 * S);
	assert_int_equal(pf_pace_due(&p, (struct pf_pace_now){ 1040 * S, 0 }), 1050 * S);
	assert_int_equal(pf_pace_due(&p, (struct pf_pace_now){ 933 * S, 0 }), 940 * S);
	assert_int_equal(pf_pace_due(&p, (struct pf_pace_now){ 930 * S, 0 }), 940 * S);
}

static void an_end_is_elapsed_time(void **state)
{
	(void)state;
	struct pf_request req = { 0 };
	struct pf_plan plan = { .req = &req, .interval_ns = { 10 * S }, .second_every = 1, .runtime_ns = 60 * S };
	struct pf_pace p;
	pf_pace_begin(&p, &plan, (struct pf_pace_now){ 1000 * S, 100 * S });
	assert_false(pf_pace_is_over(&p, 1060 * S, (struct pf_pace_now){ 1050 * S, 150 * S }));
	assert_true(pf_pace_is_over(&p, 1070 * S, (struct pf_pace_now){ 1060 * S, 160 * S }));
	assert_false(pf_pace_is_over(&p, 9010 * S, (struct pf_pace_now){ 9000 * S, 110 * S })); /* clock was set */
}

static void a_step_is_told_once_and_drift_is_none(void **state)
{
	(void)state;
	struct pf_pace p = begin((struct pf_request){ 0 }, 10, 0, (struct pf_pace_now){ 1000 * S, 0 });
	int64_t drift = 5 * PF_NS_PER_MS;
	for (int i = 1; i < 100; i++) /* half a second in all */
		assert_int_equal(pf_pace_stepped(&p, (struct pf_pace_now){ (1000 + i) * S + i * drift, i * S }), 0);
	assert_int_equal(pf_pace_stepped(&p, (struct pf_pace_now){ 4700 * S + 99 * drift, 100 * S }), 3600 * S);
	assert_int_equal(pf_pace_stepped(&p, (struct pf_pace_now){ 4701 * S + 99 * drift, 101 * S }), 0);
	assert_int_equal(pf_pace_stepped(&p, (struct pf_pace_now){ 1102 * S + 99 * drift, 102 * S }), -3600 * S);
}

static void a_step_over_many_boundaries_makes_no_files(void **state)
{
	(void)state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	tzset();
	struct pf_request req = { 0 };
	struct pf_plan plan = { .req = &req, .interval_ns = { 10 * S }, .second_every = 1, .rolls = true };
	plan.roll = (struct pf_roll){ 0, 1, 7, 12 }; /* each minute */
	struct pf_pace p;
	pf_pace_begin(&p, &plan, (struct pf_pace_now){ 1000 * S, 0 });
	assert_int_equal(p.roll_at_ns, 1020 * S);
	assert_false(pf_pace_rolls(&p, (struct pf_pace_now){ 1019 * S, 19 * S }));
	assert_true(pf_pace_rolls(&p, (struct pf_pace_now){ 1020 * S, 20 * S }));
	assert_int_equal(p.roll_at_ns, 1080 * S);
	struct pf_pace_now ahead = { 1000000 * S, 30 * S };
	assert_true(pf_pace_stepped(&p, ahead) > 0);
	assert_false(pf_pace_rolls(&p, ahead));
	assert_int_equal(p.roll_at_ns, 1000020 * S);
	struct pf_pace_now back = { 1050 * S, 40 * S };
	assert_true(pf_pace_stepped(&p, back) < 0);
	assert_int_equal(p.roll_at_ns, 1080 * S);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_grid_begins_where_its_user_wants_it),
		cmocka_unit_test(due_times_stay_on_the_grid_when_samples_are_late_or_the_clock_goes_back),
		cmocka_unit_test(an_end_is_elapsed_time),
		cmocka_unit_test(a_step_is_told_once_and_drift_is_none),
		cmocka_unit_test(a_step_over_many_boundaries_makes_no_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
