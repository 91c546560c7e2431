/* sinks/notes.c - what an archive tells beside values. Source of the labels of a host: pmLookupLabels(3), observed archives of pmlogger 6.0.3. */
#include "sinks/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/writer.h"

enum { MACHINE_ID_MAX = 64 };

static void add_id(struct pf_pcp_context *c, const char *name, unsigned id)
{
	struct pf_buf number = { 0 };
	pf_buf_u64(&number, id);
	pf_pcp_context_add(c, pf_view_of(name), pf_buf_text(&number), PF_OF_CONTEXT | PF_LABEL_OPTIONAL);
	pf_buf_done(&number);
}

static void add_domain(struct pf_pcp_context *c, const char *host)
{
	char domain[65] = "";
	const char *dot = strchr(host, '.');
	if (!dot && (getdomainname(domain, sizeof(domain) - 1) < 0 || strcmp(domain, "(none)") == 0))
		domain[0] = '\0';
	const char *name = dot ? dot + 1 : domain[0] ? domain : "localdomain";
	pf_pcp_context_text(c, "domainname", pf_view_of(name), PF_OF_CONTEXT);
}

void pf_notes_host(struct pf_notes *n, const char *host, bool live)
{
	struct pf_pcp_context *c = &n->context;
	struct pf_buf id = { 0 };
	pf_pcp_context_text(c, "hostname", pf_view_of(host), PF_OF_CONTEXT);
	if (live) {
		add_domain(c, host);
		add_id(c, "groupid", getegid());
		add_id(c, "userid", geteuid());
		if (pf_io_read_file(AT_FDCWD, "/etc/machine-id", MACHINE_ID_MAX, &id, NULL) == 0 && id.n > 0)
			pf_pcp_context_text(c, "machineid", pf_view_trim(pf_buf_text(&id)), PF_OF_CONTEXT);
	}
	pf_buf_done(&id);
}

/* The newest set takes the place of the one before. That discrete values are not repeated is this archive's own to say. */
static void take_context(struct pf_pcp_context *c, const struct pf_label_set *set)
{
	pf_pcp_context_clear(c);
	for (uint32_t i = 0; i < set->n; i++) {
		if (!pf_view_is(set->labels[i].name, PF_PCP_UNCHANGED))
			pf_pcp_context_add(c, set->labels[i].name, set->labels[i].value, set->labels[i].flags);
	}
}

static int put_context(struct pf_notes *n, struct pf_pcp_writer *w, int64_t time_ns, struct pf_err *err)
{
	if (!n->repeats)
		pf_pcp_context_text(&n->context, PF_PCP_UNCHANGED, PF_VIEW(PF_PCP_HELD), PF_OF_CONTEXT);
	int rc = pf_pcp_writer_context(w, time_ns, &n->context, err);
	n->told |= rc == 0;
	return rc;
}

static int put_labels(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_about *a, int64_t time_ns,
		      struct pf_err *err)
{
	if (a->time_ns < time_ns)
		time_ns = a->time_ns > n->begin_ns ? a->time_ns : n->begin_ns;
	if (a->owner != PF_OF_CONTEXT)
		return pf_pcp_writer_labels(w, time_ns, a, err);
	if (a->n > 0)
		take_context(&n->context, &a->sets[0]);
	return put_context(n, w, time_ns, err);
}

/* Once, although each of several archives tells it. */
static int put_text(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_about *a, struct pf_err *err)
{
	const struct pf_pcp_text text = {
		.type = (a->which == PF_ABOUT_LINE ? PF_PCP_TEXT_LINE : PF_PCP_TEXT_HELP) |
			(a->metric >= 0 ? PF_PCP_TEXT_OF_METRIC : PF_PCP_TEXT_OF_INDOM),
		.ident = a->ident,
		.text = a->text,
	};
	uint64_t key = (uint64_t)text.type << 32 | text.ident;
	for (size_t i = 0; i < n->n_texts; i++) {
		if (n->texts[i] == key)
			return 0;
	}
	uint64_t *more = reallocarray(n->texts, n->n_texts + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no memory for %zu help texts", n->n_texts + 1);
	n->texts = more;
	n->texts[n->n_texts++] = key;
	return pf_pcp_writer_text(w, &text, err);
}

static int put_metric(struct pf_pcp_writer *w, const struct pf_about *a, const struct pf_catalog *cat, bool *described,
		      struct pf_err *err)
{
	if (described[a->metric])
		return 0;
	int rc = pf_pcp_writer_names(w, cat->metrics[a->metric], a->names, a->n_names, err);
	described[a->metric] = rc == 0;
	return rc;
}

int pf_notes_put(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_catalog *cat, bool *described,
		 int64_t sample_ns, int64_t time_ns, struct pf_err *err)
{
	struct pf_about a;
	int rc = 0;
	int more = 1;
	if (n->begin_ns == 0)
		n->begin_ns = time_ns;
	while (rc == 0 && cat->tellers) {
		more = pf_about_next(&n->ear, cat, PF_ABOUT_METRIC | PF_ABOUT_TEXT | PF_ABOUT_LABELS, sample_ns, &a);
		if (more <= 0)
			break;
		if (a.kind == PF_ABOUT_METRIC)
			rc = put_metric(w, &a, cat, described, err);
		else if (a.kind == PF_ABOUT_TEXT)
			rc = put_text(n, w, &a, err);
		else
			rc = put_labels(n, w, &a, time_ns, err);
	}
	if (more < 0)
		return pf_err_set(err, more, "no memory for labels");
	return rc == 0 && !n->told ? put_context(n, w, time_ns, err) : rc;
}

void pf_notes_done(struct pf_notes *n)
{
	pf_about_ear_done(&n->ear);
	pf_pcp_context_done(&n->context);
	free(n->texts);
}
