/* sources/pmcdspec.h - which pmcd is meant, and how long one waits for it. Source: PCPIntro(1), pmcd 6.0.3's clients. */
#ifndef PF_SOURCES_PMCDSPEC_H
#define PF_SOURCES_PMCDSPEC_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;

enum { PF_PMCD_HOST_SIZE = 257, PF_PMCD_PATH_SIZE = 108, PF_PMCD_PORTS = 8, PF_PMCD_DELAYS = 16 };

/* Where to connect to: first to the socket @path, if there is one, then to each of the @ports of @host, "" for none. */
struct pf_pmcd_spec {
	char path[PF_PMCD_PATH_SIZE];
	char host[PF_PMCD_HOST_SIZE];
	char ports[PF_PMCD_PORTS][8];
	unsigned n_ports;
};

/* pf_pmcd_spec_is() - is that the text of one, for sure? "host" alone could as well be a file. */
bool pf_pmcd_spec_is(const char *text);

/**
 * pf_pmcd_spec_parse() - HOST, HOST:PORT[,PORT...], [ADDRESS]:PORT, pcp://HOST..., local:[PATH], unix:[PATH].
 * PMCD_PORT, PMCD_SOCKET and PCP_RUN_DIR of the environment say what is not said.
 *
 * Return: 0; -EINVAL, or -ENOTSUP for what PCP knows and we do not, with a sentence that begins with @text.
 */
int pf_pmcd_spec_parse(const char *text, struct pf_pmcd_spec *ret_spec, struct pf_err *err);

/* @connect_ns: until a connection stands; @request_ns: until an answer comes; @delays_ns: between attempts, the last one is used again */
struct pf_pmcd_times {
	int64_t connect_ns;
	int64_t request_ns;
	int64_t delays_ns[PF_PMCD_DELAYS];
	unsigned n_delays;
};

/* pf_pmcd_times() - as PMCD_CONNECT_TIMEOUT, PMCD_REQUEST_TIMEOUT and PMCD_RECONNECT_TIMEOUT say; what makes no sense there is as usual. */
struct pf_pmcd_times pf_pmcd_times(void);

#endif
