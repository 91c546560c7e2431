/* engine/settings.h - what the settings file (collectl.conf, perfolio.conf) decides: values that others read, with their defaults. */
#ifndef PF_ENGINE_SETTINGS_H
#define PF_ENGINE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "base/view.h"

struct pf_err;

enum { PF_SETTINGS_INTERVALS = 3, PF_SETTINGS_BYTES_MAX = 1 << 20 };

/**
 * struct pf_settings - one value per key of the file, the default where the file has none.
 * @core: SubsysCore: subsystems of a daemon, and what -s+X-Y of a daemon starts from
 * @interval: Interval, Interval2, Interval3 of a daemon, in seconds, as written
 * @port, @timeout_s: Port and Timeout of sockets
 * @term_height: TermHeight, for a terminal that does not tell its own
 * @disk_filter: DiskFilter, a regular expression without the slashes around it; NULL: the built-in choice of disks
 * @disk_max_kb: DiskMaxValue: a disk that moves more KB/s than this was reset; negative: not checked
 * @net_speed_mbit: DefNetSpeed: what a link carries that does not tell; 0 or less: traffic is not checked
 * @lim_service_ms, @lim_ios, @lim_lustre_kbs, @lim_lustre_reints: LimSVC, LimIOS, LimLusKBS, LimLusReints; @lim_and: LimBool: all, not any
 * @zlib_errors: MaxZlibErrors
 * @passwd: Passwd; NULL: /etc/passwd. @ipmitool, @ipmi_cache, @ipmi_types: Ipmitool, IpmiCache, IpmiTypes; NULL if not set
 * @daemon: DaemonCommands, all lines joined in the order in which they are applied: the file's first line wins, so it comes last; "" for none
 * @path: the file that was read; NULL: none
 */
struct pf_settings {
	char *core;
	char *interval[PF_SETTINGS_INTERVALS];
	int64_t port;
	int64_t timeout_s;
	int64_t term_height;
	char *disk_filter;
	int64_t disk_max_kb;
	int64_t net_speed_mbit;
	double lim_service_ms;
	double lim_ios;
	double lim_lustre_kbs;
	double lim_lustre_reints;
	bool lim_and;
	int64_t zlib_errors;
	char *passwd;
	char *ipmitool;
	char *ipmi_cache;
	char *ipmi_types;
	char *daemon;
	char *path;
};

/* pf_settings_init() - the defaults. Return: 0 or -ENOMEM. pf_settings_done() - free the texts. */
int pf_settings_init(struct pf_settings *s);
void pf_settings_done(struct pf_settings *s);

/**
 * pf_settings_parse() - take in the text of a file: "name = value" lines, # comments.
 * A key stands at the beginning of its line; keys that mean nothing (any more) are passed over, as are unknown ones. A line without '=' is
 * told (after three their number), and a value that should be a number and is none leaves the value as it was, which is told as well.
 * @echo: tell each key and value (-d128)
 *
 * Return: 0 or -ENOMEM.
 */
int pf_settings_parse(struct pf_settings *s, struct pf_view text, bool echo, const struct pf_notice *notice);

/* pf_settings_are() - is that text of a settings file? It is if it has a key that is known, or nothing but remarks. */
bool pf_settings_are(struct pf_view text);

/**
 * pf_settings_load() - read the first file of @paths that can be read.
 * @paths: NULL-terminated; @needed: that none can be read is an error
 *
 * Return: 0; with a sentence -ENOENT, or -EBADMSG if it is something else, of which nothing was taken; -EFBIG, -ENOMEM.
 */
int pf_settings_load(struct pf_settings *s, const char *const *paths, bool needed, bool echo,
		     const struct pf_notice *notice, struct pf_err *err);

/* pf_settings_default() - what holds without any file; for plans that are made without a program. Texts are not to be freed. */
const struct pf_settings *pf_settings_default(void);

#endif
