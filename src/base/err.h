/* base/err.h - one sentence about what went wrong, built from the inside out. */
#ifndef PF_BASE_ERR_H
#define PF_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

enum { PF_ERR_TEXT = 512 };

/* An error on its way up: @rc is a negative errno, @text one sentence without newline. {0} is "no error".
 * @ends: somebody who may (a script's exit() or last words) wants the program to end with the exit status @status; @text can be empty then */
struct pf_err {
	int rc;
	bool ends;
	int status;
	char text[PF_ERR_TEXT];
};

/**
 * pf_err_set() - say what failed, in the place that knows.
 * @err: where to write, may be NULL
 * @rc: negative errno
 *
 * Return: @rc, so that one can write `return pf_err_set(err, -EINVAL, "...")`.
 */
int pf_err_set(struct pf_err *err, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/**
 * pf_err_context() - put "context: " before the text on the way up.
 * An @err whose text is still empty gets strerror(-rc) as its text first.
 *
 * Return: @rc.
 */
int pf_err_context(struct pf_err *err, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
