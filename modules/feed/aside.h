/* modules/feed/aside.h - texts that may keep us waiting (a URL, the output of a command) are got by a process of our own, which may wait in our
 * place. Asked in one sample, its answer is taken in the next one in which it is there. */
#ifndef PF_MODULES_FEED_ASIDE_H
#define PF_MODULES_FEED_ASIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct pf_feed;

enum pf_feed_kind {
	PF_FEED_URL,	/* through libcurl, in the shared object at pf_feed_spec.curl */
	PF_FEED_ONCE,	/* a command, run anew for each question */
	PF_FEED_STREAM, /* a command that stays; an answer has what it has written since the last one */
};

/* @what: URL or command, as the shell takes it. @limit: bytes of one text. The texts live as long as the feed. */
struct pf_feed_spec {
	enum pf_feed_kind kind;
	const char *what;
	const char *curl;
	int64_t timeout_ns;
	size_t limit;
};

/**
 * struct pf_feed_answer - what came back.
 * @rc: 0 or negative errno with its reason in @why
 * @at_ns: wall clock when it was begun; @took_ns: how long it took
 * @strict: the server called it OpenMetrics; @lost: bytes that were dropped because there were too many
 */
struct pf_feed_answer {
	int32_t rc;
	int32_t strict;
	int64_t at_ns;
	int64_t took_ns;
	int64_t size;
	int64_t lost;
	char why[200];
};

/* What the shared object with libcurl exports as `pf_feed_fetch`: @text is replaced. */
typedef int pf_feed_fetch_fn(const char *url, int64_t timeout_ns, size_t limit, struct pf_buf *text,
			     struct pf_feed_answer *answer);

/* pf_feed_new() - nothing is started before the first question. NULL: no memory. */
struct pf_feed *pf_feed_new(const struct pf_feed_spec *spec);
struct pf_feed *pf_feed_free(struct pf_feed *feed); /* ends the process and what it runs; returns NULL */

/* pf_feed_ask() - unless a question is open, or the last failure was so short ago that it is too early for another try. */
void pf_feed_ask(struct pf_feed *feed);

/**
 * pf_feed_take() - the answer, if it is there within @wait_ms. A process that does not answer at all is ended after the time of the spec and
 * two seconds, which is an answer, too.
 *
 * Return: 1 with @ret_answer and, if its rc is 0, @text; otherwise 0.
 */
int pf_feed_take(struct pf_feed *feed, int wait_ms, struct pf_feed_answer *ret_answer, struct pf_buf *text);

/* helper.c: the process. Does not return. @control: questions and answers; @memory: where the text goes; @command: memory that both share, in
 * which it keeps the process group of its command, 0 for none. */
_Noreturn void pf_feed_serve(const struct pf_feed_spec *spec, int control, int memory, volatile pid_t *command);

#endif
