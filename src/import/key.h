/* import/key.h - matching record types against keys of modules: unanchored regular expressions, of which most are plain words. */
#ifndef PF_IMPORT_KEY_H
#define PF_IMPORT_KEY_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

struct pf_err;

enum { PF_KEY_MAX = 1024 }; /* bytes of an expression */

/* @plain: no character of @text means anything special, so it is searched as it is, or compared if it must be @whole. */
struct pf_key {
	bool plain;
	bool whole;
	char *text;
	size_t n;
	regex_t regex;
};

/**
 * pf_key_init() - understand @pattern.
 * The language is POSIX extended with Perl's \d, \D, \w, \W, \s, \S and \b; what else Perl has is refused.
 *
 * Return: 0, -EINVAL with what is wrong, -ENOMEM.
 */
int pf_key_init(struct pf_key *key, const char *pattern, struct pf_err *err);
void pf_key_done(struct pf_key *key);

/* pf_key_matches() - anywhere in @text; an empty key matches everything. */
bool pf_key_matches(const struct pf_key *key, struct pf_view text);

#endif
