/* record/recording.h - an archive on disk as seen from outside: who writes it, from when until when it reaches, how large it is; and how to make its
 * logger end. A logger of ours holds a record lock on BASE.index while it records (formats/pcp/writer.h), which the kernel drops with the process. One of
 * PCP is known by its number in the label, its command line, and the file that it holds open. */
#ifndef PF_RECORD_RECORDING_H
#define PF_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "formats/pcp/record.h"

struct pf_err;

/**
 * struct pf_recording - one archive.
 * @label: of its .meta, or another file of it if that cannot be read
 * @running: it is being written; @pid: by that process, 0 if that is nowhere we can see
 * @until_ns: time of the last record, 0 there is none
 * @bytes: of all its files; @once_bytes: of those what comes with the beginning and not again, as far as one can tell
 */
struct pf_recording {
	struct pf_pcp_label label;
	bool running;
	pid_t pid;
	int64_t until_ns;
	uint64_t bytes;
	uint64_t once_bytes;
};

/* pf_recording_label() - the label of one file of an archive: "meta", "index" or a volume. Return: 0; -ENODATA it is not there or empty; other negative
 * errno, with the file in @err. */
int pf_recording_label(const char *base, const char *suffix, struct pf_pcp_label *ret_label, struct pf_err *err);

/* pf_recording_opens() - would PCP's tools open it? The labels of .meta, of the first volume and of .index, if there is one, are looked at.
 * Return: as above; @ret_label is that of .meta. */
int pf_recording_opens(const char *base, struct pf_pcp_label *ret_label, struct pf_err *err);

/* pf_recording_is_file() - does that file begin with a label, so that it is one of an archive, packed or not? */
bool pf_recording_is_file(const char *path);

/* pf_recording_pid() - who writes it now. Return: is somebody? *ret_pid is 0 if that is nowhere we can see. */
bool pf_recording_pid(const char *base, pid_t *ret_pid);

/* pf_recording_look() - look at an archive, which may be growing. Return: 0; -ENODATA when nothing is there; other negative errno when it cannot be read. */
int pf_recording_look(struct pf_recording *r, const char *base, struct pf_err *err);

/* pf_recording_growth() - bytes a day, by what it has now; 0: too early to say. */
uint64_t pf_recording_growth(const struct pf_recording *r);

/**
 * pf_recording_stop() - tell the logger to complete the archive and end: SIGTERM, after making sure that the process is a logger of this archive.
 * @ret_fd: readable once the process has ended; the caller closes it
 *
 * Return: 0; -ESRCH when nobody writes it; other negative errno with a sentence.
 */
int pf_recording_stop(const char *base, int *ret_fd, struct pf_err *err);

#endif
