/* bpf/value.h - from the bytes of a record or key to values of the model, and formatted text. */
#ifndef PF_TRACE_BPF_VALUE_H
#define PF_TRACE_BPF_VALUE_H

#include "trace/bpf/session.h"

struct pf_frame;

/* pf_value_int() - the integer in a slot, extended by its type. */
int64_t pf_value_int(const struct pf_field *f, const uint8_t *data);

/* pf_value_datum() - integers, text, bytes; text points into @data. */
struct pf_datum pf_value_datum(const struct pf_field *f, const uint8_t *data);

/* pf_value_key() - any field; frames live in the event's arena. */
int pf_value_key(struct pf_trace *t, const struct pf_field *f, const uint8_t *data, struct pf_key *ret_key);

/**
 * struct pf_arg - a value for a conversion.
 * @agg: of %@ conversions: the value of an aggregation, with its divisor
 */
struct pf_arg {
	struct pf_key key;
	const struct pf_agg_value *agg;
	int64_t normal;
};

/**
 * pf_format() - append the text of printf() or printa().
 * @args: values behind the format, in order; @aggs: values for %@, used one after the other, the last one repeated
 */
void pf_format(struct pf_buf *out, const struct pf_dformat *format, const struct pf_arg *args, size_t n_args,
	       const struct pf_arg *aggs, size_t n_aggs, unsigned indent);

#endif
