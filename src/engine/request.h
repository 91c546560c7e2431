/* engine/request.h - what somebody asked for, as words and numbers; the plan makes sense of it. */
#ifndef PF_ENGINE_REQUEST_H
#define PF_ENGINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

struct pf_settings;

/**
 * struct pf_request - switches as given; NULL or false where a switch was not used. Texts live as long as the program's arguments.
 * @as_peer: asked by the name `collectl`: its texts, statuses, defaults and defects
 * @count: number of intervals; @has_count: it was given. The same for @header_repeat, @offset_secs
 * @playback: files as typed behind -p (lists, wildcards); @files: recordings of any kind, NULL-terminated (`perfolio replay FILE...`)
 * @cost: show what recording costs; @cost_warn: percent of the interval from which on a sample is late
 * @to_terminal: output goes to one
 * @host: of recordings of several hosts the one that is shown
 * @interpolate: recordings are shown at fixed steps; @offset: how far behind the beginning they are shown from
 * @metrics, @instances: names and patterns between commas of what a document shows of recordings
 * @root: folder that stands for "/"
 * @settings: of the settings file; NULL: the defaults (a plan's @settings is never NULL)
 */
struct pf_request {
	bool as_peer;
	const struct pf_settings *settings;
	const char *subsys;
	const char *interval;
	const char *filename;
	const char *extract;
	const char *limits;
	const char *playback;
	const char *const *files;
	const char *options;
	const char *from;
	const char *thru;
	const char *runtime;
	const char *import;
	bool import_isolate;
	const char *import_deadline;
	const char *import_records;
	const char *import_answers;
	const char *import_memory;
	const char *separator;
	const char *comment;
	const char *cpu_filter;
	const char *disk_filter;
	const char *disk_remap;
	const char *raw_disk_filter;
	const char *raw_disk_ignore;
	const char *raw_net_filter;
	const char *raw_net_ignore;
	const char *net_filter;
	const char *int_filter;
	const char *cgroup_filter;
	const char *tcp_filter;
	const char *nfs_filter;
	const char *nfs_options;
	const char *cpu_options;
	const char *disk_options;
	const char *net_options;
	const char *mem_options;
	const char *ib_options;
	const char *env_options;
	const char *env_filter;
	const char *env_remap;
	const char *env_rules;
	const char *env_test;
	const char *proc_options;
	const char *proc_filter;
	const char *proc_states;
	const char *slab_options;
	const char *slab_filter;
	const char *passwd;
	const char *top;
	const char *grep;
	const char *host;
	const char *interpolate;
	const char *offset;
	const char *metrics;
	const char *instances;
	const char *oformat;
	const char *export;
	const char *stat_options;
	const char *output;
	const char *address;
	const char *root;
	const char *pname;
	const char *runas;
	const char *daemon_options; /* DaemonCommands in force, NULL for none: for the header of raw files */
	const char *cost_warn;
	const char *roll;
	int64_t count;
	int64_t header_repeat;
	int64_t offset_secs;
	int64_t debug;
	int64_t cgroup_depth;
	int64_t flush;
	int64_t utime;
	bool has_count;
	bool has_flush;
	bool has_utime;
	bool has_cgroup_depth;
	bool env_debug;
	bool has_header_repeat;
	bool has_offset;
	bool plot;
	bool raw_too;
	bool plot_implied; /* by an analysis; @plot is set, too */
	bool proc_analyze;
	bool slab_analyze;
	bool verbose;
	bool io_sizes;
	bool wide;
	bool utc;
	bool all;
	bool all_detail;
	bool full;
	bool home;
	bool messages;
	bool quiet;
	bool two_raw;
	bool nice;
	bool nohup;
	bool align;
	bool daemon;
	bool vmstat;
	bool stats;
	bool cost;
	bool show_header;
	bool show_headings;
	bool to_terminal;
	const char *command_line; /* all words, each followed by a blank: for the header of raw files */
};

#endif
