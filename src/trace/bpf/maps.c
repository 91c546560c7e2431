/* bpf/maps.c - make the session's maps, fill the constants, share the state and the ring with the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "base/view.h"
#include "trace/bpf/gen.h"
#include "trace/bpf/load.h"

/* Ring for programs that only the tracer itself fires: they cannot flood it. */
enum { SMALL_RING = 1 << 20, SMALLEST_RING = 1 << 14 };

#define LOCKED                                                                                                         \
	"%s: the kernel is locked down (confidentiality), so programs may not read its memory; boot with "             \
	"lockdown=integrity to trace"

/* Capabilities by number, <linux/capability.h>. */
enum { SYS_ADMIN = 21, PERFMON = 38, BPF = 39 };

uint64_t pf_capabilities(void)
{
	struct pf_buf text = { 0 };
	uint64_t have = 0;
	if (pf_io_read_file(AT_FDCWD, "/proc/self/status", 1 << 16, &text, NULL) == 0) {
		struct pf_view rest = pf_buf_text(&text);
		struct pf_view line;
		while (pf_view_line(&rest, &line) == 0) {
			if (!pf_view_starts(line, "CapEff:"))
				continue;
			for (size_t i = 7; i < line.n; i++) {
				char c = line.p[i];
				if (c >= '0' && c <= '9')
					have = have << 4 | (uint64_t)(c - '0');
				else if (c >= 'a' && c <= 'f')
					have = have << 4 | (uint64_t)(c - 'a' + 10);
			}
		}
	}
	pf_buf_done(&text);
	return have;
}

bool pf_locked_down(void)
{
	struct pf_buf text = { 0 };
	int rc = pf_io_read_file(AT_FDCWD, "/sys/kernel/security/lockdown", 4096, &text, NULL);
	static const char word[] = "[confidentiality]";
	bool locked = rc == 0 && memmem(text.p, text.n, word, sizeof(word) - 1);
	pf_buf_done(&text);
	return locked;
}

int pf_refused(struct pf_err *err, int rc, const char *what)
{
	if (rc == -ENOSYS)
		return pf_err_set(err, rc, "%s: this kernel has no bpf(2) system call, or a filter hides it", what);
	if (rc == -EPERM || rc == -EACCES) {
		uint64_t have = pf_capabilities();
		bool admin = have >> SYS_ADMIN & 1;
		bool bpf = admin || (have >> BPF & 1);
		bool perfmon = admin || (have >> PERFMON & 1);
		if (!bpf || !perfmon)
			return pf_err_set(err, rc,
					  "%s: this process lacks the capabilit%s %s%s%s; run as root, or grant %s",
					  what, !bpf && !perfmon ? "ies" : "y", bpf ? "" : "CAP_BPF",
					  !bpf && !perfmon ? " and " : "", perfmon ? "" : "CAP_PERFMON",
					  !bpf && !perfmon ? "both" : "it");
		if (pf_locked_down())
			return pf_err_set(err, rc, LOCKED, what);
		return pf_err_set(err, rc,
				  "%s: the kernel refuses bpf(2) in spite of all capabilities; a security policy or "
				  "container forbids it",
				  what);
	}
	if (rc == -EINVAL && pf_locked_down()) /* helpers that read memory do not exist then */
		return pf_err_set(err, rc, LOCKED, what);
	return pf_err_set(err, rc, "%s: %s", what, strerror(-rc));
}

static int map_state(struct pf_trace *t, struct pf_err *err)
{
	struct pf_map *m = &t->maps[PF_MAP_STATE];
	m->mem = mmap(NULL, m->value_size, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (m->mem == MAP_FAILED) {
		m->mem = NULL;
		return pf_err_set(err, -errno, "cannot share memory with the kernel: %s", strerror(errno));
	}
	struct pf_state *state = m->mem;
	state->wall_offset_ns = pf_time_wall_ns() - pf_time_mono_ns();
	for (unsigned i = 0; i < t->prog->n_aggs; i++)
		((uint64_t *)(void *)((char *)m->mem + t->state_gens))[i] = 1;
	return 0;
}

static int map_ring(struct pf_trace *t, struct pf_err *err)
{
	struct pf_map *m = &t->maps[PF_MAP_RING];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
	if (consumer == MAP_FAILED)
		return pf_err_set(err, -errno, "cannot map the ring buffer: %s", strerror(errno));
	t->ring.consumer = consumer;
	void *producer = mmap(NULL, page + 2 * (size_t)m->max_entries, PROT_READ, MAP_SHARED, m->fd, (off_t)page);
	if (producer == MAP_FAILED)
		return pf_err_set(err, -errno, "cannot map the ring buffer: %s", strerror(errno));
	t->ring.producer = producer;
	t->ring.size = m->max_entries;
	return 0;
}

/* ring_size() - a power of two with room for bufsize on every CPU. */
static uint32_t ring_size(const struct pf_trace *t)
{
	uint64_t want = (uint64_t)t->options.value[PF_OPT_BUFSIZE] * t->n_cpus;
	bool flood = false;
	for (const struct pf_program *p = t->programs; p; p = p->next)
		flood |= p->provider != &pf_provider_dtrace && p->provider != &pf_provider_tick;
	if (!flood && want > SMALL_RING)
		want = SMALL_RING;
	uint32_t size = SMALLEST_RING;
	while (size < want && size < (UINT32_C(1) << 30))
		size *= 2;
	return size;
}

int pf_maps_make(struct pf_trace *t, struct pf_err *err)
{
	t->maps[PF_MAP_SCRATCH].value_size = t->scratch_size;
	t->maps[PF_MAP_SCRATCH].max_entries = t->n_programs ? t->n_programs : 1;
	t->maps[PF_MAP_STATE].value_size = t->state_size;
	t->maps[PF_MAP_CONSTS].value_size = pf_round8(t->consts.n);
	t->maps[PF_MAP_RING].max_entries = ring_size(t);
	for (size_t i = 0; i < t->n_maps; i++) {
		struct pf_map *m = &t->maps[i];
		m->fd = pf_bpf_map_new(m->type, m->key_size, m->value_size, m->max_entries, m->flags);
		if (m->fd < 0) {
			int rc = m->fd;
			m->fd = -1;
			return pf_refused(err, rc, i ? "making a map" : "tracing");
		}
	}
	uint32_t zero = 0;
	pf_buf_pad(&t->consts, 0, pf_round8(t->consts.n) - t->consts.n);
	if (t->consts.failed)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = pf_bpf_map_set(t->maps[PF_MAP_CONSTS].fd, &zero, t->consts.p);
	if (rc == 0)
		rc = pf_bpf_map_freeze(t->maps[PF_MAP_CONSTS].fd);
	if (rc < 0)
		return pf_refused(err, rc, "filling the constants");
	rc = map_state(t, err);
	return rc < 0 ? rc : map_ring(t, err);
}

void pf_maps_close(struct pf_trace *t)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (t->ring.producer)
		(void)munmap((void *)(uintptr_t)t->ring.producer, page + 2 * t->ring.size);
	if (t->ring.consumer)
		(void)munmap(t->ring.consumer, page);
	t->ring = (struct pf_ring){ 0 };
	for (size_t i = 0; i < t->n_maps; i++) {
		struct pf_map *m = &t->maps[i];
		if (m->mem)
			(void)munmap(m->mem, m->value_size);
		if (m->fd >= 0)
			(void)close(m->fd);
		m->mem = NULL;
		m->fd = -1;
	}
}
