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

struct pf_catalog;
struct pf_err;
struct pf_logconfig;
struct pf_source_info;
struct pf_stop;
struct pf_task;
struct pf_task_problem;

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
 * @count: intervals, -1 without end; the archive then has one sample more, where the first interval begins.
 *         With a configuration it ends so many @interval_ns after the beginning, each task with its last time until then
 * @max_ns: it ends so long after its first sample, 0: not for that
 * @control_fd: control channel, -1: none
 * @tell: the launcher shows everything itself, without dialogs: say on the control channel "R" when the first sample is in the archive and
 *        "E SAMPLES BYTES" at the end; a recording without end tells "G BYTES", what a day of it takes before it is compressed, when it has two samples; what asks "S" is told "S SAMPLES BYTES NS",
 *        NS the time of the last sample, nanoseconds since 1970
 * @signals: opened by the caller; one that came says to stop
 * @config: what is recorded instead of subsystems and @metrics, each task of it (record/tasks.h) on a grid of its own and in a record of its own, in
 *          which discrete values stand, too, that did not change; @interval_ns is then its default. NULL: none. @linger: go on with nothing to record
 * @check: with @config: only tell what is wrong with it
 * @brackets: of a pmcd: the first and the last record say who recorded, as pmlogger has it
 * @label_host: what the label says instead of the host's name, NULL: that
 * @max_records, @max_bytes of all volumes: when it ends, 0: not for that
 * @with_pid_fd: a pidfd, it ends with that process; -1: none
 * @hup_volume: HUP begins a new volume
 * @watch: who is told, NULL: nobody
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
	const struct pf_logconfig *config;
	bool linger;
	bool check;
	bool brackets;
	const char *label_host;
	uint64_t max_records;
	uint64_t max_bytes;
	int with_pid_fd;
	bool hup_volume;
	const struct pf_logger_watch *watch;
};

/* Why it ended. BAD_CONFIG and NOTHING: it did not begin, since its configuration makes no sense, or asks for nothing that there is. */
enum pf_logger_reason {
	PF_LOGGER_COUNT,
	PF_LOGGER_SIGNAL,
	PF_LOGGER_TOLD,
	PF_LOGGER_TIME,
	PF_LOGGER_RECORDS,
	PF_LOGGER_BYTES,
	PF_LOGGER_PROCESS,
	PF_LOGGER_CHECKED,
	PF_LOGGER_BAD_CONFIG,
	PF_LOGGER_NOTHING,
	PF_LOGGER_NO_SOURCE, /* there is no pmcd */
	PF_LOGGER_NO_ARCHIVE /* it cannot be made */
};

struct pf_logger_end {
	enum pf_logger_reason reason;
	int signal;
};

/**
 * struct pf_logger_watch - whoever wants to be told how it goes; what is NULL is not told.
 * @opened: the source answers; @problem: something of the configuration is not recorded; @planned: it was all looked at
 * @begun: the recording of @host begins; @until: when to end (nanoseconds since 1970, 0 never): 0 or negative errno; @made: files are there
 * @size: the first record of a task took so many bytes; @volume: number @number begins, @cause: enum pf_volume_cause
 * @lost, @back: the connection to the pmcd
 */
struct pf_logger_watch {
	void (*opened)(void *arg);
	void (*problem)(void *arg, const struct pf_task_problem *problem);
	void (*planned)(void *arg);
	void (*begun)(void *arg, const char *host);
	int (*until)(void *arg, const struct pf_source_info *info, int64_t *ret_until_ns, struct pf_err *err);
	void (*made)(void *arg);
	void (*size)(void *arg, const struct pf_task *task, const struct pf_catalog *cat, uint64_t bytes);
	void (*volume)(void *arg, unsigned number, int cause);
	void (*lost)(void *arg);
	void (*back)(void *arg);
	void *arg;
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

/* pf_logger_signals() - what else would kill a logger ends it in order, too, or changes nothing, as it does with pmlogger 6.0.3. */
void pf_logger_signals(struct pf_stop *signals);

/* pf_logger_run() - record. The archive is complete when it returns, however it does. @ret_end: why, if it is not NULL. Return: 0 or negative errno. */
int pf_logger_run(const struct pf_logger_spec *spec, struct pf_logger_end *ret_end, struct pf_err *err);

#endif
