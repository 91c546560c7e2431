/* engine/address.c - -A as words and as a connection. Forms and texts: spec collectl-cli section 11, and collectl 4.3.1 seen. */
#include "engine/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/request.h"

static const char default_port[] = "2655";
static const int64_t default_timeout_ns = 10 * PF_NS_PER_SEC;

enum { TIMEOUT_MAX = 86400 };

/* The text up to the next colon. */
static struct pf_view piece(struct pf_view *rest)
{
	const char *colon = rest->n ? memchr(rest->p, ':', rest->n) : NULL;
	struct pf_view v = { rest->p, colon ? (size_t)(colon - rest->p) : rest->n };
	*rest = colon ? (struct pf_view){ colon + 1, rest->n - v.n - 1 } : (struct pf_view){ "", 0 };
	return v;
}

static int keep(char *to, size_t size, struct pf_view v, const char *what, struct pf_err *err)
{
	if (v.n >= size)
		return pf_err_set(err, -EINVAL, "-A: the %s is longer than %zu characters", what, size - 1);
	memcpy(to, v.p, v.n);
	to[v.n] = '\0';
	return 0;
}

/* Takes the host off the front of @rest. */
static int take_host(struct pf_view *rest, bool as_peer, struct pf_address *a, struct pf_err *err)
{
	struct in6_addr six;
	struct pf_view host = { rest->p, rest->n };
	char whole[PF_ADDRESS_WORD];
	if (keep(whole, sizeof(whole), *rest, "address", err) < 0)
		return -EINVAL;
	const char *bracket = rest->n && rest->p[0] == '[' ? memchr(rest->p, ']', rest->n) : NULL;
	if (bracket && (bracket + 1 == rest->p + rest->n || bracket[1] == ':')) {
		host = (struct pf_view){ rest->p + 1, (size_t)(bracket - rest->p) - 1 };
		size_t used = host.n + 2 + (bracket + 1 < rest->p + rest->n);
		*rest = (struct pf_view){ rest->p + used, rest->n - used };
	} else if (!as_peer && inet_pton(AF_INET6, whole, &six) == 1) {
		*rest = (struct pf_view){ "", 0 };
	} else {
		host = piece(rest);
	}
	if (host.n == 0)
		return pf_err_set(err, -EINVAL, "-A needs an address or the word server");
	a->server = pf_view_is(host, "server");
	if (as_peer && !a->server && !memchr(host.p, '.', host.n) && !bracket)
		return pf_err_set(err, -EINVAL, "-A: '%.*s' is neither the word server nor an address with a dot",
				  (int)(host.n < 80 ? host.n : 80), host.p);
	return keep(a->host, sizeof(a->host), host, "host", err);
}

int pf_address_parse(const char *text, bool as_peer, struct pf_address *ret, struct pf_err *err)
{
	struct pf_view rest = pf_view_of(text);
	struct pf_address a = { .timeout_ns = default_timeout_ns };
	int rc = take_host(&rest, as_peer, &a, err);
	if (rc < 0)
		return rc;
	struct pf_view port = piece(&rest);
	rc = keep(a.port, sizeof(a.port), port.n ? port : pf_view_of(default_port), "port", err);
	if (rc < 0)
		return rc;
	if (rest.n > 0) {
		uint64_t seconds;
		if (a.server || pf_view_u64(rest, &seconds) < 0 || seconds == 0 || seconds > TIMEOUT_MAX)
			return pf_err_set(err, -EINVAL, "-A: what follows the port is no number of seconds to wait");
		a.timeout_ns = (int64_t)seconds * PF_NS_PER_SEC;
	}
	*ret = a;
	return 0;
}

/* A port that is a number in range; collectl takes it modulo 65536. */
static int check_port(const struct pf_address *a, bool as_peer, struct pf_err *err)
{
	uint64_t port;
	if (pf_view_u64(pf_view_of(a->port), &port) == 0 && port > 0 && port <= 65535)
		return 0;
	if (!as_peer)
		return pf_err_set(err, -EINVAL, "-A: the port must be a number from 1 to 65535, not '%s'", a->port);
	if (a->server)
		return pf_err_set(err, -EINVAL, "Could not create local socket on port %s  Reason: ", a->port);
	return pf_err_set(err, -EINVAL, "Could not create socket to %s:%s.  Reason: Invalid argument", a->host,
			  a->port);
}

/* Before every line, as seen: the host up to its first dot, and a blank. */
static void make_prefix(struct utsname *uts)
{
	(void)uname(uts); /* cannot fail for a good pointer */
	uts->nodename[strcspn(uts->nodename, ".")] = '\0';
	size_t n = strlen(uts->nodename);
	if (n + 1 < sizeof(uts->nodename))
		memcpy(uts->nodename + n, " ", 2);
}

static int listen_at(struct pf_outlet **ret, const struct pf_address *a, bool as_peer, const struct pf_notice *notice,
		     struct pf_err *err)
{
	int rc = pf_outlet_listen(ret, a->port, !as_peer, notice);
	if (rc == 0)
		return 0;
	return pf_err_set(err, rc,
			  as_peer ? "Could not create local socket on port %s  Reason: %s" : "-A server: port %s: %s",
			  a->port, strerror(-rc));
}

static int connect_to(struct pf_outlet **ret, const struct pf_address *a, const struct pf_request *req,
		      const struct pf_notice *notice, struct pf_err *err)
{
	struct utsname uts;
	make_prefix(&uts);
	int rc = pf_outlet_connect(ret, a->host, a->port, a->timeout_ns, uts.nodename, ">>><<<", notice);
	if (rc == 0 && req->oformat)
		pf_outlet_plain(*ret);
	if (rc == 0)
		return 0;
	const char *why = rc == -EINVAL && !req->as_peer ? "no such host" : strerror(-rc);
	return pf_err_set(err, rc,
			  req->as_peer ? "Could not create socket to %s:%s.  Reason: %s"
				       : "-A: %s port %s: cannot connect: %s",
			  a->host, a->port, why);
}

int pf_address_open(struct pf_outlet **ret, const struct pf_request *req, const struct pf_notice *notice,
		    struct pf_err *err)
{
	struct pf_address a;
	if (!req->address)
		return 0;
	int rc = pf_address_parse(req->address, req->as_peer, &a, err);
	if (rc == 0)
		rc = check_port(&a, req->as_peer, err);
	if (rc < 0)
		return rc;
	return a.server ? listen_at(ret, &a, req->as_peer, notice, err) : connect_to(ret, &a, req, notice, err);
}
