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

/**
 * pf_accept() - take who waits at the door, non-blocking.
 * @spare: a descriptor kept for the case that there are no more (-1 at first): then it is given up for a moment, so that whoever waits is
 * turned away; who stayed in the queue would make the door look ready for ever. pf_closep() it in the end.
 *
 * Return: a descriptor; -EMFILE, -ENFILE: one was turned away; other negative errno.
 */
int pf_accept(int fd, int *spare);

#endif
