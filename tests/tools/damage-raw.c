/* tests/tools/damage-raw.c - every way in which a packed raw file of ours can be cut or have a bit flipped, tried one after the other in one process.
 * `damage-raw FILE FOLDER STEP FLIPS SAMPLE`: FILE is read whole once; then it is cut at every STEP'th byte and gets a bit flipped at FLIPS seeded
 * places. Each time the intervals of all members that were not hit must be there as before, and what was lost must be told; a copy in FOLDER is
 * sealed, read again and sealed again. Every SAMPLE'th sealed copy stays as FOLDER/kept-N.raw.gz, or as FOLDER/header-N.raw.gz if a bit was flipped in
 * the member that holds the header: there is no other, so that it is kept, and its lines may be wrong.
 * A cut between two members cannot be known, nor a bit in the head of a member that means nothing (its time); then nothing else is missing. The first
 * member has the header: a file in which that is hit may be unusable. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "formats/collectl/seal.h"
#include "model/finding.h"

enum { FILE_MAX = 64 << 20, SEED = 20261130, GZIP_WINDOW = 15 + 16, PATH = 512 };

struct interval {
	int64_t time_ns;
	uint64_t text;
};

/* @opened: 0 or why not; @damage: sentences, @first: the first of them. */
struct reading {
	int opened;
	struct interval *list;
	size_t n;
	unsigned damage;
	char first[PF_ERR_TEXT];
};

/* [from, to) of the file has intervals [first, first + n). */
struct part {
	uint64_t from;
	uint64_t to;
	size_t first;
	size_t n;
};

struct matrix {
	const char *folder;
	char path[PATH];
	struct pf_buf file;
	struct reading whole;
	struct part *parts;
	size_t n_parts;
	unsigned cases;
	unsigned bad;
	unsigned sample;
	unsigned kept;
};

struct damage {
	bool cut;
	uint64_t at;
	unsigned bit;
	struct pf_view bytes;
};

static void *must(void *p)
{
	if (!p)
		exit(2);
	return p;
}

__attribute__((format(printf, 3, 4))) static void fail(struct matrix *m, const struct damage *d, const char *fmt, ...)
{
	enum { MOST = 20 };
	if (m->bad++ >= MOST)
		return;
	va_list ap;
	va_start(ap, fmt);
	printf("# %s at byte %llu bit %u: ", d->cut ? "cut" : "bit flipped", (unsigned long long)d->at, d->bit);
	(void)vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

/* Lines up to the next marker belong to an interval; what is not over when damage is told does not count. @open: one was begun. */
static void take_lines(struct reading *r, struct pf_view lines, bool *open)
{
	struct pf_view line;
	while (pf_view_line(&lines, &line) == 0) {
		int64_t ns = 0;
		if (line.n > 0 && line.p[0] == '#')
			continue;
		if (pf_collectl_marker(line, &ns) == 1) {
			r->n += *open;
			r->list = must(reallocarray(r->list, r->n + 2, sizeof(*r->list)));
			r->list[r->n] = (struct interval){ ns, UINT64_C(14695981039346656037) };
			*open = true;
			continue;
		}
		for (size_t i = 0; *open && i < line.n; i++)
			r->list[r->n].text = (r->list[r->n].text ^ (unsigned char)line.p[i]) * UINT64_C(1099511628211);
	}
}

static void read_file(const char *path, struct reading *r)
{
	struct pf_collectl_reader *reader;
	struct pf_err err = { 0 };
	bool open = false;
	r->opened = pf_collectl_open(&reader, path, &err);
	while (r->opened == 0) {
		struct pf_view lines;
		int rc = pf_collectl_lines(reader, &lines, &err);
		if (rc == 1) {
			take_lines(r, lines, &open);
		} else if (rc == -EBADMSG) {
			r->n += open && pf_collectl_is_over(reader);
			open = false;
			if (r->damage++ == 0)
				memcpy(r->first, err.text, sizeof(r->first));
		} else {
			break;
		}
	}
	r->n += open;
	if (r->opened == 0)
		(void)pf_collectl_close(reader);
}

static void forget(struct reading *r)
{
	free(r->list);
	*r = (struct reading){ 0 };
}

/* The members of the whole file; all begin with a marker but the first. */
static void find_parts(struct matrix *m)
{
	static char text[4 << 20];
	uint64_t at = 0;
	size_t first = 0;
	while (at < m->file.n) {
		z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)(m->file.p + at),
			       .avail_in = (uInt)(m->file.n - at) };
		if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
			exit(2);
		z.next_out = (Bytef *)text;
		z.avail_out = sizeof(text);
		if (inflate(&z, Z_FINISH) != Z_STREAM_END)
			exit(2);
		struct reading r = { 0 };
		bool open = false;
		take_lines(&r, (struct pf_view){ text, sizeof(text) - z.avail_out }, &open);
		struct part p = { at, m->file.n - z.avail_in, first, r.n + open };
		m->parts = must(reallocarray(m->parts, m->n_parts + 1, sizeof(p)));
		m->parts[m->n_parts++] = p;
		at = p.to;
		first += p.n;
		forget(&r);
		(void)inflateEnd(&z); /* frees */
	}
}

static void write_copy(const struct matrix *m, struct pf_view bytes)
{
	pf_autoclose int fd = open(m->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || pf_io_write_all(fd, bytes.p, bytes.n) < 0)
		exit(2);
}

static uint64_t hash_copy(const struct matrix *m)
{
	struct pf_buf b = { 0 };
	uint64_t h = 0;
	if (pf_io_read_file(AT_FDCWD, m->path, FILE_MAX, &b, NULL) == 0)
		h = crc32(0, (const Bytef *)b.p, (uInt)b.n);
	pf_buf_done(&b);
	return h;
}

/* The member that is hit. */
static size_t part_hit(const struct matrix *m, const struct damage *d)
{
	size_t i = 0;
	while (i + 1 < m->n_parts && m->parts[i].to <= d->at)
		i++;
	return i;
}

/* All intervals of members that are not hit, in order; between them may be what is left of the one that is. */
static void check_intervals(struct matrix *m, const struct damage *d, const struct reading *r, const char *what)
{
	size_t hit = part_hit(m, d);
	size_t at = 0;
	for (size_t i = 0; i < m->whole.n; i++) {
		const struct interval *want = &m->whole.list[i];
		bool is_hit = i >= m->parts[hit].first && i < m->parts[hit].first + m->parts[hit].n;
		if (d->cut && i >= m->parts[hit].first)
			is_hit = true;
		if (!is_hit) {
			while (i >= m->parts[hit].first && at < r->n && r->list[at].time_ns != want->time_ns)
				at++; /* whatever a damaged member gave */
		}
		bool same = at < r->n && r->list[at].time_ns == want->time_ns && r->list[at].text == want->text;
		at += same;
		if (!same && !is_hit) {
			fail(m, d, "%s: interval %zu of %zu is not there as before (%s)", what, i + 1, m->whole.n,
			     r->first);
			return;
		}
	}
}

static bool is_same(const struct matrix *m, const struct reading *r)
{
	if (r->n != m->whole.n)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		if (r->list[i].time_ns != m->whole.list[i].time_ns || r->list[i].text != m->whole.list[i].text)
			return false;
	}
	return true;
}

static bool must_be_told(const struct matrix *m, const struct damage *d, const struct reading *r)
{
	if (!d->cut)
		return !is_same(m, r);
	return d->at != m->parts[part_hit(m, d)].from;
}

static void ignore(void *arg, const struct pf_finding *finding)
{
	(void)arg;
	(void)finding;
}

static void seal_case(struct matrix *m, const struct damage *d, const struct reading *damaged)
{
	const struct pf_findings nobody = { ignore, NULL };
	struct pf_err err = { 0 };
	char other[PATH + 32];
	uint64_t before = hash_copy(m);
	int rc = pf_collectl_seal(m->path, &nobody, &err);
	uint64_t after = hash_copy(m);
	if (rc <= 0 && before != after)
		fail(m, d, "status %d, but the file was changed", rc);
	if (rc < 0 && part_hit(m, d) > 0)
		fail(m, d, "cannot be sealed: %s", err.text);
	if (rc >= 0) {
		struct reading sealed = { 0 };
		read_file(m->path, &sealed);
		if (sealed.opened < 0 || sealed.damage > 0)
			fail(m, d, "sealed, but %s", sealed.opened < 0 ? strerror(-sealed.opened) : sealed.first);
		check_intervals(m, d, &sealed, "sealed");
		if (rc == PF_SEALED_WHOLE && !d->cut && !is_same(m, &sealed))
			fail(m, d, "sealed without loss, but something is lost");
		if (rc == PF_SEALED_NOTHING && damaged->damage > 0)
			fail(m, d, "nothing was sealed, but %s", damaged->first);
		forget(&sealed);
		int again = pf_collectl_seal(m->path, &nobody, &err);
		if (again != PF_SEALED_NOTHING || hash_copy(m) != after)
			fail(m, d, "sealing again does something: %d %s", again, err.text);
		if (m->sample > 0 && m->cases % m->sample == 0) {
			const char *kind = !d->cut && part_hit(m, d) == 0 ? "header" : "kept";
			(void)snprintf(other, sizeof(other), "%s/%s-%u.raw.gz", m->folder, kind, m->kept++);
			(void)rename(m->path, other);
		}
	}
	(void)snprintf(other, sizeof(other), "%s.orig-1", m->path);
	(void)unlink(other);
	(void)unlink(m->path);
}

static void try_case(struct matrix *m, const struct damage *d)
{
	struct reading r = { 0 };
	m->cases++;
	write_copy(m, d->bytes);
	read_file(m->path, &r);
	if (r.opened < 0) {
		if (part_hit(m, d) > 0)
			fail(m, d, "cannot be opened: %s", strerror(-r.opened));
	} else {
		check_intervals(m, d, &r, "read");
		if (r.damage == 0 && must_be_told(m, d, &r))
			fail(m, d, "nothing told");
		if (r.damage > 0 && !strstr(r.first, "byte"))
			fail(m, d, "told without a place: %s", r.first);
	}
	seal_case(m, d, &r);
	forget(&r);
}

static void flip_bits(struct matrix *m, unsigned n)
{
	pf_autofree char *copy = pf_view_dup(pf_buf_text(&m->file));
	uint64_t seed = SEED;
	must(copy);
	for (unsigned i = 0; i < n; i++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint64_t place = (seed >> 16) % (m->file.n * 8);
		struct damage d = { .at = place / 8, .bit = (unsigned)(place % 8), .bytes = { copy, m->file.n } };
		copy[d.at] = (char)(copy[d.at] ^ 1 << d.bit);
		try_case(m, &d);
		copy[d.at] = (char)(copy[d.at] ^ 1 << d.bit);
	}
}

int main(int argc, char **argv)
{
	uint64_t numbers[3];
	struct pf_err err = { 0 };
	if (argc != 6)
		return 2;
	for (unsigned i = 0; i < 3; i++) {
		if (pf_view_u64(pf_view_of(argv[3 + i]), &numbers[i]) < 0)
			return 2;
	}
	struct matrix m = { .folder = argv[2], .sample = (unsigned)numbers[2] };
	(void)snprintf(m.path, sizeof(m.path), "%s/x.raw.gz", argv[2]);
	if (pf_io_read_file(AT_FDCWD, argv[1], FILE_MAX, &m.file, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	read_file(argv[1], &m.whole);
	find_parts(&m);
	if (m.whole.opened < 0 || m.whole.damage > 0 || m.n_parts < 3) {
		printf("# %s is not whole or too short\n", argv[1]);
		return 1;
	}
	for (uint64_t at = 0; at < m.file.n; at += numbers[0]) {
		struct damage d = { .cut = true, .at = at, .bytes = { m.file.p, (size_t)at } };
		try_case(&m, &d);
	}
	flip_bits(&m, (unsigned)numbers[1]);
	printf("# %u cases, %u bad\n", m.cases, m.bad);
	forget(&m.whole);
	free(m.parts);
	pf_buf_done(&m.file);
	return m.bad > 0;
}
