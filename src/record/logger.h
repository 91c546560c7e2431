/* record/logger.h - one logger: one host into one archive, on a timer, until told to stop. Runs in a process of its own.
 * Who launched it steers it (record/control.h). */
#ifndef PF_RECORD_LOGGER_H
#define PF_RECORD_LOGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/notice.h"
#include "import/import.h"
#include "sinks/volumes.h"

struct pf_err;
struct pf_stop;

/* What is recorded unless asked otherwise: what most questions need, at some 15 Kbytes a sample. */
#define PF_LOGGER_LETTERS "cdimnps"

/**
 * struct pf_logger_spec - what to record.
 * @host: "self:" is this host, sampled without pmcd; others are asked through theirs (sources/pmcdspec.h)
 * @path: base name of the archive
 * @metrics: patterns of names (glob(7)), NULL-terminated: of this host only those of the subsystems; of others these in addition to the
 *           subsystems, or alone if no letters are given. NULL: whatever the subsystems have
 * @letters: subsystems, NULL: PF_LOGGER_LETTERS; @import: modules as behind --import, NULL: none; @limits: what they may take
 * @volumes: when the archive's volumes end; @archive_version: 2 or 3, 0 stands for 3
 * @count: intervals, -1 without end; the archive then has one sample more, where the first interval begins
 * @max_ns: it ends so long after its first sample, 0: not for that
 * @control_fd: control channel, -1: none
 * @tell: the launcher shows everything itself, without dialogs: say on the control channel "R" when the first sample is in the archive and
 *        "E SAMPLES BYTES" at the end; a recording without end tells "G BYTES", what a day of it takes before it is compressed, when it has two samples; what asks "S" is told "S SAMPLES BYTES NS",
 *        NS the time of the last sample, nanoseconds since 1970
 * @signals: opened by the caller; one that came says to stop
 */
struct pf_logger_spec {
	const char *host;
	const char *path;
	const char *letters;
	const char *const *metrics;
	const char *import;
	struct pf_import_limits limits;
	struct pf_volume_options volumes;
	unsigned archive_version;
	int64_t interval_ns;
	int64_t count;
	int64_t max_ns;
	int control_fd;
	bool tell;
	struct pf_stop *signals;
	const struct pf_notice *notice;
};

enum {
	PF_LOGGER_TELL_READY = 'R',
	PF_LOGGER_TELL_END = 'E',
	PF_LOGGER_TELL_GROWTH = 'G',
	PF_LOGGER_TELL_STATE = 'S',
};

/* pf_logger_growth() - "about 1.4 GB a day before it is compressed", into @text, and returned. */
const char *pf_logger_growth(char *text, size_t size, uint64_t bytes);

/* pf_logger_host() - can that host be recorded here? Return: 0, or -EINVAL or -ENOTSUP with a sentence. */
int pf_logger_host(const char *host, struct pf_err *err);

/* pf_logger_letters() - is every letter a subsystem? Return: 0, or -EINVAL with a sentence. */
int pf_logger_letters(const char *letters, struct pf_err *err);

/* pf_logger_run() - record. The archive is complete when it returns, however it does. Return: 0 or negative errno. */
int pf_logger_run(const struct pf_logger_spec *spec, struct pf_err *err);

#endif
