/* sinks/screen: --top drawn over samples made here, with keys, without a terminal (it is taken for one of 24 lines). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/time.h"
#include "group_bench.h"
#include "sinks/screen.h"
#include "sinks/sink.h"

struct screen {
	struct bench t;
	struct pf_view_options view;
	struct pf_sink *sink;
	struct pf_step step;
	int fd;
	struct pf_buf text;
};

static void screen_open(struct screen *s, const char *order, unsigned rows)
{
	static const struct pf_group *const groups[] = { &pf_group_process, NULL };
	char path[] = "/tmp/perfolio-screen-XXXXXX";
	bench_init(&s->t, &pf_group_process);
	s->view = (struct pf_view_options){
		.letters = "Z", .separator = " ", .host = "vm", .top_letter = 'Z', .top_rows = rows
	};
	for (unsigned i = 0; i < pf_group_process.n_sort_keys && !s->view.top_key; i++) {
		if (strcmp(pf_group_process.sort_keys[i].name, order) == 0)
			s->view.top_key = &pf_group_process.sort_keys[i];
	}
	s->fd = mkstemp(path);
	assert_true(s->fd >= 0);
	assert_int_equal(unlink(path), 0);
	struct pf_sink_spec spec = {
		.fd = s->fd, .view = &s->view, .groups = groups, .bases = &s->t.b.base, .catalog = s->t.catalog
	};
	assert_int_equal(pf_sink_screen.open(&s->sink, &spec, NULL), 0);
}

static void process(struct screen *s, int pid, const char *name, unsigned utime)
{
	char text[256];
	(void)snprintf(
		text, sizeof(text),
		"%d (%s) S 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 1 0 %d 4096 1 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 "
		"0 17 0 0 0\n",
		pid, name, utime, pid);
	s->t.b.owner = pid;
	bench_text(&s->t, 0, text);
}

static void begin(struct screen *s, int64_t seconds)
{
	bench_begin(&s->t, seconds * PF_NS_PER_SEC);
	s->t.b.sample->second = true;
}

static void show(struct screen *s)
{
	s->step = pf_frames_step(&s->t.frames);
	assert_int_equal(s->sink->kind->sample(s->sink, &s->step, NULL), 0);
	assert_int_equal(s->sink->kind->flush(s->sink), 0);
}

/* What was written since this was asked last. */
static const char *written(struct screen *s)
{
	pf_buf_clear(&s->text);
	assert_int_equal(pf_io_pread_all(s->fd, 1 << 20, &s->text), 0);
	assert_int_equal(ftruncate(s->fd, 0), 0);
	assert_true(lseek(s->fd, 0, SEEK_SET) == 0);
	return pf_buf_text(&s->text).p;
}

static const char *press(struct screen *s, int key)
{
	assert_int_equal(s->sink->kind->key(s->sink, key, &s->step, NULL), 0);
	return written(s);
}

static void screen_done(struct screen *s)
{
	assert_int_equal(s->sink->kind->close(s->sink, NULL), 0);
	(void)close(s->fd);
	pf_buf_done(&s->text);
	bench_done(&s->t);
}

/* Three processes: "idle", "busy" and "more". */
static void show_three(struct screen *s)
{
	begin(s, 1);
	process(s, 1, "idle", 100);
	process(s, 2, "busy", 5);
	process(s, 3, "more", 5);
	show(s);
	assert_string_equal(written(s), ""); /* rates need two */
	begin(s, 2);
	process(s, 1, "idle", 100);
	process(s, 2, "busy", 25);
	process(s, 3, "more", 65);
	show(s);
}

static unsigned rows_of(const char *text)
{
	unsigned n = 0;
	for (const char *p = text; (p = strstr(p, "HOST")); p++)
		n++;
	return n;
}

static void assert_order(const char *text, const char *first, const char *second)
{
	const char *a = strstr(text, first);
	const char *b = strstr(text, second);
	if (!a || !b || a > b)
		fail_msg("'%s' does not stand before '%s'", first, second);
}

static void rows_are_drawn_in_order_and_lines_are_cleared_to_their_ends(void **state)
{
	struct screen s = { 0 };
	(void)state;
	screen_open(&s, "time", 0);
	show_three(&s);
	const char *text = written(&s);
	assert_non_null(strstr(text, "\033[H\033[J"));
	assert_order(text, "more", "busy");
	assert_order(text, "busy", "idle");
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		assert_memory_equal(p - 3, "\033[K", 3);
	begin(&s, 3);
	process(&s, 1, "idle", 101);
	process(&s, 2, "busy", 25);
	process(&s, 3, "more", 65);
	show(&s);
	text = written(&s);
	assert_null(strstr(text, "\033[H\033[J")); /* drawn over, not anew: it would flicker */
	assert_order(text, "idle", "busy");
	screen_done(&s);
}

static void a_row_for_each_is_drawn_up_to_the_number_asked_for(void **state)
{
	struct screen s = { 0 };
	(void)state;
	screen_open(&s, "time", 2);
	show_three(&s);
	const char *text = written(&s);
	assert_null(strstr(text, "idle"));
	assert_non_null(strstr(press(&s, '+'), "idle"));
	assert_null(strstr(press(&s, '-'), "idle"));
	text = press(&s, '-');
	assert_null(strstr(text, "busy"));
	assert_non_null(strstr(text, "more"));
	text = press(&s, '-'); /* one is always there */
	assert_non_null(strstr(text, "more"));
	assert_non_null(strstr(press(&s, '0'), "idle"));
	screen_done(&s);
}

static void keys_change_the_order_and_hide_idle_ones(void **state)
{
	struct screen s = { 0 };
	(void)state;
	screen_open(&s, "time", 0);
	show_three(&s);
	(void)written(&s);
	assert_order(press(&s, 'a'), "idle", "more"); /* accumulated time */
	assert_order(press(&s, 'n'), "idle", "busy"); /* number */
	assert_order(press(&s, 'c'), "more", "busy");
	assert_null(strstr(press(&s, 'z'), "idle"));
	assert_non_null(strstr(press(&s, 'z'), "idle"));
	assert_non_null(strstr(press(&s, 'h'), "q quit"));
	assert_null(strstr(press(&s, 'c'), "q quit"));
	assert_non_null(strstr(press(&s, PF_KEY_PAUSE), "paused"));
	for (int i = 0; i < 100; i++) /* round and round */
		assert_non_null(strstr(press(&s, i % 2 ? 's' : '>'), "more"));
	screen_done(&s);
}

static void a_hostile_name_is_one_row_and_none_of_its_controls_arrive(void **state)
{
	struct screen s = { 0 };
	(void)state;
	screen_open(&s, "time", 0);
	for (int sample = 1; sample <= 2; sample++) {
		begin(&s, sample);
		process(&s, 9, "HOST\033[31m\r\n\233y\302\233z\377", (unsigned)sample);
		show(&s);
	}
	const char *text = written(&s);
	assert_int_equal(rows_of(text), 1);
	assert_null(strstr(text, "\033[31m"));
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\233'));
	assert_null(strchr(text, '\377'));
	screen_done(&s);
}

static void the_terminal_is_left_usable(void **state)
{
	struct screen s = { 0 };
	(void)state;
	screen_open(&s, "time", 0);
	show_three(&s);
	assert_non_null(strstr(written(&s), "\033[?7l"));
	assert_int_equal(s.sink->kind->close(s.sink, NULL), 0);
	const char *text = written(&s);
	assert_non_null(strstr(text, "\033[r"));
	assert_non_null(strstr(text, "\033[?7h"));
	(void)close(s.fd);
	pf_buf_done(&s.text);
	bench_done(&s.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_drawn_in_order_and_lines_are_cleared_to_their_ends),
		cmocka_unit_test(a_row_for_each_is_drawn_up_to_the_number_asked_for),
		cmocka_unit_test(keys_change_the_order_and_hide_idle_ones),
		cmocka_unit_test(a_hostile_name_is_one_row_and_none_of_its_controls_arrive),
		cmocka_unit_test(the_terminal_is_left_usable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
