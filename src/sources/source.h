/* sources/source.h - where samples come from. A new source is a new file and one line in sources/list.c. */
#ifndef PF_SOURCES_SOURCE_H
#define PF_SOURCES_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "base/view.h"
#include "model/group.h"
#include "model/pick.h"
#include "model/sample.h"

struct pf_env_options;
struct pf_err;
struct pf_import;
struct pf_joined_list;
struct pf_process_filter;
struct pf_source;

/* Tells the raw text of a sample as it is read or played back: @tag and @line as in a raw file, line without newline.
 * @mark: the time marker before the lines of a sample; may be NULL */
struct pf_raw_tap {
	void (*mark)(void *arg, int64_t time_ns);
	void (*line)(void *arg, struct pf_view tag, struct pf_view line);
	void *arg;
};

/**
 * struct pf_source_spec - what to open.
 * @path: file, folder or host; NULL for the live host. @more: further recordings that are one in time with it, NULL-terminated; NULL: none
 * @pmcd: host whose pmcd is asked (sources/pmcdspec.h); NULL: none
 * @patterns: names of metrics (glob(7)) that are asked of it beside those of @groups, NULL-terminated, or NULL
 * @host: of recordings of several hosts the one that is wanted, NULL: the first
 * @root_fd: folder that stands for "/" (AT_FDCWD never: tests and dumps pass their own)
 * @groups: NULL-terminated selection; NULL: whatever is there
 * @import: modules that take part, or NULL
 * @tap: who wants the raw text, or NULL. @no_parse: raw text only (recording without analysis)
 * @second_tap: live: who wants the text of the second interval, if that is not @tap
 * @second_every: live: groups of the second interval are sampled every so many samples; 0 stands for 1
 * @process_filter: live: which processes are read at all; NULL: all
 * @late_ns: live, with the group cost: a sample that takes longer is late and told; 0: none is
 * @threads: live: those of processes are read, of all if there is no filter that says of which. @all_threads: in spite of the filter
 * @third_every: live: programs are asked every so many samples; 0 stands for 1. @env_test: a file that stands for their answer, or NULL
 * @env: what is wanted of sensors (groups/environment.h), or NULL
 * @tree_depth: live and raw files: levels of a tree of cgroups, its top among them, that are read; 0: all
 * @lines: live: which lines are read and recorded; variants 0: all protocols
 * @as_recorded: archives, pmcd: metrics have the meaning that the recording gives them, also where a group of ours has one of the same name
 * @notes: a pmcd is asked for labels and help texts, too
 * @later: it is no error that a pmcd has nothing of what is wanted: it may come
 * @each_record: archives: each record is a sample of its own although groups are chosen, and what it says to have no value is void
 * @interval_ns: live: between samples, as asked for; 0: without a pause. It tells how long one read may take
 */
struct pf_source_spec {
	const char *path;
	const char *const *more;
	const char *pmcd;
	const char *const *patterns;
	const char *host;
	int root_fd;
	const struct pf_group *const *groups;
	struct pf_import *import;
	const struct pf_raw_tap *tap;
	const struct pf_raw_tap *second_tap;
	bool no_parse;
	bool as_recorded;
	bool notes;
	bool later;
	bool each_record;
	struct pf_line_filter lines;
	int64_t interval_ns;
	int64_t late_ns;
	unsigned second_every;
	unsigned tree_depth;
	unsigned third_every;
	const struct pf_env_options *env;
	const char *env_test;
	bool no_process_io;
	bool no_new_processes;
	bool threads;
	bool all_threads;
	const struct pf_process_filter *process_filter;
	const struct pf_notice *notice;
};

/* Facts about the stream that some views need; strings live as long as the source. 0 or NULL when unknown. */
struct pf_source_info {
	const char *host;
	const char *zone;  /* $TZ form, or "+0100" from a raw file */
	const char *place; /* zone by name: ":Europe/Berlin" */
	bool has_zone;	   /* what its clock was ahead of UTC is known: @zone_ns */
	int64_t zone_ns;
	int64_t start_ns;
	int64_t end_ns;	     /* raw file: time of the last marker read so far */
	int64_t boot_ns;     /* when the host was booted */
	int64_t interval_ns; /* nominal; 0: irregular */
	int64_t second_ns;   /* the same of the second interval */
	int hz;
	int page_size;
	unsigned cpus;
	unsigned n_files; /* of which it consists; @bytes: on disk */
	uint64_t bytes;
	uint64_t
		bad_at; /* raw file: byte at which the damage told last began, UINT64_MAX: zero bytes in its text, whose place is not known; @lost_bytes: passed over so far */
	uint64_t lost_bytes;
	unsigned version;  /* of its format */
	uint64_t pmcd_pid; /* which process answers, how often its agents changed */
	uint32_t pmcd_seqnum;
	bool is_raw;	    /* it has the lines of /proc, as collectl records them */
	const char *header; /* collectl raw file: all leading # lines */
	const char *
		letters; /* of what is in it: as a raw file's header says, or of the groups that an archive has metrics of */
};

/* PCP's code for a name that nothing is called by. */
enum { PF_SOURCE_NO_NAME = -12357 };

/* A metric that a name stands for. @metric: its index in the catalog; -1: it has none, and @code of PCP says why. */
struct pf_source_named {
	const char *name;
	int metric;
	int32_t code;
};

/**
 * struct pf_source_kind - one kind of source.
 * @title: what a person calls it
 * @accepts: does @path look like one of ours? (looks at the bytes, not only the name)
 * @list: append the recordings that @path stands for (sources/joined.h); NULL: it is one itself
 * @live: its samples are of now and come as time passes, so it is no recording
 * @next: read one sample into frames. 1 a sample; 0 nothing now; -ENODATA the end; -EBADMSG damage was skipped and reading can go on
 *        (@err says which bytes and times); other negative errno: over
 * @untold: nothing more will be read, though there is: what there is to tell of all that was. -EBADMSG damage (@err), and there may be more; 0 nothing. NULL:
 *          all is told by next()
 * @skip: before the first next(): samples before @before_ns may be passed over without being read; NULL: all are read
 * @begins: when the first sample may come; NULL: at info's start
 * @ends_before: does it end before that time, as far as can be told without reading it? NULL: that cannot be told
 * @fd: descriptor to wait on before next() when it says 0, or -1
 * @names: tell each metric that is called @name or stands below it, as long as @each says 0. Return: how many, negative what @each said.
 *         NULL: the catalog knows them
 * @instance: look for an instance of the metric now; it is known by its number from then on. 0; -ENOENT. NULL: nobody knows before a sample
 * @choose: from the next sample on only these are asked for and are in it, as long as nothing else is chosen; they stay with the caller. Not while
 *          an answer is awaited, which is as long as next() says 0 and there is a descriptor. NULL: all comes, always
 */
struct pf_source_kind {
	const char *name;
	const char *title;
	bool live;
	bool (*accepts)(const char *path);
	int (*list)(struct pf_joined_list *list, const char *path, struct pf_err *err);
	int (*open)(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		    struct pf_err *err);
	int (*next)(struct pf_source *s, struct pf_frames *frames, struct pf_err *err);
	int (*untold)(struct pf_source *s, struct pf_err *err);
	void (*skip)(struct pf_source *s, int64_t before_ns);
	int64_t (*begins)(struct pf_source *s);
	bool (*ends_before)(struct pf_source *s, int64_t time_ns);
	const struct pf_source_info *(*info)(struct pf_source *s);
	int (*fd)(struct pf_source *s);
	int (*names)(struct pf_source *s, const char *name, int (*each)(void *arg, const struct pf_source_named *one),
		     void *arg);
	int (*instance)(struct pf_source *s, unsigned metric, struct pf_pick_instance *inst);
	int (*choose)(struct pf_source *s, const struct pf_picks *picks, struct pf_err *err);
	struct pf_source *(*close)(struct pf_source *s); /* returns NULL */
};

/* First member of every source's own struct. */
struct pf_source {
	const struct pf_source_kind *kind;
};

extern const struct pf_source_kind
	*const pf_source_kinds[]; /* NULL-terminated; files are offered to them in this order */

/* pf_source_open() - find the kind that accepts spec->path (NULL: live) and open it. */
int pf_source_open(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		   struct pf_err *err);

/* pf_source_untold() - as the kind's. */
static inline int pf_source_untold(struct pf_source *s, struct pf_err *err)
{
	return s->kind->untold ? s->kind->untold(s, err) : 0;
}

#endif
