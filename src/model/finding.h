/* model/finding.h - what a check found in a recording: how bad, by which rule, where, when, and a sentence. Checks report findings one by one
 * and keep none. */
#ifndef PF_MODEL_FINDING_H
#define PF_MODEL_FINDING_H

#include <stdint.h>

/* PF_GRADE_ERROR: the recording is not what its format says, or values are lost; PF_GRADE_WARNING: whole, but values may not mean what
 * they seem to; PF_GRADE_NOTE: worth knowing. */
enum pf_grade { PF_GRADE_NOTE, PF_GRADE_WARNING, PF_GRADE_ERROR, PF_N_GRADES };

enum { PF_FINDING_NUMBERS = 6, PF_FINDING_VALUES = 2 };

/* A record number or byte that is not known. */
#define PF_FINDING_NOWHERE UINT64_MAX

/**
 * struct pf_finding - one of them; all of it is only valid during the call.
 * @rule: a word for programs, the same in every version: "trailer", "time-back"
 * @file: in which file of the recording
 * @record: counted from 0, @byte: of the file, unpacked; PF_FINDING_NOWHERE: not known
 * @lost: bytes that cannot be read through it
 * @from_ns, @until_ns: which times it concerns, 0: not known; of one time only @from_ns
 * @metric: NULL: none in particular
 * @numbers: those that the rule is about, in the order of the sentence
 * @values: the same for values of a metric, as the rule compares them
 * @text: what is wrong, without the place
 */
struct pf_finding {
	enum pf_grade grade;
	const char *rule;
	const char *file;
	uint64_t record;
	uint64_t byte;
	uint64_t lost;
	int64_t from_ns;
	int64_t until_ns;
	const char *metric;
	int64_t numbers[PF_FINDING_NUMBERS];
	double values[PF_FINDING_VALUES];
	const char *text;
};

/* Who wants to know. */
struct pf_findings {
	void (*tell)(void *arg, const struct pf_finding *finding);
	void *arg;
};

/* pf_finding_tell() - report @f with a sentence made of @fmt, whose values are quoted as pf_sentence() does. */
void pf_finding_tell(const struct pf_findings *to, struct pf_finding f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* pf_finding_kept() - note that @file was made anew and what it was is kept under the name @kept. */
void pf_finding_kept(const struct pf_findings *to, const char *file, const char *kept);

/* pf_grade_name() - "note", "warning", "error". */
const char *pf_grade_name(enum pf_grade grade);

#endif
