/* base/arena: strings close together, everything else aligned, the size kept. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static void strings_take_no_more_room_than_they_have_bytes(void **state)
{
	struct pf_arena a = { 0 };
	(void)state;
	const char *one = pf_arena_dup(&a, PF_VIEW("S"));
	const char *two = pf_arena_dup(&a, PF_VIEW("sleep"));
	assert_ptr_equal(two, one + 2);
	assert_string_equal(one, "S");
	assert_string_equal(two, "sleep");
	assert_string_equal(pf_arena_dup(&a, (struct pf_view){ NULL, 0 }), "");
	pf_arena_done(&a);
}

static void what_follows_a_string_is_aligned_and_zeroed(void **state)
{
	struct pf_arena a = { 0 };
	(void)state;
	for (int round = 0; round < 2; round++) {
		assert_non_null(pf_arena_dup(&a, PF_VIEW("xyz")));
		uint64_t *numbers = pf_arena_alloc(&a, 3 * sizeof(*numbers));
		assert_non_null(numbers);
		assert_int_equal((uintptr_t)numbers % alignof(max_align_t), 0);
		assert_int_equal(numbers[0] | numbers[1] | numbers[2], 0);
		memset(numbers, 0xff, 3 * sizeof(*numbers));
		pf_arena_reset(&a);
	}
	pf_arena_done(&a);
}

static void strings_stay_where_they_are_when_blocks_are_added(void **state)
{
	static char text[1000];
	struct pf_arena a = { 0 };
	const char *all[100];
	(void)state;
	for (int i = 0; i < 100; i++) {
		memset(text, 'a' + i % 26, sizeof(text));
		all[i] = pf_arena_dup(&a, (struct pf_view){ text, sizeof(text) });
		assert_non_null(all[i]);
	}
	for (int i = 0; i < 100; i++) {
		assert_int_equal(all[i][0], 'a' + i % 26);
		assert_int_equal(all[i][sizeof(text) - 1], 'a' + i % 26);
		assert_int_equal(all[i][sizeof(text)], '\0');
	}
	pf_arena_done(&a);
}

static void what_cannot_be_had_is_refused(void **state)
{
	struct pf_arena a = { 0 };
	(void)state;
	assert_null(pf_arena_alloc(&a, SIZE_MAX));
	assert_null(pf_arena_alloc(&a, SIZE_MAX - 8));
	assert_string_equal(pf_arena_dup(&a, PF_VIEW("still of use")), "still of use");
	assert_null(pf_arena_alloc(&a, SIZE_MAX - 8));
	pf_arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_take_no_more_room_than_they_have_bytes),
		cmocka_unit_test(what_follows_a_string_is_aligned_and_zeroed),
		cmocka_unit_test(strings_stay_where_they_are_when_blocks_are_added),
		cmocka_unit_test(what_cannot_be_had_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
