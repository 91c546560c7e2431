/* bpf/mmaps.c - mappings as perf events tell them. Source: perf_event_open(2). */
#include "trace/bpf/mmaps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace/bpf/sys.h"

enum { PAGES = 64, MOST_RECORD = 8192 };

struct ring {
	int fd;
	uint8_t *mem; /* a page about it, then PAGES pages of records */
};

struct pf_mmaps {
	struct ring *rings;
	unsigned n;
	size_t page;
};

struct pf_mmaps *pf_mmaps_close(struct pf_mmaps *m)
{
	for (unsigned i = 0; m && i < m->n; i++) {
		(void)munmap(m->rings[i].mem, (PAGES + 1) * m->page);
		(void)close(m->rings[i].fd);
	}
	if (m)
		free(m->rings);
	free(m);
	return NULL;
}

/* open_ring() - 0, or negative: -ENODEV for a processor that is off. */
static int open_ring(struct pf_mmaps *m, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_TID,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX,
	};
	int fd = pf_perf_open(&attr, -1, cpu);
	if (fd < 0)
		return fd;
	uint8_t *mem = mmap(NULL, (PAGES + 1) * m->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mem == MAP_FAILED) {
		int rc = -errno;
		(void)close(fd);
		return rc;
	}
	m->rings[m->n++] = (struct ring){ fd, mem };
	return 0;
}

int pf_mmaps_open(struct pf_mmaps **ret_mmaps)
{
	unsigned cpus = pf_bpf_cpus();
	struct pf_mmaps *m = calloc(1, sizeof(*m));
	int rc = m ? 0 : -ENOMEM;
	if (m) {
		m->page = (size_t)sysconf(_SC_PAGESIZE);
		m->rings = calloc(cpus, sizeof(*m->rings));
		rc = m->rings ? 0 : -ENOMEM;
	}
	for (unsigned i = 0; rc == 0 && i < cpus; i++) {
		rc = open_ring(m, (int)i);
		if (rc == -ENODEV)
			rc = 0;
	}
	if (rc < 0)
		(void)pf_mmaps_close(m);
	else
		*ret_mmaps = m;
	return rc;
}

/* Bodies behind the header, as perf_event_open(2) has them. */
struct code {
	uint32_t pid, tid;
	uint64_t address, size, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct task {
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

/* tell() - what one record says; those that say nothing of interest are passed over. */
static void tell(const struct perf_event_header *h, void (*fn)(void *arg, const struct pf_mmap *told), void *arg)
{
	const uint8_t *body = (const uint8_t *)(h + 1);
	size_t n = h->size - sizeof(*h);
	struct pf_mmap told = { 0 };
	if (n < 8)
		return;
	/* sample_id: pid and tid, then the time, stand at the end of each. */
	memcpy(&told.time_ns, body + n - 8, 8);
	if (h->type == PERF_RECORD_MMAP2 && n > sizeof(struct code) + 16) {
		const struct code *c = (const void *)body;
		if (h->misc & PERF_RECORD_MISC_MMAP_DATA || !memchr(c->path, 0, n - sizeof(*c)))
			return;
		told = (struct pf_mmap){ PF_MMAP_CODE, (int)c->pid, 0,	       told.time_ns,
					 c->address,   c->size,	    c->offset, (uint64_t)c->major << 32 | c->minor,
					 c->inode,     c->path };
	} else if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC) {
		uint32_t pid;
		memcpy(&pid, body, sizeof(pid));
		told.kind = PF_MMAP_EXEC;
		told.pid = (int)pid;
	} else if (h->type == PERF_RECORD_FORK && n >= sizeof(struct task)) {
		const struct task *t = (const void *)body;
		if (t->pid != t->tid) /* a thread */
			return;
		told.kind = PF_MMAP_FORK;
		told.pid = (int)t->pid;
		told.parent = (int)t->parent;
	} else {
		return;
	}
	fn(arg, &told);
}

static void read_ring(const struct pf_mmaps *m, struct ring *r, void (*fn)(void *arg, const struct pf_mmap *told),
		      void *arg)
{
	struct perf_event_mmap_page *about = (void *)r->mem;
	const uint8_t *data = r->mem + m->page;
	uint64_t size = PAGES * m->page;
	uint64_t head = __atomic_load_n(&about->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = about->data_tail;
	while (tail < head) {
		uint64_t whole[MOST_RECORD / 8];
		const struct perf_event_header *h = (const void *)(data + tail % size);
		uint16_t n = h->size;
		if (n < sizeof(*h))
			break;
		if (n <= sizeof(whole)) {
			uint64_t first = size - tail % size < n ? size - tail % size : n;
			memcpy(whole, data + tail % size, first);
			memcpy((uint8_t *)whole + first, data, n - first);
			tell((const void *)whole, fn, arg);
		}
		tail += n;
	}
	__atomic_store_n(&about->data_tail, tail, __ATOMIC_RELEASE);
}

void pf_mmaps_read(struct pf_mmaps *m, void (*fn)(void *arg, const struct pf_mmap *told), void *arg)
{
	for (unsigned i = 0; i < m->n; i++)
		read_ring(m, &m->rings[i], fn, arg);
}
