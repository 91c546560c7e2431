/* formats/text/seal.c - the whole elements of a document, marks where some are missing, and its end. Lines and brackets are those of json.c, xml.c, csv.c. */
#include "formats/text/seal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/patch.h"
#include "base/replace.h"
#include "formats/text/scan.h"
#include "model/finding.h"

#define SAYS "something was lost here: the document was cut or damaged and has been sealed"

/* Earlier times are not of a calendar. */
#define WALL_MIN INT64_C(100000000000000000)

enum { HEAD = 512, ROOT = 32 };

enum content { SAMPLES, EVENTS, OTHER };

enum form { JSON, XML, HTML, CSV };

/**
 * struct seal - @decided: bytes of the file that are kept or left out already; @head_n: those before the first element
 * @at: where the line at hand begins. @mid_line: what is kept does not end with a newline; @elements: how many it has
 * @over: nothing can be said by the scanner any more, and elements are looked for line by line; @unit: lines of one that is not over
 * @lost: something was left out and is not told yet, bytes [lost_from, lost_to), @why
 */
struct seal {
	const char *path;
	int fd;
	uint64_t size;
	const struct pf_scanner *scanner;
	struct pf_scan *scan;
	enum content content;
	enum form form;
	char root[ROOT];
	char closers[ROOT + 8];
	const struct pf_findings *to;
	struct pf_patch patch;
	uint64_t decided;
	uint64_t head_n;
	uint64_t at;
	uint64_t elements;
	int64_t last_ns;
	bool mid_line;
	bool over;
	struct pf_buf unit;
	uint64_t unit_from;
	bool lost;
	bool with_loss;
	bool keeps_old;
	uint64_t lost_from;
	uint64_t lost_to;
	struct pf_err why;
};

static bool has(struct pf_view v, const char *text)
{
	return memmem(v.p, v.n, text, strlen(text)) != NULL;
}

static enum content content_of(struct pf_view head)
{
	if (has(head, "\"perfolio\": {") || has(head, "<perfolio>") || pf_view_starts(head, "timestamp,interval,") ||
	    has(head, "data-tag=\"format-version\""))
		return SAMPLES;
	bool line = pf_view_starts(head, "{\"timestamp\":") && has(head, "\"provider\":");
	if (line || has(head, "\"dtrace\": {") || has(head, "<dtrace>") || pf_view_starts(head, "timestamp,cpu,id,") ||
	    has(head, "data-tag=\"provider\""))
		return EVENTS;
	return OTHER;
}

/* The name of the outermost element. */
static void find_root(struct seal *s, struct pf_view head)
{
	const char *p = memmem(head.p, head.n, "?>", 2);
	p = p ? memchr(p, '<', head.n - (size_t)(p - head.p)) : NULL;
	size_t n = 0;
	while (p && p + n + 1 < head.p + head.n && n + 1 < ROOT && p[n + 1] != '>')
		n++;
	(void)snprintf(s->root, sizeof(s->root), "%.*s", (int)n, p ? p + 1 : "");
}

static void put(struct seal *s, const char *text)
{
	pf_patch_put(&s->patch, text, strlen(text));
}

static void new_line(struct seal *s)
{
	if (s->mid_line)
		put(s, "\n");
	s->mid_line = false;
}

#define CELL(tag, format) "<div class=\"data\" data-tag=\"" tag "\">" format "</div>"
#define GAP_CELLS	  "<div class=\"text\"> </div>"

/* Elements that stand for what is missing; @ is when that was over, ^ when it began. */
static const char *const marks[][OTHER] = {
	[XML] = { [SAMPLES] = "<samples><timestamp>@</timestamp><gap><from>^</from><until>@</until><msg>" SAYS
			      "</msg></gap></samples>\n",
		  [EVENTS] = "<probes><timestamp>@</timestamp><cpu>-1</cpu><id>-1</id><provider>dtrace</provider>"
			     "<module>INTERNAL</module><function>INTERNAL</function><name>ERROR</name><fault>0</fault>"
			     "<fault-name>library-level fault</fault-name><msg>" SAYS "</msg></probes>\n" },
	[CSV] = { [SAMPLES] = "@,,,,,,,," SAYS ",\n",
		  [EVENTS] = "@,-1,-1,dtrace,INTERNAL,INTERNAL,ERROR,,,msg," SAYS "\n" },
	[HTML] = { [SAMPLES] = "<div class=\"line\">" CELL("timestamp", "@") CELL("from", "^")
			   GAP_CELLS CELL("until", "@") GAP_CELLS CELL("msg", SAYS) "</div>\n",
		   [EVENTS] = "<div class=\"line\">" CELL("timestamp", "@") GAP_CELLS CELL("name", "ERROR")
			   GAP_CELLS CELL("msg", SAYS) "</div>\n" },
	[JSON] = { [SAMPLES] = "{\"timestamp\":@, \"gap\": {\"from\":^,\"until\":@,\"msg\":\"" SAYS "\"}}\n",
		   [EVENTS] = "{\"timestamp\":@,\"cpu\":-1,\"id\":-1,\"provider\":\"dtrace\",\"module\":\"INTERNAL\","
			      "\"function\":\"INTERNAL\",\"name\":\"ERROR\",\"fault\":0,\"fault-name\":\"library-level "
			      "fault\",\"msg\":\"" SAYS "\", \"output\": []}\n" },
};

static void put_numbers(struct seal *s, const char *text, int64_t until_ns, int64_t from_ns)
{
	struct pf_buf b = { 0 };
	for (; *text; text++) {
		if (*text == '@' || *text == '^')
			pf_buf_i64(&b, *text == '@' ? until_ns : from_ns);
		else
			pf_buf_char(&b, *text);
	}
	pf_patch_put(&s->patch, b.p, b.n);
	if (b.failed)
		s->patch.failed = b.failed;
	pf_buf_done(&b);
}

/* @until_ns 0: nothing follows. */
static void put_mark(struct seal *s, int64_t until_ns)
{
	int64_t from_ns = s->last_ns > 0 ? s->last_ns : until_ns;
	new_line(s);
	if (s->content == OTHER || from_ns == 0)
		return;
	if (s->form == JSON && !s->scan->lines && s->elements > 0)
		put(s, ", ");
	put_numbers(s, marks[s->form][s->content], until_ns > 0 ? until_ns : from_ns, from_ns);
	s->elements++;
}

static int64_t wall(int64_t ns)
{
	return ns > WALL_MIN ? ns : 0;
}

static void tell_lost(struct seal *s, int64_t until_ns)
{
	if (!s->lost)
		return;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = s->lost_to >= s->size ? "sealed-tail" : "sealed-middle",
				.file = s->path,
				.record = s->elements,
				.byte = s->lost_from,
				.lost = s->lost_to - s->lost_from,
				.from_ns = wall(s->last_ns),
				.until_ns = wall(until_ns) };
	pf_finding_tell(s->to, f, "%s; left out", s->why.text);
	put_mark(s, until_ns);
	s->lost = false;
}

static void lose(struct seal *s, uint64_t to, const struct pf_err *why)
{
	if (!s->lost) {
		s->lost = true;
		s->lost_from = s->decided;
		s->why = *why;
	}
	s->with_loss = true;
	s->lost_to = s->decided = to;
}

/* Everything up to there is whole. */
static void keep(struct seal *s, uint64_t to, uint64_t line_end, int64_t time_ns)
{
	if (to <= s->decided)
		return;
	if (s->lost) {
		tell_lost(s, time_ns);
		s->keeps_old = true;
	}
	pf_patch_keep(&s->patch, s->decided, to - s->decided);
	s->decided = to;
	s->mid_line = to < line_end;
	s->last_ns = time_ns > 0 ? time_ns : s->last_ns;
}

/* Is it an element, if it stands alone between the beginning of the document and its end? */
static bool stands_alone(const struct seal *s, struct pf_view element, int64_t *ret_ns)
{
	pf_autofree char *head = malloc(s->head_n + 1);
	struct pf_scan *scan = head ? s->scanner->open() : NULL;
	struct pf_view parts[] = { { head, s->head_n }, element, pf_view_of(s->closers) };
	bool good = scan && pread(s->fd, head, s->head_n, 0) == (ssize_t)s->head_n;
	for (unsigned i = 0; good && i < PF_N(parts); i++)
		good = pf_scan_feed(scan, &parts[i], NULL) == 0;
	good = good && s->scanner->end(scan, NULL) == 0 && scan->elements == 1;
	*ret_ns = good ? scan->until_ns : 0;
	if (scan)
		(void)s->scanner->close(scan);
	return good;
}

/* A line behind damage: the whole of an element, or a piece of one. */
static void try_line(struct seal *s, struct pf_view line)
{
	static const char *const begin[][OTHER] = { [JSON] = { ", {", ", {" },
						    [XML] = { "<samples>", "<probes>" },
						    [HTML] = { "<div class=\"line\">", "<div class=\"line\">" } };
	static const char *const ending[][OTHER] = { [JSON] = { "}\n", "}\n" },
						     [XML] = { "</samples>\n", "</probes>\n" },
						     [HTML] = { "</div>\n", "</div>\n" } };
	if (s->content == OTHER)
		return;
	bool json = s->form == JSON;
	bool begins = pf_view_starts(line, begin[s->form][s->content]);
	const char *end = ending[s->form][s->content];
	size_t n = strlen(end);
	if (begins) {
		pf_buf_clear(&s->unit);
		s->unit_from = s->at;
	}
	if (!begins && s->unit.n == 0)
		return;
	pf_buf_view(&s->unit, line);
	bool ends = line.n >= n && memcmp(line.p + line.n - n, end, n) == 0;
	if (!ends && !json)
		return;
	struct pf_view element = pf_buf_text(&s->unit);
	int64_t ns = 0;
	size_t comma = json ? 2 : 0;
	element.p += comma;
	element.n -= comma;
	if (ends && stands_alone(s, element, &ns)) {
		lose(s, s->unit_from, &s->why);
		tell_lost(s, ns);
		new_line(s);
		pf_patch_keep(&s->patch, s->unit_from + (s->elements > 0 ? 0 : comma),
			      s->unit.n - (s->elements > 0 ? 0 : comma));
		s->decided = s->unit_from + s->unit.n;
		s->keeps_old = true;
		s->last_ns = ns > 0 ? ns : s->last_ns;
		s->elements++;
	}
	pf_buf_clear(&s->unit);
}

/* Does the first element of the list begin with this line of XML? */
static bool begins_list(const struct seal *s, struct pf_view line)
{
	while (line.n > 0 && line.p[0] == ' ')
		line = (struct pf_view){ line.p + 1, line.n - 1 };
	return pf_view_starts(line, s->content == SAMPLES ? "<samples>" : "<probes>");
}

static int take_line(struct seal *s, struct pf_view line)
{
	uint64_t line_end = s->at + line.n;
	struct pf_view rest = line;
	if (s->over) {
		try_line(s, line);
		return s->unit.failed;
	}
	struct pf_err why = { 0 };
	uint64_t before = s->scan->elements;
	if (before == 0 && s->form == XML && s->content != OTHER && s->head_n == 0 && begins_list(s, line))
		s->head_n = s->at;
	int rc = pf_scan_feed(s->scan, &rest, &why);
	if (rc < 0 && rc != -EBADMSG)
		return rc;
	if (s->scan->elements == 0 && s->form == JSON)
		s->head_n = s->scan->good;
	int64_t ns = s->scan->elements > before ? s->scan->until_ns : 0;
	if (s->scan->good > s->at || before == 0)
		keep(s, s->scan->good, line_end, ns);
	s->elements += s->scan->elements - before;
	if (rc == 0)
		return 0;
	while (s->scan->lines && rest.n > 0 && pf_scan_feed(s->scan, &rest, NULL) == -EBADMSG)
		continue;
	s->over = !s->scan->lines;
	lose(s, line_end, &why);
	return 0;
}

/* What is behind the last element is a part of the end and nothing else. */
static bool is_end(const struct seal *s)
{
	char tail[2 * ROOT];
	const char *want = s->scan->lines ? "" : s->closers;
	if (s->size - s->decided >= sizeof(tail))
		return false;
	ssize_t n = pread(s->fd, tail, sizeof(tail), (off_t)s->decided);
	for (ssize_t i = 0; i < n; i++) {
		if (strchr(" \t\r\n", tail[i]))
			continue;
		if (*want != tail[i])
			return false;
		want++;
	}
	return n >= 0;
}

static int finish(struct seal *s)
{
	struct pf_err why = { 0 };
	int rc = s->over ? -EBADMSG : s->scanner->end(s->scan, &why);
	if (rc < 0 && rc != -EBADMSG)
		return rc;
	if (rc == 0 && !s->lost) {
		pf_patch_keep(&s->patch, s->decided, s->size - s->decided);
		s->mid_line = pf_scan_end(s->scan, NULL) < 0;
		new_line(s);
		return 0;
	}
	if (s->form == XML && s->patch.size == 0 && s->head_n > 0) {
		pf_patch_keep(&s->patch, 0, s->head_n);
		s->decided = s->lost ? s->decided : s->head_n;
	}
	if (s->lost || !is_end(s))
		lose(s, s->size, s->lost ? &s->why : &why);
	tell_lost(s, 0);
	new_line(s);
	if (s->closers[0] != '\0' && !s->scan->lines) {
		put(s, s->closers);
		put(s, "\n");
	}
	return 0;
}

static int walk(struct seal *s)
{
	int fd = dup(s->fd);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	pf_autofree char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int rc = 0;
	if (!f) {
		rc = -errno;
		pf_closep(&fd);
		return rc;
	}
	while (rc == 0 && (n = getline(&line, &cap, f)) > 0) {
		rc = take_line(s, (struct pf_view){ line, (size_t)n });
		s->at += (uint64_t)n;
	}
	if (rc == 0 && ferror(f))
		rc = -EIO;
	(void)fclose(f); /* was only read */
	return rc < 0 ? rc : finish(s);
}

static int write_anew(struct seal *s, struct pf_err *err)
{
	pf_autofree char *kept = NULL;
	int rc = pf_patch_replace(&s->patch, s->path, s->fd, s->keeps_old, &kept, err);
	if (rc < 0 || !kept)
		return rc;
	pf_finding_kept(s->to, s->path, basename(kept));
	return 0;
}

static int seal(struct seal *s, struct pf_err *err)
{
	char bytes[HEAD];
	struct stat st;
	ssize_t n = pread(s->fd, bytes, sizeof(bytes), 0);
	if (n < 0 || fstat(s->fd, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", s->path, strerror(errno));
	struct pf_view head = { bytes, (size_t)n };
	for (unsigned i = 0; pf_scanners[i] && !s->scanner; i++)
		s->scanner = pf_scanners[i]->looks_like(head) ? pf_scanners[i] : NULL;
	s->scan = s->scanner ? s->scanner->open() : NULL;
	if (!s->scan)
		return pf_err_set(err, s->scanner ? -ENOMEM : -EINVAL, "%s: not a document", s->path);
	s->size = (uint64_t)st.st_size;
	s->content = content_of(head);
	find_root(s, head);
	s->form = s->scanner == &pf_scanner_xml	   ? XML
		  : s->scanner == &pf_scanner_html ? HTML
		  : s->scanner == &pf_scanner_csv  ? CSV
						   : JSON;
	if (s->form == XML)
		(void)snprintf(s->closers, sizeof(s->closers), "</%s>", s->root);
	else
		(void)snprintf(s->closers, sizeof(s->closers), "%s", s->form == JSON ? "]}}" : "");
	int rc = walk(s);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", s->path, strerror(-rc));
	if (pf_patch_is_same(&s->patch, s->size) && !s->patch.failed)
		return PF_SEALED_NOTHING;
	if (s->scan->good == 0 && s->head_n == 0)
		return pf_err_set(err, -EBADMSG, "%s: not even the beginning is whole; nothing was changed", s->path);
	rc = write_anew(s, err);
	return rc < 0 ? rc : s->with_loss ? PF_SEALED_WITH_LOSS : PF_SEALED_WHOLE;
}

int pf_text_seal(const char *path, const struct pf_findings *to, struct pf_err *err)
{
	int rc = pf_replace_may(path, err);
	if (rc < 0)
		return rc;
	struct seal s = { .path = path, .to = to };
	s.fd = pf_io_open_regular(path, err);
	rc = s.fd < 0 ? s.fd : seal(&s, err);
	if (s.scan)
		(void)s.scanner->close(s.scan);
	pf_closep(&s.fd);
	pf_buf_done(&s.unit);
	pf_patch_done(&s.patch);
	return rc;
}
