/* import/wire.h - messages between the recorder and the process of an isolated module. Both ends are the same program, but the other end
 * may be broken: what comes is checked like any foreign bytes.
 *
 * A message: length of the rest in 4 bytes, a byte of its kind, then fields. Numbers have 8 bytes, texts their length in 8, their bytes and a
 * NUL. A NULL text has length UINT64_MAX. */
#ifndef PF_IMPORT_WIRE_H
#define PF_IMPORT_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum { PF_WIRE_MAX = 4 << 20 /* bytes of one message */, PF_WIRE_STATE_TEXTS = 7, PF_WIRE_NOW = 0 };

/* To the module's process: CALL, ANSWER, ROOT. From there: the rest. */
enum pf_wire_kind {
	PF_WIRE_CALL = 1,
	PF_WIRE_ANSWER,
	PF_WIRE_ROOT,
	PF_WIRE_HELLO,
	PF_WIRE_SETUP,
	PF_WIRE_RETURN,
	PF_WIRE_RECORD,
	PF_WIRE_VALUE,
	PF_WIRE_DECLARE,
	PF_WIRE_NOTICE,
	PF_WIRE_CHANGED,
	PF_WIRE_SAY,
	PF_WIRE_EXPORT,
};

/**
 * struct pf_wire - one end.
 * @in: bytes that came; those before @at are used up
 * @out: messages that wait to be sent; @start: where the one being made begins
 */
struct pf_wire {
	int fd;
	struct pf_buf in;
	size_t at;
	struct pf_buf out;
	size_t start;
};

/* A message being read. @bad: it had less in it than was asked for. */
struct pf_wire_fields {
	struct pf_view rest;
	bool bad;
};

void pf_wire_begin(struct pf_wire *w, enum pf_wire_kind kind);
void pf_wire_u64(struct pf_wire *w, uint64_t v);
void pf_wire_double(struct pf_wire *w, double v);
void pf_wire_text(struct pf_wire *w, struct pf_view text);
void pf_wire_str(struct pf_wire *w, const char *text); /* may be NULL */
void pf_wire_end(struct pf_wire *w);

/* Fields of a message; texts stand in @in, with a NUL behind them, until more is read. */
uint64_t pf_wire_get_u64(struct pf_wire_fields *f);
double pf_wire_get_double(struct pf_wire_fields *f);
bool pf_wire_get_text(struct pf_wire_fields *f, struct pf_view *ret_text); /* false: it is NULL; then "" */
const char *pf_wire_get_str(struct pf_wire_fields *f);

/* pf_wire_next() - a message that has come whole. Return: its kind, 0 if there is none yet, -EPROTO. */
int pf_wire_next(struct pf_wire *w, struct pf_wire_fields *ret_fields);

/* pf_wire_send() - all that waits. pf_wire_receive() - wait for more to come. @until_ns: monotonic, INT64_MAX: without end, PF_WIRE_NOW: not
 * at all. What ends the program (INT, TERM) ends the wait, too, with -EINTR. Return: 0, -ETIMEDOUT, -EPIPE the other end is gone, or another error. */
int pf_wire_send(struct pf_wire *w, int64_t until_ns);
int pf_wire_receive(struct pf_wire *w, int64_t until_ns);
void pf_wire_done(struct pf_wire *w);

#endif
