/* base/listen.c - bind, listen and accept. */
#include "base/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

enum { BACKLOG = 64 };

static int listen_at(const struct addrinfo *a)
{
	const int yes = 1, no = 0;
	pf_autoclose int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)); /* wishes: bind tells */
	if (a->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
	if (bind(fd, a->ai_addr, a->ai_addrlen) < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return PF_TAKE_FD(fd);
}

int pf_listen(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	struct addrinfo *found = NULL;
	if (getaddrinfo(host, port, &hints, &found) != 0)
		return -EINVAL;
	int fd = -EINVAL;
	for (int family = AF_INET6; fd < 0; family = AF_INET) { /* one socket of IPv6 serves both */
		for (const struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
			fd = a->ai_family == family ? listen_at(a) : fd;
		if (family == AF_INET)
			break;
	}
	freeaddrinfo(found);
	return fd;
}

int pf_accept(int fd, int *spare)
{
	if (*spare < 0)
		*spare = open("/dev/null", O_RDONLY | O_CLOEXEC); /* where it fails, accept4() tells the same */
	int got = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (got >= 0)
		return got;
	int rc = -errno;
	if ((rc != -EMFILE && rc != -ENFILE) || *spare < 0)
		return rc;
	pf_closep(spare);
	got = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	pf_closep(&got);
	*spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return rc;
}
