/* formats/pcp/check_frame.c - records by their two lengths alone, and the label in front. Source: LOGARCHIVE(5); pmlogcheck's pass 0 as it is seen
 * to work: which of several reasons is told, and what its numbers are. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "formats/pcp/check_state.h"

enum { SHORTEST = 8, MAGIC_OFF = 4 };

#define MAGIC UINT32_C(0x50052600)

struct pf_finding pf_pcp_check_at(const struct pf_pcp_file *f, enum pf_grade grade, const char *rule)
{
	return (struct pf_finding){
		.grade = grade, .rule = rule, .file = f->name, .record = f->number, .byte = f->off
	};
}

/* Bytes from f->off on. */
static uint64_t left(struct pf_pcp_file *f)
{
	return f->size > f->off ? f->size - f->off : 0;
}

static int bytes_at(struct pf_pcp_file *f, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err)
{
	int rc = pf_pcp_file_bytes(f, off, n, ret_bytes, err);
	return rc == -EBADMSG ? PF_PCP_FRAME_PACKED + 1 : rc;
}

/* Behind the body: is the second length there, and the same? */
static int trailer(struct pf_pcp_file *f, int32_t len, uint64_t at, int64_t ret_numbers[2], struct pf_err *err)
{
	struct pf_view word;
	int rc = bytes_at(f, at, 4, &word, err);
	if (rc < 0)
		return rc;
	if (rc > 1)
		return PF_PCP_FRAME_PACKED;
	if (rc == 0) {
		ret_numbers[0] = 4;
		ret_numbers[1] = f->size > at ? (int64_t)(f->size - at) : 0;
		return PF_PCP_FRAME_TRAILER_CUT;
	}
	int32_t behind = (int32_t)pf_be_get_u32(word, 0);
	if (behind == len)
		return PF_PCP_FRAME_OK;
	ret_numbers[0] = len;
	ret_numbers[1] = behind;
	if (behind < 0 || behind >= SHORTEST)
		return PF_PCP_FRAME_TRAILER;
	ret_numbers[0] = behind;
	ret_numbers[1] = len;
	return PF_PCP_FRAME_TRAILER_LENGTH;
}

int pf_pcp_check_frame(struct pf_pcp_file *f, struct pf_view *ret_rec, int64_t ret_numbers[2], struct pf_err *err)
{
	struct pf_view word;
	int rc = bytes_at(f, f->off, 4, &word, err);
	if (rc < 0)
		return rc;
	if (rc > 1)
		return PF_PCP_FRAME_PACKED;
	if (rc == 0) {
		if (pf_pcp_file_why(f, NULL) && !f->end_told) {
			f->end_told = true;
			return PF_PCP_FRAME_PACKED;
		}
		ret_numbers[0] = 4;
		ret_numbers[1] = (int64_t)left(f);
		return left(f) == 0 ? PF_PCP_FRAME_END : PF_PCP_FRAME_HEAD_CUT;
	}
	int32_t len = (int32_t)pf_be_get_u32(word, 0);
	ret_numbers[0] = len;
	ret_numbers[1] = 0;
	if (len >= 0 && len < SHORTEST)
		return PF_PCP_FRAME_LENGTH;
	if (len < 0 && len >= INT32_MIN + SHORTEST)
		return trailer(f, len, f->off + 4, ret_numbers, err);

	uint32_t body = (uint32_t)len - SHORTEST;
	bool sane = len > 0 && (uint32_t)len <= PF_PCP_RECORD_MAX;
	rc = sane ? bytes_at(f, f->off, (size_t)len, ret_rec, err) : 0;
	if (rc < 0)
		return rc;
	if (rc > 1)
		return PF_PCP_FRAME_PACKED;
	if (rc == 1 && pf_be_get_u32(*ret_rec, (size_t)len - 4) == (uint32_t)len)
		return PF_PCP_FRAME_OK;
	if (rc == 0 && left(f) < (uint64_t)body + 4) {
		if (pf_pcp_file_why(f, NULL) && !f->end_told) {
			f->end_told = true;
			return PF_PCP_FRAME_PACKED;
		}
		ret_numbers[0] = body;
		ret_numbers[1] = (int64_t)left(f) - 4;
		return PF_PCP_FRAME_BODY_CUT;
	}
	return trailer(f, len, f->off + 4 + body, ret_numbers, err);
}

/* Words for programs; those of a label, and of any other record. */
static const char *rule_of(enum pf_pcp_frame frame, bool label)
{
	static const char *const rules[][2] = {
		[PF_PCP_FRAME_HEAD_CUT] = { "head-cut", "label-head-cut" },
		[PF_PCP_FRAME_LENGTH] = { "length", "label-length" },
		[PF_PCP_FRAME_BODY_CUT] = { "body-cut", "label-body-cut" },
		[PF_PCP_FRAME_TRAILER_CUT] = { "trailer-cut", "label-trailer-cut" },
		[PF_PCP_FRAME_TRAILER_LENGTH] = { "trailer-length", "label-trailer-length" },
		[PF_PCP_FRAME_TRAILER] = { "trailer", "label-trailer" },
		[PF_PCP_FRAME_PACKED] = { "packed", "packed" },
	};
	return rules[frame][label];
}

void pf_pcp_check_tell_frame(struct pf_pcp_check *c, struct pf_finding f, enum pf_pcp_frame frame,
			     const int64_t numbers[2], const char *why)
{
	long long a = f.numbers[0] = numbers[0];
	long long b = f.numbers[1] = numbers[1];
	f.rule = rule_of(frame, f.record == 0);
	switch (frame) {
	case PF_PCP_FRAME_HEAD_CUT:
		pf_finding_tell(c->to, f, "the file ends inside the record's length, after %lld of %lld bytes", b, a);
		break;
	case PF_PCP_FRAME_LENGTH:
		pf_finding_tell(c->to, f, "impossible length %lld", a);
		break;
	case PF_PCP_FRAME_BODY_CUT:
		pf_finding_tell(c->to, f,
				"the file ends inside the record, after %lld of %lld bytes between its lengths", b, a);
		break;
	case PF_PCP_FRAME_TRAILER_CUT:
		pf_finding_tell(c->to, f, "the file ends inside the length behind the record, after %lld of %lld bytes",
				b, a);
		break;
	case PF_PCP_FRAME_TRAILER_LENGTH:
		pf_finding_tell(c->to, f, "length %lld in front of the record, an impossible %lld behind it", b, a);
		break;
	case PF_PCP_FRAME_TRAILER:
		pf_finding_tell(c->to, f, "length %lld in front of the record, %lld behind it", a, b);
		break;
	default:
		pf_finding_tell(c->to, f, "%s", why);
		break;
	}
}

/* What a label begins with. Return: is it worth while to look at the rest? */
static bool magic_is_good(struct pf_pcp_check *c, const struct pf_pcp_file *f, struct pf_view rec, bool quiet)
{
	uint32_t magic = pf_be_get_u32(rec, MAGIC_OFF);
	uint32_t version = magic & 0xff;
	bool known = version == 2 || version == 3;
	struct pf_finding at = pf_pcp_check_at(f, PF_GRADE_ERROR, "label-magic");
	at.numbers[0] = magic & UINT32_C(0xffffff00);
	at.numbers[1] = MAGIC;
	bool ours = at.numbers[0] == MAGIC;
	if (!ours && !quiet)
		pf_finding_tell(c->to, at, "not the label of a PCP archive: its magic number is 0x%x",
				(unsigned)at.numbers[0]);
	at.rule = "label-version";
	at.numbers[0] = version;
	if (!known && !quiet && (ours || c->options->peer))
		pf_finding_tell(c->to, at, "the label says version %u, known are 2 and 3", version);
	return ours || (!known && c->options->peer);
}

/* All files of an archive say the same of where and when it was made. */
static void compare(struct pf_pcp_check *c, const struct pf_pcp_file *f, const struct pf_pcp_label *l, int32_t volume)
{
	const struct pf_pcp_label *all = &c->result->label;
	struct pf_finding at = pf_pcp_check_at(f, PF_GRADE_ERROR, "label-differs");
	const char *what = NULL;
	if (l->version != all->version)
		what = "version";
	else if (l->pid != all->pid)
		what = "process";
	else if (strcmp(l->host, all->host) != 0)
		what = "host";
	else if (strcmp(l->zone, all->zone) != 0)
		what = "time zone";
	else if (l->start_ns != all->start_ns)
		what = "start time";
	if (what) {
		bool strict = l->version != all->version || l->pid != all->pid || strcmp(l->host, all->host) != 0;
		at.grade = strict ? PF_GRADE_ERROR : PF_GRADE_WARNING;
		pf_finding_tell(c->to, at, "the label names another %s than that of the archive's first file", what);
		if (strict && volume <= (int32_t)c->volumes[0].number)
			c->bad_open = "open-label";
	}
	at.grade = PF_GRADE_ERROR;
	at.rule = "label-volume";
	at.numbers[0] = l->volume;
	at.numbers[1] = volume;
	if (l->volume == volume)
		return;
	pf_finding_tell(c->to, at, "the label says that this is file %d of the archive, and it is %d", l->volume,
			volume);
	if (volume <= (int32_t)c->volumes[0].number)
		c->bad_open = "open-label";
}

static int decode(struct pf_pcp_check *c, struct pf_pcp_file *f, struct pf_view rec, int32_t volume, bool quiet)
{
	struct pf_pcp_label label = { 0 };
	struct pf_err why = { 0 };
	if (!magic_is_good(c, f, rec, quiet)) {
		c->bad_open = "open-label";
		return 0;
	}
	int rc = pf_pcp_label_decode(rec, &label, &why);
	if (rc < 0) {
		struct pf_finding at =
			pf_pcp_check_at(f, PF_GRADE_ERROR, rc == -ENOTSUP ? "label-features" : "label-unread");
		bool told = !c->options->peer && label.version != 0 && label.version != 2 && label.version != 3;
		if (!quiet && !told)
			pf_finding_tell(c->to, at, "%s", why.text);
		if (rc == -ENOTSUP)
			c->bad_open = "open-features";
		else
			c->bad_frames = true;
		return 0;
	}
	if (c->result->label.version == 0)
		c->result->label = label;
	else if (!quiet)
		compare(c, f, &label, volume);
	return label.version == c->result->label.version;
}

int pf_pcp_check_label(struct pf_pcp_check *c, struct pf_pcp_file *f, int32_t volume, bool quiet, struct pf_err *err)
{
	struct pf_view rec;
	int64_t numbers[2];
	int rc = pf_pcp_check_frame(f, &rec, numbers, err);
	if (rc < 0)
		return rc;
	bool good = false;
	if (rc == PF_PCP_FRAME_OK) {
		good = rec.n >= MAGIC_OFF + 8 && decode(c, f, rec, volume, quiet);
		f->off += rec.n;
	} else if (rc != PF_PCP_FRAME_END) {
		if (!quiet)
			pf_pcp_check_tell_frame(c, pf_pcp_check_at(f, PF_GRADE_ERROR, ""), (enum pf_pcp_frame)rc,
						numbers, pf_pcp_file_why(f, "it cannot be unpacked"));
		c->bad_frames = true;
		/* The other labels tell how long it should have been. */
		f->off = c->result->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	}
	f->number = 1;
	return good;
}
