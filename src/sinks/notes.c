/* sinks/notes.c - what an archive tells beside values. Source of the labels of a host: pmLookupLabels(3), observed archives of pmlogger 6.0.3. */
#include "sinks/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/record.h"
#include "formats/pcp/writer.h"
#include "groups/expected.h"
#include "groups/list.h"

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
	n->now_ns = time_ns;
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

static int put_row(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_labels_row *row, uint32_t ident,
		   struct pf_err *err)
{
	struct pf_label labels[PF_LABELS_OF_ROW];
	struct pf_label_set set = { .inst = -1, .labels = labels };
	size_t at = 0;
	pf_buf_clear(&n->json);
	for (; set.n < PF_LABELS_OF_ROW && row->labels[set.n].name; set.n++) {
		pf_buf_str(&n->json, set.n == 0 ? "{\"" : ",\"");
		pf_buf_str(&n->json, row->labels[set.n].name);
		pf_buf_str(&n->json, "\":");
		pf_buf_str(&n->json, row->labels[set.n].value);
	}
	pf_buf_char(&n->json, '}');
	if (n->json.failed)
		return pf_err_set(err, -ENOMEM, "no memory for labels");
	set.json = pf_buf_text(&n->json);
	for (uint32_t i = 0; i < set.n; i++) {
		size_t name_n = strlen(row->labels[i].name);
		size_t value_n = strlen(row->labels[i].value);
		const char *name = set.json.p + at + 2; /* behind a brace or comma, and a quote */
		labels[i] = (struct pf_label){ .name = { name, name_n },
					       .value = { name + name_n + 2, value_n },
					       .flags = (uint8_t)row->owner };
		at += name_n + value_n + 4;
	}
	const struct pf_about about = { .owner = row->owner, .ident = ident, .sets = &set, .n = 1 };
	return pf_pcp_writer_labels(w, n->now_ns, &about, err);
}

static int put_rows(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_metric *m, struct pf_err *err)
{
	int rc = 0;
	for (unsigned i = 0; i < PF_LABELS_ROWS && rc == 0; i++) {
		const struct pf_labels_row *row = &pf_labels_rows[i];
		bool again = row->owner == PF_OF_ITEM; /* a row of several, each of which comes once */
		if (!pf_labels_has(row, m) || (n->labelled[i] && !again))
			continue;
		rc = put_row(n, w, row, pf_labels_ident(m, row->owner), err);
		n->labelled[i] = rc == 0;
	}
	return rc;
}

int pf_notes_describe(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_metric *m, struct pf_err *err)
{
	const struct pf_pcp_text help = { .type = PF_PCP_TEXT_LINE | PF_PCP_TEXT_OF_METRIC,
					  .ident = m->pmid,
					  .text = pf_view_of(m->help ? m->help : "") };
	int rc = put_rows(n, w, m, err);
	if (rc == 0)
		rc = pf_pcp_writer_desc(w, m, err);
	if (rc == 0 && help.text.n > 0)
		rc = pf_pcp_writer_text(w, &help, err);
	return rc;
}

static bool is_own(const struct pf_catalog *cat)
{
	int at = pf_catalog_find(cat, pf_view_of(pf_group_host.metrics[0].name));
	return !cat->tellers && !cat->wanted && at >= 0 && cat->metrics[at] == pf_group_host.metrics;
}

int pf_notes_expected(struct pf_notes *n, struct pf_pcp_writer *w, const struct pf_catalog *cat, bool *described,
		      struct pf_err *err)
{
	int rc = 0;
	if (n->expected || !is_own(cat))
		return 0;
	for (unsigned i = 0; pf_expected[i] && rc == 0; i++) {
		int at = pf_catalog_find(cat, pf_view_of(pf_expected[i]));
		const struct pf_metric *row = at >= 0 ? cat->metrics[at] : pf_expected_row(pf_expected[i]);
		if (!row || (at >= 0 && described[at]))
			continue;
		rc = pf_notes_describe(n, w, row, err);
		if (at >= 0)
			described[at] = rc == 0;
	}
	n->expected = rc == 0;
	return rc;
}

/* Where a set and its labels stand in the JSON of all, which moves while it grows. */
struct span {
	size_t from;
	size_t n;
};

struct spans {
	struct span json;
	struct span names[PF_LABELS_OF_INSTANCE];
	struct span values[PF_LABELS_OF_INSTANCE];
	uint32_t n;
};

static void put_instance(struct pf_buf *json, const struct pf_instance_labels *row, struct pf_view instance,
			 struct spans *ret)
{
	struct pf_view value;
	*ret = (struct spans){ .json.from = json->n };
	pf_buf_char(json, '{');
	for (unsigned i = 0; i < PF_LABELS_OF_INSTANCE && row->labels[i].name; i++) {
		if (!pf_labels_value(&row->labels[i], instance, &value))
			continue;
		pf_buf_str(json, ret->n > 0 ? ",\"" : "\"");
		ret->names[ret->n] = (struct span){ json->n, strlen(row->labels[i].name) };
		pf_buf_str(json, row->labels[i].name);
		pf_buf_str(json, "\":");
		size_t from = json->n;
		if (row->labels[i].lead)
			pf_buf_view(json, value);
		else
			pf_pcp_labels_quote(json, value);
		ret->values[ret->n++] = (struct span){ from, json->n - from };
	}
	pf_buf_char(json, '}');
	ret->json.n = json->n - ret->json.from;
}

static struct pf_view view_of(const struct pf_buf *json, struct span span)
{
	return (struct pf_view){ json->p + span.from, span.n };
}

int pf_notes_instances(struct pf_notes *n, struct pf_pcp_writer *w, uint32_t indom,
		       const struct pf_pcp_instance *instances, uint32_t count, struct pf_err *err)
{
	const struct pf_instance_labels *row = pf_labels_instances(indom);
	if (!row || count == 0)
		return 0;
	pf_autofree struct spans *spans = calloc(count, sizeof(*spans));
	pf_autofree struct pf_label_set *sets = calloc(count, sizeof(*sets));
	pf_autofree struct pf_label *labels = calloc(count, PF_LABELS_OF_INSTANCE * sizeof(*labels));
	pf_buf_clear(&n->json);
	for (uint32_t i = 0; spans && i < count; i++)
		put_instance(&n->json, row, instances[i].name, &spans[i]);
	if (!spans || !sets || !labels || n->json.failed)
		return pf_err_set(err, -ENOMEM, "no memory for labels");
	for (uint32_t i = 0; i < count; i++) {
		struct pf_label *first = &labels[(size_t)i * PF_LABELS_OF_INSTANCE];
		for (uint32_t k = 0; k < spans[i].n; k++)
			first[k] = (struct pf_label){ .name = view_of(&n->json, spans[i].names[k]),
						      .value = view_of(&n->json, spans[i].values[k]),
						      .flags = PF_OF_INSTANCES };
		sets[i] = (struct pf_label_set){ .inst = instances[i].id,
						 .json = view_of(&n->json, spans[i].json),
						 .labels = first,
						 .n = spans[i].n };
	}
	const struct pf_about about = { .owner = PF_OF_INSTANCES, .ident = indom, .sets = sets, .n = count };
	return pf_pcp_writer_labels(w, n->now_ns, &about, err);
}

void pf_notes_done(struct pf_notes *n)
{
	pf_buf_done(&n->json);
	pf_about_ear_done(&n->ear);
	pf_pcp_context_done(&n->context);
	free(n->texts);
}
