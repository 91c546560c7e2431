/* engine/address.h - what -A means: be a server, or a client of one program elsewhere. */
#ifndef PF_ENGINE_ADDRESS_H
#define PF_ENGINE_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;
struct pf_notice;
struct pf_outlet;
struct pf_request;

enum { PF_ADDRESS_WORD = 256 };

/* "server[:PORT]" or "HOST[:PORT[:SECONDS]]"; an address of IPv6 with a port stands in brackets. @timeout_ns: for connecting. */
struct pf_address {
	bool server;
	char host[PF_ADDRESS_WORD];
	char port[32];
	int64_t timeout_ns;
};

/* pf_address_parse() - Return: 0, or -EINVAL with a sentence. Ports are not looked at: opening tells. */
int pf_address_parse(const char *text, bool as_peer, struct pf_address *ret, struct pf_err *err);

/**
 * pf_address_open() - parse and open the -A of a request.
 * @ret: left alone without -A
 *
 * Return: 0, or negative errno with a sentence, which is collectl's when called by that name.
 */
int pf_address_open(struct pf_outlet **ret, const struct pf_request *req, const struct pf_notice *notice,
		    struct pf_err *err);

#endif
