/* cmd/say.h - what commands say to a person. */
#ifndef PF_CMD_SAY_H
#define PF_CMD_SAY_H

#include <stdio.h>

/**
 * pf_say() - one sentence as a line of its own, as pf_sentence() makes it: whatever it quotes stays one line, is harmless and leaves
 * room for the rest.
 */
void pf_say(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
