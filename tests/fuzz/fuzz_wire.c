/* tests/fuzz/fuzz_wire.c - messages between the recorder and an isolated module. First byte even: a module's process sends anything, and the
 * recorder makes its calls (bit 1: records are analysed at once; bit 2: there are no declared metrics at first). Odd: what a recorder would send. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/time.h"
#include "import/isolate.h"
#include "import/isolate_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch(void *arg, struct pf_view tag, struct pf_view line)
{
	unsigned *sum = arg;
	for (size_t i = 0; i < tag.n; i++)
		*sum += (unsigned char)tag.p[i];
	for (size_t i = 0; i < line.n; i++)
		*sum += (unsigned char)line.p[i];
}

static void hear(void *arg, enum pf_severity severity, const char *text)
{
	(void)severity;
	touch(arg, pf_view_of(text), pf_view_of(""));
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void exported(struct perfolio_export *to, const char *name, const char *units, double v, int gauge,
		     const char *format, const char *group, const char *title)
{
	const char *const texts[] = { name, units, format, group, title };
	(void)v;
	(void)gauge;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		touch(to->host, pf_view_of(texts[i] ? texts[i] : ""), pf_view_of(""));
}
/* NOLINTEND(readability-function-size) */

static void exported_text(struct perfolio_export *to, const char *text)
{
	touch(to->host, pf_view_of(text), pf_view_of(""));
}

/* What pf_import_open() does for each module, and a run with each interval. */
static void use(struct pf_import *imp, struct pf_module *m, struct pf_frames *frames, bool declares, unsigned *sum)
{
	struct pf_err err = { 0 };
	struct perfolio_setup setup = { .size = sizeof(setup) };
	if (pf_iso_meet(m, &err) < 0)
		return;
	m->ctx.name = m->is.name;
	int rc = m->is.init(&m->ctx, "a,b", &setup);
	m->initialised = true;
	if (rc < 0 || !setup.key || pf_key_init(&m->match, setup.key, &err) < 0)
		return;
	m->key = strdup(setup.key);
	if (declares && m->key && pf_module_declare_all(m, &setup, &err) < 0)
		return;
	struct pf_buf out = { 0 };
	struct perfolio_export to = {
		.size = sizeof(to), .host = sum, .summary = exported, .detail = exported, .text = exported_text
	};
	pf_import_update_header(imp, &out);
	pf_import_get_header(imp, "# a header\n");
	for (int i = 0; i < 3 && !m->off; i++) {
		struct pf_sample *sample = pf_frames_begin(frames, i * PF_NS_PER_SEC, i * PF_NS_PER_SEC);
		if (!sample)
			break;
		pf_import_sample(imp, sample);
		pf_import_init_interval(imp);
		pf_import_get_data(imp);
		pf_import_analyze(imp, PF_VIEW("x"), PF_VIEW("1 2 3"));
		pf_import_interval_end(imp);
		struct pf_step step = pf_frames_step(frames);
		for (int type = PERFOLIO_BRIEF_TITLE; type <= PERFOLIO_BRIEF_TOTALS; type++)
			pf_import_brief(imp, type, &step, &out);
		pf_import_verbose(imp, i == 0, false, &step, PF_VIEW(""), &out);
		for (int type = PERFOLIO_PLOT_SUM_NAMES; type <= PERFOLIO_PLOT_DET; type++)
			pf_import_plot(imp, -1, type, &step, &out);
		pf_import_export(imp, 'l', &step, &to);
		touch(sum, pf_buf_text(&out), PF_VIEW(""));
		pf_buf_clear(&out);
	}
	pf_buf_done(&out);
}

static void hostile_module(int fd, unsigned how)
{
	unsigned sum = 0;
	const struct pf_notice notice = { hear, &sum };
	const struct pf_import_setup setup = { .notice = &notice };
	struct pf_frames frames;
	struct pf_import *imp;
	struct pf_catalog *cat = pf_catalog_new();
	if (!cat || pf_import_open(&imp, &setup, cat, NULL) < 0)
		abort();
	imp->line = touch;
	imp->line_arg = &sum;
	imp->analyze = how & 1;
	imp->records = 100;
	struct pf_module *m = &imp->modules[imp->n++];
	*m = (struct pf_module){ .ctx = { .size = sizeof(m->ctx), .host = &imp->host }, .imp = imp };
	m->iso = calloc(1, sizeof(*m->iso));
	if (!m->iso)
		abort();
	m->iso->wire.fd = fd;
	m->iso->statm_fd = -1;
	m->iso->deadline_ns = PF_NS_PER_SEC / 4;
	m->iso->restarts = UINT16_MAX; /* nobody is started again here */
	pf_frames_init(&frames, cat);
	use(imp, m, &frames, !(how & 2), &sum);
	m->is.done = NULL;
	pf_frames_done(&frames);
	(void)pf_import_close(imp);
	(void)pf_catalog_free(cat);
}

static void hostile_recorder(int fd)
{
	unsigned sum = 0;
	struct pf_import imp = { .root_fd = AT_FDCWD };
	struct pf_wire w = { .fd = fd };
	struct perfolio_state state = { .size = sizeof(state) };
	struct pf_iso_texts texts = { 0 };
	struct pf_wire_fields f;
	for (;;) {
		int kind = pf_wire_next(&w, &f);
		if (kind < 0 || (kind == 0 && pf_wire_receive(&w, PF_WIRE_NOW) < 0))
			break;
		if (kind != PF_WIRE_CALL)
			continue;
		sum += (unsigned)pf_wire_get_u64(&f) + (unsigned)pf_wire_get_u64(&f);
		pf_iso_get_state(&f, &imp, &state, &texts);
		const char *const read[] = { state.datetime, state.mini_filler, state.rate,  state.separator,
					     state.interval, state.host,	state.subsys };
		for (unsigned i = 0; i < PF_WIRE_STATE_TEXTS; i++)
			touch(&sum, pf_view_of(read[i]), PF_VIEW(""));
		struct pf_view text;
		while (pf_wire_get_text(&f, &text))
			touch(&sum, text, PF_VIEW(""));
	}
	for (unsigned i = 0; i < PF_WIRE_STATE_TEXTS; i++)
		pf_buf_done(&texts.texts[i]);
	pf_wire_done(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int ends[2];
	if (size < 1 || size > 64 << 10)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		abort();
	if (send(ends[1], data + 1, size - 1, MSG_DONTWAIT) != (ssize_t)size - 1)
		abort();
	(void)shutdown(ends[1], SHUT_WR);
	if (data[0] & 1)
		hostile_recorder(ends[0]);
	else
		hostile_module(ends[0], data[0] >> 1);
	(void)close(ends[1]);
	return 0;
}
