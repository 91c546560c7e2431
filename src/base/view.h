/* base/view.h - bounded, unterminated, read-only text; the form in which parsers take their input. */
#ifndef PF_BASE_VIEW_H
#define PF_BASE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* @n bytes at @p; not terminated, never written to, owned by whoever made it. */
struct pf_view {
	const char *p;
	size_t n;
};

#define PF_VIEW(literal) ((struct pf_view){ (literal), sizeof(literal) - 1 })

static inline struct pf_view pf_view_of(const char *s)
{
	return (struct pf_view){ s, strlen(s) };
}

static inline bool pf_view_is(struct pf_view v, const char *s)
{
	size_t n = strlen(s);
	return v.n == n && memcmp(v.p, s, n) == 0;
}

static inline bool pf_view_starts(struct pf_view v, const char *s)
{
	size_t n = strlen(s);
	return v.n >= n && memcmp(v.p, s, n) == 0;
}

/**
 * pf_view_line() - cut the next line off the front of @rest.
 * @rest: in/out; on success starts after the newline
 * @ret_line: the line without its newline; lives as long as the bytes of @rest
 *
 * Return: 0, or -ENODATA when @rest is empty (both untouched). A last line without newline counts.
 */
int pf_view_line(struct pf_view *rest, struct pf_view *ret_line);

/**
 * pf_view_word() - cut the next blank-delimited word off the front of @rest (blank: space, tab).
 * @rest: in/out; on success starts right after the word
 * @ret_word: the word, pointing into the same bytes; lives as long as they do
 *
 * Return: 0, or -ENODATA when only blanks are left (@rest and @ret_word untouched).
 */
int pf_view_word(struct pf_view *rest, struct pf_view *ret_word);

/* pf_view_skip() - drop @n words; returns how many there were to drop. */
unsigned pf_view_skip(struct pf_view *rest, unsigned n);

/* pf_view_trim() - without blanks and line ends on either side. */
struct pf_view pf_view_trim(struct pf_view v);

/**
 * pf_view_u64(), pf_view_i64(), pf_view_double() - the whole view as one number, C locale.
 *
 * Return: 0; -EINVAL if it is not wholly a number; -ERANGE if it does not fit. *ret_v only changes on success.
 */
int pf_view_u64(struct pf_view word, uint64_t *ret_v);
int pf_view_i64(struct pf_view word, int64_t *ret_v);
int pf_view_double(struct pf_view word, double *ret_v);

/* pf_view_next_u64() - next word as a number. Return: 0, -ENODATA, -EINVAL, -ERANGE; @rest is past the word unless -ENODATA. */
int pf_view_next_u64(struct pf_view *rest, uint64_t *ret_v);

/* pf_view_dup() - heap copy with a NUL behind it, or NULL without memory. The caller frees. */
char *pf_view_dup(struct pf_view v);

/* pf_ascii_lower(), pf_ascii_upper() - letters of ASCII alone, whatever the locale. */
static inline char pf_ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char pf_ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

#endif
