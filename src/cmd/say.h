/* cmd/say.h - what commands say to a person. */
#ifndef PF_CMD_SAY_H
#define PF_CMD_SAY_H

#include <stdio.h>

struct pf_buf;
struct pf_err;

/**
 * pf_say() - one sentence as a line of its own, as pf_sentence() makes it: whatever it quotes stays one line, is harmless and leaves
 * room for the rest.
 */
void pf_say(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* pf_bad_switch() - what getopt_long(3) did not like: @option is what it returned, '?' or ':'. Return: -EINVAL with a sentence. */
int pf_bad_switch(int option, char *const *argv, const char *command, struct pf_err *err);

/* pf_say_bytes() - a size for people: "1.2 MB". */
void pf_say_bytes(struct pf_buf *b, double bytes);

#endif
