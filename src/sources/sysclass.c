/* sources/sysclass.c - Source: /sys/class/net, /sys/class/block; kernel Documentation/ABI/testing/sysfs-class-net, sysfs-block. */
#include "sources/sysclass.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "groups/list.h"

enum { PATH_SIZE = 384, FILE_LIMIT = 4096, ARPHRD_LOOPBACK = 772 };

static bool is_there(int fd, const char *path)
{
	return faccessat(fd, path, F_OK, 0) == 0;
}

/* Has the folder an entry that begins with @prefix? */
static bool has_entry(int fd, const char *path, const char *prefix)
{
	int folder = openat(fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
	if (!dir) {
		if (folder >= 0)
			(void)close(folder); /* only read from */
		return false;
	}
	bool found = false;
	for (const struct dirent *e = readdir(dir); e && !found; e = readdir(dir))
		found = e->d_name[0] != '.' && strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	(void)closedir(dir); /* only read from */
	return found;
}

static uint64_t number_in(int fd, const char *path)
{
	struct pf_buf text = { 0 };
	struct pf_err ignored = { 0 };
	uint64_t v = 0;
	if (pf_io_read_file(fd, path, FILE_LIMIT, &text, &ignored) == 0) {
		struct pf_view rest = pf_buf_text(&text);
		(void)pf_view_next_u64(&rest, &v); /* no number: 0 */
	}
	pf_buf_done(&text);
	return v;
}

/* Whole disks with a driver of their own: no partitions, nothing made of other disks (dm, md, bcache), nothing that is a file or memory
 * (loop, ram, zram). */
static enum pf_device look_at_disk(int root_fd, const char *name)
{
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "sys/class/block/%s", name);
	if (!is_there(root_fd, path))
		return PF_DEVICE_UNKNOWN;
	(void)snprintf(path, sizeof(path), "sys/class/block/%s/partition", name);
	if (is_there(root_fd, path))
		return PF_DEVICE_ABOVE;
	(void)snprintf(path, sizeof(path), "sys/class/block/%s/slaves", name);
	if (has_entry(root_fd, path, ""))
		return PF_DEVICE_ABOVE;
	static const char *const without[] = { "loop", "ram", "zram", "dm-", "md" };
	for (unsigned i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		size_t n = strlen(without[i]);
		if (strncmp(name, without[i], n) == 0 && name[n] >= '0' && name[n] <= '9')
			return PF_DEVICE_ABOVE;
	}
	return PF_DEVICE_OWN;
}

/* A port is what has a device behind it; but where two of those stand for one (a virtual function and its synthetic master), the master
 * counts. Without a device a name that looks like a port counts unless the kernel says what it is: inside a container eth0 is all
 * there is. */
static enum pf_device look_at_interface(int root_fd, const char *name)
{
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "sys/class/net/%s", name);
	if (!is_there(root_fd, path))
		return PF_DEVICE_UNKNOWN;
	(void)snprintf(path, sizeof(path), "sys/class/net/%s/device", name);
	if (is_there(root_fd, path)) {
		(void)snprintf(path, sizeof(path), "sys/class/net/%s/master/device", name);
		return is_there(root_fd, path) ? PF_DEVICE_ABOVE : PF_DEVICE_OWN;
	}
	static const char *const kinds[] = { "bonding", "bridge", "tun_flags", "brif" };
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		(void)snprintf(path, sizeof(path), "sys/class/net/%s/%s", name, kinds[i]);
		if (is_there(root_fd, path))
			return PF_DEVICE_ABOVE;
	}
	(void)snprintf(path, sizeof(path), "sys/class/net/%s", name);
	if (has_entry(root_fd, path, "lower_"))
		return PF_DEVICE_ABOVE;
	(void)snprintf(path, sizeof(path), "sys/class/net/%s/type", name);
	return number_in(root_fd, path) == ARPHRD_LOOPBACK ? PF_DEVICE_ABOVE : PF_DEVICE_UNKNOWN;
}

enum pf_device pf_sysclass_look(void *arg, uint32_t indom, struct pf_view view)
{
	int root_fd = *(const int *)arg;
	char name[PF_NAME_MAX];
	if (view.n == 0 || view.n >= sizeof(name) || view.p[0] == '.')
		return PF_DEVICE_UNKNOWN;
	memcpy(name, view.p, view.n);
	name[view.n] = '\0';
	for (char *p = name; *p != '\0'; p++)
		*p = *p == '/' ? '!' : *p; /* as /sys spells cciss/c0d0 */
	if (indom == pf_group_disk.metrics[0].indom)
		return look_at_disk(root_fd, name);
	if (indom == pf_group_network.metrics[0].indom)
		return look_at_interface(root_fd, name);
	return PF_DEVICE_UNKNOWN;
}
