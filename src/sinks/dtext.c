/* sinks/dtext.c - D events as the text of dtrace(1). Layouts: the D language's documentation, column by column. */
#include "sinks/dtext.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"

enum { ENOUGH = 64 << 10 };

struct dtext {
	struct pf_sink sink;
	int fd;
	int own_fd; /* of freopen(), or -1 */
	const struct pf_trace *trace;
	struct pf_trace_text text;
	struct pf_buf out;
	struct pf_buf safe; /* of make_safe() */
	bool terminal;	    /* is @fd one? Then nothing that was traced may command it */
	bool header, ended;
	int failed;
};

static int open_sink(struct pf_sink **ret_sink, const struct pf_sink_spec *spec, struct pf_err *err)
{
	struct dtext *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "no memory");
	s->sink.kind = &pf_sink_dtext;
	s->fd = spec->fd;
	s->own_fd = -1;
	s->terminal = isatty(spec->fd) == 1;
	s->trace = spec->trace;
	*ret_sink = &s->sink;
	return 0;
}

static int flush(struct pf_sink *sink)
{
	struct dtext *s = (struct dtext *)sink;
	if (s->out.failed && !s->failed)
		s->failed = s->out.failed;
	if (s->out.n && !s->failed)
		s->failed = pf_io_write_all(s->own_fd >= 0 ? s->own_fd : s->fd, s->out.p, s->out.n);
	pf_buf_clear(&s->out);
	return s->failed;
}

/* add_integer() - in the column of its size, or bare when quiet. */
static void add_integer(struct dtext *s, const struct pf_datum *d)
{
	static const int widths[9] = { [1] = 3, [2] = 5, [4] = 10, [8] = 19 };
	int width = d->size <= 8 ? widths[d->size] : 19;
	if (d->kind == PF_DATUM_INT && s->text.quiet)
		pf_buf_i64(&s->out, d->i);
	else if (d->kind == PF_DATUM_INT)
		pf_buf_fmt(&s->out, " %*lld", width, (long long)d->i);
	else if (s->text.quiet)
		pf_buf_u64(&s->out, d->u);
	else
		pf_buf_fmt(&s->out, " %*llu", width, (unsigned long long)d->u);
}

/* add_left() - text in a field of @width, filled up on the right. */
static void add_left(struct pf_buf *out, struct pf_view text, size_t width)
{
	pf_buf_str(out, "  ");
	pf_buf_view(out, text);
	pf_buf_pad(out, ' ', text.n < width ? width - text.n : 0);
}

void pf_dtext_dump(struct pf_buf *out, const char *bytes, size_t n)
{
	pf_buf_str(out, "\n           ");
	for (unsigned i = 0; i < 16; i++)
		pf_buf_fmt(out, "  %x", i);
	pf_buf_str(out, "  0123456789abcdef\n");
	for (size_t row = 0; row < n; row += 16) {
		size_t in = n - row < 16 ? n - row : 16;
		pf_buf_fmt(out, "     %5zx:", row);
		for (size_t i = 0; i < in; i++)
			pf_buf_fmt(out, " %02x", (unsigned char)bytes[row + i]);
		pf_buf_pad(out, ' ', 3 * (16 - in) + 2);
		for (size_t i = 0; i < in; i++) {
			char c = bytes[row + i];
			pf_buf_char(out, c >= 0x20 && c <= 0x7e ? c : '.');
		}
		pf_buf_char(out, '\n');
	}
}

static void add_datum(struct dtext *s, const struct pf_datum *d)
{
	if (d->kind == PF_DATUM_INT || d->kind == PF_DATUM_UINT) {
		add_integer(s, d);
		return;
	}
	if (d->kind == PF_DATUM_BYTES || s->text.rawbytes) {
		pf_dtext_dump(&s->out, d->text.p, d->text.n);
		return;
	}
	struct pf_view text = { d->text.p, strnlen(d->text.p, d->text.n) };
	if (s->text.quiet)
		pf_buf_view(&s->out, text);
	else
		add_left(&s->out, text, 33);
}

void pf_dtext_frame(struct pf_buf *out, const struct pf_frame *f, bool with_offset)
{
	if (f->module)
		pf_buf_fmt(out, "%s`", f->module);
	if (!f->name)
		pf_buf_fmt(out, "0x%llx", (unsigned long long)f->address);
	else if (with_offset && f->offset)
		pf_buf_fmt(out, "%s+0x%llx", f->name, (unsigned long long)f->offset);
	else
		pf_buf_str(out, f->name);
}

void pf_dtext_stack(struct pf_buf *out, const struct pf_stack *stack, unsigned indent)
{
	pf_buf_char(out, '\n');
	for (size_t i = 0; i < stack->n; i++) {
		pf_buf_pad(out, ' ', indent);
		pf_dtext_frame(out, &stack->frames[i], true);
		pf_buf_char(out, '\n');
		if (stack->frames[i].annotation) {
			pf_buf_pad(out, ' ', indent);
			pf_buf_fmt(out, "  [ %s ]\n", stack->frames[i].annotation);
		}
	}
}

void pf_dtext_symbol(struct pf_buf *out, const struct pf_stack *stack, bool module_only, bool with_offset)
{
	struct pf_buf name = { 0 };
	struct pf_frame none = { 0 };
	const struct pf_frame *f = stack->n ? &stack->frames[0] : &none;
	if (module_only && f->module)
		pf_buf_str(&name, f->module);
	else if (module_only)
		pf_buf_fmt(&name, "0x%llx", (unsigned long long)f->address);
	else
		pf_dtext_frame(&name, f, with_offset);
	add_left(out, pf_buf_text(&name), 50);
	pf_buf_done(&name);
}

/* reopen() - freopen(): what follows goes to that file; an empty name means back to where it began. */
static int reopen(struct dtext *s, const char *path)
{
	int rc = flush(&s->sink);
	if (s->own_fd >= 0)
		(void)close(s->own_fd); /* everything in it was checked when it was written */
	s->own_fd = -1;
	if (rc == 0 && *path) {
		s->own_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (s->own_fd < 0)
			return -errno;
	}
	return rc;
}

static int add_record(struct dtext *s, const struct pf_record *r)
{
	switch (r->kind) {
	case PF_RECORD_DEFAULT:
		break;
	case PF_RECORD_SYSTEM: {
		int rc = r->system.run ? flush(&s->sink) : 0; /* what was printed so far goes out first */
		if (r->system.run)
			(void)r->system.run(r->system.text);
		return rc;
	}
	case PF_RECORD_VALUE:
		add_datum(s, &r->value);
		break;
	case PF_RECORD_MESSAGE:
		pf_buf_add(&s->out, r->message.text, r->message.n);
		break;
	case PF_RECORD_AGG:
		if (r->agg.text) {
			pf_buf_str(&s->out, r->agg.text);
		} else {
			pf_buf_char(&s->out, '\n');
			pf_dtext_rows(&s->out, r, s->text.stackindent);
		}
		break;
	case PF_RECORD_STACK:
	case PF_RECORD_USTACK:
		pf_dtext_stack(&s->out, &r->stack, s->text.stackindent);
		break;
	case PF_RECORD_SYM:
	case PF_RECORD_USYM:
	case PF_RECORD_UADDR:
		pf_dtext_symbol(&s->out, &r->stack, false, r->kind == PF_RECORD_UADDR);
		break;
	case PF_RECORD_MOD:
	case PF_RECORD_UMOD:
		pf_dtext_symbol(&s->out, &r->stack, true, false);
		break;
	case PF_RECORD_TRACEMEM:
		pf_dtext_dump(&s->out, r->value.text.p, r->value.text.n);
		break;
	case PF_RECORD_FREOPEN:
		return reopen(s, r->system.text);
	}
	return 0;
}

/* make_safe() - escape what a terminal could obey in the text from @at on. */
static void make_safe(struct dtext *s, size_t at)
{
	if (!s->terminal || s->own_fd >= 0 || at >= s->out.n)
		return;
	pf_buf_clear(&s->safe);
	pf_escape_lines(&s->safe, (struct pf_view){ s->out.p + at, s->out.n - at });
	if (s->safe.n == s->out.n - at)
		return;
	s->out.n = at;
	pf_buf_view(&s->out, pf_buf_text(&s->safe));
}

/* Does an argument of the message hold such bytes? Those of the format itself are the program's own, and stay. */
static bool carries_controls(struct dtext *s, const struct pf_record *message, const struct pf_record *end)
{
	for (const struct pf_record *r = message + 1; r < end && r->of_message; r++) {
		if (r->kind != PF_RECORD_VALUE || r->value.kind != PF_DATUM_TEXT)
			continue;
		struct pf_view text = { r->value.text.p, strnlen(r->value.text.p, r->value.text.n) };
		pf_buf_clear(&s->safe);
		pf_escape_lines(&s->safe, text);
		if (s->safe.n != text.n)
			return true;
	}
	return false;
}

/* add_flow() - what stands before the data with flowindent: arrows that follow the depth. */
static void add_flow(struct dtext *s, const struct pf_event *e)
{
	struct pf_buf name = { 0 };
	bool call = strcmp(e->probe.provider, "syscall") == 0;
	bool entry = strcmp(e->flow, "entry") == 0;
	bool none = strcmp(e->flow, "none") == 0;
	pf_buf_pad(&name, ' ', 2 * (size_t)e->depth);
	pf_buf_str(&name, none ? "| " : entry ? call ? " => " : " -> " : call ? " <= " : " <- ");
	pf_buf_str(&name, e->probe.function);
	if (none)
		pf_buf_fmt(&name, ":%s", e->probe.name);
	pf_buf_fmt(&s->out, "%3d %-41s ", e->cpu, name.p ? name.p : "");
	pf_buf_done(&name);
}

/* add_place() - CPU, ID and FUNCTION:NAME. */
static void add_place(struct dtext *s, const struct pf_event *e)
{
	if (e->flow) {
		if (!s->header)
			pf_buf_fmt(&s->out, "%3s %-41s\n", "CPU", "FUNCTION");
		add_flow(s, e);
	} else if (!s->text.quiet) {
		if (!s->header)
			pf_buf_fmt(&s->out, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
		size_t n = strlen(e->probe.function) + 1 + strlen(e->probe.name);
		pf_buf_fmt(&s->out, "%3d %6d ", e->cpu, e->probe.id);
		pf_buf_pad(&s->out, ' ', n < 32 ? 32 - n : 0);
		pf_buf_fmt(&s->out, "%s:%s ", e->probe.function, e->probe.name);
	}
	s->header = true;
}

static int event(struct pf_sink *sink, const struct pf_event *e, struct pf_err *err)
{
	struct dtext *s = (struct dtext *)sink;
	(void)err;
	if (e->kind == PF_EVENT_DROP || e->kind == PF_EVENT_ERROR)
		return 0; /* a sentence on standard error, which is not ours */
	if (s->trace)
		pf_trace_text(s->trace, &s->text);
	if (e->kind == PF_EVENT_AGGREGATIONS) {
		pf_buf_char(&s->out, '\n');
		size_t at = s->out.n;
		for (size_t i = 0; i < e->n_records; i++)
			pf_dtext_rows(&s->out, &e->records[i], s->text.stackindent);
		make_safe(s, at);
		s->ended = true;
		return 0;
	}
	add_place(s, e);
	for (size_t i = 0; i < e->n_records; i++) {
		const struct pf_record *r = &e->records[i];
		if (r->of_message)
			continue;
		size_t at = s->out.n;
		int rc = add_record(s, r);
		if (rc < 0)
			return rc;
		if (r->kind != PF_RECORD_MESSAGE || carries_controls(s, r, e->records + e->n_records))
			make_safe(s, at);
	}
	if (!s->text.quiet || e->flow)
		pf_buf_char(&s->out, '\n');
	return s->out.n > ENOUGH ? flush(sink) : 0;
}

static int close_sink(struct pf_sink *sink, struct pf_err *err)
{
	struct dtext *s = (struct dtext *)sink;
	if (!s->ended)
		pf_buf_char(&s->out, '\n');
	int rc = flush(sink);
	if (s->own_fd >= 0 && close(s->own_fd) < 0 && rc == 0)
		rc = -errno;
	pf_buf_done(&s->out);
	pf_buf_done(&s->safe);
	free(s);
	return rc < 0 ? pf_err_set(err, rc, "cannot write the output: %s", strerror(-rc)) : 0;
}

const struct pf_sink_kind pf_sink_dtext = {
	.name = "dtext",
	.open = open_sink,
	.event = event,
	.flush = flush,
	.close = close_sink,
};
