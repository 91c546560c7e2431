/* tests/tools/damage-matrix.c - every way in which one file of an archive can be cut or have a bit flipped, tried one after the other in one process.
 * `damage-matrix BASE FOLDER STEP FLIPS SAMPLE`: the archive at BASE (one volume) is read whole once; then its .0, .meta and .index are cut at every
 * STEP'th byte and get a bit flipped at FLIPS seeded places. Each time it is read, what was not hit must be there as before, and what was lost must be
 * told; a copy in FOLDER is checked and surveyed, which must come to the same verdict if .meta was hit, sealed, read again and sealed again. Every SAMPLE'th sealed copy stays as FOLDER/kept-N.*, with a line about it on
 * standard output: its name, the case, and whether the hit record may hold anything.
 * What archives cannot show (they have no checksums) is allowed for: a record in which a bit was flipped may hold anything, if it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "damage-reading.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/survey.h"
#include "engine/verify.h"
#include "formats/pcp/seal.h"
#include "model/finding.h"

enum { DATA, META, INDEX, N_FILES, FILE_MAX = 64 << 20, SEED = 20261130 };

static const char *const endings[N_FILES] = { [DATA] = "0", [META] = "meta", [INDEX] = "index" };

/* A record's place in a file: as reading in order, without the reader. @kind, @ident: of .meta. */
struct place {
	uint64_t from;
	uint64_t to;
	uint32_t kind;
	uint32_t ident;
	int64_t time_ns;
};

struct matrix {
	const char *folder;
	struct pf_buf files[N_FILES];
	unsigned version;
	struct reading whole;
	struct place *places[N_FILES];
	size_t n_places[N_FILES];
	unsigned cases;
	unsigned bad;
	unsigned sample;
	unsigned kept;
};

/* One case: @file gets @bytes. @cut: where it ends, or else where a bit is flipped. */
struct damage {
	unsigned file;
	bool cut;
	uint64_t at;
	unsigned bit;
	struct pf_view bytes;
};

__attribute__((format(printf, 3, 4))) static void fail(struct matrix *m, const struct damage *d, const char *fmt, ...)
{
	enum { MOST = 20 };
	if (m->bad++ >= MOST)
		return;
	va_list ap;
	va_start(ap, fmt);
	printf("# .%s %s at byte %llu", endings[d->file], d->cut ? "cut" : "bit flipped", (unsigned long long)d->at);
	if (!d->cut)
		printf(" bit %u", d->bit);
	printf(": ");
	(void)vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

/* From memory. */
static int file_of(struct pf_view bytes)
{
	int fd = memfd_create("damage", MFD_CLOEXEC);
	if (fd < 0 || pf_io_write_all(fd, bytes.p, bytes.n) < 0)
		exit(2);
	return fd;
}

static void read_damaged(const struct matrix *m, const struct damage *d, struct reading *r)
{
	int fds[N_FILES];
	struct pf_pcp_reader *reader;
	for (unsigned f = 0; f < N_FILES; f++)
		fds[f] = file_of(d && f == d->file ? d->bytes : pf_buf_text(&m->files[f]));
	struct pf_err err = { 0 };
	r->opened = pf_pcp_reader_open_fds(&reader, "x", fds[META], fds[DATA], fds[INDEX], NULL, &err);
	if (r->opened == 0)
		read_all(r, reader);
}

/* Where records stand, by their lengths, in a file that is whole. */
static void find_places(struct matrix *m, unsigned file)
{
	struct pf_view all = pf_buf_text(&m->files[file]);
	uint64_t at = 0;
	while (file != INDEX && at < all.n) {
		uint32_t len = pf_be_get_u32(all, at);
		struct place p = { .from = at, .to = at + len };
		struct pf_view rec = { all.p + at, len };
		if (at > 0 && file == META) {
			struct pf_pcp_desc desc;
			struct pf_pcp_indom in;
			p.kind = pf_pcp_meta_kind(rec);
			if (pf_pcp_desc_decode(rec, &desc, NULL) == 0)
				p.ident = desc.pmid;
			else if (pf_pcp_indom_decode(rec, &in, NULL) == 0) {
				p.ident = in.indom;
				p.time_ns = in.time_ns;
			}
		}
		m->places[file] = must(reallocarray(m->places[file], m->n_places[file] + 1, sizeof(p)));
		m->places[file][m->n_places[file]++] = p;
		at += len;
	}
}

/* Index of the record in which the damage is; n_places if it is behind all. */
static size_t place_hit(const struct matrix *m, const struct damage *d)
{
	size_t i = 0;
	while (i < m->n_places[d->file] && m->places[d->file][i].to <= d->at)
		i++;
	return i;
}

static bool is_boundary(const struct matrix *m, const struct damage *d)
{
	size_t i = place_hit(m, d);
	return i == m->n_places[d->file] || m->places[d->file][i].from == d->at;
}

/* May the name of the instance differ? Only if what was hit told it, or (cut) was to tell it from then on. */
static bool name_may_differ(const struct matrix *m, const struct damage *d, uint32_t indom, int64_t time_ns)
{
	if (d->file != META)
		return false;
	for (size_t i = place_hit(m, d); i < m->n_places[META]; i++) {
		const struct place *p = &m->places[META][i];
		bool is_indom = p->kind == PF_PCP_INDOM2 || p->kind == PF_PCP_INDOM3 || p->kind == PF_PCP_DELTA3;
		if (is_indom && p->ident == indom && (!d->cut || p->time_ns <= time_ns))
			return true;
		/* What a flipped bit makes of the number of another domain cannot be foreseen. */
		if (!d->cut)
			return is_indom;
	}
	return false;
}

/* May the metric be another one, or not be there? */
static bool metric_may_differ(const struct matrix *m, const struct damage *d, uint32_t pmid)
{
	if (d->file != META)
		return false;
	for (size_t i = place_hit(m, d); i < m->n_places[META]; i++) {
		const struct place *p = &m->places[META][i];
		if (p->kind == PF_PCP_DESC && (p->ident == pmid || !d->cut))
			return true;
		if (!d->cut)
			return false;
	}
	return false;
}

static bool same_record(const struct matrix *m, const struct damage *d, const struct record *was,
			const struct reading *r, const struct record *is)
{
	if (was->time_ns != is->time_ns || was->n != is->n || was->mark != is->mark)
		return false;
	for (size_t i = 0; i < was->n; i++) {
		const struct value *a = &m->whole.values[was->from + i];
		const struct value *b = &r->values[is->from + i];
		if (a->pmid != b->pmid || a->inst != b->inst || a->bytes != b->bytes)
			return false;
		if (a->name != b->name && !name_may_differ(m, d, a->indom, was->time_ns) &&
		    !metric_may_differ(m, d, a->pmid))
			return false;
	}
	return true;
}

/* The values must be all that were, but for the record in which the bit was flipped and what was cut off. */
static void check_records(struct matrix *m, const struct damage *d, const struct reading *r)
{
	size_t hit = d->file == DATA ? place_hit(m, d) : SIZE_MAX;
	size_t at = 0;
	bool hit_is_there = false;
	for (size_t i = 0; i < m->whole.n; i++) {
		bool is_hit = hit == i + 1; /* the label is place 0 */
		if (d->file == DATA && d->cut && i + 1 >= hit)
			break;
		if (at < r->n && same_record(m, d, &m->whole.records[i], r, &r->records[at])) {
			at++;
			hit_is_there |= is_hit;
		} else if (is_hit) {
			/* Either left out or there with something else in it. */
			bool left_out = i + 1 < m->whole.n ? at < r->n && same_record(m, d, &m->whole.records[i + 1], r,
										      &r->records[at])
							   : at == r->n;
			at += !left_out;
			hit_is_there |= !left_out;
		} else if (r->damage > 0 && (m->whole.records[i].mark || (hit == i && i + 1 == m->whole.n))) {
			continue; /* told damage parts as a mark does; of the last two times nobody knows which is wrong */
		} else {
			fail(m, d, "record %zu of %zu is not delivered as it was (%zu came; %s)", i + 1, m->whole.n,
			     r->n, r->first);
			return;
		}
	}
	if (at < r->n)
		fail(m, d, "%zu records too many", r->n - at);
	if (d->file == DATA && !d->cut && hit > 0 && !hit_is_there && r->damage == 0)
		fail(m, d, "record %zu is lost and nothing told", hit);
}

static void check_metrics(struct matrix *m, const struct damage *d, const struct reading *r)
{
	for (unsigned i = 0, k = 0; i < m->whole.n_metrics; i++) {
		while (k < r->n_metrics && r->pmids[k] < m->whole.pmids[i])
			k++;
		bool same = k < r->n_metrics && r->metrics[k] == m->whole.metrics[i];
		if (!same && !metric_may_differ(m, d, m->whole.pmids[i]))
			fail(m, d, "metric %08x is not as it was (%s)", m->whole.pmids[i], r->first);
	}
}

static void check_told(struct matrix *m, const struct damage *d, const struct reading *r)
{
	bool told = r->damage > 0;
	if (d->file == INDEX && told)
		fail(m, d, "damage of the index costs: %s", r->first);
	if (d->file == DATA && d->cut && d->at >= m->places[DATA][0].to && !told)
		fail(m, d, "nothing told");
	if (d->file == META && d->cut && !is_boundary(m, d) && !told)
		fail(m, d, "nothing told");
	bool placed = strstr(r->first, "byte") || strstr(r->first, "label") || strstr(r->first, "not described there");
	if (told && !placed)
		fail(m, d, "told without a place: %s", r->first);
	if (told && d->file == DATA && d->at >= m->places[DATA][0].to && !strstr(r->first, "after") &&
	    !strstr(r->first, " UTC"))
		fail(m, d, "told without a time: %s", r->first);
}

/* An archive can be opened as long as one label and one record are there. */
static bool must_open(const struct matrix *m, const struct damage *d)
{
	if (!d->cut || d->file == INDEX)
		return true;
	return d->at >= m->places[d->file][0].to;
}

static void write_file(const struct matrix *m, const char *name, unsigned file, struct pf_view bytes)
{
	char path[512];
	(void)snprintf(path, sizeof(path), "%s/%s.%s", m->folder, name, endings[file]);
	pf_autoclose int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || pf_io_write_all(fd, bytes.p, bytes.n) < 0) {
		(void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
}

static void remove_copy(const struct matrix *m, const char *name)
{
	static const char *const more[] = { "", ".orig-1" };
	for (unsigned i = 0; i < N_FILES * 2; i++) {
		char path[512];
		(void)snprintf(path, sizeof(path), "%s/%s.%s%s", m->folder, name, endings[i / 2], more[i % 2]);
		(void)unlink(path);
	}
}

static uint64_t hash_files(const struct matrix *m, const char *name)
{
	uint64_t h = 0;
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		struct pf_buf b = { 0 };
		(void)snprintf(path, sizeof(path), "%s/%s.%s", m->folder, name, endings[f]);
		if (pf_io_read_file(AT_FDCWD, path, FILE_MAX, &b, NULL) == 0)
			h = hash(h, b.p, b.n);
		pf_buf_done(&b);
	}
	return h;
}

static void ignore(void *arg, const struct pf_finding *finding)
{
	(void)arg;
	(void)finding;
}

/* Does the sealed archive hold what the damaged one gave, less what nothing describes any more or in another way, and marks
 * besides? */
static void check_sealed(struct matrix *m, const struct damage *d, const struct reading *damaged,
			 const struct reading *sealed)
{
	size_t at = 0;
	int marks = 0; /* that were there and did not come yet */
	if (sealed->opened < 0 || sealed->damage > 0) {
		fail(m, d, "sealed, but %s", sealed->damage ? sealed->first : strerror(-sealed->opened));
		return;
	}
	for (size_t i = 0; i < damaged->n; i++) {
		const struct record *was = &damaged->records[i];
		size_t want = 0;
		while (at < sealed->n && sealed->records[at].mark) {
			at++;
			marks--;
		}
		marks += was->mark;
		if (was->mark)
			continue;
		for (size_t k = 0; k < was->n; k++) {
			const struct value *a = &damaged->values[was->from + k];
			bool described = has_metric(sealed, a->pmid) && !a->strange;
			const struct value *b = at < sealed->n && sealed->records[at].n > want
							? &sealed->values[sealed->records[at].from + want]
							: NULL;
			if (described && (!b || a->pmid != b->pmid || a->inst != b->inst || a->bytes != b->bytes)) {
				fail(m, d, "sealed: a value of record %zu of %zu is not as before", i + 1, damaged->n);
				return;
			}
			want += described;
		}
		if (want == 0 && was->n > 0)
			continue;
		if (at == sealed->n || sealed->records[at].time_ns != was->time_ns) {
			fail(m, d, "sealed: record %zu of %zu is not there", i + 1, damaged->n);
			return;
		}
		at++;
	}
	for (; at < sealed->n && sealed->records[at].mark; at++)
		marks--;
	if (marks > 0)
		fail(m, d, "sealed: a mark is not there");
	if (at < sealed->n)
		fail(m, d, "sealed: %zu records too many", sealed->n - at);
}

static void keep_copy(struct matrix *m, const struct damage *d, const char *base)
{
	for (unsigned f = 0; f < N_FILES; f++) {
		char from[512];
		char to[512];
		(void)snprintf(from, sizeof(from), "%s.%s", base, endings[f]);
		(void)snprintf(to, sizeof(to), "%s/kept-%u.%s", m->folder, m->kept, endings[f]);
		(void)rename(from, to);
	}
	printf("kept-%u %s %s %llu %u\n", m->kept++, endings[d->file], d->cut ? "cut" : "flip",
	       (unsigned long long)d->at, d->bit);
}

/* The first error of a check. */
static void keep_first(void *arg, const struct pf_verify_summary *summary, const struct pf_finding *finding)
{
	char *first = arg;
	(void)summary;
	if (finding->grade == PF_GRADE_ERROR && first[0] == '\0')
		(void)snprintf(first, PF_ERR_TEXT, "[%s] %.300s", finding->rule, finding->text);
}

static void forget_summary(void *arg, const struct pf_verify_summary *summary)
{
	(void)arg;
	(void)summary;
}

/* `perfolio verify` and whoever reads must say the same of it: whole, with loss, unusable. */
static void check_verdict(struct matrix *m, const struct damage *d, const char *base)
{
	char first[PF_ERR_TEXT] = "";
	const struct pf_verify verify = { .finding = keep_first, .done = forget_summary, .arg = first };
	struct pf_survey survey;
	struct pf_err err = { 0 };
	enum pf_verdict checked = pf_verify_file(base, &verify);
	int rc = pf_survey_take(&survey, base, NULL, NULL, &err);
	enum pf_verdict read = rc < 0 || survey.samples == 0 ? PF_VERDICT_UNUSABLE
			       : survey.n_damage > 0	     ? PF_VERDICT_DAMAGED
							     : PF_VERDICT_COMPLETE;
	if (read != checked)
		fail(m, d, "reading comes to verdict %d (%s), a check to %d (%s)", (int)read,
		     rc < 0		   ? err.text
		     : survey.n_damage > 0 ? survey.damage[0]
					   : "",
		     (int)checked, first);
	pf_survey_done(&survey);
}

static void seal_case(struct matrix *m, const struct damage *d, const struct reading *damaged)
{
	struct pf_findings to = { ignore, NULL };
	struct pf_err err = { 0 };
	char base[512];
	(void)snprintf(base, sizeof(base), "%s/x", m->folder);
	for (unsigned f = 0; f < N_FILES; f++)
		write_file(m, "x", f, f == d->file ? d->bytes : pf_buf_text(&m->files[f]));
	if (d->file == META)
		check_verdict(m, d, base);
	uint64_t before = hash_files(m, "x");
	int rc = pf_pcp_seal(base, &to, &err);
	uint64_t after = hash_files(m, "x");
	if (rc <= 0 && before != after)
		fail(m, d, "status %d, but files were changed", rc);
	if (rc < 0 && must_open(m, d) && holds_anything(damaged))
		fail(m, d, "cannot be sealed: %s", err.text);
	bool only_times = strstr(damaged->first, "label") || strstr(damaged->first, "before the archive begins");
	if (rc == PF_SEALED_WHOLE && damaged->damage > 0 && !only_times)
		fail(m, d, "sealed without loss, but %s", damaged->first);
	if (rc >= 0) {
		struct reading sealed = { 0 };
		struct pf_pcp_reader *reader;
		sealed.opened = pf_pcp_reader_open(&reader, base, NULL, &err);
		if (sealed.opened == 0)
			read_all(&sealed, reader);
		check_sealed(m, d, damaged, &sealed);
		forget(&sealed);
		int again = pf_pcp_seal(base, &to, &err);
		if (again != PF_SEALED_NOTHING || hash_files(m, "x") != after)
			fail(m, d, "sealing again does something: %d %s", again, err.text);
		if (m->sample > 0 && m->cases % m->sample == 0)
			keep_copy(m, d, base);
	}
	remove_copy(m, "x");
}

static void try_case(struct matrix *m, const struct damage *d)
{
	struct reading r = { 0 };
	m->cases++;
	read_damaged(m, d, &r);
	if (r.opened < 0) {
		if (must_open(m, d))
			fail(m, d, "cannot be opened: %s", strerror(-r.opened));
	} else {
		check_metrics(m, d, &r);
		check_records(m, d, &r);
		check_told(m, d, &r);
	}
	seal_case(m, d, &r);
	forget(&r);
}

static void cut_file(struct matrix *m, unsigned file, uint64_t step)
{
	struct pf_view all = pf_buf_text(&m->files[file]);
	for (uint64_t at = 0; at < all.n; at += step) {
		struct damage d = { .file = file, .cut = true, .at = at, .bytes = { all.p, (size_t)at } };
		try_case(m, &d);
	}
}

static void flip_bits(struct matrix *m, unsigned file, unsigned n, uint64_t *seed)
{
	pf_autofree char *copy = pf_view_dup(pf_buf_text(&m->files[file]));
	must(copy);
	size_t size = m->files[file].n;
	for (unsigned i = 0; i < n; i++) {
		*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint64_t place = (*seed >> 16) % (size * 8);
		struct damage d = {
			.file = file, .at = place / 8, .bit = (unsigned)(place % 8), .bytes = { copy, size }
		};
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
	for (unsigned f = 0; f < N_FILES; f++) {
		char path[512];
		(void)snprintf(path, sizeof(path), "%s.%s", argv[1], endings[f]);
		if (pf_io_read_file(AT_FDCWD, path, FILE_MAX, &m.files[f], &err) < 0) {
			(void)fprintf(stderr, "%s\n", err.text);
			return 2;
		}
		find_places(&m, f);
	}
	read_damaged(&m, NULL, &m.whole);
	if (m.whole.opened < 0 || m.whole.damage > 0 || m.whole.n + 1 != m.n_places[DATA]) {
		printf("# %s is not whole\n", argv[1]);
		return 1;
	}
	uint64_t seed = SEED;
	for (unsigned f = 0; f < N_FILES; f++) {
		cut_file(&m, f, numbers[0]);
		flip_bits(&m, f, (unsigned)numbers[1], &seed);
	}
	printf("# %u cases, %u bad\n", m.cases, m.bad);
	forget(&m.whole);
	for (unsigned f = 0; f < N_FILES; f++) {
		pf_buf_done(&m.files[f]);
		free(m.places[f]);
	}
	return m.bad > 0;
}
