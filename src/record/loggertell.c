/* record/loggertell.c - what a logger tells whoever launched it. */
#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/time.h"
#include "record/loggerstate.h"
#include "sinks/pcparchive.h"

static void tell(const struct pf_logger *l, const struct pf_buf *text)
{
	if (l->spec->tell)
		pf_control_tell(l->control, pf_buf_text(text));
}

const char *pf_logger_growth(char *text, size_t size, uint64_t bytes)
{
	double mb = (double)bytes / (1 << 20);
	(void)snprintf(text, size, "about %.*f %s a day before it is compressed", mb >= 9.95 && mb < 1000 ? 0 : 1,
		       mb < 1000 ? mb : mb / 1024, mb < 1000 ? "MB" : "GB");
	return text;
}

/* How fast a recording without end grows, by its second sample: the first has much that does not come again. */
void pf_logger_tell_growth(struct pf_logger *l)
{
	uint64_t samples, bytes;
	char text[80];
	if (l->spec->count >= 0 || l->spec->max_ns > 0 || l->spec->config || l->grown)
		return;
	pf_sink_pcparchive_size(l->sink, &samples, &bytes);
	if (samples < 2) {
		l->first_bytes = bytes;
		return;
	}
	l->grown = true;
	double day =
		(double)(bytes - l->first_bytes) * (86400.0 * (double)PF_NS_PER_SEC / (double)l->spec->interval_ns);
	if (!l->spec->tell) {
		pf_notice(l->spec->notice, PF_INFO, "%s: %s", l->spec->path,
			  pf_logger_growth(text, sizeof(text), (uint64_t)day));
		return;
	}
	struct pf_buf line = { 0 };
	pf_buf_fmt(&line, "%c %" PRIu64 "\n", PF_LOGGER_TELL_GROWTH, (uint64_t)day);
	tell(l, &line);
	pf_buf_done(&line);
}

/* How far it is, for a launcher that shows it. */
void pf_logger_tell_state(void *arg)
{
	const struct pf_logger *l = arg;
	uint64_t samples, bytes;
	struct pf_buf line = { 0 };
	struct pf_step step = pf_frames_step(&l->frames);
	pf_sink_pcparchive_size(l->sink, &samples, &bytes);
	pf_buf_fmt(&line, "%c %" PRIu64 " %" PRIu64 " %" PRId64 "\n", PF_LOGGER_TELL_STATE, samples, bytes,
		   samples > 0 ? step.cur->time_ns : 0);
	tell(l, &line);
	pf_buf_done(&line);
}

/* The first sample is in the archive. */
void pf_logger_tell_ready(struct pf_logger *l)
{
	struct pf_buf ready = { 0 };
	if (l->ready)
		return;
	l->ready = true;
	pf_buf_str(&ready, "R\n");
	tell(l, &ready);
	pf_buf_done(&ready);
}

/* For a dialog: how far the recording is. */
void pf_logger_tell_about(void *arg, struct pf_dialog_about *about)
{
	const struct pf_logger *l = arg;
	about->host = l->host;
	about->elapsed_s = (pf_time_boot_ns() - l->start_ns) / PF_NS_PER_SEC;
	about->bytes = l->sink ? pf_sink_pcparchive_data_bytes(l->sink) : 0;
}

void pf_logger_tell_end(const struct pf_logger *l, uint64_t samples, uint64_t bytes)
{
	struct pf_buf end = { 0 };
	pf_buf_fmt(&end, "E %" PRIu64 " %" PRIu64 "\n", samples, bytes);
	tell(l, &end);
	pf_buf_done(&end);
}
