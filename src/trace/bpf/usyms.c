/* bpf/usyms.c - processes, their mappings and the files behind them. Source: proc(5), for /proc/PID/maps and /proc/PID/root. */
#include "trace/bpf/usyms.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/io.h"
#include "trace/bpf/elf.h"
#include "trace/bpf/mmaps.h"

enum { MAPS_LIMIT = 16 << 20, N_BUCKETS = 1024, MOST_AT_START = 4096, MOST_OPEN = 128, DEEPEST = 16 };

/* A file that code comes from. @fd: held until it is read, since the process whose mount namespace has it may end; -1. */
struct file {
	uint64_t device, inode;
	const char *path, *module;
	int fd;
	bool read;
	struct pf_elf *elf;
	struct file *next;
};

/* @since_ns: when it was made; 0: it was there when we came. */
struct mapping {
	uint64_t from, to, offset, since_ns;
	struct file *file;
	struct mapping *next;
};

/* @parent: whose mappings it had when it was forked, at @born_ns; @complete: they were read from /proc. */
struct process {
	int pid, parent;
	uint64_t born_ns, became_ns;
	bool complete;
	struct mapping *maps;
	struct process *next;
};

struct pf_usyms {
	struct process *processes[N_BUCKETS];
	struct file *files[N_BUCKETS];
	struct pf_arena arena;
	struct pf_mmaps *mmaps;
	struct pf_elf *vdso;
	bool vdso_read;
	unsigned n_open;
};

static struct process *process_of(struct pf_usyms *u, int pid)
{
	struct process **bucket = &u->processes[(unsigned)pid % N_BUCKETS];
	for (struct process *p = *bucket; p; p = p->next) {
		if (p->pid == pid)
			return p;
	}
	struct process *p = pf_arena_alloc(&u->arena, sizeof(*p));
	if (p) {
		*p = (struct process){ .pid = pid, .next = *bucket };
		*bucket = p;
	}
	return p;
}

static int root_of(int pid)
{
	char root[32];
	(void)snprintf(root, sizeof(root), "/proc/%d/root", pid); /* always fits */
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* open_file() - as process @pid sees it; when the process has ended, as we do. */
static int open_file(int pid, const char *path)
{
	pf_autoclose int root = root_of(pid);
	return openat(root, path + strspn(path, "/"), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* file_of() - by what it is, not by its name, which means another file elsewhere. */
static struct file *file_of(struct pf_usyms *u, int pid, uint64_t device, uint64_t inode, struct pf_view path)
{
	static const char deleted[] = " (deleted)";
	struct file **bucket = &u->files[(device * 31 + inode) % N_BUCKETS];
	for (struct file *f = *bucket; f; f = f->next) {
		if (f->device == device && f->inode == inode && (inode || pf_view_is(path, f->path)))
			return f;
	}
	if (path.n > sizeof(deleted) - 1 &&
	    memcmp(path.p + path.n - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1) == 0)
		path.n -= sizeof(deleted) - 1;
	struct file *f = pf_arena_alloc(&u->arena, sizeof(*f));
	char *copy = f ? pf_arena_dup(&u->arena, path) : NULL;
	if (!copy)
		return NULL;
	const char *slash = strrchr(copy, '/');
	*f = (struct file){
		.device = device, .inode = inode, .path = copy, .module = slash ? slash + 1 : copy, .fd = -1
	};
	if (*copy == '/' && u->n_open < MOST_OPEN) {
		f->fd = open_file(pid, copy);
		u->n_open += f->fd >= 0;
	}
	f->next = *bucket;
	*bucket = f;
	return f;
}

static void add_mapping(struct pf_usyms *u, struct process *p, const struct mapping *m)
{
	struct mapping *copy = m->file ? pf_arena_alloc(&u->arena, sizeof(*copy)) : NULL;
	if (!copy)
		return; /* without memory the address has no name */
	*copy = *m;
	copy->next = p->maps;
	p->maps = copy;
}

/* hex() - digits at the front of *@rest. */
static uint64_t hex(struct pf_view *rest)
{
	uint64_t v = 0;
	for (; rest->n; rest->p++, rest->n--) {
		char c = *rest->p;
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	return v;
}

static void skip(struct pf_view *rest, size_t n)
{
	n = n < rest->n ? n : rest->n;
	rest->p += n;
	rest->n -= n;
}

/* add_line() - "55d0c000-55d0d000 r-xp 00001000 fe:00 1234   /usr/bin/cat". Only code counts. */
static void add_line(struct pf_usyms *u, struct process *p, struct pf_view line)
{
	struct mapping m = { 0 };
	struct pf_view inode;
	m.from = hex(&line);
	skip(&line, 1);
	m.to = hex(&line);
	if (line.n < 6 || line.p[3] != 'x')
		return;
	skip(&line, 6);
	m.offset = hex(&line);
	skip(&line, 1);
	uint64_t device = hex(&line) << 32;
	skip(&line, 1);
	device |= hex(&line);
	uint64_t number = 0;
	if (pf_view_word(&line, &inode) < 0 || pf_view_u64(inode, &number) < 0)
		return;
	while (line.n && *line.p == ' ')
		skip(&line, 1);
	if (!line.n)
		return;
	m.file = file_of(u, p->pid, device, number, line);
	add_mapping(u, p, &m);
}

/* read_process() - what it has mapped now. */
static void read_process(struct pf_usyms *u, struct process *p)
{
	char path[32];
	struct pf_buf text = { 0 };
	p->complete = true;
	(void)snprintf(path, sizeof(path), "/proc/%d/maps", p->pid); /* always fits */
	if (pf_io_read_file(AT_FDCWD, path, MAPS_LIMIT, &text, NULL) == 0) {
		struct pf_view rest = pf_buf_text(&text);
		struct pf_view line;
		while (pf_view_line(&rest, &line) == 0)
			add_line(u, p, line);
	}
	pf_buf_done(&text);
}

/* read_all() - every process there is, up to a limit: more would take longer than most tracing does. */
static void read_all(struct pf_usyms *u)
{
	DIR *proc = opendir("/proc");
	unsigned n = 0;
	for (struct dirent *entry; proc && n < MOST_AT_START && (entry = readdir(proc));) {
		uint64_t pid;
		if (pf_view_u64(pf_view_of(entry->d_name), &pid) < 0 || pid > INT32_MAX)
			continue;
		struct process *p = process_of(u, (int)pid);
		if (p && !p->complete)
			read_process(u, p);
		n++;
	}
	if (proc)
		(void)closedir(proc);
}

/* forget_before() - what was known of the process that had this number. */
static void forget_before(struct process *p, uint64_t time_ns)
{
	for (struct mapping **at = &p->maps; *at;) {
		if ((*at)->since_ns < time_ns)
			*at = (*at)->next;
		else
			at = &(*at)->next;
	}
	if (p->became_ns < time_ns)
		p->became_ns = 0;
}

/* on_told() - one thing that the kernel tells. */
static void on_told(void *arg, const struct pf_mmap *told)
{
	struct pf_usyms *u = arg;
	struct process *p = process_of(u, told->pid);
	if (!p)
		return;
	switch (told->kind) {
	case PF_MMAP_FORK:
		/* A number may be used again. What another processor told of the new one already stays. */
		forget_before(p, told->time_ns);
		p->parent = told->parent;
		p->born_ns = told->time_ns;
		p->complete = true; /* from here on everything is told */
		break;
	case PF_MMAP_EXEC:
		if (told->time_ns > p->became_ns)
			p->became_ns = told->time_ns;
		p->complete = true;
		break;
	case PF_MMAP_CODE: {
		struct mapping m = { .from = told->from,
				     .to = told->from + told->size,
				     .offset = told->offset,
				     .since_ns = told->time_ns };
		m.file = file_of(u, told->pid, told->device, told->inode, pf_view_of(told->path));
		add_mapping(u, p, &m);
		break;
	}
	}
}

int pf_usyms_open(struct pf_usyms **ret_usyms)
{
	struct pf_usyms *u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	(void)pf_mmaps_open(&u->mmaps); /* see the header */
	read_all(u);
	*ret_usyms = u;
	return 0;
}

struct pf_usyms *pf_usyms_close(struct pf_usyms *u)
{
	if (!u)
		return NULL;
	(void)pf_mmaps_close(u->mmaps);
	for (unsigned i = 0; i < N_BUCKETS; i++) {
		for (struct file *f = u->files[i]; f; f = f->next) {
			(void)pf_elf_close(f->elf);
			if (f->fd >= 0)
				(void)close(f->fd);
		}
	}
	(void)pf_elf_close(u->vdso);
	pf_arena_done(&u->arena);
	free(u);
	return NULL;
}

void pf_usyms_listen(struct pf_usyms *u)
{
	if (u->mmaps)
		pf_mmaps_read(u->mmaps, on_told, u);
}

/* newest() - of the mappings of @p made from @since to @time_ns that have @address, the one made last. */
static const struct mapping *newest(const struct process *p, uint64_t address, uint64_t since, uint64_t time_ns)
{
	const struct mapping *found = NULL;
	for (const struct mapping *m = p->maps; m; m = m->next) {
		if (address >= m->from && address < m->to && m->since_ns <= time_ns && m->since_ns >= since &&
		    (!found || m->since_ns > found->since_ns))
			found = m;
	}
	return found;
}

/* find() - the mapping of @address at @time_ns: of the process, or what it has from its parent. */
static const struct mapping *find(struct pf_usyms *u, int pid, uint64_t address, uint64_t time_ns)
{
	for (int depth = 0; pid && depth < DEEPEST; depth++) {
		struct process *p = process_of(u, pid);
		if (!p)
			return NULL;
		if (!p->complete)
			read_process(u, p);
		/* What was there before it became another program is gone. */
		bool became = p->became_ns && p->became_ns <= time_ns;
		const struct mapping *m = newest(p, address, became ? p->became_ns : 0, time_ns);
		if (!m && !u->mmaps && !depth) { /* nobody tells what is mapped later */
			read_process(u, p);
			m = newest(p, address, 0, time_ns);
		}
		if (!m && became && time_ns == UINT64_MAX) { /* of which nobody knows when it was */
			m = newest(p, address, 0, time_ns);
			became = false;
		}
		if (m)
			return m;
		if (became)
			return NULL;
		time_ns = p->born_ns;
		pid = p->parent;
	}
	return NULL;
}

/* functions_of() - of the mapped file, read at the first question. */
static const struct pf_elf *functions_of(struct pf_usyms *u, struct file *f, int pid)
{
	if (f->read)
		return f->elf;
	f->read = true;
	if (f->fd < 0 && *f->path == '/')
		f->fd = open_file(pid, f->path);
	else if (f->fd >= 0)
		u->n_open--;
	if (f->fd >= 0) {
		pf_autoclose int root = root_of(pid);
		(void)pf_elf_open(f->fd, root, f->path, &f->elf); /* without, the module alone is shown */
		(void)close(f->fd);
		f->fd = -1;
	}
	return f->elf;
}

/* vdso() - functions that the kernel maps into every process: as in our own. */
static const struct pf_elf *vdso(struct pf_usyms *u)
{
	enum { SIZE = 8192 };
	unsigned long at = getauxval(AT_SYSINFO_EHDR);
	if (!u->vdso_read && at)
		(void)pf_elf_memory((void *)(uintptr_t)at, SIZE, &u->vdso); /* without, the module alone is shown */
	u->vdso_read = true;
	return u->vdso;
}

void pf_usyms_frame(struct pf_usyms *u, int pid, uint64_t address, uint64_t time_ns, bool of_module, struct pf_frame *f,
		    uint64_t *ret_base)
{
	pf_usyms_listen(u);
	*ret_base = address;
	const struct mapping *m = find(u, pid, address, time_ns);
	if (!m)
		return;
	uint64_t offset = address - m->from + m->offset;
	const struct pf_elf *elf = strcmp(m->file->path, "[vdso]") == 0 ? vdso(u) : functions_of(u, m->file, pid);
	f->module = m->file->module;
	f->name = elf ? pf_elf_function(elf, offset, &f->offset) : NULL;
	if (of_module)
		*ret_base = m->from;
	else if (f->name)
		*ret_base = address - f->offset;
}
