/* groups/process.c - processes. Sources: /proc/PID/stat, status, cmdline, io, proc(5); metrics: PCP 6.0.3. Read at the second interval.
 *
 * A process is its number and its start time together: a number that is used again is another process. Names and command lines are
 * whatever somebody chose; they are kept as they are, and views and formats make them harmless. Threads are instances like processes, since
 * both take their numbers from one source; they have another number of their thread group than of their own. */
#include "groups/process.h"

#include "groups/list.h"
#include "groups/scan.h"

#include "base/cleanup.h"

/* Milliseconds of a jiffy of /proc (USER_HZ is 100 wherever there is a /proc). */
enum { TICK_MS = 10 };
enum { INSTANCE_SIZE = 96, NUMBER_SIZE = 12 };

#define PROC(cluster, item) PF_PMID(PF_DOMAIN_PROC, cluster, item), PF_INDOM(PF_DOMAIN_PROC, 9)

/* clang-format off */
#define COUNT(type) PF_##type, PF_COUNTER, PF_UNITS_COUNT
#define BYTES PF_U64, PF_COUNTER, PF_UNITS_BYTE
#define TIME PF_U64, PF_COUNTER, PF_UNITS_MSEC
#define KBYTES(type) PF_##type, PF_INSTANT, PF_UNITS_KBYTE
#define KIND(type, sem) PF_##type, PF_##sem, PF_UNITS_NONE

static const struct pf_metric metrics[PROC_METRICS] = {
	[PROC_PID] = { "proc.psinfo.pid", PROC(8, 0), KIND(U32, DISCRETE), "number of the process" },
	[PROC_CMD] = { "proc.psinfo.cmd", PROC(8, 1), KIND(STRING, DISCRETE), "name of the process" },
	[PROC_STATE] = { "proc.psinfo.sname", PROC(8, 2), KIND(STRING, INSTANT), "state: one letter of ps(1)" },
	[PROC_PPID] = { "proc.psinfo.ppid", PROC(8, 3), KIND(U32, DISCRETE), "number of the parent" },
	[PROC_MINFLT] = { "proc.psinfo.minflt", PROC(8, 9), COUNT(U32), "page faults without a read" },
	[PROC_CMINFLT] = { "proc.psinfo.cmin_flt", PROC(8, 10), COUNT(U32), "the same of children that ended" },
	[PROC_MAJFLT] = { "proc.psinfo.maj_flt", PROC(8, 11), COUNT(U32), "page faults that had to read" },
	[PROC_CMAJFLT] = { "proc.psinfo.cmaj_flt", PROC(8, 12), COUNT(U32), "the same of children that ended" },
	[PROC_UTIME] = { "proc.psinfo.utime", PROC(8, 13), TIME, "user CPU time" },
	[PROC_STIME] = { "proc.psinfo.stime", PROC(8, 14), TIME, "system CPU time" },
	[PROC_CUTIME] = { "proc.psinfo.cutime", PROC(8, 15), TIME, "user CPU time of children that ended" },
	[PROC_CSTIME] = { "proc.psinfo.cstime", PROC(8, 16), TIME, "system CPU time of children that ended" },
	[PROC_PRIORITY] = { "proc.psinfo.priority", PROC(8, 17), KIND(S32, INSTANT), "priority" },
	[PROC_NICE] = { "proc.psinfo.nice", PROC(8, 18), KIND(S32, INSTANT), "nice value" },
	[PROC_START] = { "proc.psinfo.start_time", PROC(8, 21), PF_U64, PF_DISCRETE, PF_UNITS_MSEC, "start, after boot" },
	[PROC_VSIZE] = { "proc.psinfo.vsize", PROC(8, 22), KBYTES(U64), "virtual memory" },
	[PROC_RSS] = { "proc.psinfo.rss", PROC(8, 23), KBYTES(U64), "memory in use" },
	[PROC_CPU] = { "proc.psinfo.processor", PROC(8, 38), KIND(U32, INSTANT), "CPU it ran on last" },
	[PROC_ARGS] = { "proc.psinfo.psargs", PROC(8, 41), KIND(STRING, DISCRETE), "command line" },
	[PROC_THREADS] = { "proc.psinfo.threads", PROC(24, 28), KIND(U32, INSTANT), "threads" },
	[PROC_TGID] = { "proc.psinfo.tgid", PROC(24, 41), KIND(U32, DISCRETE), "thread group" },
	[PROC_UID] = { "proc.id.uid", PROC(24, 0), KIND(U32, DISCRETE), "real user" },
	[PROC_VM_PEAK] = { "proc.memory.vmpeak", PROC(24, 33), KBYTES(U32), "most virtual memory so far" },
	[PROC_VM_SIZE] = { "proc.memory.vmsize", PROC(24, 20), KBYTES(U32), "virtual memory" },
	[PROC_VM_LOCK] = { "proc.memory.vmlock", PROC(24, 21), KBYTES(U32), "locked memory" },
	[PROC_VM_PIN] = { "proc.memory.vmpin", PROC(24, 34), KBYTES(U32), "pinned memory" },
	[PROC_VM_HWM] = { "proc.memory.vmhwm", PROC(24, 35), KBYTES(U32), "most memory in use so far" },
	[PROC_VM_RSS] = { "proc.memory.vmrss", PROC(24, 22), KBYTES(U32), "memory in use" },
	[PROC_VM_DATA] = { "proc.memory.vmdata", PROC(24, 23), KBYTES(U32), "data" },
	[PROC_VM_STACK] = { "proc.memory.vmstack", PROC(24, 24), KBYTES(U32), "stack" },
	[PROC_VM_EXE] = { "proc.memory.vmexe", PROC(24, 25), KBYTES(U32), "text" },
	[PROC_VM_LIB] = { "proc.memory.vmlib", PROC(24, 26), KBYTES(U32), "libraries" },
	[PROC_VM_PTE] = { "proc.memory.vmpte", PROC(24, 36), KBYTES(U32), "page tables" },
	[PROC_VM_SWAP] = { "proc.memory.vmswap", PROC(24, 27), KBYTES(U32), "swapped out" },
	[PROC_VOLUNTARY] = { "proc.psinfo.vctxsw", PROC(24, 29), KIND(U32, INSTANT), "context switches to wait" },
	[PROC_INVOLUNTARY] = { "proc.psinfo.nvctxsw", PROC(24, 30), KIND(U32, INSTANT), "context switches by others" },
	[PROC_RCHAR] = { "proc.io.rchar", PROC(32, 0), BYTES, "bytes read by calls" },
	[PROC_WCHAR] = { "proc.io.wchar", PROC(32, 1), BYTES, "bytes written by calls" },
	[PROC_READS] = { "proc.io.syscr", PROC(32, 2), COUNT(U64), "calls that read" },
	[PROC_WRITES] = { "proc.io.syscw", PROC(32, 3), COUNT(U64), "calls that write" },
	[PROC_READ_BYTES] = { "proc.io.read_bytes", PROC(32, 4), BYTES, "bytes read from storage" },
	[PROC_WRITE_BYTES] = { "proc.io.write_bytes", PROC(32, 5), BYTES, "bytes meant for storage" },
	[PROC_CANCELLED] = { "proc.io.cancelled_write_bytes", PROC(32, 6), BYTES, "bytes that never had to be written" },
};
/* clang-format on */

static struct pf_indom *domain_of(const struct pf_builder *b)
{
	return pf_catalog_domain_of(b->catalog, b->base);
}

/* "000123 name": how PCP names processes; the number alone tells them apart. */
static struct pf_view instance_name(char text[INSTANCE_SIZE], int32_t pid, struct pf_view comm)
{
	char digits[NUMBER_SIZE];
	unsigned n = 0;
	for (uint32_t v = (uint32_t)pid; v > 0 || n < 6; v /= 10)
		digits[n++] = (char)('0' + v % 10);
	for (unsigned i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	text[n++] = ' ';
	size_t room = INSTANCE_SIZE - n;
	size_t take = comm.n < room ? comm.n : room;
	memcpy(text + n, comm.p, take);
	return (struct pf_view){ text, n + take };
}

/* Words behind the name, from the parent's number on (field 4 of proc(5)). */
static const struct {
	uint8_t field;
	uint8_t metric;
	uint8_t times;
	uint16_t per; /* divided by */
} fields[] = {
	{ 4, PROC_PPID, 1, 1 },		{ 10, PROC_MINFLT, 1, 1 },	 { 11, PROC_CMINFLT, 1, 1 },
	{ 12, PROC_MAJFLT, 1, 1 },	{ 13, PROC_CMAJFLT, 1, 1 },	 { 14, PROC_UTIME, TICK_MS, 1 },
	{ 15, PROC_STIME, TICK_MS, 1 }, { 16, PROC_CUTIME, TICK_MS, 1 }, { 17, PROC_CSTIME, TICK_MS, 1 },
	{ 18, PROC_PRIORITY, 1, 1 },	{ 19, PROC_NICE, 1, 1 },	 { 20, PROC_THREADS, 1, 1 },
	{ 22, PROC_START, TICK_MS, 1 }, { 23, PROC_VSIZE, 1, 1024 },	 { 39, PROC_CPU, 1, 1 },
};
enum { FIELD_PPID = 4, FIELD_START = 22, FIELD_RSS = 24, FIELD_CPU = 39, N_FIELDS = FIELD_CPU + 1 };

/* Fields as numbers; negative ones as two's complement. Return: number of the last one that is there. */
static unsigned read_fields(struct pf_scan *s, uint64_t v[N_FIELDS], uint64_t *ret_wrong)
{
	*ret_wrong = 0;
	for (unsigned f = FIELD_PPID; f < N_FIELDS; f++) {
		pf_scan_blanks(s);
		bool negative = s->p < s->end && *s->p == '-';
		s->p += negative;
		enum pf_scan_result rc = pf_scan_u64(s, &v[f]);
		if (rc == PF_SCAN_NONE)
			return f - 1;
		if (rc == PF_SCAN_WRONG)
			*ret_wrong |= UINT64_C(1) << f;
		else if (negative)
			v[f] = 0 - v[f];
	}
	return N_FIELDS - 1;
}

static void set_fields(struct pf_builder *b, unsigned slot, const uint64_t v[N_FIELDS], unsigned last, uint64_t wrong)
{
	for (unsigned i = 0; i < PF_N(fields); i++) {
		unsigned f = fields[i].field;
		if (f > last)
			return;
		if (wrong >> f & 1)
			pf_builder_fail(b);
		else
			pf_builder_u64(b, fields[i].metric, slot, v[f] * fields[i].times / fields[i].per);
	}
}

/* The name may hold anything, parentheses and newlines too: it ends at the last ')'. */
static void parse_stat(struct pf_view text, struct pf_builder *b)
{
	struct pf_indom *dom = domain_of(b);
	const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;
	const char *close = text.n ? memrchr(text.p, ')', text.n) : NULL;
	if (!dom || !open || !close || close < open) {
		pf_builder_fail(b);
		return;
	}
	struct pf_view comm = { open + 1, (size_t)(close - open - 1) };
	size_t left = text.n - (size_t)(close + 1 - text.p);
	const char *end = left ? memchr(close, '\n', left + 1) : NULL;
	struct pf_scan s = { close + 1, end ? end : text.p + text.n };
	struct pf_view state = pf_scan_word(&s);

	uint64_t v[N_FIELDS] = { 0 };
	uint64_t wrong;
	unsigned last = read_fields(&s, v, &wrong);
	if (state.n == 0 || last < FIELD_START || (wrong >> FIELD_START & 1)) {
		pf_builder_fail(b);
		return;
	}
	char name[INSTANCE_SIZE];
	int slot =
		pf_indom_numbered(dom, b->owner, v[FIELD_START], instance_name(name, b->owner, comm), b->sample->seq);
	if (slot < 0) {
		b->oom = slot;
		return;
	}
	pf_builder_u64(b, PROC_PID, (unsigned)slot, (uint64_t)b->owner);
	pf_builder_str(b, PROC_CMD, (unsigned)slot, comm);
	pf_builder_str(b, PROC_STATE, (unsigned)slot, (struct pf_view){ state.p, 1 });
	set_fields(b, (unsigned)slot, v, last, wrong);
	if (last >= FIELD_RSS && !(wrong >> FIELD_RSS & 1))
		pf_builder_u64(b, PROC_RSS, (unsigned)slot, v[FIELD_RSS] * (uint64_t)b->page_size / 1024);
}

/* The slot that the stat of the same process was put into; -1: it is not there, so nothing else of it is of use. */
static int slot_of(const struct pf_builder *b)
{
	struct pf_indom *dom = domain_of(b);
	return dom ? pf_indom_find_numbered(dom, b->owner, b->sample->seq) : -1;
}

static const struct {
	struct pf_view key;
	unsigned metric;
} keys[] = {
	{ { "Tgid:", 5 }, PROC_TGID },
	{ { "Uid:", 4 }, PROC_UID },
	{ { "VmPeak:", 7 }, PROC_VM_PEAK },
	{ { "VmSize:", 7 }, PROC_VM_SIZE },
	{ { "VmLck:", 6 }, PROC_VM_LOCK },
	{ { "VmPin:", 6 }, PROC_VM_PIN },
	{ { "VmHWM:", 6 }, PROC_VM_HWM },
	{ { "VmRSS:", 6 }, PROC_VM_RSS },
	{ { "VmData:", 7 }, PROC_VM_DATA },
	{ { "VmStk:", 6 }, PROC_VM_STACK },
	{ { "VmExe:", 6 }, PROC_VM_EXE },
	{ { "VmLib:", 6 }, PROC_VM_LIB },
	{ { "VmPTE:", 6 }, PROC_VM_PTE },
	{ { "VmSwap:", 7 }, PROC_VM_SWAP },
	{ { "voluntary_ctxt_switches:", 24 }, PROC_VOLUNTARY },
	{ { "nonvoluntary_ctxt_switches:", 27 }, PROC_INVOLUNTARY },
	{ { "rchar:", 6 }, PROC_RCHAR },
	{ { "wchar:", 6 }, PROC_WCHAR },
	{ { "syscr:", 6 }, PROC_READS },
	{ { "syscw:", 6 }, PROC_WRITES },
	{ { "read_bytes:", 11 }, PROC_READ_BYTES },
	{ { "write_bytes:", 12 }, PROC_WRITE_BYTES },
	{ { "cancelled_write_bytes:", 22 }, PROC_CANCELLED },
};

/* Keys come in the order of the table, so the search goes on behind the last one found. */
static int find_key(struct pf_view word, unsigned *hint)
{
	for (unsigned i = 0; i < PF_N(keys); i++) {
		unsigned at = (*hint + i) % PF_N(keys);
		if (keys[at].key.n == word.n && memcmp(keys[at].key.p, word.p, word.n) == 0) {
			*hint = at + 1;
			return (int)at;
		}
	}
	return -1;
}

/* Is it a line that is read? The first letters keep most of the others away. */
static bool is_wanted(const struct pf_scan *line)
{
	static const char firsts[] = { 'T', 'U', 'V', 'v', 'n', 'r', 's', 'w', 'c' };
	return line->p < line->end && memchr(firsts, *line->p, sizeof(firsts)) != NULL;
}

static void parse_keys(struct pf_view text, struct pf_builder *b)
{
	int slot = slot_of(b);
	struct pf_scan rest = { text.p, text.p + text.n };
	struct pf_scan line;
	unsigned hint = 0;
	while (slot >= 0 && pf_scan_line(&rest, &line)) {
		if (!is_wanted(&line))
			continue;
		int key = find_key(pf_scan_word(&line), &hint);
		if (key >= 0)
			(void)pf_scan_value(&line, b, keys[key].metric, (unsigned)slot);
	}
}

/* Arguments are separated by NUL, in a raw file by blanks. */
static void parse_command(struct pf_view text, struct pf_builder *b)
{
	int slot = slot_of(b);
	if (slot >= 0 && text.n > 0 && text.p[0] != '\0')
		pf_builder_words(b, PROC_ARGS, (unsigned)slot, text);
}

static bool keep_status(struct pf_view *line, const struct pf_line_filter *filter)
{
	(void)filter;
	struct pf_scan s = { line->p, line->p + line->n };
	unsigned hint = 0;
	return is_wanted(&s) && find_key(pf_scan_word(&s), &hint) >= 0;
}

#define OF_EACH(file)	.path = "proc/[0-9]*/" file, .tag = "proc:*"
#define OF_THREAD(file) .path = "proc/[0-9]*/task/[0-9]*/" file, .tag = "procT:*", .needs = PF_WITH_THREADS

static const struct pf_row rows[] = {
	{ OF_EACH("stat"), .kind = "stat", .one_line = true, .parse = parse_stat },
	{ OF_EACH("status"), .kind = "", .keep = keep_status, .parse = parse_keys },
	{ OF_EACH("cmdline"), .kind = "cmd", .one_line = true, .parse = parse_command },
	{ OF_EACH("io"), .kind = "io", .parse = parse_keys },
	{ OF_THREAD("stat"), .kind = "stat", .one_line = true, .parse = parse_stat },
	{ OF_THREAD("status"), .kind = "", .keep = keep_status, .parse = parse_keys },
	{ OF_THREAD("io"), .kind = "io", .parse = parse_keys },
};

const struct pf_group pf_group_process = {
	.letters = "Z",
	.name = "processes",
	.plot_file = "prc",
	.what = "processes, at the second interval",
	.metrics = metrics,
	.n_metrics = PROC_METRICS,
	.rows = rows,
	.n_rows = PF_N(rows),
	.layouts = pf_process_layouts,
	.n_layouts = PF_PROCESS_LAYOUTS,
	.sort_keys = pf_process_sort,
	.n_sort_keys = PF_PROCESS_SORT,
	.reset = PF_RESET_WRAP32,
	.period = PF_SECOND_INTERVAL,
	.from_zero = true,
};
