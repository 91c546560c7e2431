/* formats/pcp/check.h - is an archive whole, and does it say what it should? Four passes, each over every byte of its files at most once: framing,
 * index, metadata, values. The rules are those of pmlogcheck(1) and more. */
#ifndef PF_FORMATS_PCP_CHECK_H
#define PF_FORMATS_PCP_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/record.h"
#include "model/finding.h"

struct pf_err;

/**
 * struct pf_pcp_check_options
 * @meta_only: values are not looked at
 * @peer: stop where pmlogcheck stops: after a pass whose errors let no other follow. Volumes are then read twice
 * @from_ns, @until_ns: records of other times are not looked at in the last pass; 0: no limit
 * @pass: a pass begins (@records -1) or, pass 0 of a file, ends; NULL: nobody wants to know
 * @step: now and then; true: stop. NULL: nobody asks
 */
struct pf_pcp_check_options {
	bool meta_only;
	bool peer;
	int64_t from_ns;
	int64_t until_ns;
	void (*pass)(void *arg, int pass, const char *file, int64_t records);
	bool (*step)(void *arg, const char *file, uint64_t done, uint64_t all);
	void *arg;
};

/* PF_PCP_CHECK_FRAMES: a file fails pass 0; PF_PCP_CHECK_OPEN: the archive cannot be opened; PF_PCP_CHECK_VALUE: the first value of a metric is none. */
enum pf_pcp_check_end {
	PF_PCP_CHECK_DONE,
	PF_PCP_CHECK_FRAMES,
	PF_PCP_CHECK_OPEN,
	PF_PCP_CHECK_VALUE,
};

/**
 * struct pf_pcp_check_result
 * @label: of the archive; version 0: none could be read
 * @records: of all files; @results, @marks: those of the volumes that were looked at; @samples: results, without those that only end values
 *	     of a sample that follows with the same time
 * @sets: of values, or of a reason why there are none, whose metric is described
 * @start_ns, @end_ns: times of the first and the last of them; 0 there is none
 * @bytes: of all files, on disk
 * @end: which pass was the last and why
 */
struct pf_pcp_check_result {
	struct pf_pcp_label label;
	uint64_t records;
	uint64_t results;
	uint64_t samples;
	uint64_t marks;
	uint64_t sets;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t bytes;
	enum pf_pcp_check_end end;
};

/**
 * pf_pcp_check() - check the archive that has @path as one of its names.
 *
 * Return: 0, also with damage; -ENODATA when there is nothing to check; -EBADMSG when nothing can be made of it; other negative errno.
 */
int pf_pcp_check(const char *path, const struct pf_pcp_check_options *options, const struct pf_findings *to,
		 struct pf_pcp_check_result *ret, struct pf_err *err);

#endif
