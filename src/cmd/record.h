/* cmd/record.h - values of switches that record and log share. */
#ifndef PF_CMD_RECORD_H
#define PF_CMD_RECORD_H

#include <errno.h>
#include <stdint.h>

struct pf_err;

/* Seconds with fractions, from 1 ms to a day; and a count from 1. Return: 0, or -EINVAL with a sentence. */
int pf_record_interval(const char *text, int64_t *ret_ns, struct pf_err *err);
int pf_record_count(const char *text, int64_t *ret_count, struct pf_err *err);

#endif
