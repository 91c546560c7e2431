/* base/listen.h - a socket to be called at. */
#ifndef PF_BASE_LISTEN_H
#define PF_BASE_LISTEN_H

/**
 * pf_listen() - listen for TCP connections.
 * @host: name or address; NULL: all addresses, of both families where the host has both
 *
 * Return: a descriptor that does not block, or negative errno: -EINVAL for names and ports that cannot be resolved.
 */
int pf_listen(const char *host, const char *port);

#endif
