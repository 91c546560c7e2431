/* formats/collectl/header.h - the lines starting with '#' at the top of a collectl raw file: read and built. */
#ifndef PF_FORMATS_COLLECTL_HEADER_H
#define PF_FORMATS_COLLECTL_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

struct pf_err;

enum { PF_COLLECTL_WORD = 64, PF_COLLECTL_HEADER_MAX = 1 << 20, PF_COLLECTL_HASHES = 80 };

/**
 * struct pf_collectl_header - what readers need to know of a header.
 * @version: "4.3.1-1"; @subsys: letters, "" when only modules were recorded; @date: "YYYYMMDD-HHMMSS" in the recorder's zone
 * @zone: "+0100"; @zone_ns: what @date is ahead of UTC
 * @secs: seconds since 1970 when the file was made
 * @interval_ns: main, process and slab, environmental; 0 where the header names none
 * @disks, @nets: names as listed ("vda sda", "lo:?? eth0:10000"); these views point into the parsed text
 */
struct pf_collectl_header {
	char version[PF_COLLECTL_WORD];
	char host[PF_COLLECTL_WORD];
	char subsys[PF_COLLECTL_WORD];
	char date[PF_COLLECTL_WORD];
	char zone[PF_COLLECTL_WORD];
	char flags[PF_COLLECTL_WORD];
	char tcp_filter[PF_COLLECTL_WORD];
	char nfs_filter[PF_COLLECTL_WORD];
	int64_t zone_ns;
	int64_t secs;
	int64_t boot_ns; /* 0 unknown */
	int64_t interval_ns[3];
	unsigned cpus;
	unsigned nodes; /* of NUMA; 0 unknown */
	bool hyper;
	int hz;
	int page_size;
	uint64_t memory_kb;
	struct pf_view disks;
	struct pf_view nets;
};

/**
 * pf_collectl_header_parse() - take a header apart.
 * @text: all leading lines that begin with '#'
 *
 * Return: 0; -EPROTO for versions and kernels that cannot be played back; -EINVAL if this is no header.
 */
int pf_collectl_header_parse(struct pf_view text, struct pf_collectl_header *ret_header, struct pf_err *err);

/**
 * struct pf_collectl_facts - what a header is built from; no member may be NULL but @comment.
 * @options: the command line, words separated by one blank; @format_letters: those behind -o; @interval: as typed, "1" or "1:60"
 * @daemon_options: DaemonCommands, "" for none
 * @extra: whole lines that import modules add
 */
struct pf_collectl_facts {
	const char *version;
	const char *options;
	const char *format_letters;
	const char *host;
	const char *daemon_options;
	const char *distro;
	const char *platform;
	const char *subsys;
	const char *interval;
	const char *flags;
	const char *tcp_filter;
	const char *nfs_filter;
	const char *arch;
	const char *cpu_vendor;
	const char *cpu_mhz;
	const char *kernel;
	const char *disks;
	const char *nets;
	const char *ports; /* states of the ports of adapters; NULL: no line of them */
	const char *extra;
	const char *comment;
	int64_t n_slabs; /* -1: no line of them */
	int64_t boot_ns;
	int64_t now_ns;
	unsigned cpus, cpus_offline, cores, siblings, nodes, n_buddy, n_disks, n_nets, n_hcas;
	int hz;
	int page_size;
	uint64_t memory_kb, swap_kb;
	bool without_date; /* the form of --showheader */
};

/* pf_collectl_header_build() - append the header. */
void pf_collectl_header_build(struct pf_buf *out, const struct pf_collectl_facts *facts);

/**
 * pf_collectl_marker() - is @line a time marker ">>> SECONDS.mmm <<<"?
 * @ret_time_ns: set when it is a good one
 *
 * Return: 1 yes; 0 no; -EBADMSG: it begins like one but has no time.
 */
int pf_collectl_marker(struct pf_view line, int64_t *ret_time_ns);

/* pf_collectl_marker_build() - append a marker line. */
void pf_collectl_marker_build(struct pf_buf *out, int64_t time_ns);

#endif
