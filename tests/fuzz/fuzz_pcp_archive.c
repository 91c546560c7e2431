/* formats/pcp/reader on any bytes: an archive's three files in one input. Its first 8 bytes are two little-endian lengths, of .meta and of
 * the values; the rest is the index. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/events.h"
#include "formats/pcp/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int file_of(const uint8_t *bytes, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd >= 0)
		(void)pf_io_write_all(fd, bytes, n);
	return fd;
}

static void read_events(struct pf_view bytes, bool highres)
{
	struct pf_pcp_events all;
	struct pf_pcp_event event;
	if (pf_pcp_events_decode(bytes, highres, &all, NULL) < 0)
		return;
	while (pf_pcp_events_next(&all, &event, NULL) == 1) {
		for (uint32_t i = 0; i < event.n; i++) {
			uint32_t pmid;
			struct pf_pcp_value v;
			if (pf_pcp_events_param(&all, &pmid, &v, NULL) < 0)
				return;
			(void)pf_pcp_value_text(&v);
		}
	}
}

static void read_values(struct pf_pcp_reader *r, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		const struct pf_pcp_metric *m = pf_pcp_meta_metric(pf_pcp_reader_meta(r), set.pmid);
		unsigned hint = 0;
		for (uint32_t i = 0; set.n > 0 && i < (uint32_t)set.n; i++) {
			struct pf_pcp_value v;
			uint64_t u;
			double d;
			if (pf_pcp_set_get(&set, i, &v, NULL) < 0 || !m)
				continue;
			(void)pf_pcp_value_u64(&v, m->type, &u);
			(void)pf_pcp_value_double(&v, m->type, &d);
			(void)pf_pcp_value_text(&v);
			read_events(v.bytes, v.type == PF_HIGHRES_EVENTS);
			(void)pf_pcp_meta_member(pf_pcp_reader_meta(r), m->domain, v.inst, &hint);
		}
	}
}

static void read_labels(struct pf_pcp_meta *m)
{
	struct pf_arena room = { 0 };
	struct pf_buf value = { 0 };
	for (size_t i = 0; i < m->n_places; i++) {
		struct pf_view rec;
		struct pf_pcp_labels labels;
		const struct pf_label_set *sets;
		if (pf_pcp_meta_read(m, &m->places[i], &rec, NULL) == 1 &&
		    pf_pcp_labels_decode(rec, &labels, NULL) == 0)
			(void)pf_pcp_labels_unpack(&labels, &room, &sets);
	}
	(void)pf_pcp_meta_label(m, "hostname", &value, NULL);
	pf_buf_done(&value);
	pf_arena_done(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t lengths[2];
	if (size < sizeof(lengths))
		return 0;
	memcpy(lengths, data, sizeof(lengths));
	data += sizeof(lengths);
	size -= sizeof(lengths);
	size_t meta_n = lengths[0] < size ? lengths[0] : size;
	size_t data_n = lengths[1] < size - meta_n ? lengths[1] : size - meta_n;

	int meta = file_of(data, meta_n);
	int values = file_of(data + meta_n, data_n);
	int index = file_of(data + meta_n + data_n, size - meta_n - data_n);
	struct pf_pcp_reader *r;
	struct pf_err err = { 0 };
	if (pf_pcp_reader_open_fds(&r, "fuzz", meta, values, index, NULL, &err) < 0)
		return 0;
	for (;;) {
		struct pf_pcp_result result;
		int rc = pf_pcp_reader_next(r, &result, &err);
		if (rc == 1)
			read_values(r, result);
		else if (rc != -EBADMSG)
			break;
	}
	read_labels(pf_pcp_reader_meta(r));
	(void)pf_pcp_reader_close(r);
	return 0;
}
