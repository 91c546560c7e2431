/* record/tasks: what a configuration asks for, by the names of a catalog; and model/pick: what stays of a sample. Who wins over whom is what
 * pmlogger 6.0.3 was seen to do. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "model/pick.h"
#include "record/tasks.h"

#define INDOM PF_INDOM(29, 2)

static const struct pf_metric rows[] = {
	{ "a.one", PF_PMID(29, 0, 1), PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE, NULL },
	{ "a.two", PF_PMID(29, 0, 2), INDOM, PF_S32, PF_INSTANT, PF_UNITS_NONE, NULL },
	{ "a.three", PF_PMID(29, 0, 3), INDOM, PF_S32, PF_INSTANT, PF_UNITS_NONE, NULL },
	{ "b", PF_PMID(29, 0, 4), PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE, NULL },
};

static struct pf_catalog *catalog(void)
{
	unsigned base;
	struct pf_catalog *cat = pf_catalog_new();
	assert_non_null(cat);
	assert_int_equal(pf_catalog_add(cat, rows, PF_N(rows), &base, NULL), 0);
	return cat;
}

/* "2:a.two[x]off;": fault, metric, instance, what stands */
static void problem(void *arg, const struct pf_task_problem *p)
{
	pf_buf_fmt(arg, " %d:%s%s%s%s", p->fault, p->metric, p->instance ? "/" : "",
		   p->instance ? p->instance->text : "", p->off ? "!" : "");
}

/* "M1000 a.one a.two[x,3]; A0 b;" and the problems */
static char *made(const char *text, unsigned *ret_unknown)
{
	struct pf_catalog *cat = catalog();
	struct pf_logconfig c;
	struct pf_tasks t;
	struct pf_buf b = { 0 };
	struct pf_buf problems = { 0 };
	const struct pf_preproc_input in = { .name = "c", .text = pf_view_of(text) };
	assert_int_equal(pf_logconfig_read(&c, &in), 0);
	assert_null(c.error.what);
	const struct pf_tasks_spec spec = {
		.config = &c, .catalog = cat, .default_ns = INT64_C(7000000000), .problem = problem, .arg = &problems
	};
	assert_int_equal(pf_tasks_make(&t, &spec, NULL), 0);
	*ret_unknown = t.n_unknown;
	for (unsigned i = 0; i < t.n; i++) {
		pf_buf_fmt(&b, "%s%c%lld", i ? " " : "", t.list[i].mandatory ? 'M' : 'A',
			   (long long)(t.list[i].interval_ns / 1000000));
		for (unsigned k = 0; k < t.list[i].picks.n; k++) {
			const struct pf_pick *p = &t.list[i].picks.list[k];
			pf_buf_fmt(&b, " %s", cat->metrics[p->metric]->name);
			for (unsigned n = 0; n < p->n; n++) {
				pf_buf_char(&b, n ? ',' : '[');
				if (p->instances[n].name)
					pf_buf_str(&b, p->instances[n].name);
				else
					pf_buf_i64(&b, p->instances[n].id);
			}
			pf_buf_str(&b, p->n ? "]" : "");
		}
		pf_buf_char(&b, ';');
	}
	pf_buf_view(&b, pf_buf_text(&problems));
	pf_buf_char(&b, '\0');
	pf_buf_done(&problems);
	pf_tasks_done(&t);
	pf_logconfig_done(&c);
	(void)pf_catalog_free(cat);
	return b.p;
}

static void strength_and_interval_make_a_task(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *want;
		unsigned unknown;
	} cases[] = {
		{ "on 1 sec { b } on 1000 msec { a.one }\n", "A1000 a.one b;", 0 },
		{ "on 1 sec { b } mandatory on 1 sec { a.one }\n", "A1000 b; M1000 a.one;", 0 },
		{ "on 1 sec b on once a.one on 2 sec b mandatory on once a.one\n",
		  "A0 a.one; M0 a.one; A1000 b; A2000 b;", 0 },
		{ "on default b on 7 sec a.one\n", "A7000 a.one b;", 0 },
		{ "on 1 sec a\n", "A1000 a.one a.two a.three;", 0 },
		{ "on 1 sec { a.two[3, x] a.two }\n", "A1000 a.two;", 0 },
		{ "on 1 sec { a.two[3 3] }\n", "A1000 a.two[3];", 0 },
		{ "on 1 sec { nosuch b a.tw }\n", "A1000 b; 0:nosuch 0:a.tw", 2 },
		{ "mandatory off { nosuch }\n", " 0:nosuch", 0 },
		{ "mandatory on 1 sec b advisory on 1 sec b\n", "M1000 b; 3:b", 0 },
		{ "mandatory off b advisory on 1 sec { b a.one }\n", "A1000 a.one; 3:b!", 0 },
		{ "mandatory maybe b advisory on 1 sec b\n", "A1000 b;", 0 },
		{ "mandatory off b mandatory maybe b on 1 sec b\n", "A1000 b;", 0 },
		{ "advisory on 1 sec b mandatory on 2 sec b\n", "A1000 b; M2000 b;", 0 },
		{ "on 1 sec b mandatory off b\n", "A1000 b;", 0 },
		{ "on once a.two[3] on 1 sec a.two[3]\n", "A1000 a.two[3];", 0 },
		{ "on 1 sec a.two[3 4] on 2 sec a.two[4 5]\n", "A1000 a.two[3]; A2000 a.two[5,4];", 0 },
		{ "on 1 sec a.two[3 4] mandatory off a.two[4]\n", "A1000 a.two[3];", 0 },
		{ "on 1 sec a.two[3] on 2 sec a.two\n", "A1000 a.two[3]; A2000 a.two;", 0 },
		{ "mandatory off a.two[3] on 1 sec a.two\n", " 3:a.two!", 0 },
		{ "mandatory off a.two on 1 sec a.two[3]\n", " 3:a.two/3!", 0 },
		{ "mandatory off a.two[3] mandatory on 1 sec a.two on 2 sec a.two[3]\n", "M1000 a.two; 3:a.two/3", 0 },
		{ "mandatory on 1 sec a.two mandatory off a.two[3] on 2 sec a.two[3]\n", "M1000 a.two; 3:a.two/3!", 0 },
		{ "mandatory on 1 sec a.two[3] on 2 sec a.two[3] mandatory off a.two[3] on 2 sec a.two[3]\n",
		  " 3:a.two/3 3:a.two/3!", 0 },
		{ "mandatory off a.two[3] on 1 sec { a.two[3 4] a.three[3] }\n",
		  "A1000 a.two[4] a.three[3]; 3:a.two/3!", 0 },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		unsigned unknown;
		pf_autofree char *have = made(cases[i].text, &unknown);
		if (strcmp(have, cases[i].want) != 0)
			print_error("case %u: %s", i, cases[i].text);
		assert_string_equal(have, cases[i].want);
		assert_int_equal(unknown, cases[i].unknown);
	}
}

/* So many that looking through all of them for each would not end while anybody waits. */
static void very_many_instances_are_no_matter(void **state)
{
	enum { MANY = 300000 };
	(void)state;
	struct pf_catalog *cat = catalog();
	struct pf_logconfig c;
	struct pf_tasks t;
	struct pf_buf text = { 0 };
	for (unsigned turn = 0; turn < 2; turn++) {
		pf_buf_fmt(&text, "log %s on %u sec a.two[", turn ? "advisory" : "mandatory", turn + 1);
		for (unsigned i = 0; i < MANY; i++)
			pf_buf_fmt(&text, i % 2 ? " %u" : " \"x%u\"", i);
		pf_buf_str(&text, "]\n");
	}
	const struct pf_preproc_input in = { .name = "c", .text = pf_buf_text(&text) };
	assert_int_equal(pf_logconfig_read(&c, &in), 0);
	assert_null(c.error.what);
	const struct pf_tasks_spec spec = { .config = &c, .catalog = cat };
	assert_int_equal(pf_tasks_make(&t, &spec, NULL), 0);
	assert_int_equal(t.n, 1);
	assert_true(t.list[0].mandatory);
	assert_int_equal(t.list[0].picks.n, 1);
	assert_int_equal(t.list[0].picks.list[0].n, MANY);
	pf_tasks_done(&t);
	pf_logconfig_done(&c);
	pf_buf_done(&text);
	(void)pf_catalog_free(cat);
}

static void instances_go_by_number_or_by_name_up_to_a_blank(void **state)
{
	(void)state;
	static const struct {
		struct pf_pick_instance want;
		const char *name;
		int32_t id;
		bool is;
	} cases[] = {
		{ { NULL, 5 }, "x", 5, true },		 { { NULL, 5 }, "5", 6, false },
		{ { "x", -1 }, "x", 5, true },		 { { "x", -1 }, "x y", 5, true },
		{ { "x y", -1 }, "x y", 5, true },	 { { "x y", -1 }, "x y z", 5, false },
		{ { "x", -1 }, "xy", 5, false },	 { { "x", -1 }, "", 5, false },
		{ { NULL, INT64_MAX }, "x", -1, false },
	};
	for (unsigned i = 0; i < PF_N(cases); i++)
		assert_int_equal(pf_pick_instance_is(&cases[i].want, cases[i].name, cases[i].id), cases[i].is);
}

static void only_what_is_picked_stays_of_a_sample(void **state)
{
	(void)state;
	struct pf_catalog *cat = catalog();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	struct pf_sample *s = pf_frames_begin(&frames, 1, 1);
	assert_non_null(s);
	struct pf_indom *dom = pf_catalog_domain_of(cat, 1);
	for (unsigned slot = 0; slot < 3; slot++) {
		static const char *const names[] = { "x", "y", "z" };
		assert_int_equal(pf_indom_slot(dom, pf_view_of(names[slot]), 0, (int32_t)slot + 10, s->seq), slot);
		for (unsigned m = 1; m < 3; m++)
			assert_int_equal(pf_sample_set(s, m, slot, (union pf_value){ .i = 1 }), 0);
	}
	assert_int_equal(pf_sample_set(s, 0, 0, (union pf_value){ .i = 1 }), 0);
	assert_int_equal(pf_sample_fail(s, 3, -5), 0);
	const struct pf_pick_instance some[] = { { "z", -1 }, { NULL, 10 } };
	const struct pf_pick list[] = { { .metric = 1, .instances = some, .n = 2 } };
	const struct pf_picks picks = { list, 1 };
	pf_picks_keep(&picks, s);
	int32_t code;
	assert_false(pf_sample_has(s, 0, 0));
	assert_true(pf_sample_has(s, 1, 0));
	assert_false(pf_sample_has(s, 1, 1));
	assert_true(pf_sample_has(s, 1, 2));
	assert_false(pf_sample_has(s, 2, 0));
	assert_false(pf_sample_failed(s, 3, &code));
	assert_null(pf_pick_find(&picks, 0));
	assert_ptr_equal(pf_pick_find(&picks, 1), &list[0]);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strength_and_interval_make_a_task),
		cmocka_unit_test(very_many_instances_are_no_matter),
		cmocka_unit_test(instances_go_by_number_or_by_name_up_to_a_blank),
		cmocka_unit_test(only_what_is_picked_stays_of_a_sample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
