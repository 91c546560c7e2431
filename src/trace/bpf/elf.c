/* bpf/elf.c - functions of programs and libraries. Sources: elf(5), the System V ABI; GDB's manual on separate debug files and
 * MiniDebugInfo. */
#include "trace/bpf/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"

enum { MOST_SYMBOLS = 4 << 20, UNPACKED_LIMIT = 256 << 20, MOST_ID = 64 };

struct symbol {
	uint64_t address, size;
	const char *name;
	uint8_t rank; /* which of several at one address is shown: the lowest */
};

struct segment {
	uint64_t offset, size, address;
};

struct pf_elf {
	struct symbol *symbols;
	size_t n, cap;
	struct segment *segments; /* that are loaded */
	size_t n_segments;
	struct pf_arena arena; /* names */
};

struct pf_elf *pf_elf_close(struct pf_elf *e)
{
	if (e) {
		pf_arena_done(&e->arena);
		free(e->symbols);
		free(e->segments);
		free(e);
	}
	return NULL;
}

static int read_segments(struct pf_elf *e, Elf *elf)
{
	size_t n;
	if (elf_getphdrnum(elf, &n) < 0)
		return -ENOEXEC;
	e->segments = calloc(n ? n : 1, sizeof(*e->segments));
	if (!e->segments)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr header;
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD)
			e->segments[e->n_segments++] =
				(struct segment){ header.p_offset, header.p_filesz, header.p_vaddr };
	}
	return 0;
}

/* rank_of() - global before weak before local; names for people before those for the library itself. */
static uint8_t rank_of(const GElf_Sym *s, const char *name)
{
	static const uint8_t binds[] = { [STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1 };
	unsigned bind = GELF_ST_BIND(s->st_info);
	unsigned rank = bind < PF_N(binds) ? binds[bind] : 3;
	return (uint8_t)(rank * 4 + (strspn(name, "_") < 3 ? strspn(name, "_") : 3));
}

static int add(struct pf_elf *e, const GElf_Sym *s, const char *name)
{
	unsigned type = GELF_ST_TYPE(s->st_info);
	if ((type != STT_FUNC && type != STT_GNU_IFUNC && (type != STT_NOTYPE || !s->st_size)) ||
	    s->st_shndx == SHN_UNDEF || !s->st_value || !name || !*name)
		return 0;
	if (e->n == MOST_SYMBOLS)
		return -EFBIG;
	if (e->n == e->cap) {
		size_t cap = e->cap ? e->cap * 2 : 1024;
		struct symbol *more = reallocarray(e->symbols, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		e->symbols = more;
		e->cap = cap;
	}
	const char *copy = pf_arena_dup(&e->arena, (struct pf_view){ name, strlen(name) });
	if (!copy)
		return -ENOMEM;
	e->symbols[e->n++] = (struct symbol){ s->st_value, s->st_size, copy, rank_of(s, name) };
	return 0;
}

/* section() - the section of type @type, or of name @name; NULL: none. */
static Elf_Scn *section(Elf *elf, uint32_t type, const char *name, GElf_Shdr *ret_header)
{
	size_t names;
	Elf_Scn *at = NULL;
	if (elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	while ((at = elf_nextscn(elf, at))) {
		if (!gelf_getshdr(at, ret_header))
			continue;
		const char *have = elf_strptr(elf, names, ret_header->sh_name);
		if (name ? have && strcmp(have, name) == 0 : ret_header->sh_type == type)
			return at;
	}
	return NULL;
}

/* read_table() - the functions of the table of type @type. Return: how many were added; negative without memory. */
static int read_table(struct pf_elf *e, Elf *elf, uint32_t type)
{
	GElf_Shdr header;
	size_t before = e->n;
	Elf_Scn *at = section(elf, type, NULL, &header);
	Elf_Data *data = at ? elf_getdata(at, NULL) : NULL;
	for (size_t i = 0; data && header.sh_entsize && i < data->d_size / header.sh_entsize; i++) {
		GElf_Sym s;
		if (!gelf_getsym(data, (int)i, &s))
			continue;
		int rc = add(e, &s, elf_strptr(elf, header.sh_link, s.st_name));
		if (rc == -EFBIG)
			break;
		if (rc < 0)
			return rc;
	}
	return (int)(e->n - before);
}

/* read_packed() - the table in .gnu_debugdata, an ELF file packed by xz. */
static int read_packed(struct pf_elf *e, Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *at = section(elf, 0, ".gnu_debugdata", &header);
	Elf_Data *data = at ? elf_getdata(at, NULL) : NULL;
	if (!data || !data->d_size)
		return 0;
	uint64_t memory = UNPACKED_LIMIT;
	for (size_t room = data->d_size * 8; room <= UNPACKED_LIMIT; room *= 4) {
		pf_autofree uint8_t *image = malloc(room);
		size_t in = 0;
		size_t out = 0;
		if (!image)
			return -ENOMEM;
		lzma_ret rc =
			lzma_stream_buffer_decode(&memory, 0, NULL, data->d_buf, &in, data->d_size, image, &out, room);
		if (rc == LZMA_BUF_ERROR)
			continue;
		if (rc != LZMA_OK)
			return 0;
		Elf *inner = elf_memory((char *)image, out);
		int n = inner ? read_table(e, inner, SHT_SYMTAB) : 0;
		(void)elf_end(inner);
		return n;
	}
	return 0;
}

/* build_id() - as hexadecimal digits; empty if the file has none. */
static void build_id(Elf *elf, char *ret_text)
{
	GElf_Shdr header;
	Elf_Scn *at = section(elf, 0, ".note.gnu.build-id", &header);
	Elf_Data *data = at ? elf_getdata(at, NULL) : NULL;
	GElf_Nhdr note;
	size_t name, desc;
	*ret_text = 0;
	if (!data || !gelf_getnote(data, 0, &note, &name, &desc) || note.n_descsz > MOST_ID || note.n_descsz < 2)
		return;
	const uint8_t *id = (const uint8_t *)data->d_buf + desc;
	for (uint32_t i = 0; i < note.n_descsz; i++)
		(void)snprintf(ret_text + 2 * i, 3, "%02x", id[i]); /* always fits */
}

/* read_debug_file() - the table of the file at @path below @root, if it is one of the same program. */
static int read_debug_file(struct pf_elf *e, int root, const char *path, const char *id)
{
	char other[2 * MOST_ID + 1];
	pf_autoclose int fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return 0;
	build_id(elf, other);
	int n = *id && strcmp(id, other) != 0 ? 0 : read_table(e, elf, SHT_SYMTAB);
	(void)elf_end(elf);
	return n;
}

/* read_separate() - by build-id, then by the name in .gnu_debuglink: beside the file, in .debug there, below usr/lib/debug. */
static int read_separate(struct pf_elf *e, Elf *elf, int root, const char *path)
{
	static const char *const places[][2] = { { "", "/" }, { "", "/.debug/" }, { "usr/lib/debug/", "/" } };
	char id[2 * MOST_ID + 1], name[4096];
	GElf_Shdr header;
	build_id(elf, id);
	int n = 0;
	if (*id) {
		(void)snprintf(name, sizeof(name), "usr/lib/debug/.build-id/%.2s/%s.debug", id,
			       id + 2); /* always fits */
		n = read_debug_file(e, root, name, id);
	}
	Elf_Scn *at = section(elf, 0, ".gnu_debuglink", &header);
	Elf_Data *data = at ? elf_getdata(at, NULL) : NULL;
	if (n || !data || !data->d_size || !memchr(data->d_buf, 0, data->d_size))
		return n;
	path += strspn(path, "/");
	const char *slash = strrchr(path, '/');
	for (size_t i = 0; i < PF_N(places) && !n; i++) {
		int length = slash ? (int)(slash - path) : 0;
		if (snprintf(name, sizeof(name), "%s%.*s%s%s", places[i][0], length, path, places[i][1],
			     (const char *)data->d_buf) < (int)sizeof(name))
			n = read_debug_file(e, root, name, id);
	}
	return n;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : strcmp(x->name, y->name);
}

/* read_all() - from @elf and what belongs to it. */
static int read_all(struct pf_elf *e, Elf *elf, int root, const char *path)
{
	if (elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64)
		return -ENOEXEC;
	int rc = read_segments(e, elf);
	int n = rc < 0 ? rc : read_table(e, elf, SHT_SYMTAB);
	if (n == 0 && path)
		n = read_separate(e, elf, root, path);
	if (n == 0) {
		n = read_packed(e, elf);
		rc = n < 0 ? n : read_table(e, elf, SHT_DYNSYM);
		n = rc < 0 ? rc : n;
	}
	if (n < 0)
		return n;
	if (e->n)
		qsort(e->symbols, e->n, sizeof(*e->symbols), by_address);
	return 0;
}

static int finish(struct pf_elf *e, Elf *elf, int root, const char *path, struct pf_elf **ret_elf)
{
	int rc = e && elf ? read_all(e, elf, root, path) : e ? -ENOEXEC : -ENOMEM;
	(void)elf_end(elf);
	if (rc < 0)
		(void)pf_elf_close(e);
	else
		*ret_elf = e;
	return rc;
}

int pf_elf_open(int fd, int root, const char *path, struct pf_elf **ret_elf)
{
	(void)elf_version(EV_CURRENT);
	return finish(calloc(1, sizeof(struct pf_elf)), elf_begin(fd, ELF_C_READ_MMAP, NULL), root, path, ret_elf);
}

int pf_elf_memory(void *image, size_t size, struct pf_elf **ret_elf)
{
	(void)elf_version(EV_CURRENT);
	return finish(calloc(1, sizeof(struct pf_elf)), elf_memory(image, size), -1, NULL, ret_elf);
}

const char *pf_elf_function(const struct pf_elf *e, uint64_t offset, uint64_t *ret_distance)
{
	const struct segment *in = NULL;
	for (size_t i = 0; i < e->n_segments && !in; i++) {
		const struct segment *s = &e->segments[i];
		if (offset >= s->offset && offset - s->offset < s->size)
			in = s;
	}
	if (!in || !e->n)
		return NULL;
	uint64_t address = offset - in->offset + in->address;
	size_t low = 0;
	size_t high = e->n;
	while (low < high) { /* the first symbol behind it */
		size_t middle = low + (high - low) / 2;
		if (e->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	low--;
	while (low && e->symbols[low - 1].address == e->symbols[low].address)
		low--;
	const struct symbol *s = &e->symbols[low];
	if (s->size && address - s->address >= s->size)
		return NULL;
	*ret_distance = address - s->address;
	return s->name;
}
