/* sinks/lexpr.c - values as lines "NAME VALUE", on the terminal or as a snapshot in a file that is replaced as a whole. */
#include "sinks/export.h"

#include "base/err.h"
#include "base/time.h"
#include "sinks/snapshot.h"
#include "sinks/times.h"

/* Summaries first, then details, whatever the user's order. */
static const char order[] = "cdfimnlstxegoCDMNXEGO";

/* @file: of the snapshot, without a path: text goes to the terminal; @values: of the report being made */
struct lexpr {
	struct pf_export export;
	struct pf_snapshot file;
	struct pf_buf values;
};

static void tell(struct pf_export *x, const struct pf_export_item *item)
{
	struct lexpr *l = (struct lexpr *)x;
	unsigned debug = x->options->debug;
	if ((debug & PF_EXPORT_PRINT) || (item->sent && (debug & PF_EXPORT_PRINT_SENT))) {
		struct pf_view_options clock = { .times = PF_TIMES_HMS, .millis = true, .zone_local = true };
		pf_times_add(&x->text.out, &clock, pf_time_wall_ns());
		pf_buf_fmt(&x->text.out, "Name: %-20s Val: %8lld TTL: %u%s\n", item->name, item->whole, item->ttl,
			   item->sent ? " sent" : "");
	}
	if (item->sent && !(debug & PF_EXPORT_QUIET))
		pf_buf_fmt(&l->values, "%s %s\n", item->name, item->text);
}

static int close_lexpr(struct pf_sink *s, struct pf_err *err)
{
	struct lexpr *l = (struct lexpr *)s;
	pf_buf_done(&l->values);
	pf_snapshot_done(&l->file);
	return pf_export_close(s, err);
}

static int open_lexpr(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct pf_export *x = NULL;
	const struct pf_export_form form = { .sink = &pf_sink_lexpr,
					     .size = sizeof(struct lexpr),
					     .view = PF_VIEW_LEXPR,
					     .order = order,
					     .module_kind = 'l',
					     .round = true,
					     .tell = tell };
	int rc = pf_export_open(&x, &form, spec, err);
	if (rc < 0)
		return rc;
	rc = pf_snapshot_choose(&((struct lexpr *)x)->file, spec->path, "L", x->options->file, err);
	if (rc < 0)
		(void)close_lexpr(&x->text.sink, NULL);
	else
		*ret_sink = &x->text.sink;
	return rc;
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct lexpr *l = (struct lexpr *)s;
	struct pf_export *x = &l->export;
	struct pf_calc_step calc;
	int rc = pf_export_begin(x, step, &calc);
	if (rc <= 0)
		return rc;
	char seconds[PF_TIMES_SECONDS];
	pf_times_number(seconds, &x->view, step->cur->time_ns);
	pf_buf_clear(&l->values);
	pf_buf_fmt(&l->values, "sample.time %s", seconds);
	if (x->options->debug & PF_EXPORT_TIME) {
		struct pf_view_options clock = x->view;
		clock.times = PF_TIMES_HMS;
		clock.millis = false;
		pf_buf_char(&l->values, ' ');
		pf_times_add(&l->values, &clock, step->cur->time_ns);
		l->values.n -= l->values.n > 0; /* the blank behind the time */
	}
	pf_buf_char(&l->values, '\n');
	pf_export_tell(x);
	if (l->values.failed)
		return l->values.failed;
	if (l->file.path)
		return pf_snapshot_write(&l->file, pf_buf_text(&l->values), err);
	pf_buf_view(&x->text.out, pf_buf_text(&l->values));
	if (x->text.to->framed)
		pf_buf_str(&x->text.out, ">>><<<\n");
	return pf_textview_end(&x->text);
}

const struct pf_sink_kind pf_sink_lexpr = {
	.name = "lexpr",
	.open = open_lexpr,
	.sample = sample,
	.flush = pf_textview_flush,
	.close = close_lexpr,
	.snapshot = true,
};
