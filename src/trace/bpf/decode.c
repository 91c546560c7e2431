/* bpf/decode.c - a record of the ring as an event; and what only the consumer can do when it meets an action. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "trace/bpf/agg.h"
#include "trace/bpf/consume.h"
#include "trace/bpf/syms.h"
#include "trace/bpf/value.h"

/* The event being made of one record. */
struct making {
	struct pf_trace *t;
	struct pf_outlet *out;
	const struct pf_record_head *head;
	const struct pf_dclause *clause;
	const struct pf_probe_name *probe;
	const uint8_t *data;
	struct pf_record *records;
	size_t n, cap;
};

static const struct pf_probe *probe_of(const struct pf_trace *t, uint32_t id)
{
	return id >= 1 && id <= t->probes.n ? t->probes.rows[id - 1] : NULL;
}

/* more() - one more record of the event, or NULL without memory. */
static struct pf_record *more(struct making *m)
{
	if (m->n == m->cap) {
		size_t cap = m->cap ? m->cap * 2 : 8;
		struct pf_record *grown = pf_arena_alloc(&m->t->event_arena, cap * sizeof(*grown));
		if (!grown)
			return NULL;
		if (m->n)
			memcpy(grown, m->records, m->n * sizeof(*grown));
		m->records = grown;
		m->cap = cap;
	}
	m->records[m->n] = (struct pf_record){ 0 };
	return &m->records[m->n++];
}

/* add_key() - a value of any kind as a record. */
static int add_key(struct making *m, const struct pf_key *key, bool of_message)
{
	static const enum pf_record_kind kinds[] = {
		[PF_KEY_VALUE] = PF_RECORD_VALUE, [PF_KEY_STACK] = PF_RECORD_STACK, [PF_KEY_USTACK] = PF_RECORD_USTACK,
		[PF_KEY_SYM] = PF_RECORD_SYM,	  [PF_KEY_MOD] = PF_RECORD_MOD,	    [PF_KEY_USYM] = PF_RECORD_USYM,
		[PF_KEY_UADDR] = PF_RECORD_UADDR, [PF_KEY_UMOD] = PF_RECORD_UMOD,
	};
	struct pf_record *r = more(m);
	if (!r)
		return -ENOMEM;
	r->kind = kinds[key->kind];
	r->of_message = of_message;
	if (key->kind == PF_KEY_VALUE)
		r->value = key->value;
	else
		r->stack = key->stack;
	return 0;
}

static int add_field(struct making *m, const struct pf_field *f)
{
	struct pf_key key;
	int rc = pf_value_key(m->t, f, m->data, &key);
	return rc < 0 ? rc : add_key(m, &key, false);
}

/* name_addresses() - what %a and %A print are addresses: resolve them, in @args for the text only. */
static int name_addresses(struct making *m, const struct pf_dformat *format, struct pf_arg *args, unsigned n)
{
	for (unsigned i = 0; i < format->n_convs; i++) {
		const struct pf_dconv *c = &format->convs[i];
		if ((c->conv != 'a' && c->conv != 'A') || c->arg >= n || args[c->arg].key.kind != PF_KEY_VALUE)
			continue;
		struct pf_frame *frame = pf_arena_alloc(&m->t->event_arena, sizeof(*frame));
		if (!frame)
			return -ENOMEM;
		pf_syms_frame(m->t, 0, args[c->arg].key.value.u, frame);
		args[c->arg].key = (struct pf_key){ .kind = PF_KEY_SYM, .stack = { frame, 1, 0 } };
	}
	return 0;
}

/* formatted() - text of a format with the action's fields; @ret_args (PF_D_MAX_ARGS of them) are the values. */
static int formatted(struct making *m, const struct pf_action *action, struct pf_arg *args, const char **ret_text,
		     size_t *ret_n)
{
	struct pf_trace *t = m->t;
	unsigned n = action->n_fields < PF_D_MAX_ARGS ? action->n_fields : PF_D_MAX_ARGS;
	for (unsigned i = 0; i < n; i++) {
		args[i] = (struct pf_arg){ 0 };
		int rc = pf_value_key(t, &action->fields[i], m->data, &args[i].key);
		if (rc < 0)
			return rc;
	}
	struct pf_arg shown[PF_D_MAX_ARGS];
	memcpy(shown, args, n * sizeof(*args));
	int rc = name_addresses(m, action->call->format, shown, n);
	if (rc < 0)
		return rc;
	struct pf_buf out = { 0 };
	pf_format(&out, action->call->format, shown, n, NULL, 0, (unsigned)t->options.value[PF_OPT_STACKINDENT]);
	*ret_n = out.n;
	*ret_text = out.failed ? NULL : pf_arena_dup(&t->event_arena, pf_buf_text(&out));
	pf_buf_done(&out);
	return *ret_text ? 0 : -ENOMEM;
}

static int add_message(struct making *m, const struct pf_action *action)
{
	struct pf_arg args[PF_D_MAX_ARGS];
	const char *text;
	size_t n;
	int rc = formatted(m, action, args, &text, &n);
	struct pf_record *r = rc < 0 ? NULL : more(m);
	if (!r)
		return -ENOMEM;
	unsigned n_args = action->n_fields < PF_D_MAX_ARGS ? action->n_fields : PF_D_MAX_ARGS;
	const char *format = pf_arena_dup(&m->t->event_arena, action->call->format->text);
	if (!format)
		return -ENOMEM;
	r->kind = PF_RECORD_MESSAGE;
	r->message.text = text;
	r->message.n = n;
	r->message.format = format;
	r->message.args = n_args;
	for (unsigned i = 0; i < n_args; i++) {
		rc = add_key(m, &args[i].key, true);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int add_aggregations(struct making *m, const struct pf_dexpr *call)
{
	struct pf_dagg *aggs[PF_D_MAX_ARGS];
	size_t n = 0;
	for (unsigned i = 0; i < call->n_args && n < PF_D_MAX_ARGS; i++) {
		if (call->args[i]->op == PF_DX_AGG)
			aggs[n++] = call->args[i]->agg;
	}
	struct pf_record r;
	int rc = n ? pf_agg_record(m->t, aggs, n, call->format, &r, m->out->err) : -EINVAL;
	if (rc < 0)
		return rc;
	struct pf_record *to = more(m);
	if (!to)
		return -ENOMEM;
	*to = r;
	return 0;
}

static int add_tracemem(struct making *m, const struct pf_action *action)
{
	struct pf_record *r = more(m);
	if (!r)
		return -ENOMEM;
	r->kind = PF_RECORD_TRACEMEM;
	r->value = pf_value_datum(&action->fields[0], m->data);
	int64_t shown = pf_value_int(&action->fields[1], m->data);
	if (shown >= 0 && (size_t)shown < r->value.text.n)
		r->value.text.n = (size_t)shown;
	return 0;
}

/* emit() - hand an event over. */
static int emit(struct pf_outlet *out, const struct pf_event *event)
{
	out->n++;
	return out->fn(out->arg, event);
}

/* library_fault() - something the consumer was asked to do failed. */
static int library_fault(struct making *m, const char *why)
{
	const struct pf_probe_name *probe = m->probe;
	struct pf_buf msg = { 0 };
	pf_buf_fmt(&msg, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s", m->clause->id, m->head->probe,
		   probe->provider, probe->module, probe->function, probe->name, why);
	struct pf_event event = { .kind = PF_EVENT_ERROR,
				  .time_ns = (int64_t)m->head->time_ns,
				  .cpu = m->head->cpu,
				  .probe = { "dtrace", "INTERNAL", "INTERNAL", "ERROR", -1 },
				  .msg = msg.p ? msg.p : why };
	event.error.fault = PF_FAULT_LIBRARY;
	event.error.fault_name = "library-level fault";
	event.error.action = event.error.offset = -1;
	event.error.probe = *probe;
	int rc = emit(m->out, &event);
	pf_buf_done(&msg);
	return rc;
}

static int do_setopt(struct making *m, const struct pf_dexpr *call)
{
	struct pf_err err = { 0 };
	const char *value = call->n_args > 1 ? call->args[1]->string->text : NULL;
	int rc = pf_trace_options_set(&m->t->options, call->args[0]->string->text, value, true, &err);
	return rc < 0 ? library_fault(m, err.text) : 0;
}

static int do_normalize(struct making *m, const struct pf_dexpr *call, const struct pf_action *action)
{
	struct pf_agg *host = call->args[0]->agg->host;
	int64_t by = call->func->id == PF_DF_DENORMALIZE ? 1 : pf_value_int(&action->fields[0], m->data);
	if (by == 0)
		return library_fault(m, "Invalid normalization");
	if (host)
		host->normal = by;
	return 0;
}

static int commit(struct making *m, uint32_t turn);

/* turn_of() - the buffer and turn that commit() or discard() ended. */
static uint32_t turn_of(const struct making *m, const struct pf_action *action)
{
	uint64_t turn;
	memcpy(&turn, m->data + action->fields[0].off, sizeof(turn));
	return (uint32_t)turn;
}

static int do_action(struct making *m, const struct pf_action *action)
{
	const struct pf_dexpr *call = action->call;
	struct pf_trace *t = m->t;
	switch (call->func->id) {
	case PF_DF_PRINTF:
		return add_message(m, action);
	case PF_DF_PRINTA:
		return add_aggregations(m, call);
	case PF_DF_TRACEMEM:
		return add_tracemem(m, action);
	case PF_DF_SYSTEM:
	case PF_DF_FREOPEN: {
		struct pf_arg args[PF_D_MAX_ARGS];
		const char *text;
		size_t n;
		int rc = formatted(m, action, args, &text, &n);
		struct pf_record *r = rc < 0 ? NULL : more(m);
		if (!r)
			return -ENOMEM;
		r->kind = call->func->id == PF_DF_SYSTEM ? PF_RECORD_SYSTEM : PF_RECORD_FREOPEN;
		r->system.text = text;
		r->system.status = 0; /* whoever runs the command fills it in */
		return 0;
	}
	case PF_DF_CLEAR:
		if (call->args[0]->agg->host)
			pf_agg_clear(t, call->args[0]->agg);
		return 0;
	case PF_DF_TRUNC:
		return call->args[0]->agg->host
			       ? pf_agg_trunc(t, call->args[0]->agg,
					      action->n_fields ? pf_value_int(&action->fields[0], m->data) : 0,
					      m->out->err)
			       : 0;
	case PF_DF_NORMALIZE:
	case PF_DF_DENORMALIZE:
		return do_normalize(m, call, action);
	case PF_DF_SETOPT:
		return do_setopt(m, call);
	case PF_DF_COMMIT:
		return commit(m, turn_of(m, action));
	case PF_DF_DISCARD:
		return pf_spec_end(t, turn_of(m, action), NULL, NULL);
	case PF_DF_EXIT:
	case PF_DF_FTRUNCATE:
	case PF_DF_RAISE:
	case PF_DF_STOP:
	case PF_DF_SPECULATE:
		return 0;
	default:
		for (unsigned i = 0; i < action->n_fields; i++) {
			int rc = add_field(m, &action->fields[i]);
			if (rc < 0)
				return rc;
		}
		return 0;
	}
}

/* flow_of() - entry or return, by the end of the name, and how deep. */
static void flow_of(struct pf_trace *t, const struct making *m, struct pf_event *event)
{
	size_t n = strlen(event->probe.name);
	const char *name = event->probe.name;
	bool entry = n >= 5 && strcmp(name + n - 5, "entry") == 0 && (n == 5 || name[n - 6] == '-');
	bool ret = n >= 6 && strcmp(name + n - 6, "return") == 0 && (n == 6 || name[n - 7] == '-');
	bool again = t->flow_probe == m->head->probe && t->flow_clause != m->clause;
	event->flow = entry ? "entry" : ret ? "return" : "none";
	if (entry) {
		event->depth = again ? t->flow_depth - 1 : t->flow_depth;
		if (!again)
			t->flow_depth++;
	} else if (ret) {
		if (!again && t->flow_depth > 0)
			t->flow_depth--;
		event->depth = t->flow_depth;
	} else {
		event->depth = t->flow_depth;
	}
	if (event->depth < 0)
		event->depth = 0;
	t->flow_probe = m->head->probe;
	t->flow_clause = m->clause;
}

/* clause_event() - the records of a clause, in the order of its actions. */
static int clause_event(struct making *m)
{
	struct pf_trace *t = m->t;
	const struct pf_plan *plan = m->clause->host;
	if (m->clause->flags & PF_DC_DEFAULT) {
		struct pf_record *r = more(m);
		if (!r)
			return -ENOMEM;
		r->kind = PF_RECORD_DEFAULT;
	}
	for (const struct pf_action *action = plan->actions; action; action = action->next) {
		if (action->present >= 0 && !m->data[action->present])
			continue;
		int rc = do_action(m, action);
		if (rc < 0)
			return rc;
	}
	if (!plan->visible)
		return 0;
	struct pf_event event = { .kind = PF_EVENT_PROBE,
				  .time_ns = (int64_t)m->head->time_ns,
				  .cpu = m->head->cpu,
				  .probe = *m->probe,
				  .records = m->records,
				  .n_records = m->n };
	if (t->options.value[PF_OPT_FLOWINDENT])
		flow_of(t, m, &event);
	return emit(m->out, &event);
}

static const char *fault_name(uint64_t code)
{
	static const char *const names[] = {
		"unknown fault",	 "invalid address",
		"invalid alignment",	 "illegal operation",
		"divide-by-zero",	 "out of scratch space",
		"invalid kernel access", "invalid user access",
		"tuple stack overflow",	 "bad stack",
		"invalid size",		 "index out of bounds",
	};
	return code < PF_N(names) ? names[code] : names[0];
}

static int fault_event(struct making *m, uint32_t n)
{
	struct pf_record_fault fault;
	const struct pf_probe_name *probe = m->probe;
	if (n < sizeof(*m->head) + sizeof(fault))
		return 0;
	memcpy(&fault, m->data, sizeof(fault));
	bool has_address = fault.code == 1 || fault.code == 2 || fault.code == 9 || fault.code == 10;
	struct pf_buf msg = { 0 };
	pf_buf_fmt(&msg, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s", m->clause->id, m->head->probe,
		   probe->provider, probe->module, probe->function, probe->name, fault_name(fault.code));
	if (has_address && fault.address != UINT64_MAX)
		pf_buf_fmt(&msg, " (0x%llx)", (unsigned long long)fault.address);
	else if (fault.code == PF_FAULT_BOUNDS)
		pf_buf_fmt(&msg, " (%lld)", (long long)fault.address);
	pf_buf_fmt(&msg, " at BPF pc %llu", (unsigned long long)fault.pc);
	struct pf_event event = { .kind = PF_EVENT_ERROR,
				  .time_ns = (int64_t)m->head->time_ns,
				  .cpu = m->head->cpu,
				  .probe = { "dtrace", "INTERNAL", "INTERNAL", "ERROR", -1 },
				  .msg = msg.p ? msg.p : "" };
	event.error.fault = (int)fault.code;
	event.error.fault_name = fault_name(fault.code);
	event.error.action = (int)fault.action;
	event.error.offset = (int)fault.pc;
	event.error.has_address = has_address;
	event.error.address = fault.address;
	event.error.probe = *probe;
	int rc = emit(m->out, &event);
	pf_buf_done(&msg);
	return rc;
}

/* clause_of() - by id, or NULL. */
static const struct pf_dclause *clause_of(const struct pf_trace *t, uint32_t id)
{
	for (const struct pf_dclause *c = t->prog->clauses; c; c = c->next) {
		if (c->id == id)
			return c;
	}
	return NULL;
}

/* decode() - @now: also what waits in a speculation. */
static int decode(struct pf_trace *t, const uint8_t *record, uint32_t n, struct pf_outlet *out, bool now)
{
	struct making m = { .t = t, .out = out, .head = (const void *)record, .data = record + sizeof(*m.head) };
	if (n < sizeof(*m.head))
		return 0;
	m.clause = clause_of(t, m.head->clause);
	const struct pf_probe *probe = probe_of(t, m.head->probe);
	if (!m.clause || !probe)
		return 0;
	m.probe = &probe->name;
	t->symbols_at_ns = m.head->time_ns;
	if (m.head->flags & PF_RECORD_FAULT)
		return fault_event(&m, n);
	const struct pf_plan *plan = m.clause->host;
	if (n < sizeof(*m.head) + plan->data_size)
		return 0;
	if (m.head->speculation && !now)
		return pf_spec_keep(t, m.head->speculation, record, n);
	return clause_event(&m);
}

/* one_of_commit() - the records are events of their own; what the committing clause made so far stays apart from theirs. */
static int one_of_commit(void *arg, const uint8_t *record, uint32_t n)
{
	const struct making *m = arg;
	return decode(m->t, record, n, m->out, true);
}

static int commit(struct making *m, uint32_t turn)
{
	return pf_spec_end(m->t, turn, one_of_commit, m);
}

int pf_decode(struct pf_trace *t, const uint8_t *record, uint32_t n, void *outlet)
{
	pf_arena_reset(&t->event_arena);
	int rc = decode(t, record, n, outlet, false);
	if (rc == -ENOMEM) {
		struct pf_outlet *out = outlet;
		return pf_err_set(out->err, rc, "no memory for an event");
	}
	return rc;
}
