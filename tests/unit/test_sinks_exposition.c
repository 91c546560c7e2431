/* sinks/exposition: names, units, values and escapes of both forms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/time.h"
#include "model/builder.h"
#include "sinks/exposition.h"

enum { TICKS, READS, LEVEL, LEVEL_AGAIN, SIZE, NAME, ODD, N_ROWS };

#define DISKS PF_INDOM(PF_DOMAIN_LINUX, 1)

static const struct pf_metric rows[N_ROWS] = {
	[TICKS] = { "t.ticks", PF_PMID(60, 0, 1), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "two\nlines" },
	[READS] = { "t.reads", PF_PMID(60, 0, 2), DISKS, PF_S64, PF_COUNTER, PF_UNITS_COUNT, "reads" },
	[LEVEL] = { "t.level", PF_PMID(60, 0, 3), PF_INDOM_NONE, PF_S64, PF_INSTANT, PF_UNITS_NONE, "level" },
	[LEVEL_AGAIN] = { "t_level", PF_PMID(60, 0, 4), PF_INDOM_NONE, PF_U32, PF_INSTANT, PF_UNITS_NONE, "again" },
	[SIZE] = { "t.size", PF_PMID(60, 0, 5), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, "s\x1b\xffze" },
	[NAME] = { "t.name", PF_PMID(60, 0, 6), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "name" },
	[ODD] = { "t.odd", PF_PMID(60, 0, 7), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, "odd" },
};

struct fixture {
	struct pf_catalog *cat;
	struct pf_frames frames;
	struct pf_builder b;
	struct pf_expo expo;
	struct pf_buf text;
};

static int setup(void **state)
{
	static struct fixture f;
	f = (struct fixture){ .cat = pf_catalog_new() };
	assert_non_null(f.cat);
	assert_int_equal(pf_catalog_add(f.cat, rows, N_ROWS, &f.b.base, NULL), 0);
	pf_frames_init(&f.frames, f.cat);
	f.b.catalog = f.cat;
	f.b.sample = pf_frames_begin(&f.frames, 1500 * PF_NS_PER_MS, 1500 * PF_NS_PER_MS);
	assert_non_null(f.b.sample);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	pf_expo_done(&f->expo);
	pf_buf_done(&f->text);
	pf_frames_done(&f->frames);
	f->cat = pf_catalog_free(f->cat);
	return 0;
}

static void set(struct fixture *f, unsigned metric, unsigned slot, union pf_value v)
{
	assert_int_equal(
		pf_sample_set(f->frames.two[0].seq > f->frames.two[1].seq ? &f->frames.two[0] : &f->frames.two[1],
			      f->b.base + metric, slot, v),
		0);
}

static unsigned disk(struct fixture *f, const char *name)
{
	int slot = pf_builder_instance(&f->b, pf_catalog_domain_of(f->cat, f->b.base + READS), pf_view_of(name), -1);
	assert_true(slot >= 0);
	return (unsigned)slot;
}

static const char *write(struct fixture *f, enum pf_expo_form form, bool times)
{
	struct pf_step step = pf_frames_step(&f->frames);
	pf_buf_clear(&f->text);
	assert_int_equal(pf_expo_write(&f->expo, &f->text, form, &step, times), 0);
	return f->text.n > 0 ? f->text.p : "";
}

static void counters_and_units_are_in_names_and_values_in_base_units(void **state)
{
	struct fixture *f = *state;
	set(f, TICKS, 0, (union pf_value){ .u = 12345 });
	set(f, SIZE, 0, (union pf_value){ .u = 3 });
	assert_string_equal(
		write(f, PF_EXPO_OPEN, true),
		"# TYPE t_ticks_seconds counter\n# UNIT t_ticks_seconds seconds\n"
		"# HELP t_ticks_seconds two\\nlines\nt_ticks_seconds_total 12.345 1.500\n"
		"# TYPE t_size_bytes gauge\n# UNIT t_size_bytes bytes\n# HELP t_size_bytes s\xef\xbf\xbd\xef\xbf\xbdze\n"
		"t_size_bytes 3072 1.500\n# EOF\n");
	assert_string_equal(
		write(f, PF_EXPO_PLAIN, false),
		"# TYPE t_ticks_seconds_total counter\n# HELP t_ticks_seconds_total two\\nlines\n"
		"t_ticks_seconds_total 12.345\n# TYPE t_size_bytes gauge\n# HELP t_size_bytes s\xef\xbf\xbd\xef\xbf\xbdze\n"
		"t_size_bytes 3072\n");
}

static void names_that_become_the_same_are_numbered(void **state)
{
	struct fixture *f = *state;
	set(f, LEVEL, 0, (union pf_value){ .i = -5 });
	set(f, LEVEL_AGAIN, 0, (union pf_value){ .u = 7 });
	const char *text = write(f, PF_EXPO_OPEN, false);
	assert_non_null(strstr(text, "\nt_level -5\n"));
	assert_non_null(strstr(text, "\nt_level_2 7\n"));
}

static void labels_are_escaped_and_no_series_comes_twice(void **state)
{
	struct fixture *f = *state;
	unsigned hostile = disk(f, "a\"b\\c\033d\ne");
	set(f, READS, hostile, (union pf_value){ .i = 1 });
	const char *text = write(f, PF_EXPO_OPEN, false);
	const char *line = strstr(text, "\nt_reads_total{name=\"a\\\"b");
	assert_non_null(line);
	for (const char *p = line + 1; *p != '\n'; p++)
		assert_true((unsigned char)*p >= ' ');
	assert_non_null(strstr(line + 1, "\"} 1\n"));
}

static void what_is_no_number_and_no_counter_is_left_out(void **state)
{
	struct fixture *f = *state;
	set(f, ODD, 0, (union pf_value){ .d = NAN });
	set(f, READS, disk(f, "sda"), (union pf_value){ .i = -1 });
	assert_string_equal(write(f, PF_EXPO_OPEN, false), "# EOF\n");
	assert_string_equal(write(f, PF_EXPO_PLAIN, false), "");
}

static void texts_are_labels_of_a_one(void **state)
{
	struct fixture *f = *state;
	set(f, NAME, 0, (union pf_value){ .s = "x" });
	assert_non_null(strstr(write(f, PF_EXPO_OPEN, false), "# TYPE t_name info\n"));
	assert_non_null(strstr(write(f, PF_EXPO_OPEN, false), "\nt_name_info{value=\"x\"} 1\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counters_and_units_are_in_names_and_values_in_base_units),
		TEST(names_that_become_the_same_are_numbered),
		TEST(labels_are_escaped_and_no_series_comes_twice),
		TEST(what_is_no_number_and_no_counter_is_left_out),
		TEST(texts_are_labels_of_a_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
