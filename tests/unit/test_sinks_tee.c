/* test_sinks_tee.c - several sinks behind one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "sinks/tee.h"

/* A sink that counts. @rc: what it says to each sample and at its end. */
struct counter {
	struct pf_sink base;
	int rc;
	int samples;
	int *closed;
};

static const struct pf_sink_kind counter_kind;

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct counter *c = (struct counter *)s;
	(void)step;
	c->samples++;
	return c->rc < 0 ? pf_err_set(err, c->rc, "sample %d", c->rc) : 0;
}

static int close_counter(struct pf_sink *s, struct pf_err *err)
{
	struct counter *c = (struct counter *)s;
	(void)err;
	*c->closed += 1 + 10 * c->samples;
	free(c);
	return 0;
}

/* Of the specification: @interval_ns is the error, @live whether it can be opened at all, @fd where to count. */
static int closed[4];

static int open_counter(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	if (!spec->live)
		return pf_err_set(err, -EACCES, "cannot be opened");
	struct counter *c = calloc(1, sizeof(*c));
	assert_non_null(c);
	c->base.kind = &counter_kind;
	c->rc = (int)spec->interval_ns;
	c->closed = &closed[spec->fd];
	*ret_sink = &c->base;
	return 0;
}

static const struct pf_sink_kind counter_kind = {
	.name = "counter", .open = open_counter, .sample = sample, .close = close_counter
};
static const struct pf_sink_kind *const kinds[] = { &counter_kind, &counter_kind, &counter_kind };

static struct pf_sink *open_three(const int rc[3], bool last, int *ret_rc, struct pf_err *err)
{
	struct pf_sink_spec specs[3];
	struct pf_sink *sink = NULL;
	memset(closed, 0, sizeof(closed));
	for (int i = 0; i < 3; i++)
		specs[i] = (struct pf_sink_spec){ .fd = i, .live = i < 2 || last, .interval_ns = rc[i] };
	*ret_rc = pf_tee_open(&sink, kinds, specs, 3, err);
	return sink;
}

static void every_sink_gets_every_sample(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_step step = { 0 };
	int rc;
	struct pf_sink *s = open_three((const int[3]){ 0, 0, 0 }, true, &rc, &err);
	assert_int_equal(rc, 0);
	assert_int_equal(s->kind->sample(s, &step, &err), 0);
	assert_int_equal(s->kind->sample(s, &step, &err), 0);
	assert_int_equal(s->kind->flush(s), 0);
	assert_int_equal(s->kind->close(s, &err), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(closed[i], 21);
}

static void a_failing_sink_takes_nothing_from_the_others(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_step step = { 0 };
	int rc;
	struct pf_sink *s = open_three((const int[3]){ -EIO, -ENOSPC, 0 }, true, &rc, &err);
	assert_int_equal(s->kind->sample(s, &step, &err), 0);
	assert_int_equal(s->kind->sample(s, &step, &err), 0);
	assert_int_equal(s->kind->close(s, &err), -EIO); /* the first reason, at the end */
	assert_non_null(strstr(err.text, "sample"));
	assert_int_equal(closed[2], 21);
	s = open_three((const int[3]){ -EIO, -ENOSPC, -EACCES }, true, &rc, &err);
	assert_int_equal(s->kind->sample(s, &step, &err), -EACCES); /* nothing is left to go on with */
	assert_int_equal(s->kind->close(s, &err), -EIO);
}

static void a_reader_who_is_gone_is_told_when_nothing_worse_happened(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_step step = { 0 };
	int rc;
	struct pf_sink *s = open_three((const int[3]){ 0, -EPIPE, 0 }, true, &rc, &err);
	assert_int_equal(s->kind->sample(s, &step, &err), -EPIPE);
	assert_int_equal(s->kind->close(s, &err), 0);
}

static void if_one_cannot_be_opened_none_is(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	int rc;
	struct pf_sink *s = open_three((const int[3]){ 0, 0, 0 }, false, &rc, &err);
	assert_int_equal(rc, -EACCES);
	assert_null(s);
	assert_string_equal(err.text, "cannot be opened");
	assert_int_equal(closed[0] + closed[1], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sink_gets_every_sample),
		cmocka_unit_test(a_failing_sink_takes_nothing_from_the_others),
		cmocka_unit_test(a_reader_who_is_gone_is_told_when_nothing_worse_happened),
		cmocka_unit_test(if_one_cannot_be_opened_none_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
