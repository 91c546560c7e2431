/* model/group.h - a metric group: what is read, how it is parsed, what it means, how it is shown. All data but one parse per row.
 * A new group is a new file in groups/ and one line in groups/list.c. */
#ifndef PF_MODEL_GROUP_H
#define PF_MODEL_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"
#include "model/builder.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/rates.h"

struct pf_choice;
struct pf_env_options;
struct pf_err;
struct pf_group;

/* User's choice of what is read and recorded. @variants: PF_TCP_* and PF_NFS_* of --tcpfilt and --nfsfilt, and of --memopts; @disks, @nets: of
 * the --raw... filters, NULL: each group's own choice; @peer: which for disks is that of collectl 4.3.1; @slabs: what their names begin
 * with, NULL-terminated, NULL: all; @env: of sensors, or NULL. */
struct pf_line_filter {
	uint64_t variants;
	const struct pf_choice *disks;
	const struct pf_choice *nets;
	const char *const *slabs;
	const struct pf_env_options *env;
	bool peer;
};

/* What is known about an instance that is to be judged. @filtered: the user named those that are wanted, this one among them; @peer: as
 * collectl 4.3.1 has it; @device: what the host says about it, PF_DEVICE_UNKNOWN in playback. */
struct pf_judged {
	struct pf_view name;
	bool filtered;
	bool peer;
	enum pf_device device;
};

/* Metrics [@all, @all + @n) are sums over those instances that count of the metrics [@each, @each + @n). @filtered: only where a filter
 * chose among them; else the file has the sums. */
struct pf_sums {
	bool filtered;
	uint16_t all;
	uint16_t each;
	uint16_t n;
};

/**
 * struct pf_row - one file of a group, or one kind of line in it.
 *
 * A @path may be a pattern, which stands for one file of each folder that matches (sources/pattern.c): "[0-9]*" stands for the numbers in a
 * folder, "*" for its names, "**" for a folder and all in it, at any depth; in "node[0-9]*" the name begins with "node". There may be
 * PF_PARTS_MAX of them, and a name stands behind the last. What they stand for is handed to @parse in the builder. The first row of a
 * group of such files is the one without which the others say nothing. In a raw file it stands in the tag: there '*' is what the
 * wildcard stood for, in their order, '#' its running number instead; blanks, backslashes and what is below them are \xHH. @kind is the
 * word that stands behind the tag there.
 *
 * @path: below the root folder, without a leading slash: "proc/diskstats"; several rows may name the same file, which is read once
 *        Of a pattern: "a|b" for the file: the first of them that is there
 * @marker: of a pattern: a file that must be in the folder that it begins in; where it is not, @instead stands for that folder. NULL: none
 * @once: of a pattern: its folders are looked for when the source is opened, not each time. Of one file: what it says stays as it is, so it is
 *        read for the first sample alone; each has it
 * @lead: put before each line in a raw file, without a blank behind it; a '*' in it stands for what the last of @path stood for, and then
 *        lines are parsed with it, too. NULL: nothing
 * @needs: variants of which one must be chosen, else the file is not read; 0: always
 * @made: there is no such file: the source itself makes the text while it samples
 * @optional: most kernels lack the file, so nothing is said about it; of a pattern: not every folder has it
 * @command: words of a program whose output it is, NULL-terminated, at the third interval; @path names it then. NULL: it is a file
 * @only_if: of a pattern: a folder is read no further, and tells nothing, if this says no to the file's text; NULL: always
 * @tag: word put before each line in a raw file; "" when lines stand there as they are; NULL: of a pattern: it is not recorded
 * @kind: see above; "": lines that no other row of the tag names by its kind
 * @words: for untagged lines: the first words that are this row's, NULL-terminated; a word ending in '*' is a prefix
 * @skip_lines: heading lines of the file that are neither recorded nor parsed
 * @one_line: the file is one line whatever bytes are in it: in a raw file NUL and newline are blanks
 * @keep: which lines go into a raw file, and how much of each; NULL: all. May shorten @line. @choosy: lines that @keep refuses are not
 *        parsed either where the user, or the peer, chose them
 * @parse: take values out of @text (one or many lines, without tag) into the builder. No I/O, no state. A line that is not
 *         understood is skipped; a value that is no number is pf_builder_fail()
 */
struct pf_row {
	const char *path;
	const char *marker;
	const char *instead;
	const char *lead;
	uint64_t needs;
	bool made;
	bool optional;
	bool once;
	const char *tag;
	const char *kind;
	const char *const *words;
	unsigned skip_lines;
	bool one_line;
	const char *const *command;
	bool (*only_if)(struct pf_view text);
	bool (*keep)(struct pf_view *line, const struct pf_line_filter *filter);
	bool choosy;
	void (*parse)(struct pf_view text, struct pf_builder *b);
};

/**
 * struct pf_group - one subsystem.
 * @letters: subsystem letters that select it, summary then detail: "dD"
 * @metrics: rows in PCP's terms; @layouts address them by index
 * @sort_keys: what the rows of its detail can be ordered by (--top)
 * @reset: what a counter that goes back means for the collectl views
 * @period: PF_SECOND_INTERVAL: sampled every B of -i A:B
 * @from_zero: an instance that was not there before began at 0, so all it has counted belongs to this interval
 * @tick_ms: milliseconds that one unit of the time counters in the files stands for (their metrics are milliseconds); 0: as in PCP
 * @link_bytes: counters of bytes that cannot grow faster than twice what the instance's link carries; n 0: no such thing
 * @disk_sectors: counters of sectors that a disk cannot move faster than DiskMaxValue of the settings file says
 * @sums: metrics that are made of others when a sample is whole; @counts: PF_METRIC() that tells how many instances count in them
 * @settle: change what instances count for, now that a sample is whole; NULL: nothing to settle
 * @complete: a sample of another recorder is whole: make what only ours has of what both have, where it is missing; NULL: nothing
 * @in_archives: recorders of archives sample it whatever subsystems were chosen; it must cost next to nothing
 * @in_archive: does an archive that is being recorded have an instance? NULL: all
 * @in_summary: does an instance count in the summary rows? NULL: all do
 * @in_detail: does an instance get a row of its own by default? @peer: as collectl 4.3.1 has it. NULL: all do
 * @in_export: do exporters tell of an instance? @peer as above. NULL: all do
 */
struct pf_group {
	const char *letters;
	const char *name;
	const char *what;      /* one line for --showsubsys */
	const char *plot_file; /* extension of the plot file of its details; NULL: its name */
	const struct pf_metric *metrics;
	unsigned n_metrics;
	const struct pf_row *rows;
	unsigned n_rows;
	const struct pf_layout *layouts;
	unsigned n_layouts;
	const struct pf_sort_key *sort_keys;
	unsigned n_sort_keys;
	enum pf_reset reset;
	enum pf_period period;
	bool from_zero;
	unsigned tick_ms;
	struct pf_terms link_bytes;
	struct pf_terms disk_sectors;
	const struct pf_sums *sums;
	unsigned n_sums;
	uint16_t counts;
	bool in_archives;
	void (*settle)(struct pf_builder *b);
	void (*complete)(struct pf_builder *b);
	bool (*in_archive)(const struct pf_judged *instance);
	bool (*in_summary)(const struct pf_judged *instance);
	bool (*in_detail)(struct pf_view instance, bool peer);
	bool (*in_export)(struct pf_view instance, bool peer);
};

/**
 * pf_group_base() - catalog index of the group's first metric; the group is added to the catalog when first asked for.
 *
 * Return: 0, or as pf_catalog_add().
 */
int pf_group_base(struct pf_catalog *cat, const struct pf_group *group, unsigned *ret_base, struct pf_err *err);

#endif
