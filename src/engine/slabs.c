/* engine/slabs.c - names of merged slab caches. Source: sysfs-kernel-slab of the kernel's documentation; form: what collectl 4.3.1 writes
 * where /sys/slab is a folder. */
#include "engine/slabs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/escape.h"

enum { LINKS_MAX = 65536, ALIASES_WIDTH = 20, ROOTS_WIDTH = 21 };

/* One name. @at: its place in the folder */
struct link {
	char *root;
	char *name;
	size_t at;
};

struct links {
	struct link *link;
	size_t n;
	size_t cap;
};

static void links_done(struct links *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->link[i].root);
		free(l->link[i].name);
	}
	free(l->link);
}

static int by_root(const void *a, const void *b)
{
	const struct link *x = a;
	const struct link *y = b;
	int order = strcmp(x->root, y->root);
	return order != 0 ? order : x->at < y->at ? -1 : x->at > y->at;
}

static int by_name(const void *a, const void *b)
{
	const struct link *x = a;
	const struct link *y = b;
	int order = strcmp(x->root, y->root);
	return order != 0 ? order : strcmp(x->name, y->name);
}

static bool is_wanted(const char *prefixes, const char *name)
{
	struct pf_view rest = pf_view_of(prefixes ? prefixes : "");
	bool any = false;
	while (rest.n > 0) {
		const char *comma = memchr(rest.p, ',', rest.n);
		size_t n = comma ? (size_t)(comma - rest.p) : rest.n;
		if (n > 0 && strncmp(name, rest.p, n) == 0)
			return true;
		any |= n > 0;
		n += comma != NULL;
		rest = (struct pf_view){ rest.p + n, rest.n - n };
	}
	return !any;
}

static int add(struct links *l, const char *root, const char *name)
{
	if (l->n == LINKS_MAX)
		return -EFBIG;
	if (l->n == l->cap) {
		size_t cap = l->cap ? 2 * l->cap : 256;
		struct link *more = reallocarray(l->link, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		l->link = more;
		l->cap = cap;
	}
	struct link *to = &l->link[l->n];
	*to = (struct link){ strdup(root), strdup(name), l->n };
	l->n++;
	return to->root && to->name ? 0 : -ENOMEM;
}

/* Common names begin with a colon. What is no link stands for itself alone. */
static int read_links(int fd, const char *prefixes, struct links *l)
{
	DIR *folder = fdopendir(fd);
	int rc = 0;
	if (!folder) {
		rc = -errno;
		(void)close(fd);
		return rc;
	}
	for (const struct dirent *e = readdir(folder); e && rc == 0; e = readdir(folder)) {
		char target[256];
		ssize_t n = readlinkat(dirfd(folder), e->d_name, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		const char *slash = strrchr(target, '/');
		const char *root = slash ? slash + 1 : target;
		if (root[0] == ':' && is_wanted(prefixes, e->d_name))
			rc = add(l, root, e->d_name);
	}
	(void)closedir(folder);
	return rc;
}

static void write_lines(const struct links *l, bool roots, struct pf_buf *out)
{
	size_t width = roots ? ROOTS_WIDTH : ALIASES_WIDTH;
	for (size_t i = 0, end; i < l->n; i = end) {
		const char *root = l->link[i].root;
		end = i + 1;
		while (end < l->n && strcmp(l->link[end].root, root) == 0)
			end++;
		if (!roots && end == i + 1)
			continue;
		size_t from = out->n;
		pf_escape_text(out, pf_view_of(root));
		if (out->n - from < width)
			pf_buf_pad(out, ' ', width - (out->n - from));
		for (size_t k = i; k < end; k++) {
			pf_buf_char(out, ' ');
			pf_escape_text(out, pf_view_of(l->link[k].name));
		}
		pf_buf_char(out, '\n');
	}
}

int pf_slabs_list(int root_fd, const struct pf_slabs_wish *wish, struct pf_buf *out, struct pf_err *err)
{
	static const char *const folders[] = { "sys/slab", "sys/kernel/slab" };
	struct links links = { 0 };
	int fd = -1;
	for (unsigned i = 0; fd < 0 && i < (wish->as_peer ? 1 : PF_N(folders)); i++)
		fd = openat(root_fd, folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return wish->as_peer
			       ? pf_err_set(err, -ENOENT, "this kernel does not support 'slub-based' slabs")
			       : pf_err_set(
					 err, -ENOENT,
					 "this kernel does not tell which slabs are one: there is no /sys/kernel/slab");
	int rc = read_links(fd, wish->prefixes, &links);
	if (rc == 0 && links.n > 0)
		qsort(links.link, links.n, sizeof(*links.link), wish->as_peer ? by_root : by_name);
	if (rc == 0)
		write_lines(&links, wish->roots, out);
	links_done(&links);
	return rc < 0 ? pf_err_set(err, rc, "/sys/kernel/slab: %s", strerror(-rc)) : 0;
}
