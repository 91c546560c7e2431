/* bpf/load.c - generate a session's programs, load and attach them; a refusal names the line of D that it is about. */
#include "trace/bpf/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "trace/bpf/disasm.h"
#include "trace/bpf/gen.h"

enum { LOG_SIZE = 4 << 20, TABLE_ROWS = 512 };

int pf_session_keep_fd(struct pf_trace *t, int fd)
{
	if (t->n_fds == t->cap_fds) {
		size_t cap = t->cap_fds ? t->cap_fds * 2 : 16;
		int *more = reallocarray(t->fds, cap, sizeof(*more));
		if (!more) {
			(void)close(fd);
			return -ENOMEM;
		}
		t->fds = more;
		t->cap_fds = cap;
	}
	t->fds[t->n_fds++] = fd;
	return 0;
}

int pf_session_add_tick(struct pf_trace *t, struct pf_program *program, int64_t period_ns)
{
	struct pf_tick *more = reallocarray(t->ticks, t->n_ticks + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	t->ticks = more;
	t->ticks[t->n_ticks++] = (struct pf_tick){ program, period_ns, 0 };
	return 0;
}

/* find_program() - the one that serves @probe, or NULL. */
static struct pf_program *find_program(struct pf_trace *t, const struct pf_probe *probe)
{
	for (struct pf_program *p = t->programs; p; p = p->next) {
		if (p->provider == probe->provider && p->slot == probe->slot)
			return p;
	}
	return NULL;
}

/* settle() - have the providers choose how each enabled probe fires, knowing whether its arguments are wanted. */
static int settle(struct pf_trace *t, struct pf_err *err)
{
	pf_autofree bool *wanted = calloc(t->probes.n ? t->probes.n : 1, sizeof(*wanted));
	if (!wanted)
		return pf_err_set(err, -ENOMEM, "no memory");
	uint64_t args = UINT64_C(1) << PF_DB_ARGS;
	for (unsigned i = PF_DB_ARG0; i <= PF_DB_ARG9; i++)
		args |= UINT64_C(1) << i;
	for (const struct pf_dclause *c = t->prog->clauses; c; c = c->next) {
		const struct pf_plan *plan = c->host;
		for (size_t i = 0; plan && (c->builtins & args) && i < plan->n_probes; i++)
			wanted[plan->probes[i] - 1] = true;
	}
	for (size_t i = 0; i < t->probes.n; i++) {
		struct pf_probe *probe = t->probes.rows[i];
		int rc = 0;
		if (probe->enabled && probe->provider->settle)
			rc = probe->provider->settle(t, probe, wanted[i], err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* make_programs() - one for each slot that has an enabled probe; ERROR is a function of all of them. */
static int make_programs(struct pf_trace *t)
{
	struct pf_program **end = &t->programs;
	for (size_t i = 0; i < t->probes.n; i++) {
		struct pf_probe *probe = t->probes.rows[i];
		if (!probe->enabled || i == 2 || find_program(t, probe))
			continue;
		struct pf_program *p = pf_arena_alloc(&t->arena, sizeof(*p));
		if (!p)
			return -ENOMEM;
		*p = (struct pf_program){ .provider = probe->provider, .probe = probe, .slot = probe->slot, .fd = -1 };
		*end = p;
		end = &p->next;
		t->n_programs++;
		if (i == 0)
			t->begin = p;
		else if (i == 1)
			t->end = p;
	}
	return 0;
}

/* clauses_of() - how many clauses are enabled on any probe of @p. */
static unsigned clauses_of(const struct pf_trace *t, const struct pf_program *p)
{
	unsigned n = 0;
	for (const struct pf_dclause *c = t->prog->clauses; c; c = c->next) {
		const struct pf_plan *plan = c->host;
		for (size_t i = 0; plan && i < plan->n_probes; i++) {
			const struct pf_probe *probe = t->probes.rows[plan->probes[i] - 1];
			if (probe->provider == p->provider && probe->slot == p->slot) {
				n++;
				break;
			}
		}
	}
	return n;
}

/* fill_table() - a row for each enabled probe of @p: its id, which clauses run, its function's name. */
static int fill_table(struct pf_trace *t, const struct pf_program *p, const struct pf_gen *g, struct pf_err *err)
{
	uint32_t size = t->maps[g->table].value_size;
	pf_autofree char *rows = calloc(TABLE_ROWS, size);
	if (!rows)
		return pf_err_set(err, -ENOMEM, "no memory");
	unsigned bit = 0;
	for (const struct pf_dclause *c = t->prog->clauses; c; c = c->next) {
		const struct pf_plan *plan = c->host;
		bool any = false;
		for (size_t i = 0; plan && i < plan->n_probes; i++) {
			const struct pf_probe *probe = t->probes.rows[plan->probes[i] - 1];
			if (probe->provider != p->provider || probe->slot != p->slot || probe->number >= TABLE_ROWS)
				continue;
			struct pf_table_row *row = (void *)(rows + (size_t)probe->number * size);
			row->probe = (uint32_t)probe->name.id;
			row->clauses[bit / 64] |= UINT64_C(1) << (bit % 64);
			char *name = (char *)row + offsetof(struct pf_table_row, clauses) + 8 * (size_t)g->table_words;
			(void)strncpy(name, probe->name.function, TABLE_NAME - 1);
			any = true;
		}
		bit += any;
	}
	for (uint32_t i = 0; i < TABLE_ROWS; i++) {
		const struct pf_table_row *row = (const void *)(rows + (size_t)i * size);
		int rc = row->probe ? pf_bpf_map_set(t->maps[g->table].fd, &i, row) : 0;
		if (rc < 0)
			return pf_refused(err, rc, "filling the table of probes");
	}
	return 0;
}

/* last_words() - what the verifier complained about: the last line of its log that is no statistics, and the instruction before. */
static void last_words(struct pf_view log, struct pf_view *ret_why, uint64_t *ret_insn)
{
	struct pf_view line;
	*ret_why = PF_VIEW("no reason given");
	*ret_insn = UINT64_MAX;
	while (pf_view_line(&log, &line) == 0) {
		uint64_t n;
		size_t digits = 0;
		while (digits < line.n && line.p[digits] >= '0' && line.p[digits] <= '9')
			digits++;
		bool insn = digits && digits < line.n && line.p[digits] == ':';
		if (insn && pf_view_u64((struct pf_view){ line.p, digits }, &n) == 0)
			*ret_insn = n;
		else if (line.n && !pf_view_starts(line, "processed ") && !pf_view_starts(line, "verification time") &&
			 !pf_view_starts(line, "stack depth"))
			*ret_why = line;
	}
}

/* explain_refusal() - load again with a log and tell which line the verifier did not like. */
static int explain_refusal(const struct pf_program *p, const struct pf_gen *g, int rc, struct pf_err *err)
{
	if (rc == -EPERM || rc == -ENOSYS || (rc == -EINVAL && pf_locked_down()))
		return pf_refused(err, rc, "loading a program");
	pf_autofree char *log = calloc(1, LOG_SIZE);
	if (!log)
		return pf_err_set(err, -ENOMEM, "no memory");
	int fd = pf_bpf_load(p->provider->type, g->a.insns, g->a.n, log, LOG_SIZE);
	if (fd >= 0)
		(void)close(fd);
	struct pf_view why;
	uint64_t insn;
	last_words(pf_view_of(log), &why, &insn);
	if (insn < g->a.n)
		return pf_err_set(err, rc,
				  "line %u: the kernel's verifier refuses the program: %.*s (instruction %llu)",
				  g->a.lines[insn], (int)(why.n < 200 ? why.n : 200), why.p, (unsigned long long)insn);
	return pf_err_set(err, rc, "the kernel refuses the program: %s: %.*s", strerror(-rc),
			  (int)(why.n < 200 ? why.n : 200), why.p);
}

/* relocate() - numbers of maps become their descriptors. */
static void relocate(const struct pf_trace *t, struct pf_asm *a)
{
	for (size_t i = 0; i < a->n; i++) {
		struct bpf_insn *insn = &a->insns[i];
		if (insn->code != PF_ASM_WIDE)
			continue;
		if (insn->src_reg == BPF_PSEUDO_MAP_FD || insn->src_reg == BPF_PSEUDO_MAP_VALUE)
			insn->imm = t->maps[insn->imm].fd;
		i++; /* the second half */
	}
}

/* generate() - the code of every program, maps still as numbers. */
static int generate(struct pf_trace *t, struct pf_gen *gens, struct pf_err *err)
{
	unsigned index = 0;
	for (struct pf_program *p = t->programs; p; p = p->next, index++) {
		struct pf_gen *g = &gens[index];
		*g = (struct pf_gen){ .t = t, .provider = p->provider, .probe = p->probe, .index = index, .err = err };
		if (p->provider->table) {
			g->table_words = (clauses_of(t, p) + 63) / 64;
			uint32_t size = (uint32_t)sizeof(struct pf_table_row) + 8 * g->table_words + TABLE_NAME;
			int map = pf_map_add(t, BPF_MAP_TYPE_ARRAY, 4, size, TABLE_ROWS, 0);
			if (map < 0)
				return pf_err_set(err, map, "no memory");
			g->table = (unsigned)map;
		}
		int rc = pf_gen_program(g);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int load_all(struct pf_trace *t, struct pf_gen *gens, struct pf_err *err)
{
	unsigned index = 0;
	for (struct pf_program *p = t->programs; p; p = p->next, index++) {
		struct pf_gen *g = &gens[index];
		int rc = g->table ? fill_table(t, p, g, err) : 0;
		if (rc < 0)
			return rc;
		relocate(t, &g->a);
		p->fd = pf_bpf_load(p->provider->type, g->a.insns, g->a.n, NULL, 0);
		if (p->fd < 0) {
			rc = p->fd;
			p->fd = -1;
			return explain_refusal(p, g, rc, err);
		}
	}
	return 0;
}

/* prepare() - choose, plan, generate; what is there afterwards needs only maps and the kernel. */
static int prepare(struct pf_trace *t, struct pf_err *err)
{
	static const struct {
		enum bpf_map_type type;
		uint32_t key, value, max, flags;
	} fixed[N_PF_MAPS] = {
		[PF_MAP_SCRATCH] = { BPF_MAP_TYPE_PERCPU_ARRAY, 4, 0, 0, 0 },
		[PF_MAP_STATE] = { BPF_MAP_TYPE_ARRAY, 4, 0, 1, BPF_F_MMAPABLE },
		[PF_MAP_CONSTS] = { BPF_MAP_TYPE_ARRAY, 4, 0, 1, BPF_F_RDONLY_PROG },
		[PF_MAP_RING] = { BPF_MAP_TYPE_RINGBUF, 0, 0, 0, 0 },
		[PF_MAP_DROPS] = { BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8 * N_PF_DROPS, 1, 0 },
	};
	if (t->gens)
		return 0;
	for (unsigned i = 0; i < N_PF_MAPS; i++) {
		int rc = pf_map_add(t, fixed[i].type, fixed[i].key, fixed[i].value, fixed[i].max, fixed[i].flags);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory");
	}
	t->n_cpus = pf_bpf_cpus();
	int rc = settle(t, err);
	if (rc == 0 && make_programs(t) < 0)
		rc = pf_err_set(err, -ENOMEM, "no memory");
	if (rc == 0)
		rc = pf_plan_program(t, err);
	if (rc < 0)
		return rc;
	t->gens = calloc(t->n_programs ? t->n_programs : 1, sizeof(*t->gens));
	if (!t->gens)
		return pf_err_set(err, -ENOMEM, "no memory");
	return generate(t, t->gens, err);
}

/* forget_code() - generated instructions are of no use once they are loaded. */
static void forget_code(struct pf_trace *t)
{
	for (unsigned i = 0; t->gens && i < t->n_programs; i++)
		pf_asm_done(&t->gens[i].a);
	free(t->gens);
	t->gens = NULL;
}

int pf_session_load(struct pf_trace *t, struct pf_err *err)
{
	int rc = prepare(t, err);
	if (rc == 0)
		rc = pf_maps_make(t, err);
	if (rc == 0)
		rc = load_all(t, t->gens, err);
	forget_code(t);
	return rc;
}

/* probe_text() - what a program is for. */
static void probe_text(struct pf_buf *out, const struct pf_program *p)
{
	const struct pf_probe_name *n = &p->probe->name;
	if (p->provider->table)
		pf_buf_fmt(out, "%s:::%s", n->provider, n->name);
	else
		pf_buf_fmt(out, "%s:%s:%s:%s", n->provider, n->module, n->function, n->name);
}

int pf_trace_code(struct pf_trace *t, struct pf_buf *out, struct pf_err *err)
{
	int rc = t->going ? -EBUSY : prepare(t, err);
	if (rc < 0)
		return rc;
	unsigned index = 0;
	for (const struct pf_program *p = t->programs; p; p = p->next, index++) {
		pf_buf_str(out, "; program for ");
		probe_text(out, p);
		pf_buf_fmt(out, ", %zu instructions\n", t->gens[index].a.n);
		pf_disasm(out, &t->gens[index].a);
		pf_buf_char(out, '\n');
	}
	return out->failed ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

int pf_session_attach(struct pf_trace *t, struct pf_err *err)
{
	for (struct pf_program *p = t->programs; p; p = p->next) {
		int rc = p->provider->attach ? p->provider->attach(t, p, err) : 0;
		if (rc < 0)
			return rc == -ENOMEM ? pf_err_set(err, rc, "no memory") : rc;
	}
	return 0;
}

void pf_session_detach(struct pf_trace *t)
{
	forget_code(t);
	for (size_t i = 0; i < t->n_fds; i++)
		(void)close(t->fds[i]);
	t->n_fds = 0;
	for (struct pf_program *p = t->programs; p; p = p->next) {
		if (p->fd >= 0)
			(void)close(p->fd);
		p->fd = -1;
	}
	pf_maps_close(t);
}
