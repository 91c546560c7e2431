/* sinks/screen.c - --top on a terminal: the first rows in order of a value, redrawn in place, and what else was asked for above them.
 * Under the name collectl the bytes are those of 4.3.1. The lines above scroll in a region of their own if they are of the brief kind;
 * else they are redrawn, too, and the list begins where they end. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/term.h"
#include "model/group.h"
#include "sinks/draw.h"
#include "sinks/screen.h"
#include "sinks/textview.h"
#include "sinks/times.h"
#include "sinks/toplist.h"

enum { LETTERS_MAX = 64, DEFAULT_ROWS = 24, DEFAULT_REPEAT = 5, HEADINGS = 2, MANY = 100000 };

static const char order[] = "YZ";

/* Where the view above the list leaves its text. */
struct above {
	struct pf_outlet base;
	struct pf_buf text;
};

static int keep_text(struct pf_outlet *o, struct pf_view text, size_t divider)
{
	struct above *a = (struct above *)o;
	(void)divider; /* of documents */
	pf_buf_view(&a->text, text);
	return a->text.failed;
}

static const struct pf_outlet_kind above_kind = { .put = keep_text };

/**
 * struct screen
 * @list: of the letter that is ordered; @view, @above_view: what it and @area are drawn with
 * @brief: the area above is of one line for each sample
 * @bottom: last line of the area, 0: there is none; @line: where its next line goes
 * @begun: the terminal was made ready; @drawn: the screen shows something
 * @rows, @columns: of the terminal
 * @kept: rows that were asked for by number or key, 0: as many as there is room for
 * @told: a line at the bottom for the person at the keys
 */
struct screen {
	struct pf_textview list;
	struct pf_view_options view;
	struct pf_view_options above_view;
	char letter[2];
	char above_letters[LETTERS_MAX];
	struct pf_sink *area;
	struct above above;
	int fd;
	struct pf_toplist top;
	bool peer;
	bool brief;
	bool begun;
	bool drawn;
	unsigned bottom;
	unsigned line;
	unsigned rows;
	unsigned columns;
	unsigned default_rows;
	unsigned kept;
	const char *told;
};

static void to_line(struct screen *s, unsigned line)
{
	pf_buf_fmt(&s->list.out, "\033[%u;H", line);
}

/* Lines between the headings of the area and the list: as collectl shares them out. */
static unsigned peer_bottom(const struct screen *s)
{
	const char *letters = s->above_letters;
	size_t n = strlen(letters);
	if (s->brief || n == 1 || strcmp(letters, "Cj") == 0 || strcmp(letters, "jC") == 0)
		return (unsigned)(3 + s->view.header_repeat);
	for (size_t i = 0; i < n; i++) {
		if (isupper((unsigned char)letters[i]))
			return 6;
	}
	return (unsigned)(3 * n + 1);
}

static unsigned list_rows(const struct screen *s)
{
	unsigned used = s->bottom + HEADINGS + (s->peer ? 0 : 1);
	unsigned room = s->rows > used ? s->rows - used : 1;
	if (s->peer)
		return s->kept ? s->kept : room;
	return s->kept && s->kept < room ? s->kept : room;
}

/* Ask for the size of the terminal anew. Return: did it change? */
static bool measure(struct screen *s)
{
	unsigned rows = s->default_rows;
	unsigned columns = 0;
	(void)pf_term_size(s->fd, &rows, &columns); /* none: the defaults hold */
	bool changed = rows != s->rows || columns != s->columns;
	s->rows = rows;
	s->columns = columns;
	return changed;
}

static void begin_area(struct screen *s)
{
	if (!s->area)
		return;
	if (s->peer || s->brief) {
		s->bottom = peer_bottom(s);
		s->line = 3;
		pf_buf_fmt(&s->list.out, "\033[3;%ur", s->bottom);
	}
}

/* Whatever is told before the first sample stands before this. Lines that are too long are cut, not continued. */
static void begin(struct screen *s)
{
	if (s->begun)
		return;
	pf_buf_str(&s->list.out, s->peer ? "" : "\033[?7l");
	begin_area(s);
	s->begun = true;
}

static int open_area(struct screen *s, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_sink_spec above = *spec;
	if (!spec->area)
		return 0;
	s->above_view = *spec->view;
	s->above_view.letters = s->above_letters;
	s->above_view.top_key = NULL;
	s->above_view.variants &= ~(uint64_t)PF_FOR_TOP;
	s->above_view.home = true;
	s->above_view.home_bare = true;
	s->above_view.header_repeat = 0;
	if (!s->brief)
		s->above_view.header_repeat = s->view.header_repeat;
	above.view = &s->above_view;
	s->above.base.kind = &above_kind;
	above.outlet = &s->above.base;
	return spec->area->open(&s->area, &above, err);
}

static int open_screen(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	/* The list's view has to be there before its sections are chosen, and stay where it is: so it is moved in afterwards. */
	struct pf_view_options *view = malloc(sizeof(*view));
	struct pf_sink_spec own = *spec;
	struct pf_textview *t = NULL;
	if (!view)
		return pf_err_set(err, -ENOMEM, "no memory for the list");
	*view = *spec->view;
	char letter[2] = { spec->view->top_letter, '\0' };
	view->letters = letter;
	view->home = true;
	own.view = view;
	int rc = pf_textview_open(&t, sizeof(struct screen), &pf_sink_screen, &own, PF_VIEW_VERBOSE, order, err);
	struct screen *s = (struct screen *)t;
	if (rc == 0) {
		s->view = *view;
		memcpy(s->letter, letter, sizeof(letter));
		s->view.letters = s->letter;
		t->view = &s->view;
		for (unsigned i = 0; i < t->n_sections; i++)
			t->sections[i].view = &s->view;
	}
	free(view);
	if (rc < 0)
		return rc;
	for (const char *p = spec->view->letters; *p != '\0'; p++) {
		if (*p != letter[0] && strlen(s->above_letters) + 1 < LETTERS_MAX)
			s->above_letters[strlen(s->above_letters)] = *p;
	}
	s->fd = spec->fd;
	s->peer = s->view.variants & PF_AS_PEER;
	s->brief = spec->area == &pf_sink_brief;
	s->kept = s->view.top_rows;
	s->default_rows = spec->term_height > 0 ? spec->term_height : DEFAULT_ROWS;
	rc = open_area(s, spec, err);
	if (rc < 0) {
		(void)pf_textview_close(&t->sink, NULL);
		return rc;
	}
	(void)measure(s);
	*ret_sink = &t->sink;
	return 0;
}

/* Lines of the area's text, each cleared to its end; @first: lines before it are left alone. */
static unsigned put_lines(struct screen *s, struct pf_view text, unsigned most)
{
	struct pf_view line;
	unsigned n = 0;
	while (n < most && pf_view_line(&text, &line) == 0) {
		pf_buf_view(&s->list.out, line);
		pf_buf_str(&s->list.out, s->peer ? "\n" : "\033[K\n");
		n++;
	}
	return n;
}

static void draw_brief(struct screen *s)
{
	if (s->drawn)
		to_line(s, s->line);
	else
		pf_buf_str(&s->list.out, "\033[H\033[J");
	unsigned n = put_lines(s, pf_buf_text(&s->above.text), MANY);
	s->line += s->drawn ? n : n > HEADINGS ? n - HEADINGS : 0;
	if (s->line > s->bottom)
		s->line = s->bottom;
}

static void draw_verbose(struct screen *s)
{
	if (s->peer) {
		pf_buf_str(&s->list.out, s->drawn ? "\033[0;H\033[H" : "\033[H\033[J");
		pf_buf_view(&s->list.out, pf_buf_text(&s->above.text));
		return;
	}
	pf_buf_str(&s->list.out, "\033[H");
	unsigned room =
		s->rows > HEADINGS + 4 ? s->rows - HEADINGS - 4 : 1; /* some rows of the list are always there */
	s->bottom = put_lines(s, pf_buf_text(&s->above.text), room);
}

/* What stands above the list. */
static int draw_area(struct screen *s, const struct pf_step *step, struct pf_err *err)
{
	pf_buf_clear(&s->above.text);
	int rc = s->area->kind->sample(s->area, step, err);
	if (rc == 0)
		rc = s->area->kind->flush(s->area);
	if (rc < 0)
		return rc;
	if (s->brief)
		draw_brief(s);
	else
		draw_verbose(s);
	return 0;
}

static void heading(struct screen *s, const struct pf_section *section, int64_t time_ns)
{
	struct pf_buf *out = &s->list.out;
	const char *end = s->peer ? "\n" : "\033[K\n";
	pf_buf_str(out, "# ");
	pf_section_text(section, out, section->layouts[0]->title);
	pf_times_of_day(out, &s->view, time_ns);
	pf_buf_str(out, end);
	pf_buf_char(out, '#');
	pf_section_text(section, out, section->layouts[0]->head2);
	pf_buf_str(out, end);
}

/* At most as many characters as the terminal is wide, from @from on. */
static void cut_line(struct screen *s, size_t from)
{
	struct pf_buf *out = &s->list.out;
	unsigned width = 0;
	if (s->peer || s->columns == 0)
		return;
	for (size_t i = from; i < out->n; i++) {
		bool begins = ((unsigned char)out->p[i] & 0xc0) != 0x80;
		if (begins && ++width > s->columns) {
			out->n = i;
			return;
		}
	}
}

static void draw_list(struct screen *s, const struct pf_calc_step *calc, const struct pf_section *section)
{
	struct pf_buf *out = &s->list.out;
	unsigned max = list_rows(s);
	heading(s, section, calc->step->cur->time_ns);
	if (pf_toplist_choose(&s->top, calc, section, max) < 0)
		out->failed = -ENOMEM;
	for (unsigned i = 0; i < s->top.n; i++) {
		size_t from = out->n;
		(void)pf_draw_row(out, calc, section, (int)s->top.rows[i].slot, i);
		cut_line(s, from);
		pf_buf_str(out, "\033[K");
		if (i + 1 < max || !s->peer)
			pf_buf_char(out, '\n');
	}
}

/* The line for whoever types, below the list. */
static void draw_told(struct screen *s)
{
	pf_buf_str(&s->list.out, "\033[J");
	if (s->told)
		pf_buf_fmt(&s->list.out, "\033[%u;1H%s\033[K", s->rows, s->told);
}

static int draw(struct screen *s, const struct pf_step *step, bool fresh, struct pf_err *err)
{
	struct pf_calc_step calc;
	int rc = pf_textview_begin(&s->list, step, &calc);
	if (rc <= 0)
		return rc;
	begin(s);
	if (measure(s) && !s->peer && s->drawn) {
		pf_buf_str(&s->list.out, "\033[r\033[H\033[J");
		begin_area(s);
		s->drawn = s->area && s->brief;
	}
	if (!s->drawn)
		pf_buf_str(&s->list.out, "\033[H\033[J");
	if (s->area && fresh)
		rc = draw_area(s, step, err);
	if (rc < 0)
		return rc;
	const struct pf_section *section = &s->list.sections[0];
	to_line(s, s->area ? s->bottom + 1 : 0);
	if (s->list.n_sections > 0 && section->due)
		draw_list(s, &calc, section);
	s->drawn = true;
	if (!s->peer) {
		draw_told(s);
	} else {
		pf_buf_str(&s->list.out, s->letter[0] == 'Z' ? "\033[J" : "");
		pf_buf_str(&s->list.out, s->brief ? "" : "\033[J");
	}
	return pf_textview_end(&s->list);
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	return draw((struct screen *)sink, step, true, err);
}

/* The next key for ordering that these variants allow, or the one before. */
static void change_order(struct screen *s, int by)
{
	const struct pf_group *g = s->list.sections[0].group;
	int n = (int)g->n_sort_keys;
	int at = (int)(s->view.top_key - g->sort_keys);
	for (int tries = 0; tries < n; tries++) {
		at = (at + by + n) % n;
		const struct pf_column *c = &g->sort_keys[at].column;
		if (pf_section_allows(c->when, c->unless, 0, s->view.variants))
			break;
	}
	s->view.top_key = &g->sort_keys[at];
}

static void take_order(struct screen *s, const char *name)
{
	const struct pf_group *g = s->list.sections[0].group;
	for (unsigned i = 0; i < g->n_sort_keys; i++) {
		const struct pf_column *c = &g->sort_keys[i].column;
		if (strcmp(g->sort_keys[i].name, name) == 0 &&
		    pf_section_allows(c->when, c->unless, 0, s->view.variants))
			s->view.top_key = &g->sort_keys[i];
	}
}

static const struct {
	char key;
	char order[8];
} orders[] = {
	{ 'c', "time" }, { 'm', "rss" },     { 'a', "accum" },	{ 'i', "iokb" }, { 'f', "flt" },
	{ 'n', "pid" },	 { 'm', "totsize" }, { 'c', "totchg" }, { 'n', "name" },
};

static int key(struct pf_sink *sink, int key, const struct pf_step *step, struct pf_err *err)
{
	struct screen *s = (struct screen *)sink;
	unsigned shown = list_rows(s);
	if (s->area && s->area->kind->key)
		(void)s->area->kind->key(s->area, key, step, err); /* it only notes what was asked for */
	if (s->peer || s->list.n_sections == 0)
		return 0;
	s->told = NULL;
	if (key == 's' || key == '>')
		change_order(s, 1);
	else if (key == 'S' || key == '<')
		change_order(s, -1);
	else if (key == '+')
		s->kept = shown + 1;
	else if (key == '-')
		s->kept = shown > 1 ? shown - 1 : 1;
	else if (key == '0')
		s->kept = 0;
	else if (key == 'z')
		s->view.top_hides_zeros = !s->view.top_hides_zeros;
	else if (key == 'h' || key == '?')
		s->told = "q quit  p pause  s S other order  c m a i f n order  + - 0 rows  z idle ones";
	else if (key == PF_KEY_PAUSE)
		s->told = "paused: p goes on, q quits";
	for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i].key == key)
			take_order(s, orders[i].order);
	}
	int rc = draw(s, step, false, err);
	return rc < 0 ? rc : pf_textview_flush(sink);
}

static int close_screen(struct pf_sink *sink, struct pf_err *err)
{
	struct screen *s = (struct screen *)sink;
	struct pf_buf *out = &s->list.out;
	begin(s);
	if (s->peer) {
		pf_buf_str(out, s->area ? "\033[r" : "");
		pf_buf_fmt(out, "\033[%u;H\n", s->bottom + HEADINGS + list_rows(s));
	} else {
		pf_buf_fmt(out, "\033[r\033[?7h\033[%u;1H\033[K", s->rows);
	}
	int arc = s->area ? s->area->kind->close(s->area, err) : 0;
	pf_buf_done(&s->above.text);
	pf_toplist_done(&s->top);
	int rc = pf_textview_close(sink, arc < 0 ? NULL : err);
	return arc < 0 ? arc : rc;
}

const struct pf_sink_kind pf_sink_screen = {
	.name = "screen",
	.open = open_screen,
	.sample = sample,
	.key = key,
	.flush = pf_textview_flush,
	.close = close_screen,
};
