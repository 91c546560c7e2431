/* engine/survey.h - what is in a recording: read once from front to end, and counted. Whatever can be replayed can be surveyed. */
#ifndef PF_ENGINE_SURVEY_H
#define PF_ENGINE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/catalog.h"
#include "sources/source.h"

struct pf_err;
struct pf_notice;
struct pf_stop;

/* So many gaps and sentences about damage are kept; all are counted. So many different lengths of intervals are told apart. */
enum { PF_SURVEY_KEPT = 64, PF_SURVEY_LENGTHS = 64 };

/* A time of which nothing is known. */
struct pf_survey_gap {
	int64_t from_ns;
	int64_t until_ns;
};

/* How often samples were so far apart, rounded to milliseconds. Groups of metrics that are recorded one right after the other do not count. */
struct pf_survey_length {
	int64_t ms;
	uint64_t times;
};

/* Per metric of the catalog: how many values there are, and of how many instances at most in one sample. @last: values of the sample looked at last */
struct pf_survey_metric {
	uint64_t values;
	unsigned instances;
	unsigned last;
};

/* A label of the whole recording; @value as text. */
struct pf_survey_label {
	char *name;
	char *value;
};

/**
 * struct pf_survey - one recording. Strings of @info live as long as @source.
 * @from_ns, @until_ns: times of the first and the last sample; 0 without any
 * @shortest_ns, @longest_ns: intervals between samples, gaps left out
 * @lost: reads that failed while it was recorded
 * @made: name of the cells of the sample looked at last (pf_frames_made()); @repeated: samples of that name behind it, which are not counted yet
 */
struct pf_survey {
	struct pf_source *source;
	struct pf_catalog *catalog;
	const struct pf_source_info *info;
	uint64_t samples;
	uint64_t lost;
	int64_t from_ns;
	int64_t until_ns;
	int64_t shortest_ns;
	int64_t longest_ns;
	struct pf_survey_length lengths[PF_SURVEY_LENGTHS];
	unsigned n_lengths;
	struct pf_survey_gap gaps[PF_SURVEY_KEPT];
	uint64_t n_gaps;
	char *damage[PF_SURVEY_KEPT];
	uint64_t n_damage;
	struct pf_survey_metric *metrics;
	unsigned n_metrics;
	uint64_t made;
	uint64_t repeated;
	struct pf_survey_label *labels; /* the newest set */
	unsigned n_labels;
};

/**
 * pf_survey_take() - read the recording at @path.
 * @stop: ends it early; what was read so far is told. NULL: nothing does
 *
 * Return: 0, also with damage; negative errno when nothing can be made of it. pf_survey_done() in any case.
 */
int pf_survey_take(struct pf_survey *s, const char *path, const struct pf_notice *notice, struct pf_stop *stop,
		   struct pf_err *err);
void pf_survey_done(struct pf_survey *s);

/* pf_survey_interval() - the usual time between samples, nanoseconds; 0 unknown: as it was asked for, or the length that fills most of
 * the time. */
int64_t pf_survey_interval(const struct pf_survey *s);

/* What a path stands for. @damage: sentences about parts of it that are not among them. @joined: it is none of these itself. */
struct pf_survey_paths {
	char **paths;
	unsigned n;
	char **damage;
	unsigned n_damage;
	bool joined;
};

/**
 * pf_survey_expand() - a folio becomes its archives, a folder the recordings in it, by name; anything else stays what it is.
 *
 * Return: 0; -ENODATA for a folder without recordings or a folio without archives; other negative errno.
 */
int pf_survey_expand(struct pf_survey_paths *paths, const char *path, struct pf_err *err);
void pf_survey_paths_done(struct pf_survey_paths *paths);

#endif
