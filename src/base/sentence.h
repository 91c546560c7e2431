/* base/sentence.h - a format and its values become one sentence that fits its room. */
#ifndef PF_BASE_SENTENCE_H
#define PF_BASE_SENTENCE_H

#include <stdarg.h>
#include <stddef.h>

/**
 * pf_sentence() - printf for people: values are quoted so that they can do no harm.
 * @out, @size: where the sentence goes; always terminated
 * @inner: put behind it with ": " if not NULL: a sentence made by this function
 *
 * In values (strings and characters) each byte that a terminal could obey or that ends a line becomes "\xHH", as pf_escape_text() does.
 * A sentence that is too long loses the middle of its longest parts, for which "..." stands: what it is about and what is wrong stay.
 * Without @inner a format that is nothing but "%s" hands on a sentence: its newlines and tabs stay, as those of the format itself do.
 */
void pf_sentence(char *out, size_t size, const char *inner, const char *fmt, va_list ap)
	__attribute__((format(printf, 4, 0)));

#endif
