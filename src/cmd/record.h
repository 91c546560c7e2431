/* cmd/record.h - values of switches that record and log share. */
#ifndef PF_CMD_RECORD_H
#define PF_CMD_RECORD_H

#include <errno.h>
#include <stdint.h>

struct pf_err;

enum { PF_RECORD_METRICS = 16 };

/* A length of time (base/duration.h) from 1 ms to a day; and a count from 1. Return: 0, or -EINVAL with a sentence. */
int pf_record_interval(const char *text, int64_t *ret_ns, struct pf_err *err);
int pf_record_count(const char *text, int64_t *ret_count, struct pf_err *err);

/* How long a recording takes, with units, from 1 ms to 100 years. Return: as above. */
int pf_record_time(const char *text, int64_t *ret_ns, struct pf_err *err);

/* pf_record_metric() - one more name or pattern of metrics behind the others of @metrics, which has room for PF_RECORD_METRICS + 1. */
int pf_record_metric(const char *text, const char **metrics, struct pf_err *err);

#endif
