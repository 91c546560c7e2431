/* sources/asked.c - system calls about the host: uname(2), statfs(2), netdevice(7), shmctl(2) and its like, utmp(5). */
#include "sources/asked.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <utmp.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/io.h"
#include "base/users.h"
#include "sources/asked_calls.h"

enum { FILE_LIMIT = 16 << 20, N_TOPICS = 5, N_IPC = 3, DEVICES_MAX = 4096, PATH_BYTES = 4096 };

/* @targets: by topic, NULL: nobody wants it. @text: of the topic at hand, @file: of the file that it begins with. @mounts_fd, @devices_fd:
 * /proc/mounts and /proc/net/dev, @ipc_fd: of /proc/sysvipc, below 0 if they are not there. @users: NULL without /etc/passwd. @tapes, @fc_hosts: counted once */
struct pf_asked {
	struct pf_target *targets[N_TOPICS];
	int root_fd;
	int mounts_fd;
	int devices_fd;
	int socket_fd;
	int ipc_fd[N_IPC];
	struct pf_users *users;
	unsigned tapes;
	unsigned fc_hosts;
	struct pf_buf text;
	struct pf_buf file;
};

static unsigned count_entries(int root_fd, const char *path)
{
	unsigned n = 0;
	int fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		n += e->d_name[0] != '.';
	if (dir)
		(void)closedir(dir);
	else
		pf_closep(&fd);
	return n;
}

/* Who is logged in, and which of them is root; records of anything. */
struct logins {
	unsigned users;
	unsigned roots;
	unsigned records;
};

static struct logins count_logins(struct pf_asked *a)
{
	struct logins n = { 0 };
	struct utmp entry;
	pf_autoclose int fd = openat(a->root_fd, "run/utmp", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pf_io_pread_all(fd, FILE_LIMIT, &a->file) < 0)
		return n;
	for (size_t at = 0; at + sizeof(entry) <= a->file.n; at += sizeof(entry)) {
		memcpy(&entry, a->file.p + at, sizeof(entry));
		bool user = entry.ut_type == USER_PROCESS;
		n.users += user;
		n.roots += user && strncmp(entry.ut_user, "root", sizeof(entry.ut_user)) == 0;
		n.records++;
	}
	return n;
}

static void ask_host(struct pf_asked *a)
{
	struct utsname names;
	if (uname(&names) == 0)
		pf_buf_fmt(&a->text, "machine %s\nhinv-machine %s\nuname %s %s %s %s %s\n", names.machine,
			   names.machine, names.sysname, names.nodename, names.release, names.version, names.machine);
	struct logins n = count_logins(a);
	pf_buf_fmt(&a->text, "pagesize %ld\nusers %u\nroots %u\nsessions %u\ntapes %u\nfc-hosts %u\n",
		   sysconf(_SC_PAGESIZE), n.users, n.roots, n.records, a->tapes, a->fc_hosts);
}

static void ask_ipc(struct pf_asked *a)
{
	pf_asked_ipc(&a->text);
}

/* \040 in a mount table is a blank. @room: of at least @word.n + 1 bytes */
static void unescape(struct pf_view word, char *room)
{
	size_t n = 0;
	for (size_t i = 0; i < word.n; i++) {
		const char *p = word.p + i;
		bool octal = *p == '\\' && word.n - i > 3 && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
			     p[3] >= '0' && p[3] <= '7';
		room[n++] = octal ? (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0')) : *p;
		i += octal ? 3 : 0;
	}
	room[n] = '\0';
}

/* The same device can be mounted at several places; the first one counts. */
static bool is_new(const struct pf_asked *a, struct pf_view device)
{
	struct pf_view rest = pf_buf_text(&a->text);
	struct pf_view line, word;
	while (pf_view_line(&rest, &line) == 0) {
		if (pf_view_word(&line, &word) == 0 && word.n == device.n && memcmp(word.p, device.p, word.n) == 0)
			return false;
	}
	return true;
}

static void ask_mount(struct pf_asked *a, struct pf_view line)
{
	struct pf_view device, where, kind, options;
	char path[PATH_BYTES];
	struct statfs fs;
	if (pf_view_word(&line, &device) < 0 || pf_view_word(&line, &where) < 0 || pf_view_word(&line, &kind) < 0 ||
	    pf_view_word(&line, &options) < 0 || where.n >= sizeof(path) || !pf_view_starts(device, "/dev/"))
		return;
	unescape(where, path);
	if (strchr(path, '\n') || !is_new(a, device))
		return;
	const char *below = path + strspn(path, "/");
	pf_autoclose int fd = openat(a->root_fd, *below ? below : ".", O_PATH | O_CLOEXEC);
	if (fd < 0 || fstatfs(fd, &fs) < 0)
		return;
	bool read_only = pf_view_is(options, "ro") || pf_view_starts(options, "ro,");
	pf_buf_view(&a->text, device);
	pf_buf_fmt(&a->text, " %llu %llu %llu %llu %llu %llu %d %s\n", (unsigned long long)fs.f_bsize,
		   (unsigned long long)fs.f_blocks, (unsigned long long)fs.f_bfree, (unsigned long long)fs.f_bavail,
		   (unsigned long long)fs.f_files, (unsigned long long)fs.f_ffree, read_only, path);
}

static void ask_mounts(struct pf_asked *a)
{
	struct pf_view line;
	if (a->mounts_fd < 0 || pf_io_pread_all(a->mounts_fd, FILE_LIMIT, &a->file) < 0)
		return;
	struct pf_view rest = pf_buf_text(&a->file);
	for (unsigned n = 0; n < DEVICES_MAX && pf_view_line(&rest, &line) == 0; n++)
		ask_mount(a, line);
}

/* Names stand before the colons. */
static void ask_interfaces(struct pf_asked *a)
{
	struct pf_view line, word;
	if (a->devices_fd < 0 || a->socket_fd < 0 || pf_io_pread_all(a->devices_fd, FILE_LIMIT, &a->file) < 0)
		return;
	struct pf_view rest = pf_buf_text(&a->file);
	for (unsigned n = 0; n < DEVICES_MAX && pf_view_line(&rest, &line) == 0; n++) {
		const char *colon = memchr(line.p, ':', line.n);
		struct pf_view front = { line.p, colon ? (size_t)(colon - line.p) : 0 };
		if (pf_view_word(&front, &word) == 0)
			pf_asked_interface(&a->text, a->socket_fd, word);
	}
}

static const char *const ipc_kinds[N_IPC] = { "shm", "msg", "sem" };

/* Columns of the user's number, by kind. */
static const unsigned ipc_users[N_IPC] = { 7, 7, 4 };

/* Whose it is: the number where there is no name. */
static void ask_owner(struct pf_asked *a, unsigned kind, struct pf_view line)
{
	struct pf_view id = { 0 }, word;
	uint64_t uid;
	for (unsigned i = 0; i <= ipc_users[kind]; i++) {
		if (pf_view_word(&line, &word) < 0)
			return;
		if (i == 1)
			id = word;
	}
	if (pf_view_u64(word, &uid) < 0 || uid > UINT32_MAX)
		return; /* the heading */
	struct pf_view name = pf_users_name(a->users, (uint32_t)uid);
	pf_buf_fmt(&a->text, "%s ", ipc_kinds[kind]);
	pf_buf_view(&a->text, id);
	pf_buf_char(&a->text, ' ');
	pf_buf_view(&a->text, name.n > 0 ? name : word);
	pf_buf_char(&a->text, '\n');
}

static void ask_owners(struct pf_asked *a)
{
	for (unsigned kind = 0; kind < N_IPC; kind++) {
		struct pf_view line;
		if (a->ipc_fd[kind] < 0 || pf_io_pread_all(a->ipc_fd[kind], FILE_LIMIT, &a->file) < 0)
			continue;
		struct pf_view rest = pf_buf_text(&a->file);
		while (pf_view_line(&rest, &line) == 0)
			ask_owner(a, kind, line);
	}
}

/* What there is to ask; a row's path ends in the word. */
static const struct {
	const char *path;
	void (*ask)(struct pf_asked *a);
} topics[N_TOPICS] = {
	{ "perfolio/asked/host", ask_host },	 { "perfolio/asked/ipc", ask_ipc },
	{ "perfolio/asked/mounts", ask_mounts }, { "perfolio/asked/interfaces", ask_interfaces },
	{ "perfolio/asked/owners", ask_owners },
};

static bool find_targets(struct pf_asked *a, struct pf_dispatch *d)
{
	bool any = false;
	for (unsigned t = 0; t < d->n_targets; t++) {
		for (unsigned i = 0; i < N_TOPICS && d->targets[t].row->made; i++) {
			if (strcmp(d->targets[t].row->path, topics[i].path) != 0)
				continue;
			a->targets[i] = &d->targets[t];
			any = true;
		}
	}
	return any;
}

int pf_asked_open(struct pf_asked **ret_asked, struct pf_dispatch *d, int root_fd)
{
	struct pf_asked *a = calloc(1, sizeof(*a));
	*ret_asked = NULL;
	if (!a)
		return -ENOMEM;
	a->root_fd = root_fd;
	a->mounts_fd = a->devices_fd = a->socket_fd = -1;
	if (!find_targets(a, d)) {
		free(a);
		return 0;
	}
	a->mounts_fd = openat(root_fd, "proc/mounts", O_RDONLY | O_CLOEXEC);
	a->devices_fd = openat(root_fd, "proc/net/dev", O_RDONLY | O_CLOEXEC);
	a->socket_fd = pf_asked_socket();
	for (unsigned kind = 0; kind < N_IPC; kind++) {
		char path[32] = "proc/sysvipc/";
		(void)strncat(path, ipc_kinds[kind], sizeof(path) - strlen(path) - 1);
		a->ipc_fd[kind] = openat(root_fd, path, O_RDONLY | O_CLOEXEC);
	}
	(void)pf_users_load(&a->users, root_fd, "etc/passwd", NULL); /* without names numbers are told */
	a->tapes = count_entries(root_fd, "sys/class/scsi_tape");
	a->fc_hosts = count_entries(root_fd, "sys/class/fc_host");
	*ret_asked = a;
	return 0;
}

struct pf_asked *pf_asked_close(struct pf_asked *a)
{
	if (!a)
		return NULL;
	pf_closep(&a->mounts_fd);
	pf_closep(&a->devices_fd);
	pf_closep(&a->socket_fd);
	for (unsigned kind = 0; kind < N_IPC; kind++)
		pf_closep(&a->ipc_fd[kind]);
	a->users = pf_users_free(a->users);
	pf_buf_done(&a->text);
	pf_buf_done(&a->file);
	free(a);
	return NULL;
}

int pf_asked_take(struct pf_asked *a, const struct pf_raw_tap *tap, bool no_parse)
{
	for (unsigned i = 0; i < N_TOPICS; i++) {
		struct pf_target *target = a->targets[i];
		if (!target)
			continue;
		pf_buf_clear(&a->text);
		topics[i].ask(a);
		if (a->text.failed || a->file.failed)
			return -ENOMEM;
		struct pf_view rest = pf_buf_text(&a->text);
		struct pf_view line;
		while (tap && pf_view_line(&rest, &line) == 0)
			tap->line(tap->arg, pf_view_of(target->row->tag), line);
		if (!no_parse && a->text.n > 0)
			target->row->parse(pf_buf_text(&a->text), &target->b);
	}
	return 0;
}
