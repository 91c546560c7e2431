/* sources/held.c - the usual read is one pread on a descriptor that stays open; everything else here happens when that fails or waits. */
#include "sources/held.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notice.h"
#include "base/time.h"
#include "sources/aside.h"

/* How long a read may sleep: much more than any that works takes, also on a host that is busy; less than an interval where that can be. */
static const int64_t longest_ns = 250 * PF_NS_PER_MS;
static const int64_t shortest_ns = 100 * PF_NS_PER_MS;

void pf_holder_init(struct pf_holder *h, int root_fd, int64_t interval_ns, const struct pf_notice *notice)
{
	int64_t ns = interval_ns / 4 > longest_ns || interval_ns <= 0 ? longest_ns : interval_ns / 4;
	*h = (struct pf_holder){ .root_fd = root_fd, .notice = notice };
	pf_patience_init(&h->patience, ns < shortest_ns ? shortest_ns : ns);
}

void pf_holder_done(struct pf_holder *h)
{
	pf_patience_done(&h->patience);
	h->aside = pf_aside_free(h->aside);
}

void pf_holder_begin(struct pf_holder *h)
{
	if (h->aside)
		pf_aside_ask(h->aside);
	pf_patience_begin(&h->patience);
}

void pf_holder_again(struct pf_holder *h)
{
	pf_patience_begin(&h->patience);
}

void pf_holder_end(struct pf_holder *h)
{
	pf_patience_end(&h->patience);
}

/* A pipe without a writer must not stop us, nor one that has nothing to say. */
static int open_now(const struct pf_holder *h, const char *path)
{
	int fd = openat(h->root_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd >= 0 ? fd : -errno;
}

static void raise_descriptor_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit); /* refused: files beyond the limit are opened for each read */
}

int pf_held_open(struct pf_holder *h, struct pf_held *f, const char *path)
{
	*f = (struct pf_held){ .path = path, .fd = -1, .aside = -1, .keep = true };
	int fd = open_now(h, path);
	if (fd == -EMFILE || fd == -ENFILE) {
		raise_descriptor_limit();
		fd = open_now(h, path);
	}
	f->keep = fd >= 0;
	f->fd = fd >= 0 ? fd : -1;
	return fd >= 0 || fd == -EMFILE || fd == -ENFILE ? 0 : fd;
}

void pf_held_close(struct pf_held *f)
{
	pf_closep(&f->fd);
	f->fd = -1;
	pf_buf_done(&f->text);
}

/* Tell once that it cannot be read, and once that it can be again. */
static int told(const struct pf_holder *h, struct pf_held *f, int rc)
{
	if (rc == 0 && f->gone)
		pf_notice(h->notice, PF_INFO, "/%s: can be read again", f->path);
	else if (rc < 0 && !f->gone && (rc == -ETIMEDOUT || rc == -EAGAIN))
		pf_notice(h->notice, PF_WARNING, "/%s: no answer in time, going on without it until there is one",
			  f->path);
	else if (rc < 0 && !f->gone)
		pf_notice(h->notice, PF_WARNING, "/%s: %s, going on without it", f->path, strerror(-rc));
	f->gone = rc < 0;
	f->had |= rc == 0 && f->text.n > 0;
	return rc;
}

/* What the path names now, if that is not what the descriptor reads. */
static int read_anew(const struct pf_holder *h, struct pf_held *f)
{
	pf_autoclose int fd = open_now(h, f->path);
	if (fd < 0)
		return fd;
	int rc = pf_io_pread_again(fd, PF_HELD_LIMIT, &f->text, NULL, &h->patience);
	if (!f->keep)
		return rc;
	pf_closep(&f->fd);
	f->fd = PF_TAKE_FD(fd);
	f->end = (struct pf_io_end){ 0 };
	return rc;
}

/* Does another try make sense, by the path? */
static bool may_be_anew(const struct pf_held *f, int rc)
{
	if (rc == 0)
		return f->text.n == 0 && f->had;
	return rc != -ETIMEDOUT && rc != -ENOMEM && rc != -EFBIG;
}

static void put_aside(struct pf_holder *h, struct pf_held *f)
{
	if (!h->aside)
		h->aside = pf_aside_new(h->root_fd);
	f->aside = h->aside ? pf_aside_add(h->aside, f->path) : -1; /* none left: it goes on costing time */
}

int pf_held_read(struct pf_holder *h, struct pf_held *f)
{
	sig_atomic_t before = h->patience.fired;
	int rc = -ENOENT;
	if (f->fd >= 0)
		rc = pf_io_pread_again(f->fd, PF_HELD_LIMIT, &f->text, &f->end, &h->patience);
	if (may_be_anew(f, rc)) {
		int anew = read_anew(h, f);
		rc = anew == -ENOENT && rc < 0 && f->fd >= 0 ? rc : anew; /* the descriptor knows better why */
	}
	if (pf_patience_is_over(&h->patience, before)) {
		put_aside(h, f);
		if (rc == 0) /* where no signal helps: the text is there, but late */
			pf_notice(h->notice, PF_WARNING, "/%s: answers late, so it is read aside for a while", f->path);
	}
	return told(h, f, rc);
}

int pf_held_collect(struct pf_holder *h, struct pf_held *f)
{
	int rc = pf_aside_text(h->aside, f->aside, h->patience.period_ns / 4, &f->text);
	bool broken = rc == -EIO;
	if (broken || pf_aside_is_well(h->aside, f->aside)) {
		pf_aside_drop(h->aside, f->aside);
		f->aside = -1;
	}
	return told(h, f, rc);
}
