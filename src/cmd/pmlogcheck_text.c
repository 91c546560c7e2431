/* cmd/pmlogcheck_text.c - findings in the words of pmlogcheck of PCP 6.0.3, one row a rule; the words were taken from what it prints for archives
 * with one damaged field each (docs/compat.md). */
#include "cmd/pmlogcheck_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/time.h"
#include "base/view.h"
#include "engine/moment.h"

/* @form: %F file, %B base of the archive, %R record, %Y byte, %M metric, %T and %U the times, %V volume, %P the PMID in number 1; with the number
 * of a number: %d decimal, %n nine digits, %x hexadecimal, %k a kind of record; %f with that of a value, which is a double. */
struct row {
	const char *rule;
	const char *form;
};

#define PLACE	"%F[record %R]: "
#define LAST	"\n%F: last valid record ends at offset %Y\n"
#define ENTRY	"%B.index[entry %R]: "
#define DESC	"%B.meta: %M [%P]: "
#define VALUE	"%B.%V:[%T] %M: "
#define RECORD	"%B.%V:[%T]: "
#define WRAPPED "%B.%V:[%U]: %M: "
#define FROM_TO "\tvalue %f0 at %T\n\tvalue %f1 at %U\n"
#define CLOSED	"pmlogcheck: cannot open archive \"%B\": "
#define ENDED	"\nChecking abandoned.\n"

static const struct row rows[] = {
	{ "head-cut", PLACE "unexpected EOF in record header, wanted %d0, got %d1 bytes" LAST },
	{ "length", PLACE "illegal header record length (%d0)" LAST },
	{ "body-cut", PLACE "unexpected EOF in record body, wanted %d0, got %d1 bytes" LAST },
	{ "trailer-cut", PLACE "unexpected EOF in record trailer, wanted %d0, got %d1 bytes" LAST },
	{ "trailer-length", PLACE "illegal trailer record length (%d0)" LAST },
	{ "trailer", PLACE "length mismatch: header %d0 != trailer %d1" LAST },
	{ "label-head-cut", PLACE "unexpected EOF in record header, wanted %d0, got %d1 bytes\n" },
	{ "label-length", "%F: illegal header record length (%d0) in label record\n" },
	{ "label-body-cut", "%F: unexpected EOF in label record body, wanted %d0, got %d1 bytes\n" },
	{ "label-trailer-cut", "%F: unexpected EOF in label record trailer, wanted %d0, got %d1 bytes\n" },
	{ "label-trailer-length", "%F: illegal trailer record length (%d0) in label record\n" },
	{ "label-trailer", "%F: label record length mismatch: header %d0 != trailer %d1\n" },
	{ "label-magic", "%F: bad label magic number: %x0 not %x1 as expected\n" },
	{ "label-version", "%F: bad label version: %d0 not 2 or 3 as expected\n" },
	{ "label-unread", "%F: cannot load label record: Illegal label record at start of a PCP archive log file\n" },
	{ "entry-cut", PLACE "unexpected EOF in index entry, wanted %d0, got %d1 bytes\n" },
	{ "empty", "%F: contains no PCP data\n" },
	{ "kind-version", PLACE "unexpected record type %k0 (%d0) for V%d1 archive\n" },
	{ "open-label", CLOSED "Illegal label record at start of a PCP archive log file" ENDED },
	{ "open-features", CLOSED "Archive feature not supported" ENDED },
	{ "open-empty", CLOSED "Empty archive log file" ENDED },
	{ "open-record", CLOSED "Corrupted record in a PCP archive log" ENDED },
	{ "open-kind", CLOSED "Incorrect record type in an archive" ENDED },
	{ "no-index", "%F: warning temporal index is missing\n" },
	{ "entry-volume", ENTRY "illegal negative volume number %d0\n" },
	{ "entry-missing", "%B.%d0: file missing for log volume %d0\n" },
	{ "entry-negative", ENTRY "illegal negative timestamp value (%d0 sec, %d1 nsec)\n" },
	{ "entry-nanoseconds", ENTRY "illegal timestamp nsec value (%d0 sec, %d1 nsec)\n" },
	{ "entry-meta-label", ENTRY "offset to metadata (%d0) before end of label record (%d1)\n" },
	{ "entry-meta-end", ENTRY "offset to metadata (%d0) past end of file (%d1)\n" },
	{ "entry-data-label", ENTRY "offset to log (%d0) before end of label record (%d1)\n" },
	{ "entry-data-end", ENTRY "offset to log (%d0) past end of file (%d1)\n" },
	{ "entry-early", ENTRY "timestamp (%d0.%n1) less than log label timestamp (%d2.%n3)\n" },
	{ "entry-time-back", ENTRY "timestamp (%d0.%n1) went backwards in time (from %d2.%n3 at [entry %d4])\n" },
	{ "entry-volume-back", ENTRY "volume number (%d0) decreased (from %d1 at [entry %d2])\n" },
	{ "entry-meta-back", ENTRY "offset to metadata (%d0) decreased (from %d1 at [entry %d2])\n" },
	{ "entry-data-back", ENTRY "offset to log (%d0) decreased (from %d1 at [entry %d2])\n" },
	{ "type", DESC "bad type (%d0) in pmDesc\n" },
	{ "domain", DESC "domain of pmid (%d0) != domain of indom (%d2)\n" },
	{ "semantics", DESC "bad semantics (%d0) in pmDesc\n" },
	{ "space-dimension", DESC "bad dimension (%d0) for Space in pmDesc\n" },
	{ "time-dimension", DESC "bad dimension (%d0) for Time in pmDesc\n" },
	{ "count-dimension", DESC "bad dimension (%d0) for Count in pmDesc\n" },
	{ "space-alone", DESC "non-zero scale (%d0) with zero dimension for Space in pmDesc\n" },
	{ "time-alone", DESC "non-zero scale (%d0) with zero dimension for Time in pmDesc\n" },
	{ "count-alone", DESC "non-zero scale (%d0) with zero dimension for Count in pmDesc\n" },
	{ "space-scale", DESC "bad scale (%d0) for Space in pmDesc\n" },
	{ "time-scale", DESC "bad scale (%d0) for Time in pmDesc\n" },
	{ "record", "[after %T]: pmFetch: error: Corrupted record in a PCP archive log\n" },
	{ "early", RECORD "timestamp before label timestamp: %U\n" },
	{ "time-back", RECORD "timestamp went backwards, prior timestamp: %U\n" },
	{ "unknown", "%B.%V:[%T] %M: pmLookupDesc failed: Metric not defined in the PCP archive log\n" },
	{ "value", VALUE "pmExtractValue failed: Impossible value or scale conversion\n" },
	{ "form", VALUE "encoding botch valfmt=%d0 not %d1 as expected\n" },
	{ "wrap-s32", WRAPPED "signed 32-bit wrap\n" FROM_TO },
	{ "wrap-u32", WRAPPED "unsigned 32-bit wrap\n" FROM_TO },
	{ "wrap-s64", WRAPPED "signed 64-bit wrap\n" FROM_TO },
	{ "wrap-u64", WRAPPED "unsigned 64-bit wrap\n" FROM_TO },
};

void pf_peer_time(char *to, size_t size, int64_t time_ns, bool day)
{
	char text[64];
	struct tm tm = pf_time_local(time_ns);
	int ms = (int)(time_ns % PF_NS_PER_SEC / PF_NS_PER_MS);
	if (strftime(text, sizeof(text), day ? "%a %b %e %T" : "%T", &tm) == 0)
		text[0] = '\0';
	if (day)
		(void)snprintf(to, size, "%s.%03d %d", text, ms, tm.tm_year + 1900);
	else
		(void)snprintf(to, size, "%s.%03d", text, ms);
}

static void put_kind(struct pf_buf *b, int64_t kind)
{
	static const char *const names[] = { "?",    "DESC",  "INDOM_V2",    "LABEL_V2",
					     "TEXT", "INDOM", "INDOM_DELTA", "LABEL" };
	pf_buf_str(b, kind > 0 && kind < (int64_t)PF_N(names) ? names[kind] : names[0]);
}

static void put_number(struct pf_buf *b, char how, int64_t number)
{
	switch (how) {
	case 'n':
		pf_buf_fmt(b, "%09lld", (long long)number);
		break;
	case 'x':
		pf_buf_fmt(b, "0x%llx", (unsigned long long)number);
		break;
	case 'k':
		put_kind(b, number);
		break;
	default:
		pf_buf_i64(b, number);
		break;
	}
}

static void put_time(struct pf_buf *b, const struct pf_peer_text *text, int64_t time_ns)
{
	char when[64];
	pf_peer_time(when, sizeof(when), time_ns, text->days);
	pf_buf_str(b, when);
}

static void put_pmid(struct pf_buf *b, uint32_t pmid)
{
	pf_buf_fmt(b, "%u.%u.%u", pmid >> 22 & 0x1ff, pmid >> 10 & 0xfff, pmid & 0x3ff);
}

/* Return: how many characters of the form were used behind '%'. */
static size_t put(struct pf_buf *b, const struct pf_peer_text *text, const struct pf_finding *f, const char *form)
{
	switch (form[0]) {
	case 'F':
		pf_buf_str(b, f->file);
		return 1;
	case 'B':
		pf_buf_str(b, text->base);
		return 1;
	case 'R':
		pf_buf_u64(b, f->record);
		return 1;
	case 'Y':
		pf_buf_u64(b, f->byte);
		return 1;
	case 'M':
		pf_buf_str(b, f->metric ? f->metric : "");
		return 1;
	case 'T':
		put_time(b, text, f->from_ns);
		return 1;
	case 'U':
		put_time(b, text, f->until_ns);
		return 1;
	case 'V':
		pf_buf_i64(b, f->numbers[5]);
		return 1;
	case 'P':
		put_pmid(b, (uint32_t)f->numbers[1]);
		return 1;
	case 'f':
		pf_buf_fmt(b, "%.0f", f->values[form[1] - '0']);
		return 2;
	default:
		put_number(b, form[0], f->numbers[form[1] - '0']);
		return 2;
	}
}

void pf_peer_finding(struct pf_buf *b, const struct pf_peer_text *text, const struct pf_finding *f)
{
	const char *form = "";
	for (unsigned i = 0; i < PF_N(rows); i++) {
		if (strcmp(rows[i].rule, f->rule) == 0)
			form = rows[i].form;
	}
	for (; *form; form++) {
		if (*form == '%')
			form += put(b, text, f, form + 1);
		else
			pf_buf_char(b, *form);
	}
}

int pf_peer_window(const char *word, int64_t from_ns, int64_t until_ns, int64_t *ret_ns)
{
	struct pf_moment moment;
	const struct pf_time_line line = { .start_ns = from_ns,
					   .end_ns = until_ns,
					   .day_of_ns = from_ns,
					   .zone_ns = (int64_t)pf_time_local(from_ns).tm_gmtoff * PF_NS_PER_SEC };
	int rc = pf_moment_parse(word, "", false, &moment, NULL);
	if (rc == 0)
		*ret_ns = pf_moment_resolve(&moment, &line);
	return rc;
}
