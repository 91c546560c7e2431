/* sources/aside.c - one process per file that hangs now and then. A question is a byte, the answer a length; the text is in memory that both
 * see, so that no answer can block the process that gives it. A process that hangs where no signal reaches it (a server that is gone, a lock
 * in the kernel) is left there and ends when the kernel lets it. */
#include "sources/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/time.h"

enum { CHUNK = 64 * 1024, LIMIT = 16 << 20, ENDED_MAX = 64, FIRST_RESTART = 8, LAST_RESTART = 1024 };

/* @size: bytes of text in the shared memory, or a negative errno */
struct answer {
	int64_t size;
};

/* @pid 0: the place is free. @asked: a question is open; @fresh: it is of this sample; @prompt: answers in time in a row
 * @missed: samples without an answer in a row; after @restart of them another process tries, for the path may name a file that answers now */
struct helper {
	pid_t pid;
	const char *path;
	int channel;
	int memory;
	bool asked;
	bool fresh;
	unsigned prompt;
	unsigned missed;
	unsigned restart;
};

/* @ended: processes that were told to end and have not yet */
struct pf_aside {
	int root_fd;
	struct helper helpers[PF_ASIDE_MAX];
	pid_t ended[ENDED_MAX];
	unsigned n_ended;
};

/* Only what the child needs stays open: a hanging child must not keep anybody's pipe open. */
static void close_others(int a, int b, int c)
{
	int keep[] = { a, b, c };
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = i + 1; k < 3; k++) {
			if (keep[k] < keep[i]) {
				int t = keep[i];
				keep[i] = keep[k];
				keep[k] = t;
			}
		}
	}
	unsigned from = 0;
	for (unsigned i = 0; i < 3; i++) {
		if ((unsigned)keep[i] > from)
			(void)close_range(from, (unsigned)keep[i] - 1, 0); /* Linux 5.9; before it they stay open */
		from = (unsigned)keep[i] + 1;
	}
	(void)close_range(from, ~0U, 0);
}

static int64_t copy_text(int from, int to)
{
	static char chunk[CHUNK]; /* in the child alone */
	int64_t size = 0;
	for (;;) {
		ssize_t got = read(from, chunk, sizeof(chunk));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return size;
		if (size + got > LIMIT)
			return -EFBIG;
		if (pwrite(to, chunk, (size_t)got, size) != got)
			return -ENOMEM;
		size += got;
	}
}

/* The child's life: until the channel closes or its parent ends. */
__attribute__((noreturn)) static void serve(int root_fd, const char *path, const struct helper *h, pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* cannot fail for a valid signal */
	if (getppid() != parent)
		_exit(0);
	close_others(root_fd, h->channel, h->memory);
	char question;
	while (read(h->channel, &question, 1) == 1) {
		struct answer answer;
		int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		answer.size = fd < 0 ? -errno : copy_text(fd, h->memory);
		if (fd >= 0)
			(void)close(fd); /* only read from */
		if (send(h->channel, &answer, sizeof(answer), MSG_NOSIGNAL) != sizeof(answer))
			break;
	}
	_exit(0);
}

struct pf_aside *pf_aside_new(int root_fd)
{
	struct pf_aside *a = calloc(1, sizeof(*a));
	if (a)
		a->root_fd = root_fd;
	return a;
}

/* Take note of those that have ended meanwhile. */
static void reap(struct pf_aside *a)
{
	unsigned n = 0;
	for (unsigned i = 0; i < a->n_ended; i++) {
		if (waitpid(a->ended[i], NULL, WNOHANG) == 0)
			a->ended[n++] = a->ended[i];
	}
	a->n_ended = n;
}

void pf_aside_drop(struct pf_aside *a, int number)
{
	struct helper *h = &a->helpers[number];
	if (h->pid == 0)
		return;
	pf_closep(&h->channel);
	pf_closep(&h->memory);
	(void)kill(h->pid, SIGKILL); /* ours and not waited for, so the number is still its own */
	if (a->n_ended < ENDED_MAX)
		a->ended[a->n_ended++] = h->pid;
	*h = (struct helper){ 0 };
	reap(a);
}

struct pf_aside *pf_aside_free(struct pf_aside *a)
{
	if (!a)
		return NULL;
	for (int i = 0; i < PF_ASIDE_MAX; i++)
		pf_aside_drop(a, i);
	free(a);
	return NULL;
}

static int start(const struct pf_aside *a, struct helper *h, const char *path)
{
	int ends[2];
	pf_autoclose int memory = memfd_create("aside", MFD_CLOEXEC);
	if (memory < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid < 0) {
		int rc = -errno;
		(void)close(ends[0]);
		(void)close(ends[1]);
		return rc;
	}
	if (pid == 0) {
		const struct helper child = { .channel = ends[1], .memory = memory };
		serve(a->root_fd, path, &child, parent);
	}
	(void)close(ends[1]); /* the child's */
	*h = (struct helper){
		.pid = pid, .path = path, .channel = ends[0], .memory = PF_TAKE_FD(memory), .restart = FIRST_RESTART
	};
	return 0;
}

int pf_aside_add(struct pf_aside *a, const char *path)
{
	reap(a);
	for (int i = 0; i < PF_ASIDE_MAX; i++) {
		if (a->helpers[i].pid == 0)
			return a->n_ended < ENDED_MAX && start(a, &a->helpers[i], path) == 0 ? i : -1;
	}
	return -1;
}

/* Take an answer that is there. Return: 1 taken; 0 there is none; negative errno: the helper is gone. */
static int take_answer(struct helper *h, struct answer *ret_answer)
{
	ssize_t got = recv(h->channel, ret_answer, sizeof(*ret_answer), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (got != sizeof(*ret_answer))
		return -EIO;
	h->asked = false;
	h->missed = 0;
	h->restart = FIRST_RESTART;
	return 1;
}

/* Another process in its place, if that is possible; each is given twice as long as the one before. */
static void restart(struct pf_aside *a, struct helper *h)
{
	const char *path = h->path;
	unsigned next = h->restart < LAST_RESTART ? h->restart * 2 : LAST_RESTART;
	if (a->n_ended >= ENDED_MAX)
		return;
	pf_aside_drop(a, (int)(h - a->helpers));
	if (start(a, h, path) == 0)
		h->restart = next;
}

void pf_aside_ask(struct pf_aside *a)
{
	for (unsigned i = 0; i < PF_ASIDE_MAX; i++) {
		struct helper *h = &a->helpers[i];
		if (h->pid == 0)
			continue;
		struct answer late;
		if (h->asked && take_answer(h, &late) == 0) {
			h->fresh = false;
			if (++h->missed < h->restart)
				continue;
			restart(a, h);
			if (h->pid == 0 || h->asked)
				continue;
		}
		h->asked = h->fresh = send(h->channel, "?", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
	}
}

static int take_text(const struct helper *h, int64_t size, struct pf_buf *text)
{
	pf_buf_clear(text);
	char *to = pf_buf_reserve(text, (size_t)size);
	if (!to)
		return -ENOMEM;
	if (pread(h->memory, to, (size_t)size, 0) != size)
		return -EIO;
	text->n = (size_t)size;
	text->p[text->n] = '\0';
	return 0;
}

int pf_aside_text(struct pf_aside *a, int number, int64_t wait_ns, struct pf_buf *text)
{
	struct helper *h = &a->helpers[number];
	struct answer answer;
	int64_t until = pf_time_mono_ns() + wait_ns;
	int rc = h->asked ? 0 : -EIO;
	while (rc == 0 && h->fresh) {
		int64_t left = until - pf_time_mono_ns();
		struct timespec ts = { .tv_sec = left / PF_NS_PER_SEC, .tv_nsec = left % PF_NS_PER_SEC };
		struct pollfd ready = { .fd = h->channel, .events = POLLIN };
		if (left <= 0)
			break;
		if (ppoll(&ready, 1, &ts, NULL) > 0)
			rc = take_answer(h, &answer);
	}
	if (rc <= 0 || answer.size < 0)
		h->prompt = 0;
	else
		h->prompt++;
	if (rc <= 0)
		return rc < 0 ? rc : -ETIMEDOUT;
	return answer.size < 0 ? (int)answer.size : take_text(h, answer.size, text);
}

bool pf_aside_is_well(const struct pf_aside *a, int number)
{
	return a->helpers[number].prompt >= PF_ASIDE_WELL;
}
