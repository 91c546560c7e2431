/* formats/pcp/events, error: event records of real archives to structs and back; counts that lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/error.h"
#include "formats/pcp/events.h"
#include "model/sample.h"

/* A value of g-v3-types.0. */
static const unsigned char fetch[] =
	"\0\0\0\x01\x6b\x0c\xf5\x36\0\x02\x4c\xd5\0\0\0\x01\0\0\0\x01\x07\x40\0\x86\x06\0\0\x0c"
	"fetch #1";

static struct pf_view whole(void)
{
	return (struct pf_view){ (const char *)fetch, sizeof(fetch) - 1 };
}

static void a_real_event_is_understood_and_written_as_it_was(void **state)
{
	(void)state;
	struct pf_pcp_events e;
	struct pf_pcp_event event;
	struct pf_pcp_value v;
	uint32_t pmid;
	assert_int_equal(pf_pcp_events_decode(whole(), false, &e, NULL), 0);
	assert_int_equal(e.n, 1);
	assert_int_equal(pf_pcp_events_next(&e, &event, NULL), 1);
	assert_true(event.time_ns == INT64_C(0x6b0cf536) * 1000000000 + 0x24cd5 * 1000);
	assert_int_equal(event.flags, PF_EVENT_POINT);
	assert_int_equal(event.missed, 0);
	assert_int_equal(event.n, 1);
	assert_int_equal(pf_pcp_events_param(&e, &pmid, &v, NULL), 0);
	assert_int_equal(pmid, PF_PMID(29, 0, 134));
	assert_int_equal(v.type, PF_STRING);
	assert_true(pf_view_is(pf_pcp_value_text(&v), "fetch #1"));
	assert_int_equal(pf_pcp_events_next(&e, &event, NULL), 0);

	struct pf_buf b = { 0 };
	pf_pcp_events_put(&b, 1);
	pf_pcp_events_put_record(&b, false, &event); /* untouched by the end */
	pf_pcp_events_put_param(&b, pmid, PF_STRING, v.bytes);
	assert_int_equal(b.n, whole().n);
	assert_memory_equal(b.p, whole().p, b.n);
	pf_buf_done(&b);
}

static void nanoseconds_and_missed_records_come_back(void **state)
{
	(void)state;
	const struct pf_pcp_event put[] = {
		{ .time_ns = INT64_C(1796011320150748001), .flags = PF_EVENT_START | PF_EVENT_ID, .n = 2 },
		{ .time_ns = INT64_C(1796011320150748002), .flags = PF_EVENT_MISSED, .missed = 7 },
	};
	struct pf_buf b = { 0 };
	pf_pcp_events_put(&b, 2);
	pf_pcp_events_put_record(&b, true, &put[0]);
	pf_pcp_events_put_param(&b, 1, PF_AGGREGATE, PF_VIEW("12345")); /* padded */
	pf_pcp_events_put_param(&b, 2, PF_AGGREGATE, PF_VIEW(""));
	pf_pcp_events_put_record(&b, true, &put[1]);
	assert_int_equal(b.n % 4, 0);

	struct pf_pcp_events e;
	struct pf_pcp_event event;
	struct pf_pcp_value v;
	uint32_t pmid;
	assert_int_equal(pf_pcp_events_decode(pf_buf_text(&b), true, &e, NULL), 0);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pf_pcp_events_next(&e, &event, NULL), 1);
		assert_true(event.time_ns == put[i].time_ns);
		assert_int_equal(event.flags, put[i].flags);
		assert_int_equal(event.missed, put[i].missed);
		assert_int_equal(event.n, put[i].n);
		for (uint32_t k = 0; k < event.n; k++) {
			assert_int_equal(pf_pcp_events_param(&e, &pmid, &v, NULL), 0);
			assert_int_equal(pmid, k + 1);
			assert_int_equal(v.bytes.n, k == 0 ? 5 : 0);
		}
	}
	assert_int_equal(pf_pcp_events_next(&e, &event, NULL), 0);
	pf_buf_done(&b);
}

static void walk(struct pf_view bytes, bool highres)
{
	struct pf_pcp_events e;
	struct pf_pcp_event event;
	struct pf_pcp_value v;
	uint32_t pmid;
	if (pf_pcp_events_decode(bytes, highres, &e, NULL) < 0)
		return;
	assert_true(e.n <= bytes.n);
	while (pf_pcp_events_next(&e, &event, NULL) == 1) {
		assert_true(event.n <= bytes.n);
		for (uint32_t i = 0; i < event.n; i++) {
			if (pf_pcp_events_param(&e, &pmid, &v, NULL) < 0)
				return;
		}
	}
}

static void no_cut_or_changed_byte_reads_beyond_the_value(void **state)
{
	(void)state;
	for (size_t at = 0; at < whole().n; at++) {
		/* Heap copies of exactly that size let the sanitizer see one byte too many. */
		pf_autofree char *cut = malloc(at + 1);
		memcpy(cut, fetch, at);
		walk((struct pf_view){ cut, at }, false);
		walk((struct pf_view){ cut, at }, true);
		pf_autofree char *changed = malloc(whole().n);
		memcpy(changed, fetch, whole().n);
		changed[at] = (char)(unsigned char)(fetch[at] ^ 0xff);
		walk((struct pf_view){ changed, whole().n }, false);
		walk((struct pf_view){ changed, whole().n }, true);
	}
	struct pf_err err = { 0 };
	struct pf_pcp_events e;
	assert_int_equal(pf_pcp_events_decode(PF_VIEW("\x7f\xff\xff\xff"), false, &e, &err), -EBADMSG);
	assert_string_equal(err.text, "2147483647 event records in 4 bytes");
	assert_int_equal(pf_pcp_events_decode(PF_VIEW(""), false, &e, NULL), 0);
	assert_int_equal(e.n, 0);
}

static void a_value_is_whole_with_all_its_records_and_nothing_behind_them(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_buf b = { 0 };
	assert_int_equal(pf_pcp_events_check(whole(), false, NULL), 0);
	assert_int_equal(pf_pcp_events_check(PF_VIEW(""), true, NULL), 0);
	pf_buf_view(&b, whole());
	pf_be_set_u32(&b, 16, 0x7fffffff); /* parameters of the first record */
	assert_int_equal(pf_pcp_events_check(pf_buf_text(&b), false, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "2147483647 parameters"));
	pf_buf_clear(&b);
	pf_buf_view(&b, whole());
	pf_be_put_u32(&b, 0);
	assert_int_equal(pf_pcp_events_check(pf_buf_text(&b), false, &err), -EBADMSG);
	assert_string_equal(err.text, "4 bytes stand behind the event records");
	pf_buf_done(&b);
}

static void codes_have_words(void **state)
{
	(void)state;
	assert_string_equal(pf_pcp_error_text(0), "no values");
	assert_string_equal(pf_pcp_error_text(-12386), "no agent runs for the metric");
	assert_string_equal(pf_pcp_error_text(-EACCES), "Permission denied");
	assert_string_equal(pf_pcp_error_text(-99999), "an error that is not known here");
	assert_string_equal(pf_pcp_error_text(INT32_MIN), "an error that is not known here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_event_is_understood_and_written_as_it_was),
		cmocka_unit_test(nanoseconds_and_missed_records_come_back),
		cmocka_unit_test(no_cut_or_changed_byte_reads_beyond_the_value),
		cmocka_unit_test(a_value_is_whole_with_all_its_records_and_nothing_behind_them),
		cmocka_unit_test(codes_have_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
