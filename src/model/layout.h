/* model/layout.h - how a group shows itself in columns: data that every view interprets.
 * A layout is one block of one view (brief, verbose, plot ...). Its columns compute one number each from the raw values of a step:
 * nothing is scaled or rounded before the last moment. The arithmetic and the texts are collectl's (docs/compat.md). */
#ifndef PF_MODEL_LAYOUT_H
#define PF_MODEL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Exporters have two vocabularies: that of lexpr, and that of gexpr, which graphite shares but for PF_FOR_GRAPHITE. vmstat has columns of
 * the CPUs on both sides of those of memory. */
enum pf_view_kind {
	PF_VIEW_BRIEF,
	PF_VIEW_VERBOSE,
	PF_VIEW_PLOT,
	PF_VIEW_EXCEPTIONS,
	PF_VIEW_ANALYSIS,
	PF_VIEW_LEXPR,
	PF_VIEW_GEXPR,
	PF_VIEW_VMSTAT,
	PF_VIEW_VMSTAT_END,
};

/* What is computed; d(x) is the difference of x in this interval, T its seconds. Sums run over the terms. */
enum pf_calc {
	PF_CALC_VALUE,	/* sum of values */
	PF_CALC_LAST,	/* value of the last term that has one */
	PF_CALC_RATE,	/* sum of d(num) / T */
	PF_CALC_DELTA,	/* sum of d(num), whatever the interval */
	PF_CALC_CHANGE, /* sum of (value now - value before) / T, for levels */
	PF_CALC_SHARE, /* 100 * sum of d(num) / sum of d(den), each term divided for itself; an empty den counts as 1 */
	PF_CALC_RATIO, /* sum of d(num) / sum of d(den); 0 if den is 0 */
	PF_CALC_PERCENT, /* 100 * sum of values of num / sum of values of den; 0 if den is 0 */
	PF_CALC_UTIL,	 /* sum of d(num) / (measured seconds): not affected by -on */
	PF_CALC_COUNT,	 /* number of instances of num's domain */
	PF_CALC_NAME,	 /* name of the row's instance: text */
	PF_CALC_LABEL,	 /* the same with a colon */
	PF_CALC_INDEX,	 /* running number of the row */
	PF_CALC_ID,	 /* external number of the row's instance */
	PF_CALC_BUSY,	 /* percent of the interval that differences of milliseconds are; affected by -on */
	PF_CALC_PRODUCT, /* values of num multiplied, divided by those of den; summed over instances in a summary */
	PF_CALC_GROWTH,	 /* percent by which the value grew since the sample before */
	PF_CALC_USED,	 /* number of instances of num's domain that have another value than 0 */
	PF_CALC_TEXT,	 /* text of the first metric of num */
	PF_CALC_USER,	 /* name of the user whose number num is: text */
	PF_CALC_COMMAND, /* command line (first metric of num) or else the name (second), as --procopts w r k say: text */
	PF_CALC_THREAD, /* "+" where the first metric of num is there and not the second, else a blank: text */
	PF_CALC_PARENT, /* value of the first metric of num where it is there and not the second, else of the third */
	PF_CALC_ZERO,	/* a column that the original prints but never fills */
};

/* How it is drawn. Width 0 in plot: as long as it is. */
enum pf_draw {
	PF_DRAW_INT,	    /* truncated toward zero: %*d */
	PF_DRAW_ROUND,	    /* %*.0f */
	PF_DRAW_FIXED,	    /* %*.{decimals}f */
	PF_DRAW_PLOT,	    /* %.{0|1|2}f as the option -o1 -o2 says */
	PF_DRAW_CVT,	    /* short form with K M G: see pf_cvt() */
	PF_DRAW_CENTIS,	    /* milliseconds as seconds and hundredths: %2d.%02d */
	PF_DRAW_CLOCK,	    /* milliseconds as MM:SS.hh, from an hour on as HH:MM:SS; at least one blank before it */
	PF_DRAW_HOURS,	    /* milliseconds as H:MM:SS */
	PF_DRAW_SINCE_BOOT, /* milliseconds since boot as a time of day */
	PF_DRAW_DAY_SINCE_BOOT, /* with month and day before it */
	PF_DRAW_PRIORITY,	/* RT for what is below 0 */
	PF_DRAW_LEFT,		/* text, left aligned */
	PF_DRAW_RIGHT,		/* text, right aligned */
	PF_DRAW_KEY,		/* text; a number gets zeros in front up to three digits */
	PF_DRAW_GLUED,		/* text without its blanks and without the word "interrupts" at its end */
	PF_DRAW_GENERAL,	/* as short as can be, without zeros behind the point */
	PF_DRAW_NONE,		/* nothing but what stands before and after */
	PF_DRAW_DIGIT,		/* one character: 0-9, a-i tens, j-r hundreds, s-z from 1000 by powers of ten */
};

enum { PF_TERMS = 12 }; /* a sum of more is made while parsing */

/* Metrics of the group (its own numbering), from the front; sign in @minus: bit i set subtracts term i.
 * @split: PF_CALC_SHARE: the terms from this one on are summed for themselves; 0: all in one sum.
 * @absolute: a difference below zero counts by its amount. @undivided: bit i set: PF_CALC_CHANGE does not divide term i by T. */
struct pf_terms {
	uint8_t n;
	uint8_t split;
	bool absolute;
	uint16_t minus;
	uint16_t undivided;
	uint16_t metric[PF_TERMS];
};

#define PF_TERM_COUNT(...) (sizeof((uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t))
#define PF_SUM(...)                                                                                                    \
	{                                                                                                              \
		.n = PF_TERM_COUNT(__VA_ARGS__), .metric = { __VA_ARGS__ }                                             \
	}
#define PF_DIFFERENCE(a, b)                                                                                            \
	{                                                                                                              \
		.n = 2, .minus = 2, .metric = {(a), (b) }                                                              \
	}

/* Letters of sub-options that choose between layouts; a layout is taken when all of @when and none of @unless are set. */
enum pf_variant {
	PF_WITH_SIZES = 1 << 0,	      /* --iosize, --dskopts i: of disks */
	PF_WITH_CHANGES = 1 << 1,     /* --memopts R */
	PF_WITH_ERRORS = 1 << 2,      /* --netopts e */
	PF_WITH_FRACTIONS = 1 << 3,   /* --dskopts f */
	PF_WITH_PHYSICAL = 1 << 4,    /* --memopts P */
	PF_WITH_VIRTUAL = 1 << 5,     /* --memopts V */
	PF_WITH_PAGES = 1 << 6,	      /* --memopts p */
	PF_WITH_SCAN = 1 << 7,	      /* --memopts s */
	PF_WITH_CPU_FILTER = 1 << 8,  /* --cpufilt */
	PF_WITH_INT_FILTER = 1 << 9,  /* --intfilt */
	PF_WITH_INTERRUPTS = 1 << 10, /* j or J are shown too */
	PF_WITH_CPU_DETAIL = 1 << 11, /* C is shown too */
	PF_WITH_FRAGMENTS = 1 << 12,  /* both b and m are shown */
	PF_FOR_GRAPHITE = 1 << 13,    /* --export graphite, else gexpr */
	PF_GANGLIA_NAMES = 1 << 14,   /* gexpr g, G: the names that ganglia's own monitor uses */
	PF_GANGLIA_ALONE = 1 << 15,   /* gexpr g: and nothing else in the summaries */
	PF_AS_PEER = 1 << 16,	      /* called `collectl`: its defects belong to the bytes */
	PF_AS_RECORDED = 1 << 17,     /* playback of a raw file: the instances were chosen when it was written */
	PF_TCP_IP = 1 << 18,	      /* --tcpfilt i t u c I T */
	PF_TCP_TCP = 1 << 19,
	PF_TCP_UDP = 1 << 20,
	PF_TCP_ICMP = 1 << 21,
	PF_TCP_IPEXT = 1 << 22,
	PF_TCP_TCPEXT = 1 << 23,
	PF_NFS_C2 = 1 << 24, /* --nfsfilt c2 s2 c3 s3 c4 s4 */
	PF_NFS_S2 = 1 << 25,
	PF_NFS_C3 = 1 << 26,
	PF_NFS_S3 = 1 << 27,
	PF_NFS_C4 = 1 << 28,
	PF_NFS_S4 = 1 << 29,
	PF_NFS_CHOSEN = 1 << 30,	       /* there is an --nfsfilt */
	PF_WITH_IO = UINT64_C(1) << 32,	       /* --procopts i */
	PF_WITH_MEMORY = UINT64_C(1) << 33,    /* --procopts m */
	PF_WITH_SWITCHES = UINT64_C(1) << 34,  /* --procopts x */
	PF_WITH_START = UINT64_C(1) << 35,     /* --procopts s */
	PF_WITH_START_DAY = UINT64_C(1) << 36, /* --procopts S */
	PF_WITH_PRIORITY = UINT64_C(1) << 37,  /* --procopts R */
	PF_WITH_FAULTS = UINT64_C(1) << 38,    /* --procopts f: cumulative */
	PF_WITH_CHILDREN = UINT64_C(1) << 39,  /* --procopts c */
	PF_WITH_NET_SIZES = UINT64_C(1) << 60, /* --iosize, --netopts i */
	PF_WITH_IB_SIZES = UINT64_C(1) << 61,  /* --iosize, --xopts i */
	PF_WITH_ENV_LINES = UINT64_C(1) << 62, /* --envopts M */
	PF_ONLY_ERRORS = UINT64_C(1) << 44,    /* --netopts E: intervals and interfaces with errors */
	PF_WITH_HYPER = UINT64_C(1) << 45,     /* two threads per core */
	PF_WITH_THREADS = UINT64_C(1) << 41,   /* --procopts t, '+' of --procfilt: read only if it is asked for */
	PF_FOR_TOP = UINT64_C(1) << 40,	       /* --top: rows in order of a value, the first ones only */
};

enum {
	PF_TCP_USUAL = PF_TCP_IP | PF_TCP_TCP | PF_TCP_UDP | PF_TCP_ICMP,
	PF_TCP_ALL = PF_TCP_USUAL | PF_TCP_IPEXT | PF_TCP_TCPEXT,
	PF_NFS_CLIENT = PF_NFS_C2 | PF_NFS_C3 | PF_NFS_C4,
	PF_NFS_SERVER = PF_NFS_S2 | PF_NFS_S3 | PF_NFS_S4,
	PF_NFS_ALL = PF_NFS_CLIENT | PF_NFS_SERVER,
};

/* One value for many: of the last sample, the first; least, most; their difference, in percent of the least; sums; PERCENT: of the time
 * that milliseconds add up to; USED: as LAST, where something was used at all. */
enum pf_over {
	PF_OVER_LAST,
	PF_OVER_TEXT,
	PF_OVER_FIRST,
	PF_OVER_LEAST,
	PF_OVER_MOST,
	PF_OVER_RANGE,
	PF_OVER_GROWTH,
	PF_OVER_SUM,
	PF_OVER_PERCENT,
	PF_OVER_USED,
};

/**
 * struct pf_column - one number.
 * @name: heading of this column where the view composes headings itself (plot: "[CPU]User%"); exporters: "cputotals.user", to which a
 *        detail adds ".INSTANCE", or puts INSTANCE in the place of a '*'
 * @units: exporters: what the value counts, in words
 * @before, @after: literal text printed around the value
 * @num, @den: what @calc is computed from; @scale multiplies the result, 0 stands for 1
 * @unit, @div1024: see pf_cvt(); @decimals for PF_DRAW_FIXED
 * @fill: least width on the line where it is more than @width, which then only rules PF_DRAW_CVT; else 0
 * @offset: added to the result where there is a value
 * @when, @unless: variants, as in struct pf_layout
 * @instance: PF_ONE(external number): only this instance of the metric's domain; 0: all
 * @hides: sub-option with which a row is left out if this column is 0 (--slabopts s, S), or 's' of --procstate
 * @fold: analysis: what stands for all samples of a row
 * @limit: what it says about exceptions: 'S' service time in ms, 'I' requests
 * @totals: terms of @num, from the front, that the totals of collectl count; 0: all
 * @per_second: the heading carries "/sec", or "/int" with -on
 * @is_rest: what is left over (idle time): no sign of activity when rows without any are hidden
 * @per_interval: the result is divided by T, as if it were a difference
 * @from_zero: PF_CALC_CHANGE: the first record of a run counts from 0 (PF_AS_PEER only)
 * @spread: the column stands once for each instance of the layout's @across, side by side
 * @cell: instances of num's domain are named ROW::KEY, or HEAD::KEY::TAIL for rows HEAD::TAIL; this is the key. With @spread the key is
 *        the name of the instance that the column stands for. Summing up runs over the rows
 * @instead: PF_METRIC() that is the same as num and stands in where a recording has it and not all of num
 * @other: PCP's name of a metric of another group that stands for num, which then is not looked at
 * @part: PF_CALC_NAME: 1 what stands before the first "::", 2 what stands behind it without the layout's @strip; 0 the whole name
 * @otherwise: PF_CALC_RATIO: what it is when den is 0
 * @any: taken only if one of these variants is set; 0: always
 * @everywhere: in a summary all instances that the user chose count, also those that the group leaves out of its sums
 * @twin: num's domain is another than that of the rows and has instances of the same names
 * @optional: only there where the sample has a value, not even as wide as it is (plot; PF_CALC_TEXT)
 */
struct pf_column {
	const char *name;
	const char *units;
	uint64_t when;
	uint64_t unless;
	const char *before;
	const char *after;
	enum pf_calc calc;
	struct pf_terms num;
	struct pf_terms den;
	double scale;
	enum pf_draw draw;
	int8_t width;
	int8_t decimals;
	int8_t fill;
	int8_t unit;
	int8_t div1024;
	int16_t instance;
	double offset;
	char hides;
	char limit;
	enum pf_over fold;
	uint8_t totals;
	bool per_second;
	bool from_zero;
	bool is_rest;
	bool per_interval;
	bool spread;
	bool optional;
	bool everywhere;
	bool twin;
	uint8_t part;
	uint16_t instead;
	const char *cell;
	const char *other;
	double otherwise;
	uint64_t any;
};

/* PF_METRIC() - a metric of the group where 0 stands for none. */
#define PF_METRIC(m) ((uint16_t)((m) + 1))

#define PF_ONE(id) ((int16_t)((id) + 1))

enum { PF_WIDTH_USER = -2, PF_USER_WIDTH_MIN = 8 }; /* names of users, cut */
enum { PF_WIDTH_NAME = -1 }; /* as wide as the longest instance name, at least PF_NAME_WIDTH_MIN, and one more */
enum { PF_NAME_WIDTH_MIN = 5 };

/* PF_SORT_DIGITS: numbers as if they were text: 1, 10, 2. PF_SORT_PADDED: by number; PF_AS_PEER as text of at least five digits.
 * PF_SORT_KEY: names as PF_DRAW_KEY writes them. */
enum pf_sort { PF_SORT_FOUND, PF_SORT_NAME, PF_SORT_ID, PF_SORT_DIGITS, PF_SORT_PADDED, PF_SORT_KEY };

/**
 * struct pf_layout - one block of one view.
 * @letter: subsystem letter: lower case one row that sums up, upper case one row per instance
 * @title: verbose: text of the "# TITLE" line
 * @head1, @head2: heading lines. The view puts the time title before @head2, blanks before @head1. In them and in @title stand
 *                 "{r}" for "/sec" or "/int" with -on, "{p}" for the blanks by which PF_WIDTH_NAME goes beyond its least width,
 *                 "{c}", "{v}" for a heading of each CPU across, 5 and 7 wide, "{e}" for the name of each instance across, 8 wide, "{n}" for the words of --nfsfilt, "{f}" for "Filters: "
 *                 and these words if there are any, "{-}", "{+}" for the smaller and the larger half of as many dashes as @head1
 *                 needs to become as long as @head2, "{d}" for a dash that does not count in that, "{u}" for the blanks of user
 *                 names (--procopts u), "{h}" for "[HYPER]" with two threads per core, "{o}" for a remark if CPUs are offline, "{t}" for
 *                 the word of --top, "{F}" for "cumulative" with --procopts f, else as "{r}"
 * @blank_time: verbose: there are blanks before @head2 too
 * @sort: order of rows. @each: verbose: a RECORD line and headings each time unless rows are chosen; plot: lines of their own
 * @lead: verbose: literal text at the start of a data line when this is the first layout of its section
 * @label: plot: what stands in brackets before each heading: "CPU"; in detail "CPU:" is followed by the instance. Exporters: the name
 *         of the group of values
 * @strip: plot: letters cut from the front of an instance name in the heading ("cpu" of "cpu0"), or NULL
 * @rows: PF_METRIC() whose instances the rows are, where the columns do not tell
 * @across: PF_METRIC() whose instances columns with @spread stand for
 * @about: PF_METRIC() of texts that the user's filter looks at beside the name
 * @only_active: rows without any movement are left out
 * @file: plot files: extension where it is not that of the group
 * @stacked: not beside the layouts before it but below them, without rows, as a section of its own
 * @shown_if: rows for which this column gives 0 are left out. @shown_when: only with these variants, and then the interval, too, where that
 *            is one line
 * @any: as in columns
 *
 * All layouts of a letter that the variants allow stand side by side on one line, in the order of the table: the first gives the title, and
 * only before it stands the time.
 */
struct pf_layout {
	enum pf_view_kind view;
	char letter;
	uint64_t when;
	uint64_t unless;
	const char *title;
	const char *head1;
	const char *head2;
	const struct pf_column *columns;
	unsigned n_columns;
	const char *lead;
	bool blank_time;
	enum pf_sort sort;
	bool each;
	const char *label;
	const char *strip;
	uint16_t rows;
	uint16_t across;
	uint16_t about[2];
	bool only_active;
	bool stacked;
	const char *file;
	const struct pf_column *shown_if;
	uint64_t shown_when;
	uint64_t any;
};

/**
 * struct pf_sort_key - something that the rows of a group can be ordered by, the largest first.
 * @name: word for it behind --top; rows of the same name differ in the variants of their columns
 * @heading, @what: for the list of all; @what NULL: told with the row before
 * @column: computes the value; only its arithmetic and its variants count
 * @ascending: the smallest first; @absolute: by amount; @by_name: by the instance's name instead
 * @shows: variants that it sets, so that what it orders by is seen
 * @peer_ignores: collectl 4.3.1 takes the word but finds all rows equal
 */
struct pf_sort_key {
	const char *name;
	const char *heading;
	const char *what;
	struct pf_column column;
	uint64_t shows;
	bool ascending;
	bool absolute;
	bool by_name;
	bool peer_ignores;
};

#endif
