/* sinks/volumes.h - volumes of an archive: when the next one begins, and what becomes of those that are closed. */
#ifndef PF_SINKS_VOLUMES_H
#define PF_SINKS_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/notice.h"

struct pf_err;

/* Without being asked, so much of a disk stays free: a part of it, but not more than this. */
#define PF_VOLUME_FREE_MOST (UINT64_C(1) << 30)
enum { PF_VOLUME_FREE_PART = 20 };

/* A volume ends with the sample that reaches one of @bytes, @samples, @ns; 0: never. @pack: closed files are compressed, by a process that runs beside.
 * @keep_bytes, @keep_ns: the oldest volumes are removed when all files are larger, when they are older; 0: never.
 * @min_free: the same when the disk has less room; -1: the part above; 0: never */
struct pf_volume_options {
	uint64_t bytes;
	uint64_t samples;
	int64_t ns;
	bool pack;
	uint64_t keep_bytes;
	int64_t keep_ns;
	int64_t min_free;
};

/* What is done unless somebody asks otherwise: what a long recording has written is complete, and compressed, after some time. */
#define PF_VOLUME_DEFAULTS                                                                                             \
	{                                                                                                              \
		.bytes = UINT64_C(64) << 20, .pack = true                                                              \
	}

/**
 * pf_volume_options_parse() - when volumes end: "100" samples, "10mb" (also b, kb, gb), "6hours" (all forms of
 * base/duration.h but "10m", which is a size, and a number alone), as pmlogger -v has it.
 *
 * Return: 0, or -EINVAL with a sentence.
 */
int pf_volume_options_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err);

/* pf_volume_keep_parse() - what stays: "2gb" or "7days". pf_volume_free_parse() - what stays free: "500mb", or "0b". Return: as above. */
int pf_volume_keep_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err);
int pf_volume_free_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err);

/* pf_archive_version_parse() - "2" or "3". Return: 0, or -EINVAL with a sentence. */
int pf_archive_version_parse(const char *text, unsigned *ret_version, struct pf_err *err);

/* Why a volume ended. */
enum pf_volume_cause {
	PF_VOLUME_SAMPLES,
	PF_VOLUME_BYTES,
	PF_VOLUME_TIME,
	PF_VOLUME_LARGEST, /* no file may become larger */
	PF_VOLUME_ASKED,
};

/* pf_volume_is_full() - does a volume end with so many samples, bytes and nanoseconds? */
bool pf_volume_is_full(const struct pf_volume_options *v, uint64_t samples, uint64_t bytes, int64_t ns,
		       enum pf_volume_cause *ret_cause);

/* pf_volume_options_limit() - of what is kept a volume is an eighth at most, since whole ones are removed. */
void pf_volume_options_limit(struct pf_volume_options *v);

/* Files that wait for being compressed, one after the other: @paths; @pid: who does it now, 0 nobody. */
struct pf_packer {
	char **paths;
	unsigned n;
	pid_t pid;
	const struct pf_notice *notice;
};

/* pf_packer_add() - takes over @path and begins if nobody is at work. pf_packer_look() - without waiting: is somebody done? Then the next begins. */
void pf_packer_add(struct pf_packer *p, char *path);
void pf_packer_look(struct pf_packer *p);

/* pf_packer_finish() - wait until all is done. */
void pf_packer_finish(struct pf_packer *p);

#endif
