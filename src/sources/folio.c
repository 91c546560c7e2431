/* sources/folio.c - a folio: the file that names the archives of one recording session. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/folio.h"
#include "sources/joined.h"
#include "sources/list.h"

static bool accepts(const char *path)
{
	pf_autoclose int fd = pf_io_open_regular(path, NULL);
	char head[16];
	ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	return n > 0 && pf_folio_looks_like((struct pf_view){ head, (size_t)n });
}

/* A line that makes no sense is damage as long as another one does. */
static int list_archives(struct pf_joined_list *list, const char *path, struct pf_view text, struct pf_err *err)
{
	const char *slash = strrchr(path, '/');
	struct pf_view folder = { path, slash ? (size_t)(slash + 1 - path) : 0 };
	struct pf_folio folio;
	struct pf_folio_entry e;
	struct pf_err why = { 0 };
	unsigned before = list->n;
	int rc = pf_folio_parse(text, &folio, &why);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", path, why.text);
	while ((rc = pf_folio_next(&folio, &e, &why)) != 0) {
		if (rc == 1) {
			rc = pf_joined_add(list, folder, e.base, e.host);
			if (rc == 0)
				list->entries[list->n - 1].kind = &pf_source_pcparchive;
		} else {
			struct pf_err damage = { 0 };
			(void)pf_err_set(&damage, rc, "%s: %s", path, why.text);
			rc = pf_joined_complain(list, damage.text);
		}
		if (rc < 0)
			return pf_err_set(err, rc, "%s: no memory", path);
		why = (struct pf_err){ 0 };
	}
	return list->n > before ? 0 : pf_err_set(err, -ENODATA, "%s: the folio names no archive", path);
}

static int list_folio(struct pf_joined_list *list, const char *path, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	int rc = pf_io_read_file(AT_FDCWD, path, PF_FOLIO_MAX, &text, err);
	if (rc == 0)
		rc = list_archives(list, path, pf_buf_text(&text), err);
	pf_buf_done(&text);
	return rc;
}

static int open_folio(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		      struct pf_err *err)
{
	return pf_joined_open(ret_source, &pf_source_folio, spec, cat, err);
}

const struct pf_source_kind pf_source_folio = {
	.name = "folio",
	.title = "folio",
	.accepts = accepts,
	.list = list_folio,
	.open = open_folio,
	.next = pf_joined_next,
	.untold = pf_joined_untold,
	.skip = pf_joined_skip,
	.begins = pf_joined_begins,
	.info = pf_joined_info,
	.fd = pf_joined_fd,
	.close = pf_joined_close,
};
