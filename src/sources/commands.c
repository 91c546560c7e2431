/* sources/commands.c - programs that are asked. A slow one delays nobody: its answer belongs to the sample in which it comes. */
#include "sources/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "groups/environment.h"
#include "sources/helper.h"

enum { COMMANDS_MAX = 4, WORDS_MAX = 8 };

/* A program that has not answered by then is ended. */
static const int64_t deadline_ns = 30 * PF_NS_PER_SEC;

struct command {
	struct pf_target *target;
	struct pf_helper helper;
	const char *argv[WORDS_MAX];
	bool failed; /* told */
};

struct pf_commands {
	struct command list[COMMANDS_MAX];
	unsigned n;
	unsigned every;
	unsigned until;
	char device[2];
	struct pf_line_filter lines;
	const char *test; /* a file with the answer instead */
	const struct pf_raw_tap *tap;
	const struct pf_notice *notice;
	bool no_parse;
	struct pf_buf text;
};

static void take(struct pf_commands *c, struct command *cmd, struct pf_view rest)
{
	const struct pf_row *row = cmd->target->row;
	struct pf_view line;
	while (pf_view_line(&rest, &line) == 0) {
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		if (line.n == 0 || (row->keep && !row->keep(&line, &c->lines)))
			continue;
		if (c->tap)
			c->tap->line(c->tap->arg, pf_view_of(row->tag), line);
		if (!c->no_parse)
			row->parse(line, &cmd->target->b);
	}
}

static void tell(const struct pf_commands *c, struct command *cmd, int rc)
{
	if (!cmd->failed)
		pf_notice(c->notice, PF_WARNING, "%s: %s, going on without it", cmd->target->row->path,
			  rc == -ETIMEDOUT ? "no answer in 30 seconds" : strerror(-rc));
	cmd->failed = true;
}

static int ask(struct pf_commands *c, struct command *cmd, bool due)
{
	int rc = 0;
	if (c->test) {
		rc = due ? pf_io_read_file(AT_FDCWD, c->test, PF_HELPER_OUTPUT_MAX, &c->text, NULL) : 0;
		if (due && rc == 0)
			take(c, cmd, pf_buf_text(&c->text));
		return rc;
	}
	if (due)
		rc = pf_helper_start(&cmd->helper, cmd->argv, deadline_ns);
	if (rc == 0)
		rc = pf_helper_poll(&cmd->helper);
	if (rc > 0) {
		cmd->failed = false;
		take(c, cmd, pf_buf_text(&cmd->helper.text));
	}
	return rc < 0 ? rc : 0;
}

int pf_commands_sample(struct pf_commands *c, uint64_t *lost)
{
	bool due = c->until == 0;
	c->until = due ? c->every - 1 : c->until - 1;
	for (unsigned i = 0; i < c->n; i++) {
		int rc = ask(c, &c->list[i], due);
		if (rc == -ENOMEM)
			return rc;
		if (rc < 0) {
			(*lost)++;
			tell(c, &c->list[i], rc);
		}
	}
	return 0;
}

int pf_commands_open(struct pf_commands **ret, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_err *err)
{
	*ret = NULL;
	struct pf_commands *c = NULL;
	for (unsigned t = 0; t < d->n_targets; t++) {
		const struct pf_row *row = d->targets[t].row;
		if (!row->command)
			continue;
		c = c ? c : calloc(1, sizeof(*c));
		if (!c)
			return pf_err_set(err, -ENOMEM, "no memory");
		if (c->n == COMMANDS_MAX)
			break;
		struct command *cmd = &c->list[c->n++];
		cmd->target = &d->targets[t];
		unsigned n = 0;
		for (; row->command[n] && n < WORDS_MAX - 3; n++)
			cmd->argv[n] = row->command[n];
		if (spec->env && spec->env->device > 0) {
			c->device[0] = (char)('0' + spec->env->device - 1);
			cmd->argv[n++] = "-d";
			cmd->argv[n] = c->device;
		}
	}
	if (c) {
		c->every = spec->third_every ? spec->third_every : 1;
		c->test = spec->env_test;
		c->lines = spec->lines;
		c->tap = spec->tap;
		c->no_parse = spec->no_parse;
		c->notice = spec->notice;
	}
	*ret = c;
	return 0;
}

struct pf_commands *pf_commands_close(struct pf_commands *c)
{
	if (!c)
		return NULL;
	for (unsigned i = 0; i < c->n; i++)
		pf_helper_done(&c->list[i].helper);
	pf_buf_done(&c->text);
	free(c);
	return NULL;
}
