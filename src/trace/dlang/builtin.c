/* trace/dlang/builtin.c - tables of built-in variables, subroutines, actions and aggregating functions, sorted by name. */
#include "trace/dlang/front.h"

/* clang-format off */
const struct pf_dbuiltin pf_dbuiltins[] = {
	{ "arg0", PF_DB_ARG0, "int64_t", false, "first raw argument of the probe" },
	{ "arg1", PF_DB_ARG1, "int64_t", false, "second raw argument" },
	{ "arg2", PF_DB_ARG2, "int64_t", false, "third raw argument" },
	{ "arg3", PF_DB_ARG3, "int64_t", false, "fourth raw argument" },
	{ "arg4", PF_DB_ARG4, "int64_t", false, "fifth raw argument" },
	{ "arg5", PF_DB_ARG5, "int64_t", false, "sixth raw argument" },
	{ "arg6", PF_DB_ARG6, "int64_t", false, "seventh raw argument" },
	{ "arg7", PF_DB_ARG7, "int64_t", false, "eighth raw argument" },
	{ "arg8", PF_DB_ARG8, "int64_t", false, "ninth raw argument" },
	{ "arg9", PF_DB_ARG9, "int64_t", false, "tenth raw argument" },
	{ "args", PF_DB_ARGS, "int64_t", true, "typed arguments of the probe" },
	{ "caller", PF_DB_CALLER, "uintptr_t", false, "return address of the current kernel function" },
	{ "cgroup", PF_DB_CGROUP, "uint64_t", false, "id of the current cgroup" },
	{ "chip", PF_DB_CHIP, "chipid_t", false, "physical package of the CPU" },
	{ "comm_id", PF_DB_COMM_ID, "uint64_t", false, "id of the current cgroup's command group" },
	{ "cpu", PF_DB_CPU, "processorid_t", false, "number of the CPU" },
	{ "curcpu", PF_DB_CURCPU, "cpuinfo_t *", false, "the CPU" },
	{ "curthread", PF_DB_CURTHREAD, "struct task_struct *", false, "the current task" },
	{ "cwd", PF_DB_CWD, "string", false, "working directory of the current process" },
	{ "epid", PF_DB_EPID, "uint64_t", false, "number of the enabled probe" },
	{ "errno", PF_DB_ERRNO, "int", false, "error of the system call that returns" },
	{ "execname", PF_DB_EXECNAME, "string", false, "name of the current thread" },
	{ "gid", PF_DB_GID, "gid_t", false, "real group id" },
	{ "id", PF_DB_ID, "uint_t", false, "number of the probe" },
	{ "ipl", PF_DB_IPL, "uint_t", false, "1 in interrupt context" },
	{ "lgrp", PF_DB_LGRP, "lgrp_id_t", false, "NUMA node of the CPU" },
	{ "pid", PF_DB_PID, "pid_t", false, "process id" },
	{ "ppid", PF_DB_PPID, "pid_t", false, "process id of the parent" },
	{ "probefunc", PF_DB_PROBEFUNC, "string", false, "function of the probe" },
	{ "probemod", PF_DB_PROBEMOD, "string", false, "module of the probe" },
	{ "probename", PF_DB_PROBENAME, "string", false, "name of the probe" },
	{ "probeprov", PF_DB_PROBEPROV, "string", false, "provider of the probe" },
	{ "pset", PF_DB_PSET, "psetid_t", false, "processor set of the CPU" },
	{ "root", PF_DB_ROOT, "string", false, "root directory of the current process" },
	{ "stackdepth", PF_DB_STACKDEPTH, "uint32_t", false, "frames of the kernel stack" },
	{ "tid", PF_DB_TID, "id_t", false, "thread id" },
	{ "timestamp", PF_DB_TIMESTAMP, "uint64_t", false, "nanoseconds, monotonic" },
	{ "ucaller", PF_DB_UCALLER, "uint64_t", false, "return address of the current user function" },
	{ "uid", PF_DB_UID, "uid_t", false, "real user id" },
	{ "uregs", PF_DB_UREGS, "uint64_t", true, "saved user registers" },
	{ "ustackdepth", PF_DB_USTACKDEPTH, "uint32_t", false, "frames of the user stack" },
	{ "vtimestamp", PF_DB_VTIMESTAMP, "uint64_t", false, "nanoseconds the thread has run" },
	{ "walltimestamp", PF_DB_WALLTIMESTAMP, "int64_t", false, "nanoseconds since 1970" },
};

enum {
	REC = PF_DFF_RECORDS,
	DES = PF_DFF_DESTRUCTIVE,
	KEY = PF_DFF_KEY,
	ALL = PF_DFF_ALLOCA,
	FMT = PF_DFF_FORMAT,
	CON = PF_DFF_CONSUMER,
};

#define SUB(name, id, flags, result, params, help) { name, id, PF_DFK_SUBROUTINE, flags, result, params, NULL, help }
#define ACT(name, id, flags, params, help) { name, id, PF_DFK_ACTION, flags, "", params, NULL, help }
#define AGG(name, id, params, help) { name, id, PF_DFK_AGGREGATION, 0, "", params, NULL, help }
#define NOT(name, id, kind, params) { name, id, kind, 0, "", params, "is not supported on this platform", "not on Linux" }

const struct pf_dfunc pf_dfuncs[] = {
	SUB("alloca", PF_DF_ALLOCA, ALL, "void *", "i", "zeroed scratch memory for this clause"),
	AGG("avg", PF_DF_AVG, "i", "mean"),
	SUB("basename", PF_DF_BASENAME, 0, "string", "s", "last part of a path"),
	SUB("bcopy", PF_DF_BCOPY, 0, "", "pai", "copy memory into scratch"),
	NOT("breakpoint", PF_DF_BREAKPOINT, PF_DFK_ACTION, ""),
	ACT("chill", PF_DF_CHILL, DES, "i", "busy wait of nanoseconds"),
	SUB("cleanpath", PF_DF_CLEANPATH, 0, "string", "s", "path without //, . and .."),
	ACT("clear", PF_DF_CLEAR, REC | CON, "@", "zero the values of an aggregation"),
	ACT("commit", PF_DF_COMMIT, 0, "i", "put a speculation into the output"),
	SUB("copyin", PF_DF_COPYIN, ALL, "void *", "pi", "user memory into scratch"),
	SUB("copyinstr", PF_DF_COPYINSTR, 0, "string", "p[i", "string of user memory"),
	SUB("copyinto", PF_DF_COPYINTO, 0, "", "pia", "user memory into given scratch"),
	SUB("copyout", PF_DF_COPYOUT, DES, "", "ppi", "write user memory"),
	SUB("copyoutstr", PF_DF_COPYOUTSTR, DES, "", "spi", "write a string to user memory"),
	AGG("count", PF_DF_COUNT, "", "number of calls"),
	SUB("d_path", PF_DF_D_PATH, 0, "string", "p", "full path of a struct path"),
	NOT("ddi_pathname", PF_DF_DDI_PATHNAME, PF_DFK_SUBROUTINE, "pi"),
	ACT("denormalize", PF_DF_DENORMALIZE, REC | CON, "@", "undo normalize()"),
	SUB("dirname", PF_DF_DIRNAME, 0, "string", "s", "path without its last part"),
	ACT("discard", PF_DF_DISCARD, 0, "i", "drop a speculation"),
	ACT("exit", PF_DF_EXIT, REC, "i", "stop tracing"),
	ACT("freopen", PF_DF_FREOPEN, REC | DES | FMT | CON, "f+", "following output to that file"),
	ACT("ftruncate", PF_DF_FTRUNCATE, REC | CON, "", "truncate the output file"),
	ACT("func", PF_DF_FUNC, REC | KEY, "p", "kernel function of an address"),
	SUB("getmajor", PF_DF_GETMAJOR, 0, "dev_t", "i", "major number of a device"),
	SUB("getminor", PF_DF_GETMINOR, 0, "dev_t", "i", "minor number of a device"),
	SUB("htonl", PF_DF_HTONL, 0, "uint32_t", "i", "to network byte order"),
	SUB("htonll", PF_DF_HTONLL, 0, "uint64_t", "i", "to network byte order"),
	SUB("htons", PF_DF_HTONS, 0, "uint16_t", "i", "to network byte order"),
	SUB("index", PF_DF_INDEX, 0, "int", "ss[i", "offset of a string in a string, or -1"),
	SUB("inet_ntoa", PF_DF_INET_NTOA, 0, "string", "p", "IPv4 address as text"),
	SUB("inet_ntoa6", PF_DF_INET_NTOA6, 0, "string", "p[i", "IPv6 address as text"),
	SUB("inet_ntop", PF_DF_INET_NTOP, 0, "string", "ip", "IPv4 or IPv6 address as text"),
	SUB("json", PF_DF_JSON, 0, "string", "ss", "value at a path in JSON text"),
	ACT("jstack", PF_DF_JSTACK, REC | KEY, "[ii", "user stack"),
	SUB("link_ntop", PF_DF_LINK_NTOP, 0, "string", "ip", "link layer address as text"),
	AGG("llquantize", PF_DF_LLQUANTIZE, "iiiii[i", "log-linear distribution"),
	SUB("lltostr", PF_DF_LLTOSTR, 0, "string", "i[i", "number as text"),
	AGG("lquantize", PF_DF_LQUANTIZE, "iii[ii", "linear distribution"),
	AGG("max", PF_DF_MAX, "i", "largest value"),
	AGG("min", PF_DF_MIN, "i", "smallest value"),
	ACT("mod", PF_DF_MOD, REC | KEY, "p", "module of an address"),
	NOT("msgdsize", PF_DF_MSGDSIZE, PF_DFK_SUBROUTINE, "p"),
	NOT("msgsize", PF_DF_MSGSIZE, PF_DFK_SUBROUTINE, "p"),
	SUB("mutex_owned", PF_DF_MUTEX_OWNED, 0, "int", "p", "is the mutex held by this thread"),
	SUB("mutex_owner", PF_DF_MUTEX_OWNER, 0, "struct task_struct *", "p", "holder of a mutex"),
	SUB("mutex_type_adaptive", PF_DF_MUTEX_TYPE_ADAPTIVE, 0, "int", "p", "1: Linux mutexes are"),
	SUB("mutex_type_spin", PF_DF_MUTEX_TYPE_SPIN, 0, "int", "p", "0: Linux mutexes are not"),
	ACT("normalize", PF_DF_NORMALIZE, REC | CON, "@i", "divide the printed values"),
	SUB("ntohl", PF_DF_NTOHL, 0, "uint32_t", "i", "from network byte order"),
	SUB("ntohll", PF_DF_NTOHLL, 0, "uint64_t", "i", "from network byte order"),
	SUB("ntohs", PF_DF_NTOHS, 0, "uint16_t", "i", "from network byte order"),
	NOT("panic", PF_DF_PANIC, PF_DFK_ACTION, ""),
	ACT("pcap", PF_DF_PCAP, REC, "pi", "capture a packet"),
	ACT("print", PF_DF_PRINT, REC, "P", "a typed object with its members"),
	ACT("printa", PF_DF_PRINTA, REC | CON, "", "print aggregations"),
	ACT("printf", PF_DF_PRINTF, REC | FMT, "f+", "formatted text"),
	SUB("progenyof", PF_DF_PROGENYOF, 0, "int", "i", "descends the process from that one"),
	AGG("quantize", PF_DF_QUANTIZE, "i[i", "power-of-two distribution"),
	ACT("raise", PF_DF_RAISE, DES, "i", "signal to the current process"),
	SUB("rand", PF_DF_RAND, 0, "int", "", "31 random bits"),
	SUB("rindex", PF_DF_RINDEX, 0, "int", "ss[i", "last offset of a string in a string, or -1"),
	SUB("rw_iswriter", PF_DF_RW_ISWRITER, 0, "int", "p", "is the lock held by a writer"),
	SUB("rw_read_held", PF_DF_RW_READ_HELD, 0, "int", "p", "is the lock held by readers"),
	SUB("rw_write_held", PF_DF_RW_WRITE_HELD, 0, "int", "p", "is the lock held by a writer"),
	ACT("setopt", PF_DF_SETOPT, REC | CON, "l[l", "set a run-time option"),
	ACT("speculate", PF_DF_SPECULATE, 0, "i", "divert what follows into a speculation"),
	SUB("speculation", PF_DF_SPECULATION, 0, "int", "", "number of a free speculation buffer, or 0"),
	ACT("stack", PF_DF_STACK, REC | KEY, "[i", "kernel stack"),
	AGG("stddev", PF_DF_STDDEV, "i", "standard deviation"),
	ACT("stop", PF_DF_STOP, DES, "", "stop the current process"),
	SUB("strchr", PF_DF_STRCHR, 0, "string", "si", "tail from the first such character"),
	SUB("strjoin", PF_DF_STRJOIN, 0, "string", "ss", "both, one behind the other"),
	SUB("strlen", PF_DF_STRLEN, 0, "size_t", "s", "length of a string"),
	SUB("strrchr", PF_DF_STRRCHR, 0, "string", "si", "tail from the last such character"),
	SUB("strstr", PF_DF_STRSTR, 0, "string", "ss", "tail from the first such string"),
	SUB("strtok", PF_DF_STRTOK, 0, "string", "ss", "next word"),
	SUB("strtoll", PF_DF_STRTOLL, 0, "int64_t", "s[i", "text as number"),
	SUB("substr", PF_DF_SUBSTR, 0, "string", "si[i", "part of a string"),
	AGG("sum", PF_DF_SUM, "i", "total"),
	ACT("sym", PF_DF_SYM, REC | KEY, "p", "kernel symbol of an address"),
	ACT("system", PF_DF_SYSTEM, REC | DES | FMT | CON, "f+", "run a command"),
	SUB("tolower", PF_DF_TOLOWER, 0, "string", "s", "in small letters"),
	SUB("toupper", PF_DF_TOUPPER, 0, "string", "s", "in capital letters"),
	ACT("trace", PF_DF_TRACE, REC, "*", "a value"),
	ACT("tracemem", PF_DF_TRACEMEM, REC, "pi[i", "bytes of memory"),
	ACT("trunc", PF_DF_TRUNC, REC | CON, "@[i", "drop rows of an aggregation"),
	ACT("uaddr", PF_DF_UADDR, REC | KEY, "p", "user symbol and offset of an address"),
	ACT("ufunc", PF_DF_UFUNC, REC | KEY, "p", "user function of an address"),
	ACT("umod", PF_DF_UMOD, REC | KEY, "p", "user module of an address"),
	ACT("ustack", PF_DF_USTACK, REC | KEY, "[ii", "user stack"),
	ACT("usym", PF_DF_USYM, REC | KEY, "p", "user symbol of an address"),
};
/* clang-format on */

const size_t pf_n_dbuiltins = sizeof(pf_dbuiltins) / sizeof(pf_dbuiltins[0]);
const size_t pf_n_dfuncs = sizeof(pf_dfuncs) / sizeof(pf_dfuncs[0]);

static int compare(struct pf_view word, const char *s)
{
	size_t n = strlen(s);
	int d = memcmp(word.p, s, word.n < n ? word.n : n);
	return d != 0 ? d : (word.n > n) - (word.n < n);
}

const struct pf_dbuiltin *pf_dbuiltin_find(struct pf_view name)
{
	size_t low = 0, high = pf_n_dbuiltins;
	while (low < high && name.n > 0) {
		size_t mid = (low + high) / 2;
		int d = compare(name, pf_dbuiltins[mid].name);
		if (d == 0)
			return &pf_dbuiltins[mid];
		if (d < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

const struct pf_dfunc *pf_dfunc_find(struct pf_view name)
{
	size_t low = 0, high = pf_n_dfuncs;
	while (low < high && name.n > 0) {
		size_t mid = (low + high) / 2;
		int d = compare(name, pf_dfuncs[mid].name);
		if (d == 0)
			return &pf_dfuncs[mid];
		if (d < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
