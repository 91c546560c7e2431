/* engine/lab_look.c - what a module declares. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/lab_room.h"

enum { WAIT_S = 5 };

struct look {
	const char *path;
	const char *args;
};

static void tell_metrics(const struct pf_lab *lab, const struct pf_lab_room *room)
{
	for (unsigned i = 0; i < room->catalog->n_metrics; i++) {
		const struct pf_metric *m = room->catalog->metrics[i];
		char units[64];
		pf_lab_say(lab, "metric", "%s\t%s\t%s\t%s\t%s", m->name, pf_type_name(m->type),
			   pf_semantics_name(m->sem), pf_units_name(&m->units, units, sizeof(units)),
			   pf_metric_is_singular(m) ? "" : "instances");
	}
}

/* The last sentence of the host, which is why a module is off. */
struct last {
	char text[512];
};

static void keep_last(void *arg, enum pf_severity severity, const char *text)
{
	struct last *last = arg;
	if (severity == PF_WARNING)
		(void)snprintf(last->text, sizeof(last->text), "%.*s", (int)sizeof(last->text) - 1, text);
}

/* "module NAME: REASON, going on without it": the reason alone. */
static void tell_withdrawn(const struct pf_lab *lab, const char *name, const char *text)
{
	static const char before[] = "module ", behind[] = ", going on without it";
	size_t n_name = strlen(name), n = sizeof(before) - 1 + n_name + 2;
	bool framed = strncmp(text, before, sizeof(before) - 1) == 0 &&
		      strncmp(text + sizeof(before) - 1, name, n_name) == 0 && strncmp(text + n - 2, ": ", 2) == 0;
	struct pf_view why = pf_view_of(framed ? text + n : text);
	if (why.n >= sizeof(behind) && strcmp(why.p + why.n - (sizeof(behind) - 1), behind) == 0)
		why.n -= sizeof(behind) - 1;
	pf_lab_say(lab, "withdrawn", "%.*s", (int)why.n, why.p);
}

static void look(void *arg, const struct pf_lab *lab)
{
	const struct look *what = arg;
	struct pf_lab_room room;
	struct pf_err err = { 0 };
	struct pf_import_facts facts;
	struct last last = { "Init took it back" };
	const struct pf_notice to = { keep_last, &last };
	if (pf_lab_room_open(&room, what->path, what->args, PF_LAB_LIVE, NULL, &to, &err) < 0) {
		pf_lab_say(lab, "refused", "%s", err.text);
		return;
	}
	if (pf_import_facts(room.import, 0, &facts)) {
		pf_lab_say(lab, "name", "%s", facts.name);
		pf_lab_say(lab, "kind", "%s", facts.script ? "Perl" : "C");
		pf_lab_say(lab, "version", "%s", facts.version);
		if (facts.withdrawn)
			tell_withdrawn(lab, facts.name, last.text);
		else
			pf_lab_say(lab, "key", "%s", facts.key);
		pf_lab_say(lab, "options", "%s%s", facts.summary ? "s" : "", facts.detail ? "d" : "");
		for (unsigned i = 0; facts.callbacks[i]; i++)
			pf_lab_say(lab, "callback", "%s", facts.callbacks[i]);
		tell_metrics(lab, &room);
	}
	pf_lab_room_close(&room);
}

int pf_lab_look(const char *path, const char *args, struct pf_buf *out, struct pf_err *err)
{
	struct look what = { path, args };
	struct pf_lab_end end;
	int rc = pf_lab_run(look, &what, WAIT_S * PF_NS_PER_SEC, out, &end, err);
	if (rc < 0)
		return rc;
	if (end.late)
		pf_buf_fmt(out, "refused\tloading it and Init took more than %d seconds\n", WAIT_S);
	else if (end.signal)
		pf_buf_fmt(out, "refused\tloading it or Init ended the process: %s\n", strsignal(end.signal));
	else if (out->n == 0)
		pf_buf_fmt(out, "refused\tloading it or Init ended the process with status %d\n", end.status);
	return out->failed;
}
