/* bpf/sys.c - bpf(2) and perf_event_open(2). */
#include "trace/bpf/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/view.h"

static int sys_bpf(enum bpf_cmd cmd, union bpf_attr *attr, size_t size)
{
	long rc = syscall(SYS_bpf, cmd, attr, size);
	return rc < 0 ? -errno : (int)rc;
}

static uint64_t ptr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

int pf_bpf_map_new(enum bpf_map_type type, uint32_t key_size, uint32_t value_size, uint32_t max_entries, uint32_t flags)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max_entries;
	attr.map_flags = flags;
	return sys_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
}

/* element() - one of the commands that take a map, a key and a value. */
static int element(enum bpf_cmd cmd, int fd, const void *key, const void *value)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)fd;
	attr.key = ptr(key);
	attr.value = ptr(value);
	return sys_bpf(cmd, &attr, sizeof(attr));
}

int pf_bpf_map_get(int fd, const void *key, void *value)
{
	return element(BPF_MAP_LOOKUP_ELEM, fd, key, value);
}

int pf_bpf_map_set(int fd, const void *key, const void *value)
{
	return element(BPF_MAP_UPDATE_ELEM, fd, key, value);
}

int pf_bpf_map_delete(int fd, const void *key)
{
	return element(BPF_MAP_DELETE_ELEM, fd, key, NULL);
}

int pf_bpf_map_next(int fd, const void *key, void *ret_next)
{
	return element(BPF_MAP_GET_NEXT_KEY, fd, key, ret_next);
}

int pf_bpf_map_freeze(int fd)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)fd;
	return sys_bpf(BPF_MAP_FREEZE, &attr, sizeof(attr));
}

int pf_bpf_load(enum bpf_prog_type type, const struct bpf_insn *insns, size_t n, char *log, uint32_t log_size)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type;
	attr.insns = ptr(insns);
	attr.insn_cnt = (uint32_t)n;
	attr.license = ptr("GPL");
	if (log) {
		attr.log_buf = ptr(log);
		attr.log_size = log_size;
		attr.log_level = 1;
	}
	int rc;
	do
		rc = sys_bpf(BPF_PROG_LOAD, &attr, sizeof(attr));
	while (rc == -EAGAIN || rc == -EINTR);
	return rc;
}

int pf_bpf_fire(int prog, const uint64_t args[12])
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)prog;
	attr.test.ctx_in = ptr(args);
	attr.test.ctx_size_in = 12 * sizeof(*args);
	return sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));
}

int pf_bpf_raw_tracepoint(int prog, const char *name)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = ptr(name);
	attr.raw_tracepoint.prog_fd = (uint32_t)prog;
	return sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
}

int pf_perf_open(struct perf_event_attr *attr, int pid, int cpu)
{
	attr->size = sizeof(*attr);
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int pf_perf_attach(int event, int prog)
{
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, prog) < 0)
		return -errno;
	if (ioctl(event, PERF_EVENT_IOC_ENABLE, 0) < 0)
		return -errno;
	return 0;
}

unsigned pf_bpf_cpus(void)
{
	pf_autoclose int fd = open("/sys/devices/system/cpu/possible", O_RDONLY | O_CLOEXEC);
	char text[256];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text)) : 0;
	long configured = sysconf(_SC_NPROCESSORS_CONF);
	unsigned most = configured > 0 ? (unsigned)configured : 1;
	/* "0-3" or "0,2-5": the last number is the highest CPU. */
	uint64_t last = 0;
	bool have = false;
	for (ssize_t i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			bool first = i == 0 || text[i - 1] < '0' || text[i - 1] > '9';
			last = (first ? 0 : last * 10) + (uint64_t)(text[i] - '0');
			have = true;
		}
	}
	return have && last < 65536 ? (unsigned)last + 1 : most;
}
