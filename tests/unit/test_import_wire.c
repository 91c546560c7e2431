/* Unit tests of import/wire.c. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time.h"
#include "import/isolate.h"
#include "import/wire.h"

struct pair {
	struct pf_wire a, b;
};

static int set_up(void **state)
{
	static struct pair p;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	p = (struct pair){ .a = { .fd = ends[0] }, .b = { .fd = ends[1] } };
	*state = &p;
	return 0;
}

static int tear_down(void **state)
{
	struct pair *p = *state;
	pf_wire_done(&p->a);
	pf_wire_done(&p->b);
	return 0;
}

static int64_t soon(void)
{
	return pf_time_mono_ns() + 5 * PF_NS_PER_SEC;
}

static void what_is_sent_arrives_as_it_was(void **state)
{
	struct pair *p = *state;
	pf_wire_begin(&p->a, PF_WIRE_VALUE);
	pf_wire_u64(&p->a, UINT64_MAX);
	pf_wire_double(&p->a, -0.5);
	pf_wire_text(&p->a, (struct pf_view){ "a\0b", 3 });
	pf_wire_str(&p->a, NULL);
	pf_wire_str(&p->a, "");
	pf_wire_end(&p->a);
	pf_wire_begin(&p->a, PF_WIRE_RETURN);
	pf_wire_end(&p->a);
	assert_int_equal(pf_wire_send(&p->a, soon()), 0);

	struct pf_wire_fields f;
	struct pf_view text;
	assert_int_equal(pf_wire_next(&p->b, &f), 0);
	assert_int_equal(pf_wire_receive(&p->b, soon()), 0);
	assert_int_equal(pf_wire_next(&p->b, &f), PF_WIRE_VALUE);
	assert_true(pf_wire_get_u64(&f) == UINT64_MAX);
	assert_true(pf_wire_get_double(&f) == -0.5);
	assert_true(pf_wire_get_text(&f, &text));
	assert_int_equal(text.n, 3);
	assert_memory_equal(text.p, "a\0b", 4);
	assert_null(pf_wire_get_str(&f));
	assert_string_equal(pf_wire_get_str(&f), "");
	assert_false(f.bad);
	assert_int_equal(pf_wire_next(&p->b, &f), PF_WIRE_RETURN);
	assert_int_equal(pf_wire_next(&p->b, &f), 0);
}

static void a_message_that_ends_early_is_bad_and_gives_nothing(void **state)
{
	struct pair *p = *state;
	pf_wire_begin(&p->a, PF_WIRE_RECORD);
	pf_wire_u64(&p->a, 1000); /* a text of 1,000 bytes that is not there */
	pf_wire_end(&p->a);
	assert_int_equal(pf_wire_send(&p->a, soon()), 0);
	assert_int_equal(pf_wire_receive(&p->b, soon()), 0);
	struct pf_wire_fields f;
	struct pf_view text;
	assert_int_equal(pf_wire_next(&p->b, &f), PF_WIRE_RECORD);
	assert_false(pf_wire_get_text(&f, &text));
	assert_true(f.bad);
	assert_int_equal(text.n, 0);
	assert_true(pf_wire_get_u64(&f) == 0);
}

static void a_length_that_cannot_be_is_refused(void **state)
{
	struct pair *p = *state;
	const uint32_t lengths[] = { 0, PF_WIRE_MAX + 1 };
	for (unsigned i = 0; i < 2; i++) {
		struct pf_wire_fields f;
		p->b.in.n = 0;
		p->b.at = 0;
		assert_int_equal(write(p->a.fd, &lengths[i], sizeof(lengths[i])), (int)sizeof(lengths[i]));
		assert_int_equal(pf_wire_receive(&p->b, soon()), 0);
		assert_int_equal(pf_wire_next(&p->b, &f), -EPROTO);
	}
}

static void who_waits_in_vain_is_told_in_time_or_that_nobody_is_there(void **state)
{
	struct pair *p = *state;
	assert_int_equal(pf_wire_receive(&p->b, pf_time_mono_ns() + 10 * PF_NS_PER_MS), -ETIMEDOUT);
	(void)close(p->a.fd);
	p->a.fd = -1;
	assert_int_equal(pf_wire_receive(&p->b, soon()), -EPIPE);
	pf_wire_begin(&p->b, PF_WIRE_CALL);
	pf_wire_end(&p->b);
	assert_int_equal(pf_wire_send(&p->b, soon()), -EPIPE);
}

/* What a module's process says of itself decides how it is shown. */
static void a_module_without_a_proper_name_is_refused(void **state)
{
	struct pair *p = *state;
	static const char *const names[] = { "", NULL, "1st", "a b" };
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pf_iso iso = { .wire = { .fd = p->a.fd }, .statm_fd = -1 };
		struct pf_module m = { .iso = &iso };
		pf_wire_begin(&p->b, PF_WIRE_HELLO);
		pf_wire_u64(&p->b, 0);
		pf_wire_str(&p->b, NULL);
		pf_wire_str(&p->b, names[i]);
		pf_wire_str(&p->b, "1.0");
		pf_wire_str(&p->b, "/a.so");
		pf_wire_u64(&p->b, 0);
		pf_wire_u64(&p->b, 7);
		pf_wire_end(&p->b);
		assert_int_equal(pf_wire_send(&p->b, soon()), 0);
		assert_true(pf_iso_meet(&m, NULL) < 0);
		assert_null(m.is.name);
		assert_null(m.path);
		pf_buf_done(&iso.wire.in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_sent_arrives_as_it_was, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_message_that_ends_early_is_bad_and_gives_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_module_without_a_proper_name_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_length_that_cannot_be_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_waits_in_vain_is_told_in_time_or_that_nobody_is_there, set_up,
						tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
