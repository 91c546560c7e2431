/* sinks/emit_event.c - what a D clause recorded, as an object of DTrace's structured output: perfolio-oformat(7), sections 2 to 5. */
#include <string.h>

#include "formats/text/number.h"
#include "sinks/emit.h"

/* A D string ends at its first NUL, whatever lies behind it. */
static struct pf_view d_string(const struct pf_datum *d)
{
	const char *p = d->text.p ? d->text.p : "";
	return (struct pf_view){ p, d->text.p ? strnlen(p, d->text.n) : 0 };
}

void pf_emit_datum(struct pf_doc *doc, const struct pf_datum *d)
{
	switch (d->kind) {
	case PF_DATUM_INT:
		pf_doc_int(doc, "value", d->i);
		break;
	case PF_DATUM_UINT:
		pf_doc_uint(doc, "value", d->u);
		break;
	case PF_DATUM_TEXT:
		pf_doc_text(doc, "value", d_string(d));
		break;
	case PF_DATUM_BYTES:
		pf_doc_hex(doc, "value", d->text.p, d->text.n);
		pf_doc_name(doc, "encoding", "hex");
		break;
	}
}

/* "module`name+0x14", "module`0x1234" or "0x1234", as text mode has it. */
static void add_symbol(struct pf_buf *b, const struct pf_frame *f, bool with_offset)
{
	char hex[PF_NUMBER_SIZE];
	(void)pf_number_hex(hex, f->name ? f->offset : f->address);
	if (f->module) {
		pf_buf_str(b, f->module);
		pf_buf_char(b, '`');
	}
	if (f->name)
		pf_buf_str(b, f->name);
	if (f->name && with_offset && f->offset > 0)
		pf_buf_char(b, '+');
	if (!f->name || (with_offset && f->offset > 0))
		pf_buf_str(b, hex);
}

static void put_symbol(struct pf_doc *doc, const char *member, const struct pf_frame *f, bool with_offset)
{
	struct pf_buf *text = pf_doc_scratch(doc);
	add_symbol(text, f, with_offset);
	pf_doc_name(doc, member, text->failed ? "" : text->p);
}

/* @known: an unresolved address of the kernel stands in "offset" too; one of a process that has gone does not. */
static void put_frame(struct pf_doc *doc, const struct pf_frame *f, bool known)
{
	pf_doc_object_begin(doc, NULL);
	put_symbol(doc, "symbol", f, true);
	if (f->module)
		pf_doc_name(doc, "module", f->module);
	if (f->module && f->name)
		pf_doc_name(doc, "name", f->name);
	if (f->module && f->name && f->offset > 0)
		pf_doc_address(doc, "offset", f->offset);
	else if (!f->name && (f->module || known))
		pf_doc_address(doc, "offset", f->address);
	pf_doc_address(doc, "address", f->address);
	if (f->annotation)
		pf_doc_name(doc, "annotation", f->annotation);
	pf_doc_object_end(doc);
}

void pf_emit_frames(struct pf_doc *doc, const char *list, const struct pf_stack *stack)
{
	bool user = list[0] == 'u';
	pf_doc_list_begin(doc, list);
	for (size_t i = 0; i < stack->n && stack->frames[i].address != 0; i++)
		put_frame(doc, &stack->frames[i], !user);
	pf_doc_list_end(doc);
	if (user)
		pf_doc_int(doc, "pid", stack->pid);
}

static struct pf_frame first_frame(const struct pf_stack *stack)
{
	return stack->n > 0 ? stack->frames[0] : (struct pf_frame){ 0 };
}

void pf_emit_sym(struct pf_doc *doc, const struct pf_stack *stack)
{
	struct pf_frame f = first_frame(stack);
	put_symbol(doc, "sym", &f, false);
	if (f.module)
		pf_doc_name(doc, "object", f.module);
	if (f.name) {
		pf_doc_name(doc, "name", f.name);
		return;
	}
	if (f.module)
		pf_doc_address(doc, "offset", f.address);
	pf_doc_address(doc, "address", f.address);
}

void pf_emit_mod(struct pf_doc *doc, const char *name, const struct pf_stack *stack)
{
	struct pf_frame f = first_frame(stack);
	if (f.module)
		pf_doc_name(doc, name, f.module);
	else
		pf_doc_address(doc, name, f.address);
}

void pf_emit_usym(struct pf_doc *doc, const struct pf_stack *stack, bool with_offset)
{
	struct pf_frame f = first_frame(stack);
	put_symbol(doc, "usym", &f, with_offset);
	if (f.module)
		pf_doc_name(doc, "module", f.module);
	if (f.name)
		pf_doc_name(doc, "name", f.name);
	if (f.name && with_offset && f.offset > 0)
		pf_doc_address(doc, "offset", f.offset);
	if (!f.name || with_offset)
		pf_doc_address(doc, "address", f.address);
	pf_doc_int(doc, "pid", stack->pid);
}

static void put_message(struct pf_doc *doc, const struct pf_record *r)
{
	pf_doc_text(doc, "message", (struct pf_view){ r->message.text, r->message.n });
	pf_doc_name(doc, "format", r->message.format);
	pf_doc_uint(doc, "args", r->message.args);
}

static void put_members(struct pf_doc *doc, const struct pf_record *r)
{
	switch (r->kind) {
	case PF_RECORD_DEFAULT:
		break;
	case PF_RECORD_VALUE:
		pf_emit_datum(doc, &r->value);
		break;
	case PF_RECORD_MESSAGE:
		put_message(doc, r);
		break;
	case PF_RECORD_AGG:
		pf_emit_agg(doc, r);
		break;
	case PF_RECORD_STACK:
		pf_emit_frames(doc, "stack-frames", &r->stack);
		break;
	case PF_RECORD_USTACK:
		pf_emit_frames(doc, "ustack-frames", &r->stack);
		break;
	case PF_RECORD_SYM:
		pf_emit_sym(doc, &r->stack);
		break;
	case PF_RECORD_MOD:
		pf_emit_mod(doc, "mod", &r->stack);
		break;
	case PF_RECORD_USYM:
		pf_emit_usym(doc, &r->stack, false);
		break;
	case PF_RECORD_UADDR:
		pf_emit_usym(doc, &r->stack, true);
		break;
	case PF_RECORD_UMOD:
		pf_emit_mod(doc, "umod", &r->stack);
		break;
	case PF_RECORD_TRACEMEM:
		pf_doc_hex(doc, "tracemem", r->value.text.p, r->value.text.n);
		pf_doc_uint(doc, "size", r->value.text.n);
		break;
	case PF_RECORD_SYSTEM:
		pf_doc_text(doc, "system", pf_view_of(r->system.text));
		pf_doc_int(doc, "status", r->system.status);
		break;
	case PF_RECORD_FREOPEN:
		pf_doc_text(doc, "freopen", pf_view_of(r->system.text ? r->system.text : ""));
		break;
	}
}

static void put_probe_name(struct pf_doc *doc, const struct pf_probe_name *p)
{
	pf_doc_int(doc, "id", p->id);
	pf_doc_name(doc, "provider", p->provider);
	pf_doc_name(doc, "module", p->module);
	pf_doc_name(doc, "function", p->function);
	pf_doc_name(doc, "name", p->name);
}

/* Events that no probe made bear a name of their own. */
static struct pf_probe_name name_of(const struct pf_event *event)
{
	static const char *const names[] = {
		[PF_EVENT_DROP] = "DROP",
		[PF_EVENT_ERROR] = "ERROR",
		[PF_EVENT_AGGREGATIONS] = "AGGREGATIONS",
	};
	if (event->kind == PF_EVENT_PROBE)
		return event->probe;
	return (struct pf_probe_name){ "dtrace", "INTERNAL", "INTERNAL", names[event->kind], -1 };
}

static void put_drop(struct pf_doc *doc, const struct pf_event *event)
{
	pf_doc_uint(doc, "count", event->drop.count);
	pf_doc_uint(doc, "total", event->drop.total);
	pf_doc_int(doc, "kind", event->drop.kind);
	pf_doc_name(doc, "kind-name", event->drop.kind_name);
	pf_doc_name(doc, "msg", event->msg);
}

static void put_error(struct pf_doc *doc, const struct pf_event *event)
{
	pf_doc_int(doc, "fault", event->error.fault);
	pf_doc_name(doc, "fault-name", event->error.fault_name);
	if (event->error.action >= 0)
		pf_doc_int(doc, "action", event->error.action);
	if (event->error.offset >= 0)
		pf_doc_int(doc, "offset", event->error.offset);
	if (event->error.has_address)
		pf_doc_address(doc, "address", event->error.address);
	pf_doc_name(doc, "msg", event->msg);
	if (event->error.probe.id > 0) {
		pf_doc_object_begin(doc, "probe");
		put_probe_name(doc, &event->error.probe);
		pf_doc_object_end(doc);
	}
}

/* Members of a probe object; "output" is the last, so that a reader of the stream knows the envelope before the records. */
static void put_event(struct pf_doc *doc, const struct pf_event *event)
{
	struct pf_probe_name name = name_of(event);
	pf_doc_int(doc, "timestamp", event->time_ns);
	pf_doc_int(doc, "cpu", event->cpu);
	put_probe_name(doc, &name);
	if (event->flow) {
		pf_doc_name(doc, "flow", event->flow);
		pf_doc_int(doc, "depth", event->depth);
	}
	if (event->kind == PF_EVENT_DROP)
		put_drop(doc, event);
	else if (event->kind == PF_EVENT_ERROR)
		put_error(doc, event);

	pf_doc_list_begin(doc, "output");
	bool has_records = event->kind == PF_EVENT_PROBE || event->kind == PF_EVENT_AGGREGATIONS;
	for (size_t i = 0; i < event->n_records && has_records; i++) {
		if (event->records[i].kind == PF_RECORD_DEFAULT)
			continue;
		pf_doc_object_begin(doc, NULL);
		put_members(doc, &event->records[i]);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

int pf_emit_event(struct pf_emit *e, const struct pf_event *event, struct pf_err *err)
{
	(void)err; /* only writing can fail */
	pf_doc_piece_begin(e->doc);
	if (e->events) {
		put_event(e->doc, event);
	} else {
		pf_doc_int(e->doc, "timestamp", event->time_ns + e->wall_offset_ns);
		pf_doc_object_begin(e->doc, "probe");
		put_event(e->doc, event);
		pf_doc_object_end(e->doc);
	}
	return pf_doc_piece_end(e->doc);
}
