/* sources/pmcdlink.h - the connection to a pmcd: bytes out, messages in, never blocking longer than it is told to. */
#ifndef PF_SOURCES_PMCDLINK_H
#define PF_SOURCES_PMCDLINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "formats/pcp/pdu.h"
#include "sources/pmcdlookup.h"
#include "sources/pmcdspec.h"

struct pf_err;

enum { PF_PMCD_ADDRESSES = 16 };

/**
 * struct pf_pmcd_link - one connection, made again and again.
 * @addresses: what the host's name stood for when it was looked up, which can take long and is done once; tried in order, @at is the one at hand
 * @fd: -1 without a connection; @connected: it stands
 * @out, @out_done: what is to be sent, how much was; @in, @in_used: what came, how much of it was handed out
 * @deadline_ns: monotonic, when what is waited for must be there
 * @waits: an answer is owed
 */
struct pf_pmcd_link {
	struct pf_pmcd_times times;
	struct pf_pmcd_address addresses[PF_PMCD_ADDRESSES];
	unsigned n_addresses;
	unsigned at;
	int fd;
	bool connected;
	bool waits;
	struct pf_buf out;
	size_t out_done;
	struct pf_buf in;
	size_t in_used;
	int64_t deadline_ns;
};

/* pf_pmcd_link_init() - look up where the pmcd is, for as long as a connection may take. Return: 0; -EHOSTUNREACH, -ETIMEDOUT with a sentence. */
int pf_pmcd_link_init(struct pf_pmcd_link *l, const struct pf_pmcd_spec *spec, struct pf_err *err);
void pf_pmcd_link_done(struct pf_pmcd_link *l);

/* pf_pmcd_link_begin() - connect anew; pf_pmcd_link_close() - hang up. */
void pf_pmcd_link_begin(struct pf_pmcd_link *l);
void pf_pmcd_link_close(struct pf_pmcd_link *l);

/**
 * pf_pmcd_link_next() - send what is in @l->out and wait for the next message, no longer than until @until_ns (monotonic).
 * @ret_pdu: valid until the next call
 *
 * Return: 1; 0 there was none until then; negative errno with a sentence: the connection is of no use any more.
 */
int pf_pmcd_link_next(struct pf_pmcd_link *l, int64_t until_ns, struct pf_pdu *ret_pdu, struct pf_err *err);

#endif
