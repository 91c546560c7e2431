/* sinks/http_request.h - what somebody asks of our HTTP server. Facts: RFC 9110, RFC 9112. */
#ifndef PF_SINKS_HTTP_REQUEST_H
#define PF_SINKS_HTTP_REQUEST_H

#include <stdbool.h>

#include "base/view.h"

enum { PF_HTTP_REQUEST_MAX = 8192 };

/**
 * struct pf_http_request - the head of a request; views into its bytes.
 * @path: without a query
 * @wants_open: OpenMetrics is at least as welcome as plain text; @gzip: packed is welcome
 */
struct pf_http_request {
	struct pf_view method;
	struct pf_view path;
	bool wants_open;
	bool gzip;
};

/* pf_http_request_parse() - Return: 1 the head is complete; 0 more is needed; -EINVAL it is no request. */
int pf_http_request_parse(struct pf_view bytes, struct pf_http_request *ret);

#endif
