/* sources/numbered.c - one file per process. Folders come in order of their numbers, so the descriptors of the last sample are found by
 * going along. A descriptor of a process that has ended fails with ESRCH, also when the number is in use again. Source: proc(5). */
#include "sources/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "sources/procfilter.h"

/* Text of one file: no more than this is of use (a command line can be megabytes). FDS_SPARE: for everything else. */
enum { FILES_MAX = 8, FIRST_READ = 4096, LONGEST = 64 * 1024, FDS_SPARE = 64, NUMBER_SIZE = 12, PATH_SIZE = 64 };
enum { NOT_OPEN = -1, DENIED = -2 };

/* One process: descriptors by file. */
struct entry {
	int32_t number;
	int fds[FILES_MAX];
};

struct entries {
	struct entry *list;
	size_t n;
	size_t cap;
};

/* @target: of the row; @name: last part of its path */
struct file {
	struct pf_target *target;
	const char *name;
	struct pf_buf text;
	bool read;
};

struct pf_numbered {
	DIR *dir;
	int dir_fd;
	struct file files[FILES_MAX];
	unsigned n_files;
	struct entries now;
	struct entries before;
	size_t fds;
	size_t fds_max;
	bool begun;
	bool no_new;
	bool no_parse;
	const struct pf_raw_tap *tap;
	const struct pf_process_filter *filter;
	struct pf_buf line;
	struct pf_buf tag;
};

static void close_entry(struct pf_numbered *n, struct entry *e)
{
	for (unsigned i = 0; i < n->n_files; i++) {
		if (e->fds[i] >= 0) {
			(void)close(e->fds[i]); /* only read from */
			n->fds--;
		}
		e->fds[i] = NOT_OPEN;
	}
}

/* The whole file, or its first LONGEST bytes, mostly by one read: what is shorter than was asked for is all. */
static int read_whole(int fd, struct pf_buf *text)
{
	pf_buf_clear(text);
	size_t ask = text->cap > FIRST_READ ? text->cap - 1 : FIRST_READ;
	while (text->n < LONGEST) {
		char *to = pf_buf_reserve(text, ask);
		if (!to)
			return -ENOMEM;
		ssize_t got = pread(fd, to, ask, (off_t)text->n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		text->n += (size_t)got;
		text->p[text->n] = '\0';
		if ((size_t)got < ask)
			break;
	}
	return 0;
}

static int open_file(const struct pf_numbered *n, const struct entry *e, const struct file *f)
{
	char path[PATH_SIZE];
	char digits[NUMBER_SIZE];
	size_t used = 0;
	size_t at = 0;
	for (uint32_t v = (uint32_t)e->number; v > 0 || used == 0; v /= 10)
		digits[used++] = (char)('0' + v % 10);
	while (used > 0)
		path[at++] = digits[--used];
	path[at++] = '/';
	memcpy(path + at, f->name, strlen(f->name) + 1); /* names of rows are short: checked when opened */
	int fd = openat(n->dir_fd, path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : -errno;
}

/* Return: 0; -EACCES and the like: this file is not for us; -ESRCH, -ENOENT: the process has ended. */
static int read_file(struct pf_numbered *n, struct entry *e, unsigned i)
{
	struct file *f = &n->files[i];
	f->read = false;
	if (e->fds[i] == DENIED)
		return -EACCES;
	bool held = e->fds[i] >= 0;
	int fd = held ? e->fds[i] : open_file(n, e, f);
	int rc = fd < 0 ? fd : read_whole(fd, &f->text);
	if (!held && fd >= 0) {
		if (rc == 0 && n->fds < n->fds_max) {
			e->fds[i] = fd;
			n->fds++;
		} else {
			(void)close(fd); /* only read from */
		}
	}
	if (rc == -EACCES || rc == -EPERM)
		e->fds[i] = DENIED;
	f->read = rc == 0;
	return rc;
}

static bool has_ended(int rc)
{
	return rc == -ESRCH || rc == -ENOENT || rc == -ENODEV;
}

/* All files of one process. Return: 1 read; 0 it has ended; -ENOMEM. */
static int read_files(struct pf_numbered *n, struct entry *e)
{
	for (unsigned i = 0; i < n->n_files; i++) {
		int rc = read_file(n, e, i);
		if (has_ended(rc) && e->fds[i] >= 0) { /* perhaps the number is another's now */
			close_entry(n, e);
			rc = read_file(n, e, i);
		}
		if (rc == -ENOMEM)
			return rc;
		if (has_ended(rc) || (i == 0 && rc < 0))
			return 0;
	}
	return 1;
}

/* The line as a raw file has it: whatever would end it, or a NUL, is a blank. */
static void tell_line(struct pf_numbered *n, const struct file *f, struct pf_view text)
{
	pf_buf_clear(&n->line);
	pf_buf_str(&n->line, f->target->row->kind);
	if (n->line.n > 0)
		pf_buf_char(&n->line, ' ');
	size_t from = n->line.n;
	pf_buf_view(&n->line, text);
	for (size_t i = from; f->target->row->one_line && i < n->line.n; i++) {
		if (n->line.p[i] == '\n' || n->line.p[i] == '\0' || n->line.p[i] == '\r')
			n->line.p[i] = ' ';
	}
	n->tap->line(n->tap->arg, pf_buf_text(&n->tag), pf_buf_text(&n->line));
}

static void tell(struct pf_numbered *n, const struct file *f)
{
	const struct pf_row *row = f->target->row;
	struct pf_view rest = pf_buf_text(&f->text);
	struct pf_view line;
	if (row->one_line) {
		if (rest.n > 0 && rest.p[rest.n - 1] == '\n')
			rest.n--;
		if (rest.n > 0)
			tell_line(n, f, rest);
		return;
	}
	while (pf_view_line(&rest, &line) == 0) {
		if (!row->keep || row->keep(&line, NULL))
			tell_line(n, f, line);
	}
}

static void take(struct pf_numbered *n, const struct entry *e)
{
	if (n->tap) {
		const char *tag = n->files[0].target->row->tag;
		pf_buf_clear(&n->tag);
		pf_buf_add(&n->tag, tag, strlen(tag) - 1);
		pf_buf_u64(&n->tag, (uint64_t)e->number);
	}
	for (unsigned i = 0; i < n->n_files; i++) {
		struct file *f = &n->files[i];
		if (!f->read)
			continue;
		if (n->tap)
			tell(n, f);
		f->target->b.owner = e->number;
		if (!n->no_parse)
			f->target->row->parse(pf_buf_text(&f->text), &f->target->b);
	}
}

static struct pf_view text_named(const struct pf_numbered *n, const char *name)
{
	for (unsigned i = 0; i < n->n_files; i++) {
		if (n->files[i].read && strcmp(n->files[i].name, name) == 0)
			return pf_buf_text(&n->files[i].text);
	}
	return (struct pf_view){ "", 0 };
}

static bool is_wanted(const struct pf_numbered *n, const struct entry *e)
{
	return !n->filter || pf_procfilter_keeps(n->filter, e->number, text_named(n, "stat"), text_named(n, "status"),
						 text_named(n, "cmdline"));
}

static struct entry *new_entry(struct entries *list)
{
	if (list->n == list->cap) {
		size_t cap = list->cap ? list->cap * 2 : 256;
		struct entry *more = reallocarray(list->list, cap, sizeof(*more));
		if (!more)
			return NULL;
		list->list = more;
		list->cap = cap;
	}
	return &list->list[list->n++];
}

/* Is it a number, without a sign or leading zero? */
static bool number_of(const char *name, int32_t *ret_number)
{
	uint32_t v = 0;
	for (const char *p = name; *p != '\0'; p++) {
		if (*p < '0' || *p > '9' || v > INT32_MAX / 10 - 1)
			return false;
		v = v * 10 + (uint32_t)(*p - '0');
	}
	*ret_number = (int32_t)v;
	return name[0] >= '1' && name[0] <= '9';
}

/* The descriptors of the last sample, those of processes passed by closed. @at: where the search stands. */
static bool take_over(struct pf_numbered *n, int32_t number, size_t *at, struct entry *e)
{
	struct entries *old = &n->before;
	while (*at < old->n && old->list[*at].number < number)
		close_entry(n, &old->list[(*at)++]);
	if (*at == old->n || old->list[*at].number != number)
		return false;
	*e = old->list[(*at)++];
	return true;
}

static int one_process(struct pf_numbered *n, int32_t number, size_t *at)
{
	struct entry e = { .number = number };
	for (unsigned i = 0; i < FILES_MAX; i++)
		e.fds[i] = NOT_OPEN;
	bool known = take_over(n, number, at, &e);
	if (!known && n->begun && n->no_new)
		return 0;
	int rc = read_files(n, &e);
	if (rc <= 0) {
		close_entry(n, &e);
		return rc;
	}
	struct entry *to = new_entry(&n->now);
	if (!to) {
		close_entry(n, &e);
		return -ENOMEM;
	}
	*to = e;
	if (is_wanted(n, &e))
		take(n, &e);
	return 0;
}

int pf_numbered_sample(struct pf_numbered *n)
{
	struct entries old = n->before;
	n->before = n->now;
	n->now = old;
	n->now.n = 0;
	size_t at = 0;
	int rc = 0;
	int32_t last = -1;
	rewinddir(n->dir);
	errno = 0;
	for (const struct dirent *d = readdir(n->dir); d && rc == 0; d = readdir(n->dir)) {
		int32_t number;
		if (!number_of(d->d_name, &number) || number == last)
			continue;
		rc = one_process(n, number, &at);
		last = number;
		errno = 0;
	}
	if (rc == 0 && errno != 0)
		rc = -errno;
	while (at < n->before.n)
		close_entry(n, &n->before.list[at++]);
	n->before.n = 0;
	n->begun = true;
	return rc;
}

static int open_folder(struct pf_numbered *n, int root_fd, const char *path, const char *star)
{
	pf_autofree char *folder = strndup(path, (size_t)(star - path));
	if (!folder)
		return -ENOMEM;
	int fd = openat(root_fd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n->dir = fdopendir(fd);
	if (!n->dir) {
		(void)close(fd); /* only read from */
		return -ENOMEM;
	}
	n->dir_fd = fd;
	return 0;
}

/* Half of the descriptors that there may be at most; what is more is opened for each read. */
static size_t descriptors(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit); /* refused: what there is has to do */
		if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
			return 0;
	}
	return limit.rlim_cur > FDS_SPARE ? limit.rlim_cur - FDS_SPARE : 0;
}

int pf_numbered_open(struct pf_numbered **ret_numbered, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_err *err)
{
	static const char pattern[] = "[0-9]*/";
	*ret_numbered = NULL;
	if (d->n_patterns == 0)
		return 0;
	struct pf_numbered *n = calloc(1, sizeof(*n));
	if (!n)
		return pf_err_set(err, -ENOMEM, "no memory");
	n->dir_fd = -1;
	n->tap = spec->second_tap ? spec->second_tap : spec->tap; /* processes are of the second interval */
	n->no_parse = spec->no_parse;
	n->no_new = spec->no_new_processes;
	n->filter = spec->process_filter;
	n->fds_max = descriptors();
	int rc = 0;
	for (unsigned t = 0; t < d->n_targets && rc == 0 && n->n_files < FILES_MAX; t++) {
		const char *path = d->targets[t].row->path;
		const char *star = strstr(path, pattern);
		const char *name = star ? star + sizeof(pattern) - 1 : NULL;
		if (!star || strlen(name) > PATH_SIZE - NUMBER_SIZE - 2 ||
		    (spec->no_process_io && strcmp(name, "io") == 0))
			continue;
		if (!n->dir)
			rc = open_folder(n, spec->root_fd, path, star);
		n->files[n->n_files++] = (struct file){ .target = &d->targets[t], .name = name };
	}
	if (rc < 0) {
		(void)pf_numbered_close(n);
		return pf_err_set(err, rc, "/proc: %s", strerror(-rc));
	}
	*ret_numbered = n;
	return 0;
}

struct pf_numbered *pf_numbered_close(struct pf_numbered *n)
{
	if (!n)
		return NULL;
	for (size_t i = 0; i < n->now.n; i++)
		close_entry(n, &n->now.list[i]);
	for (unsigned i = 0; i < n->n_files; i++)
		pf_buf_done(&n->files[i].text);
	free(n->now.list);
	free(n->before.list);
	pf_buf_done(&n->line);
	pf_buf_done(&n->tag);
	if (n->dir)
		(void)closedir(n->dir); /* only read from */
	free(n);
	return NULL;
}
