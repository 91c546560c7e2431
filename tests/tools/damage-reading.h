/* tests/tools/damage-reading.h - what an archive gave when it was read, small enough to compare thousands of times. */
#ifndef TESTS_TOOLS_DAMAGE_READING_H
#define TESTS_TOOLS_DAMAGE_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "formats/pcp/reader.h"

/* One value as read: @name of its instance and @bytes are hashes. @strange: it is not of the type that its metric is said to be */
struct value {
	uint32_t pmid;
	uint32_t indom;
	int32_t inst;
	uint64_t name;
	uint64_t bytes;
	bool strange;
};

/* A record of values: [from, from + n) of struct reading's values. @mark: it has no metrics. */
struct record {
	int64_t time_ns;
	size_t from;
	size_t n;
	bool mark;
};

/* What reading an archive gave. @damage: sentences about what is lost; @first: the first of them. @opened: 0 or why not */
struct reading {
	int opened;
	struct record *records;
	size_t n;
	struct value *values;
	size_t n_values;
	size_t cap_values;
	uint64_t *metrics; /* hashes of descriptors, by PMID */
	uint32_t *pmids;
	unsigned n_metrics;
	unsigned damage;
	char first[PF_ERR_TEXT];
};

/* hash() - go on with @h over more bytes. must() - ends the program without memory. */
uint64_t hash(uint64_t h, const void *bytes, size_t n);
void *must(void *p);

/* read_all() - everything that the reader gives; closes it. forget() - release. */
void read_all(struct reading *r, struct pf_pcp_reader *reader);
void forget(struct reading *r);

/* has_metric() - is @pmid described? holds_anything() - is there a value that something describes? */
bool has_metric(const struct reading *r, uint32_t pmid);
bool holds_anything(const struct reading *r);

#endif
