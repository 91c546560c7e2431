/* model/about: each ear hears each note once, when it holds, from whoever has joined. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "model/about.h"
#include "model/catalog.h"

/* Notes with times; one of number 0 cannot be read. */
struct teller {
	struct pf_about_teller base;
	const struct pf_about *notes;
	unsigned asked;
};

static enum pf_about_kind head(const struct pf_about_teller *t, size_t i, int64_t *ret_time_ns)
{
	*ret_time_ns = ((const struct teller *)t)->notes[i].time_ns;
	return ((const struct teller *)t)->notes[i].kind;
}

static int get(struct pf_about_teller *t, size_t i, struct pf_arena *room, struct pf_about *ret)
{
	struct teller *own = (struct teller *)t;
	own->asked++;
	*ret = own->notes[i];
	return ret->ident == 0 ? 0 : pf_arena_alloc(room, 100) ? 1 : -ENOMEM;
}

static const struct pf_about first[] = {
	{ .kind = PF_ABOUT_METRIC, .time_ns = 10, .ident = 1 },
	{ .kind = PF_ABOUT_TEXT, .time_ns = 10, .ident = 2 },
	{ .kind = PF_ABOUT_LABELS, .time_ns = 20, .ident = 0 },
	{ .kind = PF_ABOUT_LABELS, .time_ns = 30, .ident = 3 },
};
static const struct pf_about second[] = { { .kind = PF_ABOUT_LABELS, .time_ns = 15, .ident = 4 } };

/* All that is heard up to a time, as digits. */
static unsigned hear(struct pf_about_ear *ear, const struct pf_catalog *cat, unsigned kinds, int64_t time_ns)
{
	struct pf_about a;
	unsigned heard = 0;
	while (pf_about_next(ear, cat, kinds, time_ns, &a) == 1)
		heard = heard * 10 + a.ident;
	return heard;
}

static void notes_are_heard_once_when_they_hold(void **state)
{
	(void)state;
	struct pf_catalog *cat = pf_catalog_new();
	struct teller a = { { .n = PF_N(first), .head = head, .get = get }, first, 0 };
	struct teller b = { { .n = PF_N(second), .head = head, .get = get }, second, 0 };
	struct pf_about_ear all = { 0 };
	struct pf_about_ear labels = { 0 };
	const unsigned every = PF_ABOUT_METRIC | PF_ABOUT_TEXT | PF_ABOUT_DOMAIN | PF_ABOUT_LABELS;
	assert_int_equal(hear(&all, cat, every, 100), 0);
	pf_about_join(cat, &a.base);
	assert_int_equal(hear(&all, cat, every, 9), 0);
	assert_int_equal(hear(&all, cat, every, 10), 12);
	assert_int_equal(hear(&all, cat, every, 29), 0);
	pf_about_join(cat, &b.base);
	assert_int_equal(hear(&all, cat, every, 30), 34);
	assert_int_equal(hear(&all, cat, every, INT64_MAX), 0);

	unsigned asked = a.asked;
	assert_int_equal(hear(&labels, cat, PF_ABOUT_LABELS, INT64_MAX), 34);
	assert_int_equal(a.asked, asked + 2); /* what is not wanted is not read */

	/* One that left tells nothing more; one that comes anew is another one. */
	struct pf_about_ear late = { 0 };
	pf_about_leave(cat, &a.base);
	pf_about_leave(cat, &a.base);
	assert_int_equal(hear(&late, cat, every, INT64_MAX), 4);
	pf_about_join(cat, &a.base);
	assert_int_equal(hear(&all, cat, every, INT64_MAX), 123);
	pf_about_ear_done(&all);
	pf_about_ear_done(&labels);
	pf_about_ear_done(&late);
	(void)pf_catalog_free(cat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_are_heard_once_when_they_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
