/* sources/aside.h - files that keep us waiting are read aside: each by a process of its own, which may hang in our place. */
#ifndef PF_SOURCES_ASIDE_H
#define PF_SOURCES_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct pf_aside;

/* At most so many files at a time; as many prompt answers in a row make a file well again. */
enum { PF_ASIDE_MAX = 16, PF_ASIDE_WELL = 10 };

/* pf_aside_new() - for files below @root_fd, which stays the caller's. NULL: no memory. */
struct pf_aside *pf_aside_new(int root_fd);
struct pf_aside *pf_aside_free(struct pf_aside *a); /* ends the processes; returns NULL */

/* pf_aside_add() - take @path in, which stays the caller's and as it is. Return: its number, or -1 when there are too many, or no process for it. */
int pf_aside_add(struct pf_aside *a, const char *path);
void pf_aside_drop(struct pf_aside *a, int number);

/* pf_aside_ask() - at the beginning of a sample: all that are not still busy read their file. Answers to earlier questions are thrown away. */
void pf_aside_ask(struct pf_aside *a);

/**
 * pf_aside_text() - the answer to this sample's question. Waits up to @wait_ns, but not for one that was asked for an earlier sample.
 *
 * Return: 0 or what reading failed with; -ETIMEDOUT: no answer now.
 */
int pf_aside_text(struct pf_aside *a, int number, int64_t wait_ns, struct pf_buf *text);

/* pf_aside_is_well() - has it answered in time for a while? Then it can be read as usual again. */
bool pf_aside_is_well(const struct pf_aside *a, int number);

#endif
