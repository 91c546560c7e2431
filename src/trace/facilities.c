/* trace/facilities.c - what tracing needs of this host, found out by trying. Sources: bpf(2), perf_event_open(2), capabilities(7),
 * kernel_lockdown(7). */
#include "trace/facilities.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "trace/bpf/load.h"
#include "trace/providers/tracefs.h"

struct out {
	pf_facility_fn *fn;
	void *arg;
};

static void say(const struct out *o, const char *name, bool works, const char *detail, const char *advice)
{
	o->fn(o->arg, name, works, detail, works ? "" : advice);
}

static void look_at_capabilities(const struct out *o)
{
	static const struct {
		const char *name;
		unsigned bit;
	} rows[] = { { "CAP_BPF", 39 }, { "CAP_PERFMON", 38 }, { "CAP_SYS_ADMIN", 21 } };
	uint64_t have = pf_capabilities();
	struct pf_buf missing = { 0 };
	bool admin = have >> 21 & 1;
	for (size_t i = 0; i < PF_N(rows); i++) {
		if (!admin && !(have >> rows[i].bit & 1))
			pf_buf_fmt(&missing, "%s%s", missing.n ? ", " : "missing: ", rows[i].name);
	}
	pf_buf_char(&missing, 0);
	/* CAP_SYS_ADMIN is needed for little beside a tracefs of our own. */
	bool enough = admin || ((have >> 39 & 1) && (have >> 38 & 1));
	say(o, "capabilities", enough, missing.n > 1 && missing.p ? missing.p : "all that is needed",
	    "run as root, or grant CAP_BPF and CAP_PERFMON");
	pf_buf_done(&missing);
}

/* look_at_bpf() - a map, a program, a run of it, an attachment. */
static void look_at_bpf(const struct out *o)
{
	static const struct bpf_insn nothing[] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K },
						   { .code = BPF_JMP | BPF_EXIT } };
	static const uint64_t args[12];
	struct pf_err err = { 0 };
	pf_autoclose int map = pf_bpf_map_new(BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0);
	pf_autoclose int ring = map < 0 ? map : pf_bpf_map_new(BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 16, 0);
	pf_autoclose int prog = ring < 0 ? ring : pf_bpf_load(BPF_PROG_TYPE_RAW_TRACEPOINT, nothing, 2, NULL, 0);
	int rc = prog < 0 ? prog : pf_bpf_fire(prog, args);
	if (rc < 0)
		(void)pf_refused(&err, rc, map < 0 ? "map" : ring < 0 ? "ring buffer (Linux 5.8)" : "program");
	say(o, "BPF", rc >= 0, rc >= 0 ? "programs and maps can be loaded" : err.text, "see the line of capabilities");
	pf_autoclose int link = prog < 0 ? prog : pf_bpf_raw_tracepoint(prog, "sched_process_exit");
	say(o, "raw tracepoints", link >= 0, link >= 0 ? "can be attached" : strerror(-link), "needs the line before");
}

static void look_at_tracefs(const struct out *o)
{
	struct pf_err err = { 0 };
	struct pf_trace *t = NULL;
	int fd = pf_trace_open(&t, NULL, &err);
	if (fd == 0)
		fd = pf_tracefs_open(t, &err);
	say(o, "tracefs", fd >= 0, fd >= 0 ? "tracepoints can be read" : err.text,
	    "mount -t tracefs tracefs /sys/kernel/tracing");
	(void)pf_trace_close(t);
}

static void look_at_perf(const struct out *o)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK,
					.sample_period = 1000000000,
					.disabled = 1 };
	pf_autoclose int fd = pf_perf_open(&attr, -1, 0);
	say(o, "perf events", fd >= 0, fd >= 0 ? "clocks and tracepoints with records" : strerror(-fd),
	    "grant CAP_PERFMON, or lower kernel.perf_event_paranoid");
}

static void look_at_symbols(const struct out *o)
{
	pf_autoclose int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	bool shown = false;
	for (ssize_t i = 0; i < n && text[i] != ' '; i++)
		shown |= text[i] != '0';
	/* The first may be at 0 by right (per-CPU data); any other will do. */
	for (ssize_t i = 1; i < n && !shown; i++)
		shown = text[i - 1] == '\n' && text[i] != '0';
	say(o, "kernel symbols", shown,
	    n < 0   ? "/proc/kallsyms cannot be read"
	    : shown ? "addresses are shown"
		    : "addresses are hidden",
	    "run as root, or set kernel.kptr_restrict to 0 or 1");
}

void pf_trace_facilities(pf_facility_fn *fn, void *arg)
{
	const struct out o = { fn, arg };
	look_at_capabilities(&o);
	look_at_bpf(&o);
	bool btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	say(&o, "BTF", btf, btf ? "types of the kernel are known" : "/sys/kernel/btf/vmlinux cannot be read",
	    "a kernel built with CONFIG_DEBUG_INFO_BTF; without it rawtp, curthread and kernel types are missing");
	look_at_tracefs(&o);
	bool locked = pf_locked_down();
	say(&o, "lockdown", !locked,
	    locked ? "confidentiality: programs may not read the kernel's memory" : "allows tracing",
	    "boot with lockdown=integrity or without");
	look_at_perf(&o);
	bool uprobes = access("/sys/bus/event_source/devices/uprobe/type", R_OK) == 0;
	say(&o, "uprobes", uprobes, uprobes ? "for probes in programs, which are to come" : "this kernel has none",
	    "a kernel built with CONFIG_UPROBE_EVENTS");
	look_at_symbols(&o);
}
