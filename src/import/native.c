/* import/native.c - checking and opening modules that are shared objects. dlopen(3) runs code of the file, so everything that can be
 * checked is checked before: whose it is, who may write it, and that it is an ELF file at all. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "import/host.h"

enum { STRUCT_MAX = 4096 }; /* bytes that no version of struct perfolio_module will reach */

/* Owner and group of the running program: whoever can replace it can replace its modules, too. */
static void own_ids(uid_t *ret_uid, gid_t *ret_gid)
{
	struct stat st;
	*ret_uid = 0;
	*ret_gid = 0;
	if (stat("/proc/self/exe", &st) == 0) {
		*ret_uid = st.st_uid;
		*ret_gid = st.st_gid;
	}
}

static int check_writers(const char *what, const char *path, const struct stat *st, struct pf_err *err)
{
	uid_t uid;
	gid_t gid;
	own_ids(&uid, &gid);
	if (st->st_uid != 0 && st->st_uid != uid)
		return pf_err_set(
			err, -EPERM,
			"%s: refused, the %s belongs to user %u, neither to root nor to the owner of perfolio", path,
			what, (unsigned)st->st_uid);
	if ((st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && st->st_gid != 0 && st->st_gid != gid))
		return pf_err_set(err, -EPERM, "%s: refused, others may write the %s (mode %04o); chmod go-w it", path,
				  what, (unsigned)st->st_mode & 07777);
	return 0;
}

/* The loader maps what the program headers say; touching pages behind the end of a file that was cut off ends the process. */
static int check_whole(const char *path, int fd, off_t size, struct pf_err *err)
{
	ElfW(Ehdr) head;
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return pf_err_set(err, -ENOEXEC, "%s: not a perfolio module: it is no shared object (ELF)", path);
	for (unsigned i = 0; i < head.e_phnum && head.e_phentsize == sizeof(ElfW(Phdr)); i++) {
		ElfW(Phdr) part = { 0 };
		uint64_t at = (uint64_t)i * sizeof(part);
		if (head.e_phoff > (uint64_t)size || at > (uint64_t)size - head.e_phoff ||
		    pread(fd, &part, sizeof(part), (off_t)(head.e_phoff + at)) != sizeof(part) ||
		    part.p_offset > (uint64_t)size || part.p_filesz > (uint64_t)size - part.p_offset)
			return pf_err_set(err, -ENOEXEC, "%s: not a perfolio module: the file is cut off", path);
	}
	return 0;
}

/* The file and its folder; @path is free of links. The folder's owner counts because he may put another file there. */
int pf_module_check_file(const char *path, bool shared_object, struct pf_err *err)
{
	pf_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	struct stat st;
	if (fstat(fd, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return pf_err_set(err, -ENOEXEC, "%s: not a module: it is no regular file", path);
	off_t size = st.st_size;
	int rc = check_writers("file", path, &st, err);
	if (rc < 0)
		return rc;

	pf_autofree char *folder = strdup(path);
	if (!folder)
		return pf_err_set(err, -ENOMEM, "no memory");
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder ? 1 : 0] = '\0';
	if (stat(folder, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", folder, strerror(errno));
	rc = check_writers("folder of the file", path, &st, err);
	if (rc < 0)
		return rc;

	return shared_object ? check_whole(path, fd, size, err) : 0;
}

/* A required text, and its own words. */
int pf_module_check_name(const char *name, struct pf_err *err)
{
	if (!name)
		return pf_err_set(err, -ENOEXEC, "the module has no name");
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (n == 0 || n >= PF_MODULE_NAME_MAX || name[n] != '\0' || name[0] == '_' ||
	    (name[0] >= '0' && name[0] <= '9'))
		return pf_err_set(err, -ENOEXEC,
				  "the module's name is not a letter and up to %d letters, digits and underscores",
				  PF_MODULE_NAME_MAX - 2);
	return 0;
}

int pf_module_accept(struct perfolio_module *ret_is, const struct perfolio_module *given, struct pf_err *err)
{
	if (!PF_HAS(given, minor) || given->size > STRUCT_MAX)
		return pf_err_set(err, -ENOEXEC, "not a perfolio module: its struct says that it has %u bytes",
				  (unsigned)given->size);
	if (given->major != PERFOLIO_MODULE_MAJOR)
		return pf_err_set(err, -EPROTO, "built for module API %u.%u, this is %u.%u; build it anew",
				  (unsigned)given->major, (unsigned)given->minor, PERFOLIO_MODULE_MAJOR,
				  PERFOLIO_MODULE_MINOR);
	if (!PF_HAS(given, get_data))
		return pf_err_set(err, -ENOEXEC,
				  "not a perfolio module: its struct ends after %u bytes, before get_data",
				  (unsigned)given->size);

	/* What is not covered stays NULL, and NULL callbacks are not called. */
	struct perfolio_module is = { 0 };
	memcpy(&is, given, given->size < sizeof(is) ? given->size : sizeof(is));
	is.size = sizeof(is);
	int rc = pf_module_check_name(is.name, err);
	if (rc < 0)
		return rc;
	if (!is.init || (!is.get_data && !is.analyze))
		return pf_err_set(err, -ENOEXEC, "the module has no %s", is.init ? "get_data and no analyze" : "init");
	*ret_is = is;
	return 0;
}

int pf_module_open_native(struct pf_module *m, struct pf_err *err)
{
	int rc = pf_module_check_file(m->path, true, err);
	if (rc < 0)
		return rc;

	m->handle = dlopen(m->path, RTLD_NOW | RTLD_LOCAL);
	if (!m->handle) {
		const char *why = dlerror();
		size_t n = strlen(m->path);
		if (why && strncmp(why, m->path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
			why += n + 2;
		return pf_err_set(err, -ENOEXEC, "%s: cannot be loaded: %s", m->path, why ? why : "unknown reason");
	}
	const struct perfolio_module *given = dlsym(m->handle, "perfolio_module");
	if (!given)
		return pf_err_set(err, -ENOEXEC, "%s: not a perfolio module: it has no symbol perfolio_module",
				  m->path);
	rc = pf_module_accept(&m->is, given, err);
	return rc < 0 ? pf_err_context(err, rc, "%s", m->path) : 0;
}
