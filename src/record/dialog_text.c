/* record/dialog_text.c - the wording of record mode's dialogs, which scripts look for in logs. Source: logs of PCP 6.0.3. */
#include "record/dialog.h"

#include <inttypes.h>

#include "base/escape.h"

enum { HOUR = 3600, DAY = 86400, MINUTES_FROM = 240 };

static void add_name(struct pf_buf *b, const char *name)
{
	pf_escape_text(b, pf_view_of(name ? name : "<unknown>"));
}

static void add_size(struct pf_buf *b, double bytes)
{
	const double kilo = 1024, mega = kilo * 1024, giga = mega * 1024;
	if (bytes < 10 * kilo)
		pf_buf_fmt(b, "%" PRId64 " bytes", (int64_t)bytes);
	else if (bytes < 10 * mega)
		pf_buf_fmt(b, "%.1f Kbytes", bytes / kilo);
	else if (bytes < 10 * giga)
		pf_buf_fmt(b, "%.1f Mbytes", bytes / mega);
	else
		pf_buf_fmt(b, "%" PRId64 " Mbytes", (int64_t)(bytes / mega));
}

static int64_t seconds(const struct pf_dialog_about *about)
{
	return about->elapsed_s < 1 ? 1 : about->elapsed_s;
}

static void add_rates(struct pf_buf *b, const struct pf_dialog_about *about)
{
	double per_second = (double)about->bytes / (double)seconds(about);
	add_size(b, per_second * HOUR);
	pf_buf_str(b, " per hour or ");
	add_size(b, per_second * DAY);
	pf_buf_str(b, " per day.\n");
}

static void add_progress(struct pf_buf *b, const struct pf_dialog_about *about)
{
	int64_t s = seconds(about);
	pf_buf_str(b, "PCP recording for the archive folio \"");
	add_name(b, about->folio);
	pf_buf_str(b, "\" and the host \"");
	add_name(b, about->host);
	if (s < MINUTES_FROM)
		pf_buf_fmt(b, "\" has been in progress for %" PRId64 " seconds", s);
	else
		pf_buf_fmt(b, "\" has been in progress for %" PRId64 " minutes", (s + 30) / 60);
	pf_buf_str(b, " and in that time the pmlogger process has created an archive of ");
	add_size(b, (double)about->bytes);
	pf_buf_str(b, ".\n");
}

void pf_dialog_text(struct pf_buf *b, enum pf_dialog_kind kind, const struct pf_dialog_about *about)
{
	add_progress(b, about);
	if (about->replay) {
		pf_buf_str(b, "\nThis archive may be replayed with the following command:\n  $ pmafm ");
		add_name(b, about->folio);
		pf_buf_str(b, " replay\n");
	}
	if (kind == PF_DIALOG_QUIT) {
		pf_buf_str(b, "\nThe application that launched pmlogger has terminated this PCP recording session.\n");
		return;
	}
	if (kind == PF_DIALOG_DETACH) {
		pf_buf_str(
			b,
			"\nThe application that launched pmlogger has asked pmlogger to continue independently and the "
			"PCP archive will grow at the rate of ");
		add_rates(b, about);
	} else if (kind == PF_DIALOG_LOST) {
		pf_buf_str(
			b,
			"\nThe application that launched pmlogger has exited and you must decide if the PCP recording "
			"session should be terminated or continued.  If recording is continued the PCP archive "
			"will grow at the rate of ");
		add_rates(b, about);
	}
	pf_buf_fmt(b,
		   "\nAt any time this pmlogger process may be terminated with the following command:\n"
		   "  $ pmsignal -s TERM %d\n",
		   (int)about->pid);
	if (kind == PF_DIALOG_LOST)
		pf_buf_str(b, "\nTerminate this PCP recording session now?");
}
