/* formats/collectl/header.c - header and markers of raw files. Source: files written by collectl 4.3.1, docs/formats.md. */
#include "formats/collectl/header.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/time.h"

/* The text behind "KEY:" up to the end of its line; an empty view with p NULL if there is no such key. */
static struct pf_view after_key(struct pf_view text, const char *key)
{
	const char *at = text.n ? memmem(text.p, text.n, key, strlen(key)) : NULL;
	if (!at)
		return (struct pf_view){ 0 };
	at += strlen(key);
	size_t left = text.n - (size_t)(at - text.p);
	const char *end = memchr(at, '\n', left);
	return (struct pf_view){ at, end ? (size_t)(end - at) : left };
}

/* First word behind a key; nothing if that is the next key already. */
static struct pf_view word_of(struct pf_view text, const char *key)
{
	struct pf_view rest = after_key(text, key);
	struct pf_view word = { "", 0 };
	if (!rest.p || pf_view_word(&rest, &word) < 0 || word.p[word.n - 1] == ':')
		return (struct pf_view){ "", 0 };
	return word;
}

static void copy_word(char *to, struct pf_view word)
{
	size_t n = word.n < PF_COLLECTL_WORD ? word.n : PF_COLLECTL_WORD - 1;
	memcpy(to, word.p, n);
	to[n] = '\0';
}

static uint64_t number_of(struct pf_view text, const char *key)
{
	struct pf_view word = word_of(text, key);
	size_t digits = 0;
	while (digits < word.n && word.p[digits] >= '0' && word.p[digits] <= '9')
		digits++;
	uint64_t v = 0;
	(void)pf_view_u64((struct pf_view){ word.p, digits }, &v); /* unreadable: 0, unknown */
	return v;
}

/* Seconds with a fraction to nanoseconds; -EINVAL for anything else. Exact, where a double would round. */
static int seconds_to_ns(struct pf_view word, int64_t *ret_ns)
{
	const char *dot = memchr(word.p, '.', word.n);
	struct pf_view whole = { word.p, dot ? (size_t)(dot - word.p) : word.n };
	uint64_t sec = 0;
	int rc = pf_view_u64(whole, &sec);
	if (rc < 0 || sec > INT64_MAX / PF_NS_PER_SEC - 1)
		return -EINVAL;

	int64_t ns = 0;
	int64_t unit = PF_NS_PER_SEC / 10;
	for (size_t i = whole.n + 1; i < word.n; i++, unit /= 10) {
		if (word.p[i] < '0' || word.p[i] > '9')
			return -EINVAL;
		ns += unit * (word.p[i] - '0');
	}
	*ret_ns = (int64_t)sec * PF_NS_PER_SEC + ns;
	return 0;
}

static const double INTERVAL_MAX = 1e9; /* seconds */

/* "1", "1:60", "1:60:120", "1::120" */
static void parse_intervals(struct pf_view word, int64_t interval_ns[3])
{
	for (unsigned i = 0; i < 3 && word.p; i++) {
		const char *colon = memchr(word.p, ':', word.n);
		struct pf_view part = { word.p, colon ? (size_t)(colon - word.p) : word.n };
		double seconds = 0; /* ".2" is how collectl is told of two tenths, too */
		bool good = pf_view_double(part, &seconds) == 0 && seconds >= 0 && seconds < INTERVAL_MAX;
		interval_ns[i] = good ? (int64_t)(seconds * (double)PF_NS_PER_SEC + 0.5) : 0;
		if (!colon)
			return;
		word = (struct pf_view){ colon + 1, word.n - part.n - 1 };
	}
}

static int two_digits(const char *p)
{
	return (p[0] - '0') * 10 + (p[1] - '0');
}

/* How far the date of the header is ahead of UTC. The clock is read twice by the recorder, so allow for some seconds. */
static int64_t zone_of(const struct pf_collectl_header *h)
{
	for (unsigned i = 0; i < 15; i++) {
		if (i != 8 && (h->date[i] < '0' || h->date[i] > '9'))
			return 0;
	}
	struct tm tm = {
		.tm_year = two_digits(h->date) * 100 + two_digits(h->date + 2) - 1900,
		.tm_mon = two_digits(h->date + 4) - 1,
		.tm_mday = two_digits(h->date + 6),
		.tm_hour = two_digits(h->date + 9),
		.tm_min = two_digits(h->date + 11),
		.tm_sec = two_digits(h->date + 13),
	};
	int64_t off = (int64_t)timegm(&tm) - h->secs;
	if (off < -26 * 3600 || off > 26 * 3600)
		return 0;
	const int64_t quarter = 900;
	int64_t rounded = (off >= 0 ? off + quarter / 2 : off - quarter / 2) / quarter * quarter;
	return rounded * PF_NS_PER_SEC;
}

int pf_collectl_header_parse(struct pf_view text, struct pf_collectl_header *ret_header, struct pf_err *err)
{
	struct pf_collectl_header h = { 0 };
	struct pf_view version = word_of(text, "# Collectl:");
	if (version.n < 2 || version.p[0] != 'V')
		return pf_err_set(err, -EINVAL, "no collectl header");
	version.p++;
	version.n--;
	if (version.p[0] < '2' || version.p[0] > '9')
		return pf_err_set(err, -EPROTO, "was created before collectl V2.0 and so cannot be played back");
	struct pf_view kernel = word_of(text, "# Kernel:");
	if (pf_view_starts(kernel, "2.4"))
		return pf_err_set(err, -EPROTO, "was recorded on a 2.4 kernel and so cannot be played back");

	copy_word(h.version, version);
	copy_word(h.host, word_of(text, "# Host:"));
	copy_word(h.date, word_of(text, "# Date:"));
	copy_word(h.zone, word_of(text, " TZ:"));
	copy_word(h.subsys, word_of(text, "# SubSys:"));
	copy_word(h.flags, word_of(text, " Flags:"));
	copy_word(h.tcp_filter, word_of(text, " TcpFilt:"));
	struct pf_view nfs = word_of(text, " NfsFilt:"); /* where there is none the next key follows */
	if (nfs.n > 0 && nfs.p[nfs.n - 1] != ':')
		copy_word(h.nfs_filter, nfs);
	uint64_t secs = number_of(text, " Secs:");
	h.secs = secs > INT64_MAX / PF_NS_PER_SEC ? 0 : (int64_t)secs;
	if (seconds_to_ns(word_of(text, "# Booted:"), &h.boot_ns) < 0)
		h.boot_ns = 0;
	h.zone_ns = zone_of(&h);
	parse_intervals(word_of(text, " Interval:"), h.interval_ns);
	uint64_t cpus = number_of(text, " NumCPUs:");
	h.cpus = cpus > 1 << 20 ? 0 : (unsigned)cpus;
	uint64_t nodes = number_of(text, " Nodes:");
	h.nodes = nodes > 1 << 16 ? 0 : (unsigned)nodes;
	struct pf_view subsys_line = after_key(text, "# SubSys:");
	h.hyper = subsys_line.n && memmem(subsys_line.p, subsys_line.n, "[HYPER]", 7) != NULL;
	uint64_t hz = number_of(text, "# HZ:");
	h.hz = hz >= 1 && hz <= 100000 ? (int)hz : 100;
	uint64_t page = number_of(text, " PageSize:");
	h.page_size = page >= 512 && page <= 1 << 24 ? (int)page : 4096;
	h.memory_kb = number_of(text, " Memory:");
	h.disks = pf_view_trim(after_key(text, " DiskNames:"));
	h.nets = pf_view_trim(after_key(text, " NetNames:"));
	*ret_header = h;
	return 0;
}

/* YYYYMMDD-HH:MM:SS in local time, or without the colons as in file names. */
static void add_date(struct pf_buf *out, int64_t time_ns, bool colons)
{
	struct tm tm = pf_time_local(time_ns);
	const char *sep = colons ? ":" : "";
	pf_buf_fmt(out, "%04d%02d%02d-%02d%s%02d%s%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, sep,
		   tm.tm_min, sep, tm.tm_sec);
}

/* "+0100" */
static void add_zone(struct pf_buf *out, int64_t time_ns)
{
	long off = pf_time_local(time_ns).tm_gmtoff;
	long abs_off = off < 0 ? -off : off;
	pf_buf_fmt(out, "%c%02ld%02ld", off < 0 ? '-' : '+', abs_off / 3600, abs_off % 3600 / 60);
}

static void add_rule(struct pf_buf *out)
{
	pf_buf_pad(out, '#', PF_COLLECTL_HASHES);
	pf_buf_char(out, '\n');
}

void pf_collectl_header_build(struct pf_buf *out, const struct pf_collectl_facts *f)
{
	bool hyper = f->cores != 0 && f->siblings / f->cores == 2;

	add_rule(out);
	pf_buf_fmt(out, "# Collectl:   V%s  HiRes: 1  Options: %s\n", f->version, f->options);
	pf_buf_fmt(out, "# Host:       %s  DaemonOpts: %s\n", f->host, f->daemon_options);
	pf_buf_fmt(out, "# Booted:     %.2f [", (double)f->boot_ns / 1e9);
	add_date(out, f->boot_ns, true);
	pf_buf_str(out, "]\n");
	pf_buf_fmt(out, "# Distro:     %s  Platform: %s\n", f->distro, f->platform);
	if (!f->without_date) {
		pf_buf_str(out, "# Date:       ");
		add_date(out, f->now_ns, false);
		pf_buf_fmt(out, "  Secs: %lld TZ: ", (long long)(f->now_ns / PF_NS_PER_SEC));
		add_zone(out, f->now_ns);
		pf_buf_char(out, '\n');
	}
	pf_buf_fmt(out, "# SubSys:     %s Options: %s Interval: %s NumCPUs: %u %s", f->subsys, f->format_letters,
		   f->interval, f->cpus, hyper ? "[HYPER]" : "");
	if (f->cpus_offline > 0)
		pf_buf_fmt(out, " CPUsDis: %u", f->cpus_offline);
	pf_buf_fmt(out, " NumBud: %u Flags: %s\n", f->n_buddy, f->flags);
	pf_buf_fmt(out, "# Filters:    NfsFilt: %s EnvFilt:  TcpFilt: %s\n", f->nfs_filter ? f->nfs_filter : "",
		   f->tcp_filter);
	pf_buf_fmt(out, "# HZ:         %d  Arch: %s PageSize: %d\n", f->hz, f->arch, f->page_size);
	pf_buf_fmt(out, "# Cpu:        %s Speed(MHz): %s Cores: %u  Siblings: %u Nodes: %u\n", f->cpu_vendor,
		   f->cpu_mhz, f->cores, f->siblings, f->nodes);
	pf_buf_fmt(out, "# Kernel:     %s  Memory: %llu kB  Swap: %llu kB\n", f->kernel,
		   (unsigned long long)f->memory_kb, (unsigned long long)f->swap_kb);
	pf_buf_fmt(out, "# NumDisks:   %u DiskNames: %s\n", f->n_disks, f->disks);
	pf_buf_fmt(out, "# NumNets:    %u NetNames: %s\n", f->n_nets, f->nets);
	if (f->n_slabs >= 0)
		pf_buf_fmt(out, "# NumSlabs:   %lld Version: 2.1\n", (long long)f->n_slabs);
	if (f->ports)
		pf_buf_fmt(out, "# IConnect:   NumHCAs: %u PortStates: %s IBVersion:  PQVersion: \n", f->n_hcas,
			   f->ports);
	pf_buf_str(out, f->extra);
	if (f->comment)
		pf_buf_fmt(out, "# Comment:    %s\n", f->comment);
	add_rule(out);
}

int pf_collectl_marker(struct pf_view line, int64_t *ret_time_ns)
{
	if (line.n < 3 || memcmp(line.p, ">>>", 3) != 0)
		return 0;
	struct pf_view rest = { line.p + 3, line.n - 3 };
	struct pf_view time, end;
	int64_t ns;
	if (pf_view_word(&rest, &time) < 0 || seconds_to_ns(time, &ns) < 0 || pf_view_word(&rest, &end) < 0 ||
	    !pf_view_is(end, "<<<"))
		return -EBADMSG;
	*ret_time_ns = ns;
	return 1;
}

void pf_collectl_marker_build(struct pf_buf *out, int64_t time_ns)
{
	pf_buf_fmt(out, ">>> %lld.%03lld <<<\n", (long long)(time_ns / PF_NS_PER_SEC),
		   (long long)(time_ns % PF_NS_PER_SEC / PF_NS_PER_MS));
}
