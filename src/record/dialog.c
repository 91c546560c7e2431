/* record/dialog.c - dialogs one after the other, each a program beside the logger. */
#include "record/dialog.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/loop.h"
#include "base/spawn.h"

enum { WAITING = 16, ANSWER_BYTES = 256 };

/* One that waits or is open. */
struct item {
	enum pf_dialog_kind kind;
	char *text;
	char *creator;
	char *options;
};

/**
 * struct pf_dialogs - @items[0] is the one that is open if @pid > 0.
 * @watch: of the program's output; @answer: its first line so far; @file: the text for it
 * @leaving: a program that has answered and may not have ended yet, 0: none
 */
struct pf_dialogs {
	struct pf_watch watch;
	struct pf_loop *loop;
	int log_fd;
	struct item items[WAITING];
	unsigned n_items;
	pid_t pid;
	pid_t leaving;
	char *file;
	char answer[ANSWER_BYTES];
	size_t answer_n;
	enum pf_dialog_answer said;
};

static void free_item(struct item *item)
{
	free(item->text);
	free(item->creator);
	free(item->options);
	*item = (struct item){ 0 };
}

static void shift(struct pf_dialogs *d)
{
	free_item(&d->items[0]);
	d->n_items--;
	memmove(&d->items[0], &d->items[1], d->n_items * sizeof(d->items[0]));
}

/* The last line of a question has no newline, and what the log says next stands behind it, as in PCP. */
static void log_text(const struct pf_dialogs *d, enum pf_dialog_kind kind, const char *text)
{
	struct pf_buf b = { 0 };
	pf_buf_fmt(&b, "\n%s: pmconfirm(1) failed for recording session dialog\nDialog:\n",
		   kind == PF_DIALOG_STATUS ? "Warning" : "Error");
	pf_buf_str(&b, text);
	(void)pf_io_write_all(d->log_fd, b.p, b.n); /* there is nowhere else to say it */
	pf_buf_done(&b);
}

static void answered(struct pf_dialogs *d, enum pf_dialog_kind kind, enum pf_dialog_answer answer)
{
	if (kind == PF_DIALOG_LOST)
		d->said = answer;
}

static void end_program(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(-pid, SIGKILL); /* also what it started; all may have ended */
	(void)waitpid(pid, NULL, 0);
}

void pf_dialogs_reap(struct pf_dialogs *d)
{
	if (d->leaving > 0 && waitpid(d->leaving, NULL, WNOHANG) != 0)
		d->leaving = 0;
}

static char *folder_of_texts(void)
{
	static const char *const variables[] = { "PCP_TMPFILE_DIR", "TMPDIR" };
	const char *folder = "/tmp";
	for (unsigned i = PF_N(variables); i > 0; i--) {
		const char *value = getenv(variables[i - 1]);
		if (value && value[0] != '\0')
			folder = value;
	}
	char *path;
	return asprintf(&path, "%s/msgXXXXXX", folder) < 0 ? NULL : path;
}

static int write_file(struct pf_dialogs *d, const char *text)
{
	d->file = folder_of_texts();
	pf_autoclose int fd = d->file ? mkostemp(d->file, O_CLOEXEC) : -1;
	if (fd >= 0)
		return pf_io_write_all(fd, text, strlen(text));
	int rc = d->file ? -errno : -ENOMEM;
	free(d->file);
	d->file = NULL;
	return rc;
}

static void remove_file(struct pf_dialogs *d)
{
	if (d->file)
		(void)unlink(d->file);
	free(d->file);
	d->file = NULL;
}

/* Everything of the dialog that is open but its item. */
static void close_program(struct pf_dialogs *d)
{
	if (d->watch.fd >= 0) {
		pf_loop_forget(d->loop, &d->watch);
		(void)close(d->watch.fd); /* only read from */
		d->watch.fd = -1;
	}
	remove_file(d);
	d->answer_n = 0;
}

/* Start @c with its output in a pipe that is watched. */
static int start(struct pf_dialogs *d, const struct pf_dialog_command *c)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pf_autoclose int theirs = ends[1];
	d->watch.fd = ends[0];
	int rc = fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0 ? -errno : pf_loop_add(d->loop, &d->watch, EPOLLIN);
	const struct pf_spawn spawn = { .argv = (const char *const *)c->words, .out = theirs, .with_us = true };
	return rc < 0 ? rc : pf_spawn(&spawn, &d->pid);
}

static int show(struct pf_dialogs *d, const struct item *item)
{
	struct pf_dialog_command c = { 0 };
	int rc = write_file(d, item->text);
	if (rc == 0)
		rc = pf_dialog_command(&c, item->kind, item->creator, d->file, item->text, item->options);
	if (rc == 0)
		rc = start(d, &c);
	pf_dialog_command_done(&c);
	if (rc < 0)
		close_program(d);
	return rc;
}

/* Open the first one that waits; what cannot be opened is logged. */
static void open_next(struct pf_dialogs *d)
{
	while (d->n_items > 0 && d->pid == 0) {
		end_program(d->leaving); /* it had its time */
		d->leaving = 0;
		if (show(d, &d->items[0]) == 0)
			return;
		log_text(d, d->items[0].kind, d->items[0].text);
		answered(d, d->items[0].kind, PF_DIALOG_STOP);
		shift(d);
	}
}

/* The program gave its first line, or none. */
static void finish(struct pf_dialogs *d, bool line)
{
	const struct item *item = &d->items[0];
	bool yes = d->answer_n == 3 && memcmp(d->answer, "Yes", 3) == 0;
	if (!line)
		log_text(d, item->kind, item->text);
	answered(d, item->kind, yes || !line ? PF_DIALOG_STOP : PF_DIALOG_GO_ON);
	close_program(d);
	d->leaving = d->pid;
	d->pid = 0;
	pf_dialogs_reap(d);
	shift(d);
	open_next(d);
}

static void ready(struct pf_watch *w, uint32_t events)
{
	(void)events;
	struct pf_dialogs *d = (struct pf_dialogs *)w;
	ssize_t n = read(w->fd, d->answer + d->answer_n, sizeof(d->answer) - d->answer_n);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	const char *end = n > 0 ? memchr(d->answer + d->answer_n, '\n', (size_t)n) : NULL;
	d->answer_n += n > 0 ? (size_t)n : 0;
	if (end)
		d->answer_n = (size_t)(end - d->answer);
	if (end || n <= 0 || d->answer_n == sizeof(d->answer))
		finish(d, end || d->answer_n > 0);
}

int pf_dialogs_new(struct pf_dialogs **ret_dialogs, struct pf_loop *loop, int log_fd, struct pf_err *err)
{
	struct pf_dialogs *d = calloc(1, sizeof(*d));
	if (!d)
		return pf_err_set(err, -ENOMEM, "no memory");
	d->watch = (struct pf_watch){ .fd = -1, .ready = ready };
	d->loop = loop;
	d->log_fd = log_fd;
	*ret_dialogs = d;
	return 0;
}

void pf_dialogs_put(struct pf_dialogs *d, enum pf_dialog_kind kind, const struct pf_dialog_about *about,
		    const char *options)
{
	struct pf_buf text = { 0 };
	pf_dialog_text(&text, kind, about);
	struct item item = { kind, text.failed ? NULL : text.p, about->creator ? strdup(about->creator) : NULL,
			     strdup(options) };
	if (text.failed)
		pf_buf_done(&text);
	/* The last place is for the event that ends the channel. */
	bool room = d->n_items < (kind == PF_DIALOG_STATUS ? WAITING - 1 : WAITING);
	if (!room || !item.text || !item.options || (about->creator && !item.creator)) {
		log_text(d, kind, item.text ? item.text : "");
		answered(d, kind, PF_DIALOG_STOP);
		free_item(&item);
		return;
	}
	d->items[d->n_items++] = item;
	open_next(d);
}

enum pf_dialog_answer pf_dialogs_answer(const struct pf_dialogs *d)
{
	return d->said;
}

bool pf_dialogs_open(const struct pf_dialogs *d)
{
	return d->n_items > 0;
}

void pf_dialogs_drop(struct pf_dialogs *d)
{
	close_program(d);
	end_program(d->pid);
	end_program(d->leaving);
	d->pid = d->leaving = 0;
	while (d->n_items > 0)
		shift(d);
}

struct pf_dialogs *pf_dialogs_free(struct pf_dialogs *d)
{
	if (!d)
		return NULL;
	pf_dialogs_drop(d);
	free(d);
	return NULL;
}
