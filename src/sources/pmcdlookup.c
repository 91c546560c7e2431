/* sources/pmcdlookup.c - getaddrinfo(3) beside us. */
#include "sources/pmcdlookup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"

enum { ADDRESSES = 16 };

/* What the process tells, in one piece. @rc: of getaddrinfo(3). */
struct found {
	int rc;
	unsigned n;
	struct pf_pmcd_address to[ADDRESSES];
};

_Static_assert(sizeof(struct found) <= PIPE_BUF, "a write of that size is whole or none");

static void look(const char *host, const char *port, int flags, struct found *ret)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC,
				  .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICSERV | flags };
	struct addrinfo *found = NULL;
	*ret = (struct found){ .rc = getaddrinfo(host, port, &hints, &found) };
	if (ret->rc != 0)
		return;
	for (const struct addrinfo *a = found; a && ret->n < ADDRESSES; a = a->ai_next) {
		memcpy(&ret->to[ret->n].to, a->ai_addr, a->ai_addrlen);
		ret->to[ret->n++].n = a->ai_addrlen;
	}
	freeaddrinfo(found);
}

static _Noreturn void be_looker(const char *host, const char *port, int fd, pid_t parent)
{
	struct found found;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	look(host, port, 0, &found);
	_exit(write(fd, &found, sizeof(found)) == sizeof(found) ? 0 : 1);
}

/* Return: 0, -ETIMEDOUT, -EAGAIN: it cannot be done beside us. */
static int look_beside(const char *host, const char *port, int64_t wait_ns, struct found *ret)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -EAGAIN;
	pf_autoclose int ours = ends[0];
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		be_looker(host, port, ends[1], parent);
	(void)close(ends[1]);
	if (pid < 0)
		return -EAGAIN;
	int64_t until = pf_time_mono_ns() + wait_ns;
	int n;
	do {
		int64_t left = until - pf_time_mono_ns();
		struct pollfd p = { .fd = ours, .events = POLLIN };
		n = poll(&p, 1, left > 0 ? (int)(left / PF_NS_PER_MS) + 1 : 0);
	} while (n < 0 && errno == EINTR);
	int rc = n == 0 ? -ETIMEDOUT : read(ours, ret, sizeof(*ret)) == sizeof(*ret) ? 0 : -EAGAIN;
	(void)kill(pid, SIGKILL); /* it may have ended */
	(void)waitpid(pid, NULL, 0);
	return rc;
}

int pf_pmcd_lookup(const char *host, const char *port, int64_t wait_ns, struct pf_pmcd_address *to, unsigned most,
		   struct pf_err *err)
{
	struct found found;
	look(host, port, AI_NUMERICHOST, &found);
	if (found.rc != 0) {
		int rc = look_beside(host, port, wait_ns, &found);
		if (rc == -ETIMEDOUT)
			return pf_err_set(err, rc, "its name was not found within %.3g seconds",
					  (double)wait_ns / (double)PF_NS_PER_SEC);
		if (rc < 0)
			look(host, port, 0, &found);
	}
	if (found.rc != 0 || found.n == 0)
		return pf_err_set(err, -EHOSTUNREACH, "there is no host of that name: %s",
				  gai_strerror(found.rc != 0 ? found.rc : EAI_NONAME));
	unsigned n = found.n < most ? found.n : most;
	memcpy(to, found.to, n * sizeof(*to));
	return (int)n;
}
