/* formats/pcp/record.h - records of PCP archives, versions 2 and 3: bytes to structs and back. No files, no policy.
 * Facts: LOGARCHIVE(5) and bytes of archives made by pmlogger 6.0.3. Every record is `len` word, payload, `len` word again; `len` counts both.
 * Views in these structs point into the record's bytes and live as long as they do. */
#ifndef PF_FORMATS_PCP_RECORD_H
#define PF_FORMATS_PCP_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"
#include "formats/pcp/be.h"
#include "model/metric.h"

struct pf_err;
struct pf_pcp_shape;

enum { PF_PCP_LABEL2_LEN = 132, PF_PCP_LABEL3_LEN = 808 };

/* No record of a sane archive is larger; a length above it is damage, not a wish for memory. */
#define PF_PCP_RECORD_MAX (UINT32_C(256) << 20)

enum { PF_PCP_VOLUME_INDEX = -2, PF_PCP_VOLUME_META = -1 };

/* Kinds of records in .meta. */
enum pf_pcp_kind {
	PF_PCP_DESC = 1,
	PF_PCP_INDOM2 = 2,
	PF_PCP_LABELS2 = 3,
	PF_PCP_TEXT = 4,
	PF_PCP_INDOM3 = 5,
	PF_PCP_DELTA3 = 6,
	PF_PCP_LABELS3 = 7,
};

/* Types beyond those that samples hold (enum pf_type). */
enum { PF_PCP_NOSUPPORT = -1, PF_PCP_STATIC_AGGREGATE = 8 };

/* First record of every file. @volume: 0.. or PF_PCP_VOLUME_*. Texts are cut at their field's size. */
struct pf_pcp_label {
	unsigned version;
	uint32_t pid;
	int64_t start_ns;
	int32_t volume;
	char host[257];
	char zone[257];	    /* $TZ form */
	char zoneinfo[257]; /* ":Europe/Berlin", may be empty */
};

/**
 * pf_pcp_label_decode() - @rec is the whole record, with its length words.
 *
 * Return: 0; -EBADMSG when it is no label; -EPROTO for another version than its layout, -ENOTSUP for unknown features, both with *ret_label
 * filled.
 */
int pf_pcp_label_decode(struct pf_view rec, struct pf_pcp_label *ret_label, struct pf_err *err);
void pf_pcp_label_encode(struct pf_buf *b, const struct pf_pcp_label *label);

/* Meaning of one metric; @names: what pf_pcp_name_next() walks. @type may lie outside enum pf_type. */
struct pf_pcp_desc {
	uint32_t pmid;
	uint32_t indom;
	int32_t type;
	int32_t sem;
	struct pf_units units;
	uint32_t n_names;
	struct pf_view names;
};

int pf_pcp_desc_decode(struct pf_view rec, struct pf_pcp_desc *ret_desc, struct pf_err *err);

/* pf_pcp_desc_take() - the five words of a descriptor off the cursor: all but its names. */
struct pf_pcp_desc pf_pcp_desc_take(struct pf_be *c);

/* pf_pcp_desc_encode() - @names: all that the metric has; @n 0: the one of its row. */
void pf_pcp_desc_encode(struct pf_buf *b, const struct pf_metric *m, const struct pf_view *names, uint32_t n);

/* pf_pcp_name_next() - next name off the front of @names. Return: true, false at the end. */
bool pf_pcp_name_next(struct pf_view *names, struct pf_view *ret_name);

/* Units as the word of a descriptor: four-bit exponents and scales from the top. */
uint32_t pf_pcp_units_word(const struct pf_units *u);
struct pf_units pf_pcp_units_of(uint32_t word);

/* An instance domain at a time: all of it, or what was added and removed since (@delta). */
struct pf_pcp_indom {
	int64_t time_ns;
	uint32_t indom;
	bool delta;
	uint32_t n;
	struct pf_view ids;
	struct pf_view offsets;
	struct pf_view strings;
};

/* One instance. @removed: only in deltas, then without name. @slot: the writer's own, not recorded. */
struct pf_pcp_instance {
	int32_t id;
	struct pf_view name;
	bool removed;
	unsigned slot;
};

/* pf_pcp_indom_decode() - records of kind PF_PCP_INDOM2, PF_PCP_INDOM3 and PF_PCP_DELTA3; every instance was checked when it says 0. */
int pf_pcp_indom_decode(struct pf_view rec, struct pf_pcp_indom *ret_indom, struct pf_err *err);
struct pf_pcp_instance pf_pcp_indom_get(const struct pf_pcp_indom *in, uint32_t i);

/* pf_pcp_indom_encode() - a full record in the form of @version. Names must not hold NUL. */
void pf_pcp_indom_encode(struct pf_buf *b, unsigned version, int64_t time_ns, uint32_t indom,
			 const struct pf_pcp_instance *instances, uint32_t n);

/* pf_pcp_delta_encode() - what was added and @removed, in order of the numbers; version 3 only. */
void pf_pcp_delta_encode(struct pf_buf *b, int64_t time_ns, uint32_t indom, const struct pf_pcp_instance *instances,
			 uint32_t n);

/* Kind of a .meta record, 0 when it is too short to have one. */
uint32_t pf_pcp_meta_kind(struct pf_view rec);

/* A record of values. @n sets follow one another; n 0 is a mark: nothing is known between the record before and the one after.
 * @shape: that it has (formats/pcp/shape.h), NULL: not known. @wire: @rec is a PDU (formats/pcp/pdu.h): offsets count from its first byte, and no length stands at its end. */
struct pf_pcp_result {
	int64_t time_ns;
	uint32_t n;
	struct pf_view rec;
	const struct pf_pcp_shape *shape;
	bool wire;
	struct pf_be cursor;
};

/* Values of one metric. @n < 0: an error code instead of values. */
struct pf_pcp_set {
	uint32_t pmid;
	int32_t n;
	uint32_t form;
	struct pf_view pairs;
	struct pf_view rec;
	bool wire;
};

/* One value. @bytes: 4 for values in place, the block's data otherwise; @type: the block's type, -1 for values in place. */
struct pf_pcp_value {
	int32_t inst;
	int32_t type;
	struct pf_view bytes;
};

/* pf_pcp_result_decode() - head of a record of values; *_next() then gives 1 a set, 0 the end, -EBADMSG. */
int pf_pcp_result_decode(struct pf_view rec, unsigned version, struct pf_pcp_result *ret_result, struct pf_err *err);
int pf_pcp_result_next(struct pf_pcp_result *r, struct pf_pcp_set *ret_set, struct pf_err *err);

/* pf_pcp_set_get() - value @i of a set. Return: 0 or -EBADMSG. */
int pf_pcp_set_get(const struct pf_pcp_set *set, uint32_t i, struct pf_pcp_value *ret_value, struct pf_err *err);

/* pf_pcp_result_check() - walk every set and value of a record, so that a reader can drop a damaged one as a whole: all of them lie in it, values behind
 * the sets in the order in which these name them, and nothing else does. */
int pf_pcp_result_check(struct pf_view rec, unsigned version, struct pf_err *err);

/**
 * pf_pcp_value_u64(), pf_pcp_value_double() - a numeric value of a metric of type @type.
 * Signed types are sign-extended into the 64 bits. Return: 0, or -EBADMSG when the bytes do not fit the type.
 */
int pf_pcp_value_u64(const struct pf_pcp_value *v, int32_t type, uint64_t *ret_v);
int pf_pcp_value_double(const struct pf_pcp_value *v, int32_t type, double *ret_v);

/* pf_pcp_value_fits() - does a value have the form and length that a metric of type @type has? */
bool pf_pcp_value_fits(const struct pf_pcp_value *v, int32_t type);

/* pf_pcp_value_text() - a string value, without its NUL. */
struct pf_view pf_pcp_value_text(const struct pf_pcp_value *v);

/**
 * struct pf_pcp_build - a record of values being built.
 * Sets first, blocks behind: begin, then per metric set_begin and its values, then end, which appends the record to @out.
 */
struct pf_pcp_build {
	struct pf_buf sets;
	struct pf_buf blocks;
	struct pf_buf patches; /* offsets of the words in @sets that address a block, as uint32_t */
	uint32_t n_sets;
	size_t set_head;   /* offset of the current set's count in @sets */
	uint32_t n_values; /* of the current set */
	enum pf_type type; /* of the current set */
};

void pf_pcp_build_begin(struct pf_pcp_build *b);
void pf_pcp_build_set(struct pf_pcp_build *b, uint32_t pmid, enum pf_type type);
void pf_pcp_build_bits(struct pf_pcp_build *b, int32_t inst,
		       uint64_t bits); /* integers; doubles and floats as their bits */
void pf_pcp_build_text(struct pf_pcp_build *b, int32_t inst, struct pf_view text);
void pf_pcp_build_block(struct pf_pcp_build *b, int32_t inst,
			struct pf_view bytes); /* aggregates; events as pf_pcp_events_put() makes them */

/* pf_pcp_build_fail() - a set without values: an error code, or 0. */
void pf_pcp_build_fail(struct pf_pcp_build *b, uint32_t pmid, int32_t code);

/* pf_pcp_build_form(), pf_pcp_build_value() - a set in one of the forms that archives know (struct pf_pcp_set), and a value of another record, of the
 * metric's @type, into it. Only a value of four bytes can change its form. */
void pf_pcp_build_form(struct pf_pcp_build *b, uint32_t pmid, uint32_t form);
void pf_pcp_build_value(struct pf_pcp_build *b, const struct pf_pcp_value *v, uint32_t form, int32_t type);

/* pf_pcp_build_end() - the whole record behind @out's bytes. Return: 0, -ENOMEM, or -EMSGSIZE when it is larger than a record may be. */
int pf_pcp_build_end(struct pf_pcp_build *b, unsigned version, int64_t time_ns, struct pf_buf *out);
size_t pf_pcp_build_bytes(const struct pf_pcp_build *b, unsigned version); /* of the record as it would be now */
void pf_pcp_build_done(struct pf_pcp_build *b);

/* One entry of the temporal index: the record at @data has this time, and what it brought with it begins at @meta. */
struct pf_pcp_entry {
	int64_t time_ns;
	int32_t volume;
	uint64_t meta;
	uint64_t data;
};

enum { PF_PCP_ENTRY2_LEN = 20, PF_PCP_ENTRY3_LEN = 32 };

/* pf_pcp_entry_decode() - @bytes must hold a whole entry of that version. Return: 0 or -EBADMSG. */
int pf_pcp_entry_decode(struct pf_view bytes, unsigned version, struct pf_pcp_entry *ret_entry, struct pf_err *err);
void pf_pcp_entry_encode(struct pf_buf *b, unsigned version, const struct pf_pcp_entry *entry);

/* pf_pcp_frame_begin(), pf_pcp_frame_end() - length words around what is appended between them; end takes what begin gave. */
size_t pf_pcp_frame_begin(struct pf_buf *b);
void pf_pcp_frame_end(struct pf_buf *b, size_t start);

/* Version 2 has no times from this one on, in January 2038. */
#define PF_PCP_END2_NS (INT64_C(0x7fffffff) * 1000000000)

/* pf_pcp_time() - take a time stamp of that version off the cursor. -1 when it is out of range. */
int64_t pf_pcp_time(struct pf_be *c, unsigned version);
void pf_pcp_put_time(struct pf_buf *b, unsigned version, int64_t time_ns);

#endif
