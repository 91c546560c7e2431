/* sources/pmcdlookup.h - where a host is. The resolver may hang for as long as it likes, so it does that in a process of its own. */
#ifndef PF_SOURCES_PMCDLOOKUP_H
#define PF_SOURCES_PMCDLOOKUP_H

#include <stdint.h>
#include <sys/socket.h>

struct pf_err;

struct pf_pmcd_address {
	struct sockaddr_storage to;
	socklen_t n;
};

/**
 * pf_pmcd_lookup() - addresses of @host and @port for TCP, in the order in which they are to be tried.
 * @wait_ns: no longer than that; numbers need no looking up
 *
 * Return: how many, at least 1, at most @most; -EHOSTUNREACH, -ETIMEDOUT with a sentence.
 */
int pf_pmcd_lookup(const char *host, const char *port, int64_t wait_ns, struct pf_pmcd_address *to, unsigned most,
		   struct pf_err *err);

#endif
