/* sinks/toplist: which processes come first, and that many cost no more than the few that are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/time.h"
#include "group_bench.h"
#include "sinks/calc.h"
#include "sinks/section.h"
#include "sinks/sink.h"
#include "sinks/toplist.h"

struct list {
	struct bench t;
	struct pf_view_options view;
	struct pf_section sections[PF_SECTIONS_MAX];
	int n;
	struct pf_toplist top;
};

static const struct pf_sort_key *key_of(const char *name)
{
	for (unsigned i = 0; i < pf_group_process.n_sort_keys; i++) {
		if (strcmp(pf_group_process.sort_keys[i].name, name) == 0)
			return &pf_group_process.sort_keys[i];
	}
	fail_msg("no order %s", name);
	return NULL;
}

static void list_open(struct list *l, const char *order)
{
	static const struct pf_group *const groups[] = { &pf_group_process, NULL };
	bench_init(&l->t, &pf_group_process);
	l->view = (struct pf_view_options){
		.letters = "Z", .separator = " ", .host = "vm", .top_letter = 'Z', .top_key = key_of(order)
	};
	struct pf_sink_spec spec = {
		.view = &l->view, .groups = groups, .bases = &l->t.b.base, .catalog = l->t.catalog
	};
	l->n = pf_sections_open(&spec, PF_VIEW_VERBOSE, "Z", l->sections);
	assert_int_equal(l->n, 1);
	assert_true(pf_toplist_is(&l->sections[0]));
}

/* One process: its number, name, hundredths of a second of user time, threads. */
static void process(struct list *l, int pid, const char *name, unsigned utime, unsigned threads)
{
	char text[256];
	(void)snprintf(
		text, sizeof(text),
		"%d (%s) S 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 %u 0 %d 4096 1 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 "
		"0 17 0 0 0\n",
		pid, name, utime, threads, pid);
	l->t.b.owner = pid;
	bench_text(&l->t, 0, text);
}

static void choose(struct list *l, unsigned max)
{
	struct pf_step step = pf_frames_step(&l->t.frames);
	struct pf_calc_step calc;
	/* Both samples have processes, as the source says. */
	step.second_ns = step.interval_ns;
	step.second_wall_ns = step.interval_ns;
	assert_int_equal(pf_section_prepare(&l->sections[0], &step), 0);
	pf_calc_begin(&calc, &step, &l->view);
	assert_int_equal(pf_toplist_choose(&l->top, &calc, &l->sections[0], max), 0);
}

static int pid_at(const struct list *l, unsigned i)
{
	assert_in_range(i, 0, l->top.n - 1);
	return l->sections[0].domain->instances[l->top.rows[i].slot].id;
}

static void begin(struct list *l, int64_t seconds)
{
	bench_begin(&l->t, seconds * PF_NS_PER_SEC);
	l->t.b.sample->second = true;
}

static void list_done(struct list *l)
{
	pf_toplist_done(&l->top);
	pf_sections_close(l->sections, (unsigned)l->n);
	bench_done(&l->t);
}

static void the_busiest_come_first_and_equals_in_the_order_in_which_they_came(void **state)
{
	struct list l = { 0 };
	(void)state;
	list_open(&l, "time");
	begin(&l, 1);
	for (int pid = 1; pid <= 5; pid++)
		process(&l, pid, "p", 0, 1);
	begin(&l, 2);
	process(&l, 1, "p", 10, 1);
	process(&l, 2, "p", 30, 1);
	process(&l, 3, "p", 20, 1);
	process(&l, 4, "p", 30, 1);
	process(&l, 5, "p", 0, 1);
	choose(&l, 4);
	assert_int_equal(l.top.n, 4);
	assert_int_equal(pid_at(&l, 0), 2);
	assert_int_equal(pid_at(&l, 1), 4);
	assert_int_equal(pid_at(&l, 2), 3);
	assert_int_equal(pid_at(&l, 3), 1);
	choose(&l, 1); /* fewer than before */
	assert_int_equal(l.top.n, 1);
	assert_int_equal(pid_at(&l, 0), 2);
	choose(&l, 0);
	assert_int_equal(l.top.n, 0);
	choose(&l, 100);
	assert_int_equal(l.top.n, 5);
	assert_int_equal(pid_at(&l, 4), 5);
	list_done(&l);
}

static void idle_ones_are_hidden_if_asked_for(void **state)
{
	struct list l = { 0 };
	(void)state;
	list_open(&l, "time");
	l.view.top_hides_zeros = true;
	begin(&l, 1);
	process(&l, 1, "p", 7, 1);
	process(&l, 2, "p", 7, 1);
	begin(&l, 2);
	process(&l, 1, "p", 7, 1);
	process(&l, 2, "p", 8, 1);
	choose(&l, 10);
	assert_int_equal(l.top.n, 1);
	assert_int_equal(pid_at(&l, 0), 2);
	list_done(&l);
}

static void an_ascending_order_begins_with_the_least(void **state)
{
	struct list l = { 0 };
	(void)state;
	list_open(&l, "pid");
	begin(&l, 1);
	process(&l, 30, "p", 0, 1);
	process(&l, 4, "p", 0, 1);
	process(&l, 200, "p", 0, 1);
	begin(&l, 2);
	process(&l, 30, "p", 0, 1);
	process(&l, 4, "p", 0, 1);
	process(&l, 200, "p", 0, 1);
	choose(&l, 2);
	assert_int_equal(pid_at(&l, 0), 4);
	assert_int_equal(pid_at(&l, 1), 30);
	l.view.variants |= PF_AS_PEER; /* the peer's keys are texts */
	choose(&l, 3);
	assert_int_equal(pid_at(&l, 0), 4);
	assert_int_equal(pid_at(&l, 1), 30);
	assert_int_equal(pid_at(&l, 2), 200);
	list_done(&l);
}

static void a_number_that_is_used_again_is_another_process(void **state)
{
	struct list l = { 0 };
	(void)state;
	list_open(&l, "accum");
	begin(&l, 1);
	process(&l, 7, "old", 500, 1);
	process(&l, 8, "p", 50, 1);
	begin(&l, 2);
	process(&l, 8, "p", 60, 1);
	l.t.b.owner = 7;
	bench_text(&l.t, 0, "7 (new) S 1 1 1 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 9999 4096 1\n");
	choose(&l, 10);
	assert_int_equal(l.top.n, 2);
	assert_int_equal(pid_at(&l, 0), 8);
	assert_string_equal(l.sections[0].domain->instances[l.top.rows[1].slot].name, "000007 new");
	list_done(&l);
}

static void of_many_processes_the_first_are_the_same_as_in_a_full_order(void **state)
{
	enum { MANY = 3000, KEPT = 20 };
	struct list l = { 0 };
	(void)state;
	list_open(&l, "thread");
	for (int sample = 1; sample <= 2; sample++) {
		begin(&l, sample);
		for (int pid = 1; pid <= MANY; pid++)
			process(&l, pid, "p", 0, (unsigned)pid * 7919U % MANY);
	}
	choose(&l, KEPT);
	assert_int_equal(l.top.n, KEPT);
	for (unsigned i = 0; i < KEPT; i++)
		assert_int_equal(l.top.rows[i].value, MANY - 1 - i);
	list_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_busiest_come_first_and_equals_in_the_order_in_which_they_came),
		cmocka_unit_test(idle_ones_are_hidden_if_asked_for),
		cmocka_unit_test(an_ascending_order_begins_with_the_least),
		cmocka_unit_test(a_number_that_is_used_again_is_another_process),
		cmocka_unit_test(of_many_processes_the_first_are_the_same_as_in_a_full_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
