/* engine/keys.c - keys of live views. collectl 4.3.1 knows RETURN alone and leaves the terminal to its lines; ours come at once. */
#include "engine/keys.h"

#include <unistd.h>

#include "engine/parts.h"
#include "sinks/screen.h"

/* A run that ends by itself leaves what is typed to whoever reads the terminal then, unless the screen is all ours. */
bool pf_keys_are_wanted(const struct pf_plan *plan)
{
	const struct pf_request *req = plan->req;
	bool text = plan->doc.format == PF_FORMAT_TEXT && !plan->export.kind && !req->plot && !req->output;
	bool endless = plan->count < 0 && plan->runtime_ns == 0;
	bool screen = plan->view.home || (plan->view.top_key && !plan->view.top_scrolls);
	return text && !pf_plan_records(plan) && (endless || screen) && isatty(STDOUT_FILENO);
}

void pf_keys_open(struct pf_keys *k, const struct pf_parts *p)
{
	*k = (struct pf_keys){ .term = { .fd = -1 } };
	if (pf_keys_are_wanted(p->plan))
		(void)pf_term_keys_open(&k->term, STDIN_FILENO, !p->plan->req->as_peer);
}

void pf_keys_close(struct pf_keys *k)
{
	pf_term_keys_close(&k->term);
}

static int tell(struct pf_parts *p, int key, struct pf_err *err)
{
	struct pf_step step = pf_frames_step(&p->frames);
	bool knows = p->sink && p->sink->kind->key;
	return knows ? p->sink->kind->key(p->sink, key, &step, err) : 0;
}

static int take(struct pf_keys *k, struct pf_parts *p, int key, struct pf_err *err)
{
	if (!k->term.raw)
		return tell(p, key, err);
	if (key == 'q' || key == 'Q') {
		k->quit = true;
		return 0;
	}
	if (key == 'p' || key == ' ') {
		k->paused = !k->paused;
		return tell(p, k->paused ? PF_KEY_PAUSE : PF_KEY_RESUME, err);
	}
	return tell(p, key == '\r' ? '\n' : key, err);
}

int pf_keys_take(struct pf_keys *k, struct pf_parts *p, struct pf_err *err)
{
	int rc = 0;
	if (p->stop.resized) {
		p->stop.resized = false;
		rc = tell(p, PF_KEY_SIZE, err);
	}
	for (int key = pf_term_keys_read(&k->term); rc == 0 && key > 0 && !k->quit; key = pf_term_keys_read(&k->term))
		rc = take(k, p, key, err);
	return rc;
}
