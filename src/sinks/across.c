/* sinks/across.c - headings of columns that stand for instances. */
#include "sinks/across.h"

#include <stdio.h>

#include "base/escape.h"
#include "model/select.h"
#include "sinks/section.h"
#include "sinks/sink.h"

void pf_across_cpus(const struct pf_section *s, struct pf_buf *out, bool wide)
{
	for (unsigned i = 0; s->across && i < s->n_spread; i++) {
		const struct pf_instance *cpu = &s->across->instances[s->spread[i]];
		bool off = (cpu->role & PF_ROLE_OFFLINE) && pf_section_offline(s->view) &&
			   (wide || !(s->view->variants & PF_AS_RECORDED));
		int id = cpu->id;
		char text[16];
		if (off)
			(void)snprintf(text, sizeof(text), "CpuX");
		else if (wide)
			(void)snprintf(text, sizeof(text), "Cpu%d", id);
		else
			(void)snprintf(text, sizeof(text), "%.*s%d", id < 10 ? 3 : id < 100 ? 2 : 1, "Cpu", id);
		pf_buf_fmt(out, wide ? "%7s" : "%4s ", text);
	}
}

void pf_across_names(const struct pf_section *s, struct pf_buf *out)
{
	for (unsigned i = 0; s->across && i < s->n_spread; i++) {
		size_t from = out->n;
		pf_escape_text(out, pf_view_of(s->across->instances[s->spread[i]].name));
		size_t n = out->n - from;
		out->n = from;
		pf_buf_pad(out, ' ', n < 7 ? 8 - n : 1);
		pf_escape_text(out, pf_view_of(s->across->instances[s->spread[i]].name));
	}
}
