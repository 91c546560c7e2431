/* import/isolate_state.c - struct perfolio_state and the numbers that scripts read, to the process of a module. */
#include "import/isolate.h"

static bool goes_along(const struct pf_script_var *v, const struct perfolio_state *s)
{
	const char *at = v->at, *from = (const char *)s;
	bool in_state = at >= from && at < from + sizeof(*s);
	return v->type == PF_SCRIPT_INT && !in_state;
}

void pf_iso_put_state(struct pf_wire *w, const struct pf_module *m)
{
	const struct perfolio_state *s = m->imp->host.state;
	const char *const texts[PF_WIRE_STATE_TEXTS] = { s->datetime, s->mini_filler, s->rate,	s->separator,
							 s->interval, s->host,	      s->subsys };
	for (unsigned i = 0; i < PF_WIRE_STATE_TEXTS; i++)
		pf_wire_str(w, texts[i] ? texts[i] : "");
	pf_wire_double(w, s->int_secs);
	pf_wire_u64(w, s->mini_instances);
	pf_wire_u64(w, (uint64_t)s->time_ns);
	pf_wire_u64(w, (uint64_t)s->show_col_headers);
	pf_wire_u64(w, (uint64_t)s->playback);
	pf_wire_u64(w, (uint64_t)s->recording);
	pf_wire_u64(w, s->counted2);
	pf_wire_u64(w, s->limit2);
	pf_wire_u64(w, (uint64_t)s->verbose);
	pf_wire_u64(w, (uint64_t)s->plot);
	pf_wire_u64(w, (uint64_t)s->debug);
	pf_wire_u64(w, (uint64_t)s->peer);
	for (const struct pf_script_var *v = m->imp->scripts.vars; m->script && v && v->name; v++) {
		if (goes_along(v, s))
			pf_wire_u64(w, (uint64_t)(int64_t) * (const int *)v->at);
	}
}

void pf_iso_get_state(struct pf_wire_fields *f, struct pf_import *imp, struct perfolio_state *to,
		      struct pf_iso_texts *texts)
{
	const char **into[PF_WIRE_STATE_TEXTS] = { &to->datetime, &to->mini_filler, &to->rate,	&to->separator,
						   &to->interval, &to->host,	    &to->subsys };
	for (unsigned i = 0; i < PF_WIRE_STATE_TEXTS; i++) {
		struct pf_view text;
		(void)pf_wire_get_text(f, &text); /* "" if it is bad */
		pf_buf_clear(&texts->texts[i]);
		pf_buf_view(&texts->texts[i], text);
		*into[i] = pf_buf_text(&texts->texts[i]).p;
		if (text.n == 0)
			*into[i] = "";
	}
	to->int_secs = pf_wire_get_double(f);
	to->mini_instances = pf_wire_get_u64(f);
	to->time_ns = (int64_t)pf_wire_get_u64(f);
	to->show_col_headers = (int)pf_wire_get_u64(f);
	to->playback = (int)pf_wire_get_u64(f);
	to->recording = (int)pf_wire_get_u64(f);
	to->counted2 = pf_wire_get_u64(f);
	to->limit2 = pf_wire_get_u64(f);
	to->verbose = (int)pf_wire_get_u64(f);
	to->plot = (int)pf_wire_get_u64(f);
	to->debug = (int)pf_wire_get_u64(f);
	to->peer = (int)pf_wire_get_u64(f);
	for (const struct pf_script_var *v = imp->scripts.vars; imp->script && v && v->name; v++) {
		if (goes_along(v, to)) /* this process has a copy of its own behind the pointer */
			*(int *)(uintptr_t)v->at = (int)pf_wire_get_u64(f);
	}
}
