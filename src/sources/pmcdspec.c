/* sources/pmcdspec.c - which pmcd is meant, and how long one waits for it. */
#include "sources/pmcdspec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "base/view.h"

#define USUAL_PORTS "44321"

bool pf_pmcd_spec_is(const char *text)
{
	static const char *const heads[] = { "pcp://", "pcps://", "local:", "unix:" };
	for (unsigned i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (strncmp(text, heads[i], strlen(heads[i])) == 0)
			return true;
	}
	return false;
}

static const char *setting(const char *name, const char *usual)
{
	const char *value = getenv(name);
	return value && value[0] ? value : usual;
}

/* PORT[,PORT...] */
static int take_ports(const char *whole, struct pf_view list, struct pf_pmcd_spec *spec, struct pf_err *err)
{
	while (list.n > 0) {
		const char *comma = memchr(list.p, ',', list.n);
		struct pf_view word = { list.p, comma ? (size_t)(comma - list.p) : list.n };
		uint64_t port;
		if (pf_view_u64(word, &port) < 0 || port == 0 || port > 65535)
			return pf_err_set(err, -EINVAL, "%s: '%.*s' is no port, which is a number from 1 to 65535",
					  whole, (int)(word.n < 80 ? word.n : 80), word.p);
		if (spec->n_ports == PF_PMCD_PORTS)
			return pf_err_set(err, -EINVAL, "%s: more than %d ports", whole, PF_PMCD_PORTS);
		(void)snprintf(spec->ports[spec->n_ports++], sizeof(spec->ports[0]), "%u", (unsigned)port);
		list.p += word.n + (comma != NULL);
		list.n -= word.n + (comma != NULL);
	}
	return spec->n_ports > 0 ? 0 : pf_err_set(err, -EINVAL, "%s: no port behind the colon", whole);
}

/* Several slashes before a path are one. Return: 0 or -ENAMETOOLONG. */
static int take_path(const char *path, struct pf_pmcd_spec *spec)
{
	char usual[PF_PMCD_PATH_SIZE + 16];
	if (path[0] == '\0') {
		(void)snprintf(usual, sizeof(usual), "%s/pmcd.socket", setting("PCP_RUN_DIR", "/run/pcp"));
		path = setting("PMCD_SOCKET", usual);
	}
	while (path[0] == '/' && path[1] == '/')
		path++;
	if (strlen(path) >= sizeof(spec->path))
		return -ENAMETOOLONG;
	(void)snprintf(spec->path, sizeof(spec->path), "%s", path);
	return 0;
}

static int take_socket(const char *text, struct pf_pmcd_spec *spec, struct pf_err *err)
{
	const char *path = strchr(text, ':') + 1;
	if (take_path(path, spec) < 0)
		return pf_err_set(err, -EINVAL, "%s: the path of a socket has less than %d characters", text,
				  PF_PMCD_PATH_SIZE);
	if (text[0] != 'l' || path[0] != '\0')
		return 0;
	(void)snprintf(spec->host, sizeof(spec->host), "localhost"); /* where there is no socket */
	return take_ports("PMCD_PORT", pf_view_of(setting("PMCD_PORT", USUAL_PORTS)), spec, err);
}

/* The name in front of a port; brackets hold an address with colons. */
static struct pf_view name_of(struct pf_view text, struct pf_view *ret_ports)
{
	const char *end = text.p + text.n;
	const char *bracket = text.n > 0 && text.p[0] == '[' ? memchr(text.p, ']', text.n) : NULL;
	const char *colon = memchr(bracket ? bracket : text.p, ':', (size_t)(end - (bracket ? bracket : text.p)));
	*ret_ports = colon ? (struct pf_view){ colon + 1, (size_t)(end - colon - 1) } : (struct pf_view){ NULL, 0 };
	if (bracket)
		return (struct pf_view){ text.p + 1, (size_t)(bracket - text.p - 1) };
	return (struct pf_view){ text.p, (size_t)((colon ? colon : end) - text.p) };
}

int pf_pmcd_spec_parse(const char *text, struct pf_pmcd_spec *ret_spec, struct pf_err *err)
{
	struct pf_pmcd_spec spec = { 0 };
	struct pf_view rest = pf_view_of(text);
	struct pf_view ports;
	int rc = 0;
	if (pf_view_starts(rest, "pcps://"))
		return pf_err_set(err, -ENOTSUP, "%s: encrypted connections to a pmcd are not available; use pcp://%s",
				  text, text + strlen("pcps://"));
	if (pf_view_starts(rest, "local:") || pf_view_starts(rest, "unix:")) {
		rc = take_socket(text, &spec, err);
	} else {
		if (pf_view_starts(rest, "pcp://"))
			rest = pf_view_of(text + strlen("pcp://"));
		if (strpbrk(rest.p, "@?"))
			return pf_err_set(
				err, -ENOTSUP,
				"%s: a proxy (@) or attributes (?) of a connection to a pmcd are not available", text);
		struct pf_view name = name_of(rest, &ports);
		if (name.n == 0 || name.n >= sizeof(spec.host) || memchr(name.p, '/', name.n))
			return pf_err_set(err, -EINVAL, "'%s' names no host; it is HOST[:PORT], local: or unix:PATH",
					  text);
		memcpy(spec.host, name.p, name.n);
		rc = ports.p ? take_ports(text, ports, &spec, err)
			     : take_ports("PMCD_PORT", pf_view_of(setting("PMCD_PORT", USUAL_PORTS)), &spec, err);
	}
	if (rc == 0)
		*ret_spec = spec;
	return rc;
}

/* Seconds with fractions, up to a day. Return: 0 if that is none. */
static int64_t seconds(struct pf_view word)
{
	double s;
	if (pf_view_double(word, &s) < 0 || !(s > 0 && s <= 86400))
		return 0;
	return (int64_t)(s * (double)PF_NS_PER_SEC) + 1;
}

static int64_t time_of(const char *name, int64_t usual_ns)
{
	int64_t ns = seconds(pf_view_of(setting(name, "")));
	return ns > 0 ? ns : usual_ns;
}

static unsigned take_delays(struct pf_view list, int64_t *delays)
{
	unsigned n = 0;
	while (list.n > 0 && n < PF_PMCD_DELAYS) {
		const char *comma = memchr(list.p, ',', list.n);
		size_t word = comma ? (size_t)(comma - list.p) : list.n;
		delays[n] = seconds((struct pf_view){ list.p, word });
		if (delays[n++] == 0)
			return 0;
		list.p += word + (comma != NULL);
		list.n -= word + (comma != NULL);
	}
	return n;
}

struct pf_pmcd_times pf_pmcd_times(void)
{
	struct pf_pmcd_times t = { .connect_ns = time_of("PMCD_CONNECT_TIMEOUT", 5 * PF_NS_PER_SEC),
				   .request_ns = time_of("PMCD_REQUEST_TIMEOUT", 10 * PF_NS_PER_SEC) };
	t.n_delays = take_delays(pf_view_of(setting("PMCD_RECONNECT_TIMEOUT", "")), t.delays_ns);
	if (t.n_delays == 0)
		t.n_delays = take_delays(PF_VIEW("5,10,20,40,80"), t.delays_ns);
	return t;
}
