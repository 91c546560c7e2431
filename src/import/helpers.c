/* import/helpers.c - the functions that the host lends to modules. None of them ends the program; error() is taken up when the
 * callback that called it has returned. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "import/host.h"

void pf_module_new_interval(struct pf_module *m)
{
	if (m->n_dropped > 0 && !m->told_flood) {
		m->told_flood = true;
		pf_notice(m->imp->notice, PF_WARNING, "module %s: too many records in one interval, %llu were ignored",
			  m->is.name, (unsigned long long)m->n_dropped);
	}
	m->n_records = 0;
	m->n_bytes = 0;
	m->n_dropped = 0;
	m->n_words = 0;
}

/* One line on its way: told as raw text, then analysed if data is being interpreted. */
static void pass_line(struct pf_module *m, struct pf_view tag, struct pf_view line, bool second)
{
	struct pf_import *imp = m->imp;
	if (m->n_records >= imp->records || m->n_bytes >= PF_MODULE_BYTES_MAX) {
		m->n_dropped++;
		return;
	}
	m->n_records++;
	m->n_bytes += tag.n + line.n;
	m->n_recorded += tag.n + line.n;
	if (second && imp->second_line)
		imp->second_line(imp->second_arg, tag, line);
	else if (imp->line)
		imp->line(imp->line_arg, tag, line);
	if (!imp->analyze)
		return;
	if (tag.n == 0) {
		tag.p = line.p;
		while (tag.n < line.n && line.p[tag.n] != ' ' && line.p[tag.n] != '\t')
			tag.n++;
		line.p += tag.n;
		line.n -= tag.n;
	}
	pf_import_analyze(imp, tag, line);
}

/* A line that would be read back as something else than a record: a mark, a comment, nothing. */
static bool is_record(struct pf_view tag, struct pf_view line)
{
	struct pf_view first = tag.n > 0 ? tag : line;
	return first.n > 0 && first.p[0] != '#' && first.p[0] != '>' && !memchr(tag.p, ' ', tag.n) &&
	       !memchr(tag.p, '\t', tag.n) && !memchr(tag.p, '\n', tag.n);
}

void pf_module_record(struct pf_module *m, struct pf_view tag, struct pf_view lines, bool second)
{
	if (lines.n > PF_MODULE_RECORD_MAX) {
		if (!m->told_record)
			pf_notice(m->imp->notice, PF_WARNING, "module %s: a record of more than %d bytes, ignoring it",
				  m->is.name, PF_MODULE_RECORD_MAX);
		m->told_record = true;
		return;
	}
	struct pf_view line = { lines.p, 0 };
	do {
		if (lines.n > 0)
			(void)pf_view_line(&lines, &line);
		if (is_record(tag, line)) {
			pass_line(m, tag, line, second);
			continue;
		}
		if (!m->told_record)
			pf_notice(m->imp->notice, PF_WARNING,
				  "module %s: '%.*s' cannot be the type of a record, ignoring such records", m->is.name,
				  tag.n < 40 ? (int)tag.n : 40, tag.n > 0 ? tag.p : "");
		m->told_record = true;
	} while (lines.n > 0);
}

static void record(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	if (type && data)
		pf_module_record(pf_module_of(ctx), pf_view_of(type), pf_view_of(data), false);
}

static void add(struct perfolio_text *to, const char *text)
{
	if (to && text)
		pf_buf_str(to->buf, text);
}

static void addf(struct perfolio_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As pf_buf_fmt(), which takes no va_list. */
static void addf(struct perfolio_text *to, const char *format, ...)
{
	if (!to || !format)
		return;
	char small[512];
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(small, sizeof(small), format, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n < sizeof(small)) {
		pf_buf_add(to->buf, small, (size_t)n);
		return;
	}
	char *room = pf_buf_reserve(to->buf, (size_t)n);
	if (!room)
		return;
	va_start(ap, format);
	n = vsnprintf(room, (size_t)n + 1, format, ap);
	va_end(ap);
	to->buf->n += n > 0 ? (size_t)n : 0;
}

static const char *cvt(const struct perfolio_ctx *ctx, double value, int width, int unit, int div1024, char *buf)
{
	return pf_cvt(value, width, unit, div1024 != 0, &((const struct pf_module *)ctx)->imp->style, buf);
}

static double fix(double delta)
{
	return pf_fix(delta);
}

static void set_u64(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, uint64_t value)
{
	pf_module_set(pf_module_of(ctx), metric, instance, PERFOLIO_U64, (union pf_value){ .u = value });
}

static void set_i64(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, int64_t value)
{
	pf_module_set(pf_module_of(ctx), metric, instance, PERFOLIO_S64, (union pf_value){ .i = value });
}

static void set_double(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, double value)
{
	pf_module_set(pf_module_of(ctx), metric, instance, PERFOLIO_DOUBLE, (union pf_value){ .d = value });
}

static void set_string(struct perfolio_ctx *ctx, uint32_t metric, const char *instance, const char *value)
{
	if (value)
		pf_module_set(pf_module_of(ctx), metric, instance, PERFOLIO_STRING, (union pf_value){ .s = value });
}

static void logmsg(struct perfolio_ctx *ctx, char severity, const char *text)
{
	struct pf_module *m = pf_module_of(ctx);
	if (m->n_words++ == PF_MODULE_WORDS_MAX)
		pf_notice(m->imp->notice, PF_WARNING,
			  "module %s: more than %d messages in one interval, ignoring the rest of them", m->is.name,
			  PF_MODULE_WORDS_MAX);
	if (m->n_words > PF_MODULE_WORDS_MAX)
		return;
	if (m->imp->watch && m->imp->watch->said) {
		m->imp->watch->said(m->imp->watch->arg, severity, text ? text : "");
		return;
	}
	pf_notice(m->imp->notice, severity == 'I' ? PF_INFO : PF_WARNING, "module %s: %s", m->is.name,
		  text ? text : "");
}

static void error(struct perfolio_ctx *ctx, const char *text)
{
	struct pf_module *m = pf_module_of(ctx);
	if (m->failed.rc == 0)
		(void)pf_err_set(&m->failed, -ECANCELED, "%s", text ? text : "unknown error");
}

const struct perfolio_host pf_host_functions = {
	.size = sizeof(struct perfolio_host),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.version = PF_VERSION,
	.record = record,
	.getproc = pf_module_getproc,
	.getexec = pf_module_getexec,
	.add = add,
	.addf = addf,
	.cvt = cvt,
	.fix = fix,
	.set_u64 = set_u64,
	.set_i64 = set_i64,
	.set_double = set_double,
	.set_string = set_string,
	.logmsg = logmsg,
	.error = error,
	.open_file = pf_module_open_file,
	.declare = pf_module_declare,
};
