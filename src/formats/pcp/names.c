/* formats/pcp/names.c - the files of an archive on disk. Source: LOGARCHIVE(5), observed folders. */
#include "formats/pcp/names.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/view.h"
#include "formats/pcp/file.h"
#include "formats/pcp/packed.h"

enum { MAX_VOLUMES = 1 << 20 };

/* In a folder with more names volumes are asked for by their numbers, until so many are missing: all archives of a crowded folder would read all of it. */
enum { CROWD = 4096, MISSING = 16 };

/* Length of @name without a suffix of compression. */
static size_t without_packing(const char *name, size_t n)
{
	const char *suffix;
	for (unsigned i = 0; (suffix = pf_packed_suffix(i)) != NULL; i++) {
		size_t k = strlen(suffix);
		if (n > k && memcmp(name + n - k, suffix, k) == 0)
			return n - k;
	}
	return n;
}

static bool exists(const char *base, const char *suffix, const char *packing)
{
	char *path;
	if (asprintf(&path, "%s.%s%s", base, suffix, packing) < 0)
		return false;
	bool there = access(path, F_OK) == 0;
	free(path);
	return there;
}

/* "" for a plain file, NULL when there is none. */
static const char *packing_of(const char *base, const char *suffix)
{
	if (exists(base, suffix, ""))
		return "";
	const char *packing;
	for (unsigned i = 0; (packing = pf_packed_suffix(i)) != NULL; i++) {
		if (exists(base, suffix, packing))
			return packing;
	}
	return NULL;
}

int pf_pcp_names_check(const char *base, struct pf_err *err)
{
	const char *slash = strrchr(base, '/');
	const char *name = slash ? slash + 1 : base;
	struct stat st;
	bool dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
	if (name[0] != '\0' && !dots && (stat(base, &st) < 0 || !S_ISDIR(st.st_mode)))
		return 0;
	return pf_err_set(err, -EINVAL, "'%s' is no name of an archive%s", base,
			  base[0] != '\0' ? ": it is a folder; add a name behind it" : "");
}

char *pf_pcp_names_path(const char *base, const char *suffix)
{
	const char *packing = packing_of(base, suffix);
	char *path;
	return asprintf(&path, "%s.%s%s", base, suffix, packing ? packing : "") < 0 ? NULL : path;
}

int pf_pcp_names_open(const char *base, const char *suffix, unsigned align, struct pf_pcp_file *f, struct pf_err *err)
{
	*f = (struct pf_pcp_file){ .fd = -1 };
	pf_autofree char *path = pf_pcp_names_path(base, suffix);
	if (!path)
		return pf_err_set(err, -ENOMEM, "%s: no memory", base);
	pf_autoclose int fd = pf_io_open_regular(path, err);
	if (fd < 0)
		return fd == -ENOENT ? -ENODATA : fd;
	int rc = pf_pcp_file_init(f, fd, path, align, err);
	if (rc == 0)
		(void)PF_TAKE_FD(fd);
	return rc;
}

bool pf_pcp_names_is_there(const char *base, const char *suffix)
{
	return packing_of(base, suffix);
}

char *pf_pcp_names_base(const char *path)
{
	size_t n = without_packing(path, strlen(path));
	static const char *const ends[] = { ".meta", ".index" };
	for (unsigned i = 0; i < PF_N(ends); i++) {
		size_t k = strlen(ends[i]);
		if (n > k && memcmp(path + n - k, ends[i], k) == 0)
			return strndup(path, n - k);
	}
	if (pf_pcp_names_is_there(path, "meta") || pf_pcp_names_is_there(path, "index"))
		return strndup(path, strlen(path)); /* it ends as a volume does, like the address of a host */
	size_t digits = n;
	while (digits > 0 && path[digits - 1] >= '0' && path[digits - 1] <= '9')
		digits--;
	if (digits < n && digits > 1 && path[digits - 1] == '.')
		return strndup(path, digits - 1);
	return strndup(path, strlen(path));
}

static int add(unsigned **volumes, unsigned *n, unsigned number)
{
	unsigned *more = reallocarray(*volumes, *n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	*volumes = more;
	more[(*n)++] = number;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a;
	unsigned y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

static int ask_for_volumes(const char *base, unsigned **volumes, unsigned *n)
{
	char suffix[16];
	int rc = 0;
	for (unsigned number = 0, missing = 0; rc == 0 && missing < MISSING; number++) {
		(void)snprintf(suffix, sizeof(suffix), "%u", number);
		bool there = packing_of(base, suffix) != NULL;
		missing = there ? 0 : missing + 1;
		rc = there ? add(volumes, n, number) : 0;
	}
	return rc;
}

int pf_pcp_names_volumes(const char *base, unsigned **ret_volumes, unsigned *ret_n, struct pf_err *err)
{
	const char *slash = strrchr(base, '/');
	const char *name = slash ? slash + 1 : base;
	size_t n = strlen(name);
	pf_autofree char *folder = slash ? strndup(base, (size_t)(slash - base) + 1) : strdup(".");
	DIR *dir = folder ? opendir(folder) : NULL;
	if (!dir)
		return pf_err_set(err, -errno, "%s: %s", folder ? folder : base, strerror(errno));
	unsigned *volumes = NULL;
	unsigned n_volumes = 0;
	int rc = 0;
	unsigned n_names = 0;
	for (const struct dirent *e = readdir(dir); e && rc == 0; e = readdir(dir)) {
		uint64_t number;
		if (++n_names == CROWD) {
			unsigned *asked = NULL;
			unsigned n_asked = 0;
			rc = ask_for_volumes(base, &asked, &n_asked);
			if (rc == 0 && n_asked > 0) {
				free(volumes);
				volumes = asked;
				n_volumes = n_asked;
				break;
			}
			free(asked); /* the first ones may be gone, as they are with a limit on what stays */
		}
		if (strncmp(e->d_name, name, n) != 0 || e->d_name[n] != '.')
			continue;
		size_t len = without_packing(e->d_name, strlen(e->d_name));
		if (len <= n + 1)
			continue;
		struct pf_view digits = { e->d_name + n + 1, len - n - 1 };
		if (pf_view_u64(digits, &number) == 0 && number < MAX_VOLUMES)
			rc = add(&volumes, &n_volumes, (unsigned)number);
	}
	(void)closedir(dir);
	if (rc < 0) {
		free(volumes);
		return pf_err_set(err, rc, "%s: no memory", base);
	}
	if (n_volumes > 0)
		qsort(volumes, n_volumes, sizeof(*volumes), by_number);
	unsigned kept = 0; /* plain and packed, it is one volume */
	for (unsigned i = 0; i < n_volumes; i++) {
		if (kept == 0 || volumes[kept - 1] != volumes[i])
			volumes[kept++] = volumes[i];
	}
	*ret_volumes = volumes;
	*ret_n = kept;
	return 0;
}

static uint64_t bytes_of(const char *base, const char *suffix)
{
	struct stat st;
	pf_autofree char *path = pf_pcp_names_path(base, suffix);
	return path && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

uint64_t pf_pcp_names_bytes(const char *base)
{
	unsigned *volumes = NULL;
	unsigned n = 0;
	uint64_t bytes = bytes_of(base, "meta") + bytes_of(base, "index");
	(void)pf_pcp_names_volumes(base, &volumes, &n, NULL); /* then there are none */
	for (unsigned i = 0; i < n; i++) {
		char suffix[16];
		(void)snprintf(suffix, sizeof(suffix), "%u", volumes[i]);
		bytes += bytes_of(base, suffix);
	}
	free(volumes);
	return bytes;
}
