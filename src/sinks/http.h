/* sinks/http.h - a server for a few small pages, which waits for nobody: HTTP/1.1, one request a connection. */
#ifndef PF_SINKS_HTTP_H
#define PF_SINKS_HTTP_H

#include "base/buf.h"
#include "sinks/http_request.h"

struct pf_err;
struct pf_http;
struct pf_loop;

enum { PF_HTTP_CONNECTIONS_MAX = 128 };

/* An answer that was found. @type, @encoding: header fields, NULL for none; the views live until the next request. */
struct pf_http_page {
	const char *type;
	const char *encoding;
	struct pf_view body;
};

/**
 * struct pf_http_site - what is served.
 * @page: find the answer to a GET or HEAD. Return: HTTP status; with 200 *ret_page is set, with others a sentence is made of it
 */
struct pf_http_site {
	int (*page)(void *arg, const struct pf_http_request *request, struct pf_http_page *ret_page);
	void *arg;
};

/**
 * pf_http_open() - listen; from now on requests are served while @loop is.
 * @host: NULL for all addresses
 *
 * Return: 0 or negative errno with a sentence.
 */
int pf_http_open(struct pf_http **ret, const char *host, const char *port, const struct pf_http_site *site,
		 struct pf_loop *loop, struct pf_err *err);

/* pf_http_tidy() - give up connections that have had their time; to be called now and then. */
void pf_http_tidy(struct pf_http *h);

/* pf_http_close() - NULL is fine. Return: NULL. */
struct pf_http *pf_http_close(struct pf_http *h);

#endif
