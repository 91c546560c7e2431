/* sinks/lexpr.c - values as lines "NAME VALUE", on the terminal or as a snapshot in a file that is replaced as a whole. */
#include "sinks/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "sinks/times.h"

/* Summaries first, then details, whatever the user's order. */
static const char order[] = "cdfimnlstxegoCDMNXEGO";

/* @path: of the snapshot, NULL: text goes to the terminal; @draft: where the next one is written; @values: of the report being made */
struct lexpr {
	struct pf_export export;
	char *path;
	char *draft;
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

/* "DIR/L", or FILE of f=. */
static int choose_path(struct lexpr *l, const char *folder, struct pf_err *err)
{
	const char *file = l->export.options->file;
	struct stat st;
	if (!folder && file[0] == '\0')
		return 0;
	if (file[0] == '\0' && (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode)))
		return pf_err_set(err, -ENOTDIR, "%s: is no folder; the values go to the file L in it", folder);
	struct pf_buf path = { 0 };
	if (file[0] != '\0')
		pf_buf_str(&path, file);
	else
		pf_buf_fmt(&path, "%s%sL", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
	struct pf_buf draft = { 0 };
	pf_buf_view(&draft, pf_buf_text(&path));
	pf_buf_str(&draft, ".new");
	l->path = path.p;
	l->draft = draft.p;
	return path.failed || draft.failed ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

static int close_lexpr(struct pf_sink *s, struct pf_err *err)
{
	struct lexpr *l = (struct lexpr *)s;
	pf_buf_done(&l->values);
	free(l->path);
	free(l->draft);
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
	rc = choose_path((struct lexpr *)x, spec->path, err);
	if (rc < 0)
		(void)close_lexpr(&x->text.sink, NULL);
	else
		*ret_sink = &x->text.sink;
	return rc;
}

/* Whoever reads the snapshot sees the old one or the new one. */
static int replace(const struct lexpr *l, const struct pf_buf *text, struct pf_err *err)
{
	pf_autoclose int fd = open(l->draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int rc = fd < 0 ? -errno : pf_io_write_all(fd, text->p, text->n);
	if (rc == 0 && rename(l->draft, l->path) < 0)
		rc = -errno;
	if (rc < 0 && fd >= 0)
		(void)unlink(l->draft);
	return rc < 0 ? pf_err_set(err, rc, "%s: cannot write: %s", l->path, strerror(-rc)) : 0;
}

static int sample(struct pf_sink *s, const struct pf_step *step, struct pf_err *err)
{
	struct lexpr *l = (struct lexpr *)s;
	struct pf_export *x = &l->export;
	struct pf_calc_step calc;
	int rc = pf_export_begin(x, step, &calc);
	if (rc <= 0)
		return rc;
	int64_t ms = step->cur->time_ns / PF_NS_PER_MS;
	pf_buf_clear(&l->values);
	pf_buf_fmt(&l->values, "sample.time %lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
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
	if (l->path)
		return replace(l, &l->values, err);
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
};
