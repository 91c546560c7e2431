/* engine/keys.h - what somebody types while a live view runs: q ends it, p holds it, the rest is the view's. */
#ifndef PF_ENGINE_KEYS_H
#define PF_ENGINE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/term.h"

struct pf_err;
struct pf_parts;
struct pf_plan;

/* @paused: samples are taken and not shown; @quit: it is over */
struct pf_keys {
	struct pf_term_keys term;
	bool paused;
	bool quit;
};

/* pf_keys_are_wanted() - is there a screen, and is the plan for the eyes of whoever sits before it? */
bool pf_keys_are_wanted(const struct pf_plan *plan);

/* pf_keys_open() - listen if there is somebody and the plan is for their eyes. pf_keys_close() - leave the terminal as it was. */
void pf_keys_open(struct pf_keys *k, const struct pf_parts *p);
void pf_keys_close(struct pf_keys *k);

/**
 * pf_keys_take() - do what was typed since, and what a terminal of another size asks for.
 *
 * Return: 0 or negative errno.
 */
int pf_keys_take(struct pf_keys *k, struct pf_parts *p, struct pf_err *err);

#endif
