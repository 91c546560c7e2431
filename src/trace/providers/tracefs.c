/* providers/tracefs.c - tracefs: found or mounted for ourselves, its list of events, their formats. */
#include "trace/providers/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/view.h"
#include "trace/bpf/session.h"

enum { LIST_LIMIT = 16 << 20, FORMAT_LIMIT = 1 << 20, MOST_FIELDS = 64 };

/* <sys/mount.h> has these since glibc 2.36, and does not go together with <linux/mount.h>; numbers are the kernel's, for good. */
enum { FSOPEN_CLOSE_ON_EXEC = 1, FSCONFIG_CREATE = 6, FSMOUNT_CLOSE_ON_EXEC = 1 };

/* mount_own() - a mount without a place, since Linux 5.2: it goes with its descriptor and changes nothing for others. */
static int mount_own(void)
{
#ifdef SYS_fsopen
	pf_autoclose int fs = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOSE_ON_EXEC);
	if (fs < 0 || syscall(SYS_fsconfig, fs, FSCONFIG_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	int fd = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOSE_ON_EXEC, 0);
	return fd < 0 ? -errno : fd;
#else
	return -ENOSYS;
#endif
}

int pf_tracefs_open(struct pf_trace *t, struct pf_err *err)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	if (t->tracefs >= 0)
		return t->tracefs;
	int why = -ENOENT;
	for (size_t i = 0; i < PF_N(places); i++) {
		int fd = open(places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && faccessat(fd, "available_events", R_OK, 0) == 0)
			return t->tracefs = fd;
		why = errno == ENOENT ? why : -errno;
		if (fd >= 0)
			(void)close(fd);
	}
	int fd = mount_own();
	if (fd >= 0)
		return t->tracefs = fd;
	if (why == -EACCES || why == -EPERM)
		return pf_err_set(
			err, why,
			"tracefs (/sys/kernel/tracing) may not be read by this process: tracepoints need root");
	return pf_err_set(err, fd,
			  "tracefs is not mounted and cannot be mounted: %s; as root: mount -t tracefs tracefs "
			  "/sys/kernel/tracing",
			  fd == -ENODEV ? "this kernel has no tracefs" : strerror(-fd));
}

static int by_name(const void *a, const void *b)
{
	const struct pf_tracefs_name *x = a, *y = b;
	int order = strcmp(x->group, y->group);
	return order ? order : strcmp(x->name, y->name);
}

/* read_names() - lines GROUP:NAME. */
static int read_names(struct pf_trace *t, struct pf_view text)
{
	struct pf_view line;
	size_t cap = 0;
	for (size_t i = 0; i < text.n; i++)
		cap += text.p[i] == '\n';
	t->events = pf_arena_alloc(&t->arena, (cap + 1) * sizeof(*t->events));
	if (!t->events)
		return -ENOMEM;
	while (pf_view_line(&text, &line) == 0 && t->n_events < cap) {
		const char *colon = memchr(line.p, ':', line.n);
		if (!colon)
			continue;
		size_t n = (size_t)(colon - line.p);
		struct pf_tracefs_name *e = &t->events[t->n_events++];
		e->group = pf_arena_dup(&t->arena, (struct pf_view){ line.p, n });
		e->name = pf_arena_dup(&t->arena, (struct pf_view){ colon + 1, line.n - n - 1 });
		if (!e->group || !e->name)
			return -ENOMEM;
	}
	if (t->n_events)
		qsort(t->events, t->n_events, sizeof(*t->events), by_name);
	return 0;
}

int pf_tracefs_events(struct pf_trace *t, const struct pf_tracefs_name **ret_names, struct pf_err *err)
{
	if (!t->events) {
		struct pf_buf text = { 0 };
		int fd = pf_tracefs_open(t, err);
		int rc = fd < 0 ? fd : pf_io_read_file(fd, "available_events", LIST_LIMIT, &text, err);
		if (rc == 0) {
			rc = read_names(t, pf_buf_text(&text));
			if (rc < 0)
				rc = pf_err_set(err, rc, "no memory");
		}
		pf_buf_done(&text);
		if (rc < 0) {
			t->events = NULL;
			t->n_events = 0;
			return rc;
		}
	}
	*ret_names = t->events;
	return (int)t->n_events;
}

const char *pf_tracefs_group(struct pf_trace *t, const char *name)
{
	const struct pf_tracefs_name *names;
	int n = pf_tracefs_events(t, &names, NULL);
	for (int i = 0; i < n; i++) {
		if (strcmp(names[i].name, name) == 0)
			return names[i].group;
	}
	return NULL;
}

static bool in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* number_behind() - the number behind "offset:" and the like in @line; 0 if it is not there. */
static uint32_t number_behind(struct pf_view line, const char *word)
{
	size_t n = strlen(word);
	const char *at = memmem(line.p, line.n, word, n);
	uint64_t v;
	if (!at)
		return 0;
	struct pf_view rest = { at + n, (size_t)(line.p + line.n - at) - n };
	for (size_t i = 0; i <= rest.n; i++) {
		if (i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9')
			continue;
		return pf_view_u64((struct pf_view){ rest.p, i }, &v) == 0 && v <= UINT32_MAX ? (uint32_t)v : 0;
	}
	return 0;
}

/* declaration() - "const char * filename", "u8 saddr[4]", "__data_loc char[] name" in parts. */
static int declaration(struct pf_trace *t, struct pf_view text, struct pf_tracefs_field *f)
{
	static const char loc[] = "__data_loc ";
	f->dynamic = pf_view_starts(text, loc);
	if (f->dynamic) {
		text.p += sizeof(loc) - 1;
		text.n -= sizeof(loc) - 1;
	}
	if (text.n && text.p[text.n - 1] == ']') {
		const char *open = memrchr(text.p, '[', text.n);
		uint64_t count = 0;
		if (!open)
			return -EBADMSG;
		struct pf_view inside = { open + 1, (size_t)(text.p + text.n - 1 - open) - 1 };
		/* A constant of the kernel's that is written by name: its size tells. */
		f->count = pf_view_u64(inside, &count) == 0 && count <= UINT32_MAX ? (uint32_t)count : UINT32_MAX;
		text.n = (size_t)(open - text.p);
	}
	size_t n = text.n;
	while (n && in_name(text.p[n - 1]))
		n--;
	f->name = pf_arena_dup(&t->arena, (struct pf_view){ text.p + n, text.n - n });
	while (n && text.p[n - 1] == ' ')
		n--;
	if (f->dynamic && n > 2 && memcmp(text.p + n - 2, "[]", 2) == 0)
		n -= 2;
	f->type = pf_arena_dup(&t->arena, (struct pf_view){ text.p, n });
	return f->name && f->type ? 0 : -ENOMEM;
}

/* read_format() - the lines "field:TYPE NAME; offset:N; size:N; signed:N;". */
static int read_format(struct pf_trace *t, struct pf_view text, struct pf_tracefs_event *event)
{
	static const char prefix[] = "\tfield:";
	struct pf_view line;
	event->fields = pf_arena_alloc(&t->arena, MOST_FIELDS * sizeof(*event->fields));
	if (!event->fields)
		return -ENOMEM;
	while (pf_view_line(&text, &line) == 0) {
		if (pf_view_starts(line, "ID: "))
			event->id = number_behind(line, "ID: ");
		const char *end = memchr(line.p, ';', line.n);
		if (!pf_view_starts(line, prefix) || !end || event->n_fields == MOST_FIELDS)
			continue;
		struct pf_view decl = { line.p + sizeof(prefix) - 1, (size_t)(end - line.p) - sizeof(prefix) + 1 };
		struct pf_tracefs_field f = { .offset = number_behind(line, "offset:"),
					      .size = number_behind(line, "size:"),
					      .is_signed = number_behind(line, "signed:") != 0 };
		int rc = declaration(t, decl, &f);
		if (rc == -ENOMEM)
			return rc;
		if (rc == 0 && strncmp(f.name, "common_", 7) != 0)
			event->fields[event->n_fields++] = f;
	}
	return 0;
}

int pf_tracefs_event(struct pf_trace *t, const char *group, const char *name, struct pf_tracefs_event **ret_event,
		     struct pf_err *err)
{
	char path[512];
	struct pf_buf text = { 0 };
	struct pf_tracefs_event *event = pf_arena_alloc(&t->arena, sizeof(*event));
	if (!event)
		return pf_err_set(err, -ENOMEM, "no memory");
	*event = (struct pf_tracefs_event){ 0 };
	int n = snprintf(path, sizeof(path), "events/%s/%s/format", group, name);
	int fd = pf_tracefs_open(t, err);
	int rc = fd < 0 ? fd : n >= (int)sizeof(path) ? -ENAMETOOLONG : 0;
	if (rc == 0)
		rc = pf_io_read_file(fd, path, FORMAT_LIMIT, &text, err);
	if (rc == 0)
		rc = read_format(t, pf_buf_text(&text), event);
	pf_buf_done(&text);
	if (rc == 0)
		*ret_event = event;
	return rc;
}
