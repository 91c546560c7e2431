/* formats/pcp/events.h - arrays of event records: the bytes of a value block of type 9 or 10, to structs and back. */
#ifndef PF_FORMATS_PCP_EVENTS_H
#define PF_FORMATS_PCP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "formats/pcp/be.h"
#include "formats/pcp/record.h"

struct pf_err;

/* @n records follow. @highres: nanoseconds instead of microseconds. */
struct pf_pcp_events {
	uint32_t n;
	bool highres;
	struct pf_be cursor;
};

/* One record; @n parameters follow. @missed: with the flag PF_EVENT_MISSED, which has no parameters. */
struct pf_pcp_event {
	int64_t time_ns;
	uint32_t flags;
	uint32_t missed;
	uint32_t n;
};

/* pf_pcp_events_decode() - @bytes: of the value. Counts were checked against the bytes that are there, so that they can be room to ask for. */
int pf_pcp_events_decode(struct pf_view bytes, bool highres, struct pf_pcp_events *ret_events, struct pf_err *err);

/* pf_pcp_events_next() - the next record; all parameters of the one before must have been taken. Return: 1, 0 the end, -EBADMSG. */
int pf_pcp_events_next(struct pf_pcp_events *e, struct pf_pcp_event *ret_event, struct pf_err *err);

/* pf_pcp_events_param() - the next parameter of the record; ret_value->type tells its type. Return: 0 or -EBADMSG. */
int pf_pcp_events_param(struct pf_pcp_events *e, uint32_t *ret_pmid, struct pf_pcp_value *ret_value,
			struct pf_err *err);

/* pf_pcp_events_check() - all records and parameters of a value: are they there, and nothing behind them? Return: 0 or -EBADMSG with what is wrong. */
int pf_pcp_events_check(struct pf_view bytes, bool highres, struct pf_err *err);

/* The same being written: begin, then per record its head and its parameters. */
void pf_pcp_events_put(struct pf_buf *b, uint32_t n);
void pf_pcp_events_put_record(struct pf_buf *b, bool highres, const struct pf_pcp_event *event);
void pf_pcp_events_put_param(struct pf_buf *b, uint32_t pmid, enum pf_type type, struct pf_view bytes);

#endif
