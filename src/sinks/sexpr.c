/* sinks/sexpr.c - values as S-expressions: one for the sums, one for the details, an element for each group of names or instance. What
 * modules give for type 's' of their callback (import manual of collectl) stands behind ours. */
#include "sinks/export.h"

#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "sinks/snapshot.h"

/* Sums first, then details, whatever the user's order. */
static const char order[] = "cdfimnlstxeCDMNXE";

/**
 * struct sexpr
 * @text: report being made; @begun: the group and, in details, the instance of the element that is open, views of an item's name
 */
struct sexpr {
	struct pf_export export;
	struct pf_snapshot file;
	struct pf_buf text;
	bool in_details;
	bool open;
	struct pf_view group;
	struct pf_view instance;
};

static bool same(struct pf_view a, struct pf_view b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Blanks, quotes and brackets in a word are written as strings are in Lisp. */
static void add_word(struct pf_buf *out, struct pf_view v)
{
	bool plain = v.n > 0;
	for (size_t i = 0; i < v.n && plain; i++)
		plain = !strchr("()\"; '`,|\\", v.p[i]);
	if (plain) {
		pf_buf_view(out, v);
		return;
	}
	pf_buf_char(out, '"');
	for (size_t i = 0; i < v.n; i++) {
		if (v.p[i] == '"' || v.p[i] == '\\')
			pf_buf_char(out, '\\');
		pf_buf_char(out, v.p[i]);
	}
	pf_buf_char(out, '"');
}

static void end_element(struct sexpr *s)
{
	if (s->open)
		pf_buf_str(&s->text, ")\n");
	s->open = false;
}

static void begin_details(struct sexpr *s)
{
	end_element(s);
	pf_buf_str(&s->text, ")\n(collectl_detail\n");
	s->in_details = true;
}

/* "GROUP.VALUE" of sums, "GROUP.VALUE.INSTANCE" of details; an instance may have dots of its own. */
static void tell(struct pf_export *x, const struct pf_export_item *item)
{
	struct sexpr *s = (struct sexpr *)x;
	if (!item->sent || (x->options->debug & PF_EXPORT_QUIET))
		return;
	struct pf_view name = pf_view_of(item->name);
	const char *dot = memchr(name.p, '.', name.n);
	struct pf_view group = { name.p, dot ? (size_t)(dot - name.p) : name.n };
	struct pf_view value = dot ? (struct pf_view){ dot + 1, name.n - group.n - 1 } : PF_VIEW("value");
	struct pf_view instance = { "", 0 };
	dot = item->detail ? memchr(value.p, '.', value.n) : NULL;
	if (dot) {
		instance = (struct pf_view){ dot + 1, value.n - (size_t)(dot - value.p) - 1 };
		value.n = (size_t)(dot - value.p);
	}
	if (item->detail && !s->in_details)
		begin_details(s);
	if (!s->open || !same(group, s->group) || !same(instance, s->instance)) {
		end_element(s);
		pf_buf_str(&s->text, "  (");
		add_word(&s->text, group);
		if (instance.n > 0) {
			pf_buf_str(&s->text, " (name ");
			add_word(&s->text, instance);
			pf_buf_char(&s->text, ')');
		}
		s->open = true;
		s->group = group;
		s->instance = instance;
	}
	pf_buf_str(&s->text, " (");
	add_word(&s->text, value);
	pf_buf_fmt(&s->text, " %s)", item->text);
}

static int close_sexpr(struct pf_sink *sink, struct pf_err *err)
{
	struct sexpr *s = (struct sexpr *)sink;
	pf_buf_done(&s->text);
	pf_snapshot_done(&s->file);
	return pf_export_close(sink, err);
}

static int open_sexpr(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_export *x = NULL;
	const struct pf_export_form form = { .sink = &pf_sink_sexpr,
					     .size = sizeof(struct sexpr),
					     .view = PF_VIEW_LEXPR,
					     .order = order,
					     .module_kind = 's',
					     .round = true,
					     .tell = tell };
	int rc = pf_export_open(&x, &form, spec, err);
	if (rc < 0)
		return rc;
	rc = pf_snapshot_choose(&((struct sexpr *)x)->file, spec->path, "S", x->options->file, err);
	if (rc < 0)
		(void)close_sexpr(&x->text.sink, NULL);
	else
		*ret_sink = &x->text.sink;
	return rc;
}

static int sample(struct pf_sink *sink, const struct pf_step *step, struct pf_err *err)
{
	struct sexpr *s = (struct sexpr *)sink;
	struct pf_export *x = &s->export;
	struct pf_calc_step calc;
	int rc = pf_export_begin(x, step, &calc);
	if (rc <= 0)
		return rc;
	int64_t ms = step->cur->time_ns / PF_NS_PER_MS;
	pf_buf_clear(&s->text);
	s->in_details = false;
	s->open = false;
	pf_buf_fmt(&s->text, "(collectl_summary\n  (sample (time %lld.%03lld))\n", (long long)(ms / 1000),
		   (long long)(ms % 1000));
	pf_export_tell(x);
	end_element(s);
	pf_buf_view(&s->text, pf_buf_text(&x->module_text));
	pf_buf_str(&s->text, ")\n");
	if (s->text.failed)
		return s->text.failed;
	if (s->file.path)
		return pf_snapshot_write(&s->file, pf_buf_text(&s->text), err);
	pf_buf_view(&x->text.out, pf_buf_text(&s->text));
	if (x->text.to->framed)
		pf_buf_str(&x->text.out, ">>><<<\n");
	return pf_textview_end(&x->text);
}

const struct pf_sink_kind pf_sink_sexpr = {
	.name = "sexpr",
	.open = open_sexpr,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_sexpr,
	.snapshot = true,
};
