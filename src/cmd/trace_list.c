/* cmd/trace_list.c - -l: probes, with -v also how stable they are and what arguments they have. Layouts: dtrace(1). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/trace.h"

struct list {
	const struct pf_trace_args *a;
	struct pf_trace *t;
	struct pf_err err;
};

static void print_stability(const char *title, const struct pf_trace_stability *s)
{
	(void)printf("\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", title,
		     pf_stability_name(s->names), pf_stability_name(s->data), pf_dependency_name(s->dependency));
}

static void print_args(struct pf_trace *t, int id)
{
	const char *type, *name;
	unsigned n = 0;
	(void)puts("\n\tArgument Types");
	for (; pf_trace_probe_arg(t, id, n, &type, &name) == 0; n++)
		(void)printf(*name ? "\t\targs[%u]: %-30s %s\n" : "\t\targs[%u]: %s\n", n, type, name);
	(void)puts(n ? "" : "\t\tNone\n");
}

static int on_probe(void *arg, const struct pf_probe_name *p)
{
	struct list *l = arg;
	(void)printf("%5d %10s %17s %33s %s\n", p->id, p->provider, p->module, p->function, p->name);
	if (l->a->verbose) {
		struct pf_trace_stability probe, args;
		pf_trace_probe_stability(l->t, p->id, &probe, &args);
		print_stability("Probe Description Attributes", &probe);
		print_stability("Argument Attributes", &args);
		print_args(l->t, p->id);
	}
	if (!ferror(stdout))
		return 0;
	int rc = errno ? -errno : -EIO;
	return pf_err_set(&l->err, rc, "cannot write the output: %s", strerror(-rc));
}

int pf_trace_print_list(const struct pf_trace_args *a, struct pf_trace *t)
{
	struct list l = { a, t, { 0 } };
	(void)printf("%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
	int rc = a->n_texts ? 0 : pf_trace_list(t, PF_D_NAME, NULL, on_probe, &l, &l.err);
	for (unsigned i = 0; i < a->n_texts && rc >= 0; i++)
		rc = pf_trace_list(t, a->texts[i].origin, a->texts[i].given, on_probe, &l, &l.err);
	if (rc == -EPIPE)
		return PF_EXIT_OK;
	if (rc < 0)
		pf_trace_say(a, "%s", l.err.text);
	return rc < 0 ? PF_EXIT_ERROR : PF_EXIT_OK;
}

void pf_trace_print_stability(const struct pf_trace *t, const struct pf_trace_word *text)
{
	struct pf_trace_stability probes, statements;
	pf_trace_stability(t, &probes, &statements);
	if (text->origin == PF_D_SCRIPT)
		(void)printf("\nStability data for script %s:\n", text->given);
	else
		(void)printf("\nStability data for description %.*s:\n", (int)strcspn(text->given, "{/;"), text->given);
	print_stability("Minimum Probe Description Attributes", &probes);
	print_stability("Minimum Statement Attributes", &statements);
	(void)puts("");
}
