/* engine/verify.h - are recordings whole, and do they say what they should? One verifier per kind of file. A new kind is a new file and one row
 * in engine/verify.c. */
#ifndef PF_ENGINE_VERIFY_H
#define PF_ENGINE_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/finding.h"

struct pf_stop;
struct pf_verifier;

/* PF_VERDICT_COMPLETE: no errors; PF_VERDICT_DAMAGED: some, what is whole can be read; PF_VERDICT_UNUSABLE: nothing can.
 * With sealing: PF_VERDICT_COMPLETE: nothing was to do; PF_VERDICT_SEALED: it is whole again and nothing is lost; PF_VERDICT_LOSS: it is whole again
 * without what was damaged; PF_VERDICT_UNSEALED: it cannot be written now, though it could be sealed. */
enum pf_verdict {
	PF_VERDICT_COMPLETE,
	PF_VERDICT_SEALED,
	PF_VERDICT_LOSS,
	PF_VERDICT_DAMAGED,
	PF_VERDICT_UNUSABLE,
	PF_VERDICT_UNSEALED,
};

/**
 * struct pf_verify_summary - one recording.
 * @kind: NULL if it is of none that is known
 * @version: of its format; 0: it has none
 * @members: recordings that a folio or folder stands for; each has a summary of its own. @unusable: of these so many are
 * @records: of whatever the format consists of; @samples: those with values
 * @from_ns, @until_ns: first and last time; 0 without any. @has_zone, @zone_ns: what the host's clock was ahead of UTC
 * @bytes: on disk; @lost: of what is unpacked, that cannot be read
 * @found: findings by grade
 */
struct pf_verify_summary {
	const char *file;
	const struct pf_verifier *kind;
	enum pf_verdict verdict;
	unsigned version;
	uint64_t members;
	uint64_t unusable;
	uint64_t records;
	uint64_t samples;
	int64_t from_ns;
	int64_t until_ns;
	bool has_zone;
	int64_t zone_ns;
	uint64_t bytes;
	uint64_t lost;
	uint64_t found[PF_N_GRADES];
};

/**
 * struct pf_verify - what is wanted, and who is told.
 * @meta_only: what describes values is checked, not the values
 * @seal: make whole what is damaged
 * @listed: the archives that a folio names are checked anyway; it is enough that they are there
 * @stop: ends it early; NULL: nothing does
 * @finding: one thing that was found in the recording @summary->file; of the rest of @summary @kind alone is known then
 * @done: a recording is over, behind all findings of it
 * @progress: now and then: so much of @all is done (0: not known), in bytes; NULL: nobody wants to know
 */
struct pf_verify {
	bool meta_only;
	bool seal;
	bool listed;
	struct pf_stop *stop;
	void (*finding)(void *arg, const struct pf_verify_summary *summary, const struct pf_finding *finding);
	void (*done)(void *arg, const struct pf_verify_summary *summary);
	void (*progress)(void *arg, const char *file, uint64_t done, uint64_t all);
	void *arg;
};

/**
 * struct pf_verifier - one kind of file.
 * @name: a word for programs; @title: what a person calls it
 * @accepts: is @path one of these? Looks at the bytes
 * @check: look at all of it and report what is wrong to @to. Fills in @s what it counted; @found and @verdict come of what it reports.
 *         Return: 0, also with damage; negative errno: nothing can be made of it, @err says why
 * @seal: make it whole and report what was done to @to. Return: enum pf_sealed; negative errno with a sentence. NULL: there is nothing to make whole
 */
struct pf_verifier {
	const char *name;
	const char *title;
	bool (*accepts)(const char *path);
	int (*check)(const char *path, const struct pf_verify *v, const struct pf_findings *to,
		     struct pf_verify_summary *s, struct pf_err *err);
	int (*seal)(const char *path, const struct pf_findings *to, struct pf_err *err);
};

extern const struct pf_verifier *const pf_verifiers[]; /* NULL-terminated; files are offered to them in this order */
extern const struct pf_verifier pf_verifier_archive;
extern const struct pf_verifier pf_verifier_document;
extern const struct pf_verifier pf_verifier_folder;
extern const struct pf_verifier pf_verifier_list;
extern const struct pf_verifier pf_verifier_folio;
extern const struct pf_verifier pf_verifier_raw;

/* pf_verifier_of() - the kind of @path, NULL if it is none. */
const struct pf_verifier *pf_verifier_of(const char *path);

/* pf_verify_file() - check one recording, file or folder and tell. Return: the worst verdict, of its members, too. */
enum pf_verdict pf_verify_file(const char *path, const struct pf_verify *v);

/* pf_verify_time() - @time_ns belongs to it. */
static inline void pf_verify_time(struct pf_verify_summary *s, int64_t time_ns)
{
	if (s->from_ns == 0 || time_ns < s->from_ns)
		s->from_ns = time_ns;
	if (time_ns > s->until_ns)
		s->until_ns = time_ns;
}

#endif
