/* record/loggerstate.h - what the files of a logger share. Tasks come from a configuration; without one there is a single task that takes all. */
#ifndef PF_RECORD_LOGGERSTATE_H
#define PF_RECORD_LOGGERSTATE_H

#include "model/select.h"
#include "perfolio/module.h"
#include "record/control.h"
#include "record/logger.h"
#include "record/tasks.h"
#include "sources/source.h"

enum { PF_LOGGER_GROUPS = 64, PF_LOGGER_HOST_SIZE = 257 };

/* @picks NULL: all that the source has. @source: who is asked, @owned: by this task alone. @next_ns: monotonic, when it is due, INT64_MAX never again;
 * @due: it is; @taken: it was; @sized: its size was told. @n_known: metrics of the catalog when it was taken last */
struct pf_logger_task {
	const struct pf_task *what;
	const struct pf_picks *picks;
	int64_t interval_ns;
	struct pf_source *source;
	bool owned;
	int64_t next_ns;
	bool due;
	bool taken;
	bool sized;
	unsigned n_known;
	const struct pf_group *groups[PF_LOGGER_GROUPS + 1];
};

/**
 * struct pf_logger
 * @source: asked by all tasks, NULL: each has one of its own. @made, @n_metrics: tasks as the catalog was when it had so many metrics
 * @pending: the task whose answer is awaited; @away: the pmcd is gone, which was told
 * @left: samples still to take, -1 without end; @records: written, without prologue. @host: as the host calls itself
 * @last_ns: monotonic, nothing that is due later is taken; @end_ns: when it ends; INT64_MAX never. @over: it ends, as @end says
 * @first_bytes: size with one sample; @grown: how fast it grows was told; @ready: that there is a sample. @volume: number of it
 */
struct pf_logger {
	const struct pf_logger_spec *spec;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_source *source;
	struct pf_sink *sink;
	struct pf_import *import;
	struct perfolio_state module_state;
	char interval_text[32]; /* in seconds, for modules */
	const struct pf_group *groups[PF_LOGGER_GROUPS + 1];
	struct pf_tasks made;
	unsigned n_metrics;
	struct pf_logger_task *tasks;
	unsigned n_tasks;
	struct pf_logger_task *pending;
	const char **wanted;
	struct pf_select select; /* of this host */
	int root_fd;
	int timer_fd;
	struct pf_control *control;
	char host[PF_LOGGER_HOST_SIZE];
	int64_t left;
	uint64_t records;
	int64_t start_ns;
	int64_t last_ns;
	int64_t end_ns;
	bool away;
	bool over;
	struct pf_logger_end end;
	bool grown;
	uint64_t first_bytes;
	bool ready;
	unsigned volume;
};

/* pf_logger_plan() - tasks by what is known now. @told: problems are told to whoever watches. Those that go on keep their times. */
int pf_logger_plan(struct pf_logger *l, bool told, struct pf_err *err);

/* pf_logger_take() - one record of a task. Return: 1; 0 there is none now; negative errno. */
int pf_logger_take(struct pf_logger *l, struct pf_logger_task *t, struct pf_err *err);

/* pf_logger_look_at_instances() - of this host: instances of a task that was just taken for the first time and does not have them are told. */
void pf_logger_look_at_instances(const struct pf_logger *l, const struct pf_logger_task *t);

/* pf_logger_bracket() - the record that stands before all others, or behind them. */
int pf_logger_bracket(struct pf_logger *l, int64_t time_ns, int64_t mono_ns, struct pf_err *err);

/* pf_logger_look_at_volume() - a new one is told. */
void pf_logger_look_at_volume(struct pf_logger *l);

/* pf_logger_loop() - until it is over. */
int pf_logger_loop(struct pf_logger *l, struct pf_err *err);

/* pf_logger_finish() - it ends for that reason, unless it ended before. */
void pf_logger_finish(struct pf_logger *l, enum pf_logger_reason reason, int signal);

/* What launchers are told. */
void pf_logger_tell_growth(struct pf_logger *l);
void pf_logger_tell_ready(struct pf_logger *l);
void pf_logger_tell_state(void *arg);
void pf_logger_tell_about(void *arg, struct pf_dialog_about *about);
void pf_logger_tell_end(const struct pf_logger *l, uint64_t samples, uint64_t bytes);

#endif
