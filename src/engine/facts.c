/* engine/facts.c - read once when a raw file is made. Sources: /proc, /sys, /etc/os-release, /etc/debian_version. */
#include "engine/facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "engine/devices.h"
#include "engine/hardware.h"
#include "formats/collectl/header.h"
#include "groups/list.h"
#include "model/choice.h"
#include "model/remap.h"

enum { LIMIT = 16 << 20, WORD = PF_FACTS_DISTRO };

/* Version that readers of raw files compare with; behaviour of that release is what we write. */
static const char peer_version[] = "4.3.1-1";

/* The file's text, "" if it cannot be read. */
static struct pf_view slurp(int root_fd, const char *path, struct pf_buf *b)
{
	struct pf_err ignored = { 0 };
	if (pf_io_read_file(root_fd, path, LIMIT, b, &ignored) < 0)
		pf_buf_clear(b);
	return pf_buf_text(b);
}

static void copy_word(char to[WORD], struct pf_view v)
{
	size_t n = v.n < WORD ? v.n : WORD - 1;
	memcpy(to, v.p, n);
	to[n] = '\0';
}

/* What stands behind the first "KEY" and @sep on a line of its own, trimmed. */
static void value_of(struct pf_view text, const char *key, char sep, char to[WORD])
{
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		const char *at = memchr(line.p, sep, line.n);
		if (!at || !pf_view_is(pf_view_trim((struct pf_view){ line.p, (size_t)(at - line.p) }), key))
			continue;
		copy_word(to, pf_view_trim((struct pf_view){ at + 1, line.n - (size_t)(at + 1 - line.p) }));
		return;
	}
}

static uint64_t number_of(struct pf_view text, const char *key)
{
	char word[WORD] = "";
	value_of(text, key, ':', word);
	struct pf_view rest = pf_view_of(word);
	uint64_t v = 0;
	(void)pf_view_next_u64(&rest, &v); /* unknown: 0 */
	return v;
}

static void read_cpu(int root_fd, struct pf_buf *b, struct pf_collectl_facts *f, char vendor[WORD], char mhz[WORD])
{
	struct pf_view text = slurp(root_fd, "proc/cpuinfo", b);
	value_of(text, "vendor_id", ':', vendor);
	value_of(text, "cpu MHz", ':', mhz);
	f->cores = (unsigned)number_of(text, "cpu cores");
	f->siblings = (unsigned)number_of(text, "siblings");
}

static unsigned count_nodes(int root_fd)
{
	int fd = openat(root_fd, "sys/devices/system/node", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		if (fd >= 0)
			(void)close(fd); /* only read from */
		return 1;
	}
	unsigned n = 0;
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir))
		n += strncmp(e->d_name, "node", 4) == 0 && e->d_name[4] >= '0' && e->d_name[4] <= '9';
	(void)closedir(dir); /* only read from */
	return n ? n : 1;
}

/* "debian 12.11": the ID of os-release, and the exact version where Debian tells it. */
static void read_distro(int root_fd, struct pf_buf *b, char distro[WORD])
{
	char id[WORD] = "unknown";
	char version[WORD] = "";
	struct pf_view text = slurp(root_fd, "etc/os-release", b);
	value_of(text, "ID", '=', id);
	value_of(text, "VERSION_ID", '=', version);
	if (strcmp(id, "debian") == 0)
		copy_word(version, pf_view_trim(slurp(root_fd, "etc/debian_version", b)));
	(void)snprintf(distro, WORD, "%.60s %.60s", id, version);
}

void pf_facts_distro(int root_fd, char ret_distro[PF_FACTS_DISTRO])
{
	struct pf_buf b = { 0 };
	read_distro(root_fd, &b, ret_distro);
	pf_buf_done(&b);
}

/* Disks that are recorded, by the names that they get. */
static void read_disks(int root_fd, struct pf_buf *b, const struct pf_plan *plan, struct pf_collectl_facts *f,
		       struct pf_buf *names)
{
	const struct pf_line_filter lines = pf_plan_lines(plan);
	char buf[PF_REMAP_NAME_MAX];
	struct pf_view text = slurp(root_fd, "proc/diskstats", b);
	const struct pf_row *row = &pf_group_disk.rows[0];
	struct pf_view line, word;
	while (pf_view_line(&text, &line) == 0) {
		struct pf_view rest = line;
		if ((row->keep && !row->keep(&rest, &lines)) || pf_view_skip(&rest, 2) < 2 ||
		    pf_view_word(&rest, &word) < 0)
			continue;
		if (names->n > 0)
			pf_buf_char(names, ' ');
		pf_buf_view(names, pf_remap_name(plan->remap, word, buf));
		f->n_disks++;
	}
}

static void read_nets(int root_fd, struct pf_buf *b, const struct pf_plan *plan, struct pf_collectl_facts *f,
		      struct pf_buf *names)
{
	struct pf_view text = slurp(root_fd, "proc/net/dev", b);
	struct pf_buf speed = { 0 };
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		const char *colon = memchr(line.p, ':', line.n);
		if (!colon || (plan->net_lines && !pf_choice_takes(plan->net_lines, line, true)))
			continue;
		struct pf_view name = pf_view_trim((struct pf_view){ line.p, (size_t)(colon - line.p) });
		char path[WORD];
		(void)snprintf(path, sizeof(path), "sys/class/net/%.*s/speed", (int)(name.n < 64 ? name.n : 64),
			       name.p);
		struct pf_view mbit = pf_view_trim(slurp(root_fd, path, &speed));
		if (names->n > 0)
			pf_buf_char(names, ' ');
		pf_buf_view(names, name);
		pf_buf_char(names, ':');
		pf_buf_view(names, mbit.n ? mbit : PF_VIEW("??"));
		f->n_nets++;
	}
	pf_buf_done(&speed);
}

/* Lines of free memory, which readers count on where they are recorded. */
static unsigned count_zones(int root_fd, struct pf_buf *b, const char *letters)
{
	struct pf_view line, text = slurp(root_fd, "proc/buddyinfo", b);
	unsigned n = 0;
	while (strpbrk(letters, "bB") && pf_view_line(&text, &line) == 0)
		n++;
	return n;
}

static int64_t boot_time(int root_fd, struct pf_buf *b, int64_t now_ns)
{
	struct pf_view text = slurp(root_fd, "proc/uptime", b);
	struct pf_view word;
	double up = 0;
	if (pf_view_word(&text, &word) < 0 || pf_view_double(word, &up) < 0)
		return now_ns;
	return now_ns - (int64_t)(up * 1e9);
}

/* i: processes have I/O counters; x: context switches; 2: processes and slabs are in a file of their own; D: a CPU is offline; X: InfiniBand
 * from /sys. */
static void flags_of(const struct pf_plan *plan, const char *letters, bool offline, bool ports, char ret_flags[WORD])
{
	bool processes = strchr(plan->req->two_raw ? plan->letters : letters, 'Z') != NULL;
	(void)snprintf(ret_flags, WORD, "%si%s%s%s", plan->req->two_raw ? "2" : "", processes ? "x" : "",
		       offline ? "D" : "", ports ? "X" : "");
}

static int64_t count_slabs(int root_fd, struct pf_buf *b)
{
	struct pf_view text = slurp(root_fd, "proc/slabinfo", b);
	struct pf_view line;
	int64_t n = 0;
	while (pf_view_line(&text, &line) == 0)
		n++;
	return n > 2 ? n - 2 : 0; /* two lines of headings */
}

int64_t pf_facts_boot(int root_fd)
{
	struct pf_buf b = { 0 };
	int64_t boot = boot_time(root_fd, &b, pf_time_wall_ns());
	pf_buf_done(&b);
	return boot;
}

int pf_facts_header(struct pf_buf *out, const struct pf_plan *plan, int root_fd, const char *host, const char *letters,
		    const char *extra, int64_t now_ns)
{
	struct pf_buf b = { 0 }, disks = { 0 }, nets = { 0 };
	char vendor[WORD] = "unknown", mhz[WORD] = "0", distro[WORD], kernel[WORD], arch[WORD], flags[WORD];
	struct utsname uts = { 0 };
	(void)uname(&uts); /* cannot fail for a good pointer */
	long hz = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);
	struct pf_interconnect ic = { 0 };
	bool ports = strpbrk(letters, "xX") != NULL;
	if (ports)
		pf_hardware_interconnect(root_fd, &ic);
	int64_t now = now_ns ? now_ns : pf_time_wall_ns();

	struct pf_collectl_facts f = {
		.version = peer_version,
		.options = plan->req->command_line ? plan->req->command_line : "",
		.format_letters = plan->req->options ? plan->req->options : "",
		.host = host,
		.daemon_options = plan->req->daemon_options ? plan->req->daemon_options : "",
		.distro = distro,
		.platform = "Unknown",
		.subsys = letters,
		.interval = plan->header_interval,
		.flags = flags,
		.n_slabs = strpbrk(letters, "yY") ? count_slabs(root_fd, &b) : -1,
		.tcp_filter = plan->tcp_given ? plan->req->tcp_filter : "ituc",
		.nfs_filter = plan->nfs_given ? plan->req->nfs_filter : "",
		.arch = arch,
		.cpu_vendor = vendor,
		.cpu_mhz = mhz,
		.kernel = kernel,
		.ports = ports ? ic.states : NULL,
		.n_hcas = ic.n_hcas,
		.extra = extra,
		.comment = plan->req->comment,
		.boot_ns = boot_time(root_fd, &b, now),
		.now_ns = now,
		.nodes = count_nodes(root_fd),
		.hz = hz > 0 ? (int)hz : 100,
		.page_size = page > 0 ? (int)page : 4096,
		.without_date = now_ns == 0,
	};
	read_cpu(root_fd, &b, &f, vendor, mhz);
	struct pf_cpus cpus = pf_devices_cpus(root_fd);
	f.cpus = cpus.all;
	f.cpus_offline = cpus.offline;
	flags_of(plan, letters, cpus.offline > 0, ports, flags);
	f.n_buddy = count_zones(root_fd, &b, letters);
	read_distro(root_fd, &b, distro);
	read_disks(root_fd, &b, plan, &f, &disks);
	read_nets(root_fd, &b, plan, &f, &nets);
	copy_word(kernel, pf_view_trim(slurp(root_fd, "proc/sys/kernel/osrelease", &b)));
	(void)snprintf(arch, sizeof(arch), "%s-linux-gnu", uts.machine);
	struct pf_view memory = slurp(root_fd, "proc/meminfo", &b);
	f.memory_kb = number_of(memory, "MemTotal");
	f.swap_kb = number_of(memory, "SwapTotal");
	f.disks = pf_buf_text(&disks).p;
	f.nets = pf_buf_text(&nets).p;
	pf_collectl_header_build(out, &f);
	int failed = b.failed ? b.failed : disks.failed ? disks.failed : nets.failed ? nets.failed : out->failed;
	pf_buf_done(&b);
	pf_buf_done(&disks);
	pf_buf_done(&nets);
	return failed;
}

int pf_facts_links(struct pf_buf *out, const struct pf_plan *plan, int root_fd)
{
	struct pf_collectl_facts f = { 0 };
	struct pf_buf b = { 0 }, nets = { 0 };
	read_nets(root_fd, &b, plan, &f, &nets);
	pf_buf_str(out, "# NumNets: NetNames: ");
	pf_buf_view(out, pf_buf_text(&nets));
	pf_buf_char(out, '\n');
	pf_buf_done(&b);
	pf_buf_done(&nets);
	return out->failed;
}
