/* tests/tools/damage-random.c - archives with several random edits each. `damage-random FOLDER FIRST COUNT SAMPLE BASE...`: for every seed from FIRST on one
 * of the archives at BASE is copied to FOLDER and edited: bits, bytes, blocks, cuts, and records (or entries of the index) that are removed, doubled,
 * swapped or moved. Then must hold what a user relies on:
 * - what a check calls whole is read without loss, and sealing leaves it as it is;
 * - behind a seal that says it is whole, a check finds no error, a reader no loss, and a second seal has nothing to do;
 * - a seal that refuses changes nothing, and does so only if no value is left.
 * Every SAMPLE'th sealed copy stays as FOLDER/kept-SEED.*, named on standard output. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "damage-reading.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/check.h"
#include "formats/pcp/seal.h"
#include "model/finding.h"

enum {
	META,
	INDEX,
	DATA,
	VOLUMES_MAX = 4,
	N_FILES = DATA + VOLUMES_MAX,
	FILE_MAX = 64 << 20,
	EDITS_MAX = 4,
	BLOCK = 300
};

static const char *const endings[N_FILES] = { "meta", "index", "0", "1", "2", "3" };

/* A file as it is edited; @there: it exists. */
struct bytes {
	char *p;
	size_t n;
	bool there;
};

/* @what: the edits of this seed, as text; @first: the first error of a check */
struct run {
	const char *folder;
	struct bytes files[N_FILES];
	unsigned version;
	uint64_t state;
	unsigned long long seed;
	char what[512];
	uint64_t errors;
	char first[PF_ERR_TEXT];
	unsigned bad;
};

static uint64_t below(struct run *r, uint64_t n)
{
	r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return n > 0 ? (r->state >> 24) % n : 0;
}

__attribute__((format(printf, 2, 3))) static void fail(struct run *r, const char *fmt, ...)
{
	va_list ap;
	r->bad++;
	printf("# seed %llu (%s): ", r->seed, r->what);
	va_start(ap, fmt);
	(void)vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

__attribute__((format(printf, 2, 3))) static void note(struct run *r, const char *fmt, ...)
{
	size_t n = strlen(r->what);
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(r->what + n, sizeof(r->what) - n, fmt, ap);
	va_end(ap);
}

static void path_of(const struct run *r, const char *name, unsigned file, char path[512])
{
	(void)snprintf(path, 512, "%s/%s.%s", r->folder, name, endings[file]);
}

static void load(struct run *r, const char *base)
{
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		struct pf_buf b = { 0 };
		(void)snprintf(path, sizeof(path), "%s.%s", base, endings[f]);
		free(r->files[f].p);
		r->files[f] = (struct bytes){ 0 };
		if (pf_io_read_file(AT_FDCWD, path, FILE_MAX, &b, NULL) == 0) {
			r->files[f] = (struct bytes){ must(malloc(b.n + 1)), b.n, true };
			memcpy(r->files[f].p, b.p, b.n);
		}
		pf_buf_done(&b);
	}
	r->version = r->files[META].n > 7 ? (unsigned char)r->files[META].p[7] : 0;
}

static void store(const struct run *r)
{
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		path_of(r, "x", f, path);
		if (!r->files[f].there)
			continue;
		pf_autoclose int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (fd < 0 || pf_io_write_all(fd, r->files[f].p, r->files[f].n) < 0) {
			(void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
			exit(2);
		}
	}
}

/* Of all files that are there, and which those are. */
static uint64_t hash_files(const struct run *r)
{
	uint64_t h = 0;
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		struct pf_buf b = { 0 };
		path_of(r, "x", f, path);
		if (pf_io_read_file(AT_FDCWD, path, FILE_MAX, &b, NULL) == 0)
			h = hash(hash(h, &f, sizeof(f)), b.p, b.n);
		pf_buf_done(&b);
	}
	return h;
}

static void clear(const struct run *r, const char *keep_as)
{
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		char to[600];
		path_of(r, "x", f, path);
		(void)snprintf(to, sizeof(to), "%s/%s.%s", r->folder, keep_as ? keep_as : "", endings[f]);
		if (!keep_as || rename(path, to) < 0)
			(void)unlink(path);
		(void)snprintf(to, sizeof(to), "%s.orig-1", path);
		(void)unlink(to);
	}
}

/* A record, or an entry of the index, of which the file has some; from the label on. @ret_to: where it ends. Return: where it begins, 0 none. */
static size_t some_record(struct run *r, unsigned file, size_t *ret_to)
{
	const struct bytes *b = &r->files[file];
	size_t label = r->version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	size_t entry = r->version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	size_t n = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		uint64_t want = pass ? below(r, n) : UINT64_MAX;
		size_t at = label;
		for (size_t i = 0; at + 8 <= b->n; i++) {
			size_t len = file == INDEX ? entry : pf_be_get_u32((struct pf_view){ b->p, b->n }, at);
			if (len < 8 || len > b->n - at)
				break;
			if (i == want) {
				*ret_to = at + len;
				return at;
			}
			at += len;
			n += !pass;
		}
		if (n == 0)
			break;
	}
	return 0;
}

static void cut_out(struct bytes *b, size_t from, size_t to)
{
	memmove(b->p + from, b->p + to, b->n - to);
	b->n -= to - from;
}

/* [from, to) to @at. @copy: it stays where it was, too. */
static void move(struct bytes *b, size_t from, size_t to, size_t at, bool copy)
{
	size_t n = to - from;
	pf_autofree char *piece = must(malloc(n + 1));
	memcpy(piece, b->p + from, n);
	if (!copy) {
		at = at >= to ? at - n : at > from ? from : at;
		cut_out(b, from, to);
	}
	b->p = must(realloc(b->p, b->n + n + 1));
	memmove(b->p + at + n, b->p + at, b->n - at);
	memcpy(b->p + at, piece, n);
	b->n += n;
}

static void edit_record(struct run *r, unsigned file)
{
	struct bytes *b = &r->files[file];
	size_t to = 0;
	size_t from = some_record(r, file, &to);
	size_t other_to = 0;
	size_t other = some_record(r, file, &other_to);
	if (from == 0)
		return;
	switch (below(r, 4)) {
	case 0:
		note(r, ".%s record at %zu removed; ", endings[file], from);
		cut_out(b, from, to);
		break;
	case 1:
		note(r, ".%s record at %zu doubled to %zu; ", endings[file], from, other);
		move(b, from, to, other, true);
		break;
	case 2:
		note(r, ".%s record at %zu moved to %zu; ", endings[file], from, other);
		move(b, from, to, other, false);
		break;
	default:
		note(r, ".%s records at %zu and behind swapped; ", endings[file], from);
		if (to + 8 <= b->n && file != INDEX) {
			size_t len = pf_be_get_u32((struct pf_view){ b->p, b->n }, to);
			if (len >= 8 && len <= b->n - to)
				move(b, from, to, to + len, false);
		}
		break;
	}
}

static void edit(struct run *r)
{
	unsigned file = 0;
	do
		file = (unsigned)below(r, N_FILES);
	while (!r->files[file].there || r->files[file].n == 0);
	struct bytes *b = &r->files[file];
	size_t at = below(r, b->n);
	unsigned kind = (unsigned)below(r, 24);
	unsigned char *p = (unsigned char *)b->p + at;
	if (kind < 9) {
		unsigned bit = (unsigned)below(r, 8);
		note(r, ".%s bit %u at %zu; ", endings[file], bit, at);
		*p = (unsigned char)(*p ^ 1 << bit);
	} else if (kind < 12) {
		static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
		*p = values[below(r, sizeof(values))];
		note(r, ".%s byte %u at %zu; ", endings[file], *p, at);
	} else if (kind < 13) {
		size_t n = 1 + below(r, BLOCK);
		n = n < b->n - at ? n : b->n - at;
		note(r, ".%s %zu zeros at %zu; ", endings[file], n, at);
		memset(p, 0, n);
	} else if (kind < 15) {
		note(r, ".%s cut at %zu; ", endings[file], at);
		b->n = at;
	} else if (kind < 16) {
		size_t n = 1 + below(r, BLOCK);
		n = n < b->n - at ? n : b->n - at;
		note(r, ".%s %zu bytes out at %zu; ", endings[file], n, at);
		cut_out(b, at, at + n);
	} else {
		edit_record(r, file);
	}
}

static void count(void *arg, const struct pf_finding *finding)
{
	struct run *r = arg;
	if (finding->grade != PF_GRADE_ERROR || r->errors++ > 0)
		return;
	const char *name = strrchr(finding->file, '.');
	(void)snprintf(r->first, sizeof(r->first), "%s [%s] byte %lld: %.300s", name ? name : "", finding->rule,
		       (long long)finding->byte, finding->text);
}

static void ignore(void *arg, const struct pf_finding *finding)
{
	(void)arg;
	(void)finding;
}

/* Return: does a check find values and no error? */
static bool check(struct run *r, const char *base)
{
	const struct pf_findings to = { count, r };
	const struct pf_pcp_check_options options = { 0 };
	struct pf_pcp_check_result result;
	struct pf_err err = { 0 };
	r->errors = 0;
	r->first[0] = '\0';
	int rc = pf_pcp_check(base, &options, &to, &result, &err);
	if (rc < 0 || result.samples == 0)
		(void)snprintf(r->first, sizeof(r->first), "nothing can be made of it: %.300s", err.text);
	return rc == 0 && r->errors == 0 && result.samples > 0;
}

static void read_copy(const char *base, struct reading *ret)
{
	struct pf_pcp_reader *reader;
	*ret = (struct reading){ 0 };
	ret->opened = pf_pcp_reader_open(&reader, base, NULL, NULL);
	if (ret->opened == 0)
		read_all(ret, reader);
}

static void check_sealed(struct run *r, const char *base)
{
	const struct pf_findings to = { ignore, NULL };
	struct pf_err err = { 0 };
	struct reading sealed;
	uint64_t before = hash_files(r);
	if (!check(r, base))
		fail(r, "sealed, but %s", r->first);
	read_copy(base, &sealed);
	if (sealed.opened < 0 || sealed.damage > 0)
		fail(r, "sealed, but reading: %s", sealed.opened < 0 ? strerror(-sealed.opened) : sealed.first);
	forget(&sealed);
	int again = pf_pcp_seal(base, &to, &err);
	if (again != PF_SEALED_NOTHING || hash_files(r) != before)
		fail(r, "sealing again does something: %d %s", again, err.text);
}

static void try_seed(struct run *r, unsigned sample)
{
	const struct pf_findings to = { ignore, NULL };
	struct pf_err err = { 0 };
	struct reading damaged;
	char base[512];
	(void)snprintf(base, sizeof(base), "%s/x", r->folder);
	store(r);
	uint64_t before = hash_files(r);
	bool whole = check(r, base);
	read_copy(base, &damaged);
	if (whole && (damaged.opened < 0 || damaged.damage > 0))
		fail(r, "a check calls it whole, reading: %s",
		     damaged.opened < 0 ? strerror(-damaged.opened) : damaged.first);
	int rc = pf_pcp_seal(base, &to, &err);
	bool changed = hash_files(r) != before;
	if (whole && rc != PF_SEALED_NOTHING)
		fail(r, "a check calls it whole, a seal says %d", rc);
	if (rc <= 0 && changed)
		fail(r, "a seal says %d and changed something", rc);
	if (rc < 0 && holds_anything(&damaged))
		fail(r, "it holds values and cannot be sealed: %s", err.text);
	if (rc >= 0)
		check_sealed(r, base);
	forget(&damaged);
	bool keep = rc > 0 && sample > 0 && r->seed % sample == 0;
	char name[64];
	(void)snprintf(name, sizeof(name), "kept-%llu", r->seed);
	clear(r, keep ? name : NULL);
	if (keep)
		printf("%s %s\n", name, r->what);
}

int main(int argc, char **argv)
{
	uint64_t numbers[3];
	struct run r = { 0 };
	for (int i = 0; i < 3; i++) {
		if (argc < 6 || pf_view_u64(pf_view_of(argv[i + 2]), &numbers[i]) < 0) {
			(void)fprintf(stderr, "usage: damage-random FOLDER FIRST COUNT SAMPLE BASE...\n");
			return 2;
		}
	}
	r.folder = argv[1];
	for (uint64_t i = 0; i < numbers[1]; i++) {
		r.seed = numbers[0] + i;
		r.state = r.seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
		r.what[0] = '\0';
		(void)below(&r, 2);
		const char *base = argv[5 + below(&r, (uint64_t)argc - 5)];
		const char *slash = strrchr(base, '/');
		load(&r, base);
		if (!r.files[META].there || !r.files[DATA].there) {
			(void)fprintf(stderr, "%s: no archive\n", base);
			return 2;
		}
		note(&r, "%s: ", slash ? slash + 1 : base);
		for (uint64_t n = 1 + below(&r, EDITS_MAX); n > 0; n--)
			edit(&r);
		try_seed(&r, (unsigned)numbers[2]);
	}
	printf("# %llu seeds, %u bad\n", (unsigned long long)numbers[1], r.bad);
	for (unsigned f = 0; f < N_FILES; f++)
		free(r.files[f].p);
	return r.bad > 0;
}
