/* sinks/sink.h - where samples and events go. A new sink is a new file and one line in sinks/list.c. */
#ifndef PF_SINKS_SINK_H
#define PF_SINKS_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "base/view.h"
#include "formats/text/doc.h"
#include "model/event.h"
#include "model/group.h"
#include "model/sample.h"

struct pf_err;
struct pf_export_options;
struct pf_buf;
struct pf_import;
struct pf_loop;
struct pf_outlet;
struct pf_plot_files;
struct pf_sink;
struct pf_sink_kind;
struct pf_trace;

/* How times look in the text views. */
enum pf_time_form { PF_TIMES_NONE, PF_TIMES_HMS, PF_TIMES_MD_HMS, PF_TIMES_YMD_HMS };

/* What makes a row an exception: -l. @both: both, else one of them. @also_rest: the rest is shown, too, where they have a file of their own */
struct pf_limits {
	double service_ms;
	double requests;
	bool both;
	bool also_rest;
};

/**
 * struct pf_view_options - choices that the text views share; the plan fills it from switches, once.
 * @letters: subsystems to show, in the user's order
 * @variants: enum pf_variant: PF_WITH_* as switches say, PF_AS_PEER when called `collectl`, PF_AS_RECORDED for raw files
 * @no_divide: -on: per interval, not per second
 * @zone_ns: added to UTC to get the recorder's wall clock; @zone_local: use this machine's zone instead
 * @epoch_shift_ns: added to seconds of the epoch that are shown (PF_AS_PEER only)
 */
struct pf_view_options {
	const char *letters;
	uint64_t variants;
	enum pf_time_form times;
	bool millis;
	bool short_millis; /* without the zeros at their end, which collectl loses in --grep */
	bool utc;
	bool no_divide;
	bool wide;
	char big_numbers; /* 'g', 'G' or 0 */
	int header_repeat;
	unsigned decimals; /* plot: 0..2 */
	const char *separator;
	bool zone_local;
	int64_t zone_ns;
	int64_t epoch_shift_ns;
	bool full;
	uint64_t records_before; /* verbose: RECORD numbers go on behind this one */
	bool home;
	bool home_bare;	 /* the same without controls of the terminal, which another sink sends */
	char top_letter; /* --top: subsystem whose rows are ordered by @top_key; 0: none */
	const struct pf_sort_key *top_key;
	unsigned top_rows;    /* as many of them; 0: as the terminal has room for */
	bool top_scrolls;     /* ",v": no control of the terminal */
	bool top_hides_zeros; /* --procopts z */
	bool stats;	      /* --stats: totals behind the lines; @stats_...: --statopts a, i, s */
	bool stats_averages;
	bool stats_intervals;
	bool stats_files;
	const char *stats_extra; /* letters whose columns totals show empty although nothing else does; NULL: none */
	const struct pf_limits *exceptions; /* only rows beyond these; NULL: all */
	bool hide_zero_disks;
	bool hide_idle_cpus;	    /* --cpuopts z */
	bool hide_idle_nfs;	    /* --nfsopts z */
	const char *nfs_filter;	    /* words of --nfsfilt, or NULL */
	const char *row_options;    /* letters that leave out rows: --slabopts */
	bool rows_chosen;	    /* --slabopts S, --slabfilt, --procfilt: too few rows for headings each time */
	const char *process_states; /* --procstate */
	unsigned user_width;	    /* --procopts u */
	bool with_arguments;	    /* --procopts w; @argument_width: bytes of them, 0: all */
	unsigned argument_width;
	bool base_names;	 /* --procopts r */
	bool strip_interpreters; /* --procopts k */
	const struct pf_users *users;
	int64_t second_ns; /* nominal second interval, 0 unknown */
	int64_t boot_ns;   /* when the recorded host was booted */
	unsigned n_cpus;   /* of the host, 0 unknown; @n_offline: of those, not in the sample at hand */
	unsigned n_offline;
	unsigned net_name_width; /* --netopts wN; 0: as wide as needed */
	const char *host;
	int64_t net_speed; /* Mbit/s of links that do not tell; 0: as the peer has it; below: traffic is not checked */
	int64_t disk_max_kb;	     /* a disk that moves more in an interval was reset; up to 0: not checked */
	const char *recorded_header; /* of a raw file, or live its line of interfaces: it tells the speed of links */
	const struct pf_instance_filter *filters; /* see model/filter.h */
	struct pf_import *import;
};

/**
 * struct pf_sink_spec - what to open.
 * @fd: where text and documents go (not closed by the sink); -1 if the sink makes files of its own below @path
 * @outlet: where text and documents go, not @fd; NULL if it is only a descriptor
 * @loop: serves descriptors of the sink between samples; NULL when nothing is waited for
 * @header: raw sink: leading '#' lines of the file
 * @place: archives: the zone by name (":Europe/Berlin"), NULL unknown
 * @host, @zone: archives: the host that the samples are of and its time zone ($TZ form, or "+0100"); NULL: this one
 */
struct pf_sink_spec {
	int fd;
	struct pf_outlet *outlet;
	struct pf_loop *loop;
	const char *path;
	const char *header;
	const char *host;
	const char *zone;
	const char *place;
	const struct pf_view_options *view;
	const struct pf_doc_options *doc;
	const struct pf_export_options *export;	 /* of the exporters */
	const char *letters;			 /* those of @view that the sink is for; NULL: all */
	const struct pf_volume_options *volumes; /* of archives; NULL: one volume, not compressed */
	unsigned archive_version;		 /* of archives: 2 or 3; 0 stands for 3 */
	const struct pf_plot_files *files;	 /* of plots on disk */
	bool keys;				 /* somebody may type: key() of the kind is called */
	bool live;				 /* samples come when they are due; else as fast as they are taken */
	bool each; /* of archives: a sample is recorded as it is, also discrete values that did not change */
	const struct pf_group *const *groups; /* selection, NULL-terminated, with their first catalog index in @bases */
	const unsigned *bases;
	struct pf_catalog *catalog;
	const struct pf_notice *notice;
	int64_t interval_ns;
	bool events; /* emit: a stream of D events alone, so the document is DTrace's (perfolio-oformat(7)); else of samples */
	const struct pf_sink_kind *area; /* screen: the view above its list, or NULL */
	unsigned term_height;		 /* of a terminal that does not tell; 0: the usual one */
	const struct pf_trace *trace;	 /* dtext: the session, whose options a program may change while it runs */
};

/**
 * struct pf_sink_kind - one kind of sink. Functions that a sink has no use for are NULL.
 * @raw: one line of raw text; @mark: before the raw text of each sample
 * @levels: says something about a sample without a predecessor, too
 * @key: somebody typed a character, or PF_KEY_* of sinks/screen.h; @step: what was shown last, to be drawn anew
 * @snapshot: an exporter that writes a file of its own into the folder of -f
 * @part: one of several recordings came to its end; its last marker was at @end_ns
 * Return of each: 0 or negative errno; -EPIPE: the reader is gone, end quietly.
 */
struct pf_sink_kind {
	const char *name;
	int (*open)(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err);
	int (*mark)(struct pf_sink *s, int64_t time_ns);
	int (*raw)(struct pf_sink *s, struct pf_view tag, struct pf_view line);
	int (*sample)(struct pf_sink *s, const struct pf_step *step, struct pf_err *err);
	int (*event)(struct pf_sink *s, const struct pf_event *event, struct pf_err *err);
	int (*key)(struct pf_sink *s, int key, const struct pf_step *step, struct pf_err *err);
	int (*flush)(struct pf_sink *s);
	int (*part)(struct pf_sink *s, int64_t end_ns);
	bool levels;
	bool snapshot;
	int (*close)(struct pf_sink *s,
		     struct pf_err *err); /* completes the output and frees; the first error of the sink's life */
};

/* First member of every sink's own struct. */
struct pf_sink {
	const struct pf_sink_kind *kind;
};

extern const struct pf_sink_kind *const pf_sink_kinds[]; /* NULL-terminated */

extern const struct pf_sink_kind pf_sink_brief;
extern const struct pf_sink_kind pf_sink_verbose;
extern const struct pf_sink_kind pf_sink_screen;
extern const struct pf_sink_kind pf_sink_plot;
extern const struct pf_sink_kind pf_sink_plotfiles;
extern const struct pf_sink_kind pf_sink_analysis;
extern const struct pf_sink_kind pf_sink_raw;
extern const struct pf_sink_kind pf_sink_emit;
extern const struct pf_sink_kind pf_sink_pcparchive;
extern const struct pf_sink_kind pf_sink_dtext;
extern const struct pf_sink_kind pf_sink_lexpr;
extern const struct pf_sink_kind pf_sink_sexpr;
extern const struct pf_sink_kind pf_sink_gexpr;
extern const struct pf_sink_kind pf_sink_graphite;
extern const struct pf_sink_kind pf_sink_script;
extern const struct pf_sink_kind pf_sink_vmstat;
extern const struct pf_sink_kind pf_sink_openmetrics;
extern const struct pf_sink_kind pf_sink_metricsfile;

#endif
