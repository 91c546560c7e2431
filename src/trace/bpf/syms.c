/* bpf/syms.c - names for code addresses. Source: proc(5). */
#include "trace/bpf/syms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "trace/bpf/usyms.h"

enum { KALLSYMS_LIMIT = 256 << 20 };

struct sym {
	uint64_t address;
	const char *name, *module;
	bool function;
};

struct pf_syms {
	struct pf_buf text; /* names point into it */
	struct sym *rows;
	size_t n, cap;
	bool hidden;
};

struct pf_syms *pf_syms_close(struct pf_syms *s)
{
	if (s) {
		pf_buf_done(&s->text);
		free(s->rows);
		free(s);
	}
	return NULL;
}

static int by_address(const void *a, const void *b)
{
	const struct sym *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* hex() - digits at the front of @p; the rest behind them. */
static const char *hex(const char *p, uint64_t *ret_v)
{
	uint64_t v = 0;
	for (;; p++) {
		if (*p >= '0' && *p <= '9')
			v = v << 4 | (uint64_t)(*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			v = v << 4 | (uint64_t)(*p - 'a' + 10);
		else
			break;
	}
	*ret_v = v;
	return p;
}

/* add_line() - "ffffffff81000000 T name\t[module]"; terminates the words in place. */
static int add_line(struct pf_syms *s, char *line, char *end)
{
	uint64_t address;
	const char *p = hex(line, &address);
	if (end - p < 4 || p[0] != ' ')
		return 0;
	char type = p[1];
	if (s->n == s->cap) {
		size_t cap = s->cap ? s->cap * 2 : 1 << 16;
		struct sym *more = reallocarray(s->rows, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->rows = more;
		s->cap = cap;
	}
	char *name = line + (p - line) + 3;
	char *tab = memchr(name, '\t', (size_t)(end - name));
	const char *module = "vmlinux";
	*end = 0;
	if (tab) {
		*tab = 0;
		if (tab[1] == '[' && end[-1] == ']') {
			end[-1] = 0;
			module = tab + 2;
		}
	}
	s->rows[s->n++] = (struct sym){ address, name, module, strchr("tTwW", type) != NULL };
	return 0;
}

/* kernel_syms() - the table, read at the first call; NULL without memory or file. */
static const struct pf_syms *kernel_syms(struct pf_trace *t)
{
	if (t->syms)
		return t->syms;
	struct pf_syms *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	t->syms = s;
	if (pf_io_read_file(AT_FDCWD, "/proc/kallsyms", KALLSYMS_LIMIT, &s->text, NULL) < 0 || !s->text.p)
		return s;
	char *p = s->text.p;
	char *end = p + s->text.n;
	while (p < end) {
		char *newline = memchr(p, '\n', (size_t)(end - p));
		if (!newline)
			break;
		if (add_line(s, p, newline) < 0)
			break;
		p = newline + 1;
	}
	s->hidden = s->n > 0 && s->rows[s->n / 2].address == 0;
	if (s->n)
		qsort(s->rows, s->n, sizeof(*s->rows), by_address);
	return s;
}

static void kernel_frame(struct pf_trace *t, uint64_t address, struct pf_frame *f)
{
	const struct pf_syms *s = kernel_syms(t);
	if (!s || !s->n || s->hidden || address < s->rows[0].address)
		return;
	size_t low = 0;
	size_t high = s->n;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (s->rows[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	while (low > 0 && s->rows[low - 1].address == s->rows[low].address)
		low--;
	uint64_t offset = address - s->rows[low].address;
	if (offset > 16 << 20) /* behind the last symbol */
		return;
	f->module = s->rows[low].module;
	f->name = s->rows[low].name;
	f->offset = offset;
}

/* user_frame() - of a process; its mappings are kept from the first question on, if not from the start. */
static void user_frame(struct pf_trace *t, int pid, uint64_t address, bool of_module, struct pf_frame *f,
		       uint64_t *ret_base)
{
	*ret_base = address;
	if (t->usyms || pf_usyms_open(&t->usyms) == 0)
		pf_usyms_frame(t->usyms, pid, address, t->symbols_at_ns, of_module, f, ret_base);
}

void pf_syms_frame(struct pf_trace *t, int pid, uint64_t address, struct pf_frame *f)
{
	uint64_t base;
	*f = (struct pf_frame){ .address = address };
	if (t->options.value[PF_OPT_NORESOLVE])
		return;
	if (pid)
		user_frame(t, pid, address, false, f, &base);
	else
		kernel_frame(t, address, f);
}

uint64_t pf_syms_start(struct pf_trace *t, int pid, uint64_t address, bool of_module)
{
	struct pf_frame f = { .address = address };
	uint64_t base = address;
	if (pid) {
		user_frame(t, pid, address, of_module, &f, &base);
		return base;
	}
	kernel_frame(t, address, &f);
	if (!f.name)
		return address;
	for (size_t i = 0; of_module && i < t->syms->n; i++) {
		if (strcmp(t->syms->rows[i].module, f.module) == 0)
			return t->syms->rows[i].address;
	}
	return address - f.offset;
}

int pf_syms_find(struct pf_trace *t, const char *module, const char *name, uint64_t *ret_address, bool *ret_function)
{
	const struct pf_syms *s = kernel_syms(t);
	if (!s || !s->n || s->hidden)
		return -EPERM;
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->rows[i].name, name) == 0 &&
		    (!module || !*module || strcmp(s->rows[i].module, module) == 0)) {
			*ret_address = s->rows[i].address;
			*ret_function = s->rows[i].function;
			return 0;
		}
	}
	return -ENOENT;
}

void pf_syms_text(struct pf_buf *out, const struct pf_frame *f, bool with_offset)
{
	if (f->module)
		pf_buf_fmt(out, "%s`", f->module);
	if (!f->name)
		pf_buf_fmt(out, "0x%llx", (unsigned long long)f->address);
	else if (with_offset && f->offset)
		pf_buf_fmt(out, "%s+0x%llx", f->name, (unsigned long long)f->offset);
	else
		pf_buf_str(out, f->name);
}
