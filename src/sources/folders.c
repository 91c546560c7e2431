/* sources/folders.c - looking into folders and recognising what was there before. Entries mostly come in the order of the last look, so each
 * is compared with the one expected; from the first that differs on a table is asked. Nothing is allocated unless there is more than ever
 * before. */
#include "sources/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/patience.h"

/* FDS_SPARE: descriptors for everything else; SORTED_MAX: more names than these stand as they come. */
enum { FDS_SPARE = 64, FOLDERS_MAX = 1 << 20, SORTED_MAX = 256 };

/* LONGEST: of one file no more than this is of use (a command line can be megabytes). */
enum { FIRST_READ = 4096, LONGEST = 64 * 1024, PATH_SIZE = 512 };

/* Descriptors that there may be at most; what is more is opened for each read. */
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

void pf_folders_init(struct pf_folders *f)
{
	f->fds_max = descriptors();
}

void pf_folders_done(struct pf_folders *f)
{
	free(f->found);
	free(f->table);
}

bool pf_folders_fit(struct pf_folders *f)
{
	if (f->fds >= f->fds_max)
		return false;
	f->fds++;
	return true;
}

void pf_folders_close_fd(struct pf_folders *f, int *fd)
{
	if (*fd >= 0) {
		(void)close(*fd); /* only read from */
		f->fds--;
	}
	*fd = PF_FD_CLOSED;
}

struct pf_path_step *pf_path_step_at(const struct pf_path_step *step, unsigned slot)
{
	struct pf_path_step *s = step->below;
	while (s && s->slot != slot)
		s = s->beside;
	return s;
}

/* A tree goes on with itself. */
static struct pf_path_step *step_below(struct pf_path_step *step, unsigned slot)
{
	return step->wild == PF_WILD_TREE ? step : pf_path_step_at(step, slot);
}

void pf_folder_close(struct pf_folders *f, const struct pf_path_step *step, struct pf_folder *folder)
{
	for (unsigned i = 0; i < step->n_files; i++)
		pf_folders_close_fd(f, &folder->fds[i]);
	for (unsigned i = 0; i < step->n_below; i++)
		pf_folders_close_fd(f, &folder->below[i].fd);
}

/* The folder is gone. */
static void drop(struct pf_folders *f, struct pf_path_step *step, struct pf_folder *folder)
{
	pf_folder_close(f, step, folder);
	for (unsigned i = 0; i < step->n_below; i++)
		pf_listing_forget(f, step_below(step, i), &folder->below[i]);
	folder->next = step->spare;
	step->spare = folder;
}

void pf_listing_forget(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l)
{
	pf_folders_close_fd(f, &l->fd);
	for (unsigned i = 0; i < l->n; i++)
		drop(f, step, l->list[i]);
	l->n = 0;
	l->known = false;
	l->gone = false;
}

void pf_listing_done(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l)
{
	pf_listing_forget(f, step, l);
	free(l->list);
	*l = (struct pf_listing){ .fd = PF_FD_CLOSED };
}

void pf_folders_spare_done(struct pf_path_step *first)
{
	for (struct pf_path_step *s = first; s; s = s->beside) {
		pf_folders_spare_done(s->below);
		while (s->spare) {
			struct pf_folder *folder = s->spare;
			s->spare = folder->next;
			for (unsigned i = 0; i < s->n_below; i++)
				free(folder->below[i].list);
			free(folder->below);
			free(folder->name);
			free(folder);
		}
	}
}

static struct pf_folder *allocate(const struct pf_path_step *step)
{
	struct pf_folder *folder = calloc(1, sizeof(*folder) + step->n_files * sizeof(folder->fds[0]));
	if (!folder)
		return NULL;
	folder->below = step->n_below ? calloc(step->n_below, sizeof(*folder->below)) : NULL;
	if (step->n_below && !folder->below) {
		free(folder);
		return NULL;
	}
	return folder;
}

/* One that is not kept before; @number instead of a name where that says all. */
static struct pf_folder *new_folder(struct pf_path_step *step, struct pf_view name, uint32_t hash, int32_t number)
{
	struct pf_folder *folder = step->spare;
	if (folder)
		step->spare = folder->next;
	else
		folder = allocate(step);
	if (!folder)
		return NULL;
	folder->n_name = 0;
	if (folder->cap_name < name.n + 1) {
		char *room = realloc(folder->name, name.n + 1);
		if (!room) {
			folder->next = step->spare;
			step->spare = folder;
			return NULL;
		}
		folder->name = room;
		folder->cap_name = (uint16_t)(name.n + 1);
	}
	memcpy(folder->name, name.p, name.n);
	folder->name[name.n] = '\0';
	folder->n_name = (uint16_t)name.n;
	folder->hash = hash;
	folder->number = number;
	for (unsigned i = 0; i < step->n_files; i++)
		folder->fds[i] = PF_FD_CLOSED;
	for (unsigned i = 0; i < step->n_below; i++)
		folder->below[i].fd = PF_FD_CLOSED;
	return folder;
}

/* Is it a number, without a sign? A leading zero only by itself. */
static bool number_of(const char *name, int32_t *ret_number)
{
	uint32_t v = 0;
	for (const char *p = name; *p != '\0'; p++) {
		if (*p < '0' || *p > '9' || v > INT32_MAX / 10 - 1)
			return false;
		v = v * 10 + (uint32_t)(*p - '0');
	}
	*ret_number = (int32_t)v;
	return name[0] >= '1' || (name[0] == '0' && name[1] == '\0');
}

/* FNV-1a */
static uint32_t hash_of(struct pf_view name)
{
	uint32_t hash = 2166136261U;
	for (size_t i = 0; i < name.n; i++)
		hash = (hash ^ (uint8_t)name.p[i]) * 16777619U;
	return hash;
}

static bool is_it(const struct pf_folder *folder, struct pf_view name, uint32_t hash)
{
	return folder->hash == hash && folder->n_name == name.n && memcmp(folder->name, name.p, name.n) == 0;
}

/* All that was there before, by hash. */
static int build_table(struct pf_folders *f, const struct pf_listing *l)
{
	unsigned n = 64;
	while (n < l->n * 2)
		n *= 2;
	if (n > f->n_table) {
		unsigned *more = reallocarray(f->table, n, sizeof(*more));
		if (!more)
			return -ENOMEM;
		f->table = more;
		f->n_table = n;
	}
	memset(f->table, 0, f->n_table * sizeof(*f->table));
	for (unsigned i = 0; i < l->n; i++) {
		unsigned at = l->list[i]->hash & (f->n_table - 1);
		while (f->table[at] != 0)
			at = (at + 1) & (f->n_table - 1);
		f->table[at] = i + 1;
	}
	return 0;
}

/* @expect: which comes next if nothing changed; @has_table: the table is of this listing. */
struct look {
	struct pf_listing *l;
	struct pf_path_step *step;
	unsigned expect;
	bool has_table;
};

/* Return: 1 found; 0 it is new; -ENOMEM. */
static int find(struct pf_folders *f, struct look *look, struct pf_view name, uint32_t hash, struct pf_folder **ret)
{
	struct pf_listing *l = look->l;
	unsigned at = look->expect;
	if (at >= l->n || !is_it(l->list[at], name, hash)) {
		if (l->n == 0)
			return 0;
		int rc = look->has_table ? 0 : build_table(f, l);
		if (rc < 0)
			return rc;
		look->has_table = true;
		unsigned t = hash & (f->n_table - 1);
		while (f->table[t] != 0 && !is_it(l->list[f->table[t] - 1], name, hash))
			t = (t + 1) & (f->n_table - 1);
		if (f->table[t] == 0)
			return 0;
		at = f->table[t] - 1;
	}
	*ret = l->list[at];
	look->expect = at + 1;
	return 1;
}

static bool is_folder(const struct pf_path_step *step, int fd, const struct dirent64 *e)
{
	if (e->d_type == DT_DIR)
		return true;
	if (e->d_type != DT_UNKNOWN && (e->d_type != DT_LNK || step->wild == PF_WILD_TREE))
		return false;
	struct stat st;
	int flags = step->wild == PF_WILD_TREE ? AT_SYMLINK_NOFOLLOW : 0;
	return fstatat(fd, e->d_name, &st, flags) == 0 && S_ISDIR(st.st_mode);
}

static bool is_wanted(const struct pf_path_step *step, int fd, const struct dirent64 *e, int32_t *ret_number)
{
	const char *name = e->d_name;
	if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0')))
		return false;
	if (step->prefix.n > 0 && strncmp(name, step->prefix.p, step->prefix.n) != 0)
		return false;
	*ret_number = 0;
	if (step->wild == PF_WILD_NUMBER && !number_of(name + step->prefix.n, ret_number))
		return false;
	return is_folder(step, fd, e);
}

static int note_found(struct pf_folders *f, struct pf_folder *folder)
{
	if (f->n_found == f->cap_found) {
		unsigned cap = f->cap_found ? f->cap_found * 2 : 256;
		struct pf_folder **more = reallocarray(f->found, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		f->found = more;
		f->cap_found = cap;
	}
	folder->seen = f->looks;
	f->found[f->n_found++] = folder;
	return 0;
}

static int take_entry(struct pf_folders *f, struct look *look, int fd, const struct dirent64 *e)
{
	int32_t number;
	if (!is_wanted(look->step, fd, e, &number))
		return 0;
	struct pf_view name = pf_view_of(e->d_name);
	uint32_t hash = hash_of(name);
	struct pf_folder *folder = NULL;
	int rc = find(f, look, name, hash, &folder);
	if (rc < 0 || (rc > 0 && folder->seen == f->looks))
		return rc < 0 ? rc : 0;
	if (rc > 0)
		return note_found(f, folder);
	if (f->n_found >= FOLDERS_MAX || (look->step->processes && look->l->known && f->no_new))
		return 0;
	folder = new_folder(look->step, name, hash, number);
	if (!folder)
		return -ENOMEM;
	rc = note_found(f, folder);
	if (rc < 0)
		drop(f, look->step, folder);
	return rc;
}

static int read_entries(struct pf_folders *f, struct look *look, int fd)
{
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	for (;;) {
		ssize_t n = getdents64(fd, f->entries, sizeof(f->entries));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *e = (const void *)(f->entries + at); /* aligned by the kernel */
			int rc = take_entry(f, look, fd, e);
			if (rc < 0)
				return rc;
			at += e->d_reclen;
		}
	}
}

static int compare(const struct pf_folder *a, const struct pf_folder *b, enum pf_wild wild)
{
	if (wild == PF_WILD_NUMBER)
		return (a->number > b->number) - (a->number < b->number);
	return strcmp(a->name, b->name);
}

/* In order of number or name; mostly it is already. Trees stand as they come. */
static void sort(struct pf_folders *f, enum pf_wild wild)
{
	if (wild == PF_WILD_TREE || f->n_found > SORTED_MAX)
		return;
	for (unsigned i = 1; i < f->n_found; i++) {
		struct pf_folder *folder = f->found[i];
		unsigned at = i;
		for (; at > 0 && compare(folder, f->found[at - 1], wild) < 0; at--)
			f->found[at] = f->found[at - 1];
		f->found[at] = folder;
	}
}

/* What was found is the list now. */
static int keep_found(struct pf_folders *f, struct look *look)
{
	struct pf_listing *l = look->l;
	if (f->n_found > l->cap) {
		unsigned cap = l->cap ? l->cap : 4;
		while (cap < f->n_found)
			cap *= 2;
		struct pf_folder **more = reallocarray(l->list, cap, sizeof(struct pf_folder *));
		if (!more)
			return -ENOMEM;
		l->list = more;
		l->cap = cap;
	}
	for (unsigned i = 0; i < l->n; i++) {
		if (l->list[i]->seen != f->looks)
			drop(f, look->step, l->list[i]);
	}
	sort(f, look->step->wild);
	if (f->n_found > 0)
		memcpy(l->list, f->found, f->n_found * sizeof(struct pf_folder *));
	l->n = f->n_found;
	l->known = true;
	return 0;
}

/* What is new and cannot be kept. */
static void drop_new(struct pf_folders *f, const struct look *look)
{
	for (unsigned i = 0; i < look->l->n; i++)
		look->l->list[i]->seen = 0;
	for (unsigned i = 0; i < f->n_found; i++) {
		if (f->found[i]->seen != 0)
			drop(f, look->step, f->found[i]);
	}
}

int pf_listing_look(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l, int fd)
{
	struct look look = { .l = l, .step = step };
	f->looks++;
	f->n_found = 0;
	int rc = read_entries(f, &look, fd);
	if (rc == 0)
		rc = keep_found(f, &look);
	if (rc < 0)
		drop_new(f, &look);
	return rc;
}

int pf_listing_only(struct pf_folders *f, struct pf_path_step *step, struct pf_listing *l, const char *name)
{
	if (l->n == 1)
		return 0;
	struct look look = { .l = l, .step = step };
	f->looks++;
	f->n_found = 0;
	struct pf_folder *folder = new_folder(step, pf_view_of(name), hash_of(pf_view_of(name)), 0);
	int rc = folder ? note_found(f, folder) : -ENOMEM;
	if (rc == 0)
		rc = keep_found(f, &look);
	if (rc < 0 && folder)
		drop(f, step, folder);
	return rc;
}

int pf_folder_read(int fd, struct pf_buf *text, const struct pf_patience *patience)
{
	sig_atomic_t before = patience->fired;
	pf_buf_clear(text);
	size_t ask = text->cap > FIRST_READ ? text->cap - 1 : FIRST_READ;
	while (text->n < LONGEST) {
		char *to = pf_buf_reserve(text, ask);
		if (!to)
			return -ENOMEM;
		ssize_t got = pread(fd, to, ask, (off_t)text->n);
		if (got < 0 && errno == EINTR) {
			if (pf_patience_is_over(patience, before))
				return -ETIMEDOUT;
			continue;
		}
		if (got < 0)
			return -errno;
		text->n += (size_t)got;
		text->p[text->n] = '\0';
		if ((size_t)got < ask)
			break;
	}
	return 0;
}

int pf_folder_open(int at, const struct pf_folder *folder, const char *rest, int flags)
{
	char path[PATH_SIZE];
	size_t n = strcspn(rest, "|");
	if (folder->n_name + n + 2 > sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, folder->name, folder->n_name);
	path[folder->n_name] = n > 0 ? '/' : '\0';
	memcpy(path + folder->n_name + 1, rest, n);
	path[folder->n_name + 1 + n] = '\0';
	int fd = openat(at, path, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno == ENOENT && rest[n] == '|')
		return pf_folder_open(at, folder, rest + n + 1, flags);
	return fd >= 0 ? fd : -errno;
}
