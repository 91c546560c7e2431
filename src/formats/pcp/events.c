/* formats/pcp/events.c - arrays of event records. Source: pmUnpackEventRecords(3), observed bytes. Unlike in records of values, 64-bit seconds
 * are plain big-endian here. */
#include "formats/pcp/events.h"

#include <errno.h>

#include "base/err.h"
#include "base/time.h"
#include "model/sample.h"

enum { BLOCK_HEAD = 4, RECORD_HEAD = 16, HIGHRES_HEAD = 24, PARAM_LEAST = 8, PARAM_MAX = 0xffffff };

int pf_pcp_events_decode(struct pf_view bytes, bool highres, struct pf_pcp_events *ret_events, struct pf_err *err)
{
	struct pf_pcp_events e = { .highres = highres, .cursor = pf_be_of(bytes) };
	e.n = bytes.n > 0 ? pf_be_u32(&e.cursor) : 0;
	if (e.cursor.ran_out || e.n > e.cursor.rest.n / (highres ? HIGHRES_HEAD : RECORD_HEAD))
		return pf_err_set(err, -EBADMSG, "%u event records in %zu bytes", e.n, bytes.n);
	*ret_events = e;
	return 0;
}

static int64_t take_time(struct pf_pcp_events *e)
{
	uint64_t sec = e->highres ? pf_be_u64(&e->cursor) : pf_be_u32(&e->cursor);
	uint64_t sub = e->highres ? pf_be_u64(&e->cursor) : (uint64_t)pf_be_u32(&e->cursor) * 1000;
	if (sec >= (uint64_t)(INT64_MAX / PF_NS_PER_SEC) || sub >= (uint64_t)PF_NS_PER_SEC)
		return -1;
	return (int64_t)sec * PF_NS_PER_SEC + (int64_t)sub;
}

int pf_pcp_events_next(struct pf_pcp_events *e, struct pf_pcp_event *ret_event, struct pf_err *err)
{
	if (e->n == 0)
		return 0;
	struct pf_pcp_event event = { .time_ns = take_time(e) };
	event.flags = pf_be_u32(&e->cursor);
	uint32_t n = pf_be_u32(&e->cursor);
	if (event.flags & PF_EVENT_MISSED)
		event.missed = n;
	else
		event.n = n;
	if (e->cursor.ran_out || event.time_ns < 0 || event.n > e->cursor.rest.n / PARAM_LEAST)
		return pf_err_set(err, -EBADMSG, "an event record with %u parameters in %zu bytes", event.n,
				  e->cursor.rest.n);
	e->n--;
	*ret_event = event;
	return 1;
}

int pf_pcp_events_param(struct pf_pcp_events *e, uint32_t *ret_pmid, struct pf_pcp_value *ret_value, struct pf_err *err)
{
	uint32_t pmid = pf_be_u32(&e->cursor);
	uint32_t head = pf_be_u32(&e->cursor);
	uint32_t len = head & PARAM_MAX;
	struct pf_pcp_value v = { .inst = -1, .type = (int32_t)(head >> 24) };
	if (len >= BLOCK_HEAD) {
		v.bytes = pf_be_bytes(&e->cursor, len - BLOCK_HEAD);
		(void)pf_be_bytes(&e->cursor, (4 - len % 4) % 4);
	}
	if (len < BLOCK_HEAD || e->cursor.ran_out)
		return pf_err_set(err, -EBADMSG, "a parameter of %u bytes lies partly outside its event", len);
	*ret_pmid = pmid;
	*ret_value = v;
	return 0;
}

int pf_pcp_events_check(struct pf_view bytes, bool highres, struct pf_err *err)
{
	struct pf_pcp_events e;
	struct pf_pcp_event event;
	struct pf_pcp_value v;
	uint32_t pmid;
	int rc = pf_pcp_events_decode(bytes, highres, &e, err);
	while (rc == 0 && (rc = pf_pcp_events_next(&e, &event, err)) == 1) {
		rc = 0;
		for (uint32_t i = 0; i < event.n && rc == 0; i++)
			rc = pf_pcp_events_param(&e, &pmid, &v, err);
	}
	if (rc == 0 && e.cursor.rest.n > 0)
		rc = pf_err_set(err, -EBADMSG, "%zu bytes stand behind the event records", e.cursor.rest.n);
	return rc;
}

void pf_pcp_events_put(struct pf_buf *b, uint32_t n)
{
	pf_be_put_u32(b, n);
}

void pf_pcp_events_put_record(struct pf_buf *b, bool highres, const struct pf_pcp_event *event)
{
	uint64_t sec = (uint64_t)(event->time_ns / PF_NS_PER_SEC);
	uint64_t sub = (uint64_t)(event->time_ns % PF_NS_PER_SEC);
	if (highres) {
		pf_be_put_u64(b, sec);
		pf_be_put_u64(b, sub);
	} else {
		pf_be_put_u32(b, (uint32_t)sec);
		pf_be_put_u32(b, (uint32_t)(sub / 1000));
	}
	pf_be_put_u32(b, event->flags);
	pf_be_put_u32(b, event->flags & PF_EVENT_MISSED ? event->missed : event->n);
}

void pf_pcp_events_put_param(struct pf_buf *b, uint32_t pmid, enum pf_type type, struct pf_view bytes)
{
	if (bytes.n > PARAM_MAX - BLOCK_HEAD)
		bytes.n = PARAM_MAX - BLOCK_HEAD;
	uint32_t len = BLOCK_HEAD + (uint32_t)bytes.n;
	pf_be_put_u32(b, pmid);
	pf_be_put_u32(b, (uint32_t)type << 24 | len);
	pf_buf_view(b, bytes);
	pf_buf_pad(b, '~', (4 - len % 4) % 4);
}
