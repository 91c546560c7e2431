/* formats/pcp/folio.c - the text of a folio. Source: pmafm(1), observed files. */
#include "formats/pcp/folio.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/time.h"

#define MAGIC	"PCPFolio"
#define VERSION "1"

bool pf_folio_looks_like(struct pf_view head)
{
	return pf_view_starts(head, MAGIC);
}

int pf_folio_parse(struct pf_view text, struct pf_folio *ret_folio, struct pf_err *err)
{
	if (!pf_folio_looks_like(text))
		return pf_err_set(err, -EBADMSG, "not a PCP archive folio: the first line is not " MAGIC);
	struct pf_view rest = text;
	struct pf_view line;
	while (pf_view_line(&rest, &line) == 0) {
		struct pf_view word;
		if (!pf_view_starts(line, "Version:"))
			continue;
		line.p += strlen("Version:");
		line.n -= strlen("Version:");
		if (pf_view_word(&line, &word) < 0)
			word = PF_VIEW("");
		if (!pf_view_is(word, VERSION))
			return pf_err_set(err, -EPROTO,
					  "a folio of version %.*s; only version " VERSION " is known here",
					  (int)(word.n < 20 ? word.n : 20), word.p);
		*ret_folio = (struct pf_folio){ .rest = text };
		return 0;
	}
	return pf_err_set(err, -EBADMSG, "not a PCP archive folio: no line tells its version");
}

int pf_folio_next(struct pf_folio *f, struct pf_folio_entry *ret_entry, struct pf_err *err)
{
	struct pf_view line;
	while (pf_view_line(&f->rest, &line) == 0) {
		f->line++;
		struct pf_view word;
		if (pf_view_starts(line, "#") || pf_view_word(&line, &word) < 0 || !pf_view_is(word, "Archive:"))
			continue;
		struct pf_folio_entry e;
		if (pf_view_word(&line, &e.host) < 0 || pf_view_word(&line, &e.base) < 0 ||
		    pf_view_word(&line, &word) == 0)
			return pf_err_set(err, -EBADMSG, "line %u: an archive has a host and a base name", f->line);
		*ret_entry = e;
		return 1;
	}
	return 0;
}

void pf_folio_head(struct pf_buf *b, const char *host, const char *creator, const char *replay, int64_t time_ns)
{
	char when[64];
	struct tm tm = pf_time_local(time_ns);
	if (strftime(when, sizeof(when), "%a %b %e %T %Y", &tm) == 0)
		when[0] = '\0';
	pf_buf_fmt(b, MAGIC "\nVersion: " VERSION "\n# use pmafm(1) to process this PCP Archive Folio\n#\n");
	pf_buf_fmt(b, "Created: on %s at %s\n", host, when);
	pf_buf_fmt(b, "Creator: %s%s%s\n", creator, replay ? " " : "", replay ? replay : "");
	pf_buf_fmt(b, "#               Host                    Basename\n#\n");
}

void pf_folio_entry(struct pf_buf *b, const char *host, const char *base)
{
	pf_buf_fmt(b, "%-15s %-23s %s\n", "Archive:", host, base);
}
