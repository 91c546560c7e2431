/* sinks/times.c - times in the text views. */
#include "sinks/times.h"

#include <stdio.h>

#include "base/time.h"
#include "sinks/sink.h"

static struct tm calendar(const struct pf_view_options *view, int64_t time_ns)
{
	return view->zone_local ? pf_time_local(time_ns) : pf_time_utc(time_ns + view->zone_ns);
}

static int millis(int64_t time_ns)
{
	return (int)(time_ns / PF_NS_PER_MS % 1000);
}

/* collectl makes room for milliseconds that no time stands before. */
static bool has_millis(const struct pf_view_options *view)
{
	return view->millis && (view->times != PF_TIMES_NONE || (view->variants & PF_AS_PEER));
}

void pf_times_title(struct pf_buf *out, const struct pf_view_options *view)
{
	static const char *const titles[] = {
		[PF_TIMES_NONE] = "",
		[PF_TIMES_HMS] = "Time     ",
		[PF_TIMES_MD_HMS] = "Date Time      ",
		[PF_TIMES_YMD_HMS] = "Date    Time      ",
	};
	pf_buf_str(out, titles[view->times]);
	if (has_millis(view))
		pf_buf_pad(out, ' ', 4);
}

unsigned pf_times_width(const struct pf_view_options *view)
{
	static const unsigned widths[] = {
		[PF_TIMES_NONE] = 0, [PF_TIMES_HMS] = 9, [PF_TIMES_MD_HMS] = 15, [PF_TIMES_YMD_HMS] = 18
	};
	return widths[view->times] + (has_millis(view) ? 4 : 0);
}

static void clock_text(struct pf_buf *out, const struct tm *tm, int64_t time_ns, bool with_millis)
{
	pf_buf_fmt(out, "%02d:%02d:%02d", tm->tm_hour, tm->tm_min, tm->tm_sec);
	if (with_millis)
		pf_buf_fmt(out, ".%03d", millis(time_ns));
}

void pf_times_add(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns)
{
	if (view->times == PF_TIMES_NONE)
		return;
	struct tm tm = calendar(view, time_ns);
	if (view->times == PF_TIMES_MD_HMS)
		pf_buf_fmt(out, "%02d/%02d ", tm.tm_mon + 1, tm.tm_mday);
	else if (view->times == PF_TIMES_YMD_HMS)
		pf_buf_fmt(out, "%d%02d%02d ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	clock_text(out, &tm, time_ns, view->millis);
	while (view->short_millis && view->millis && out->n > 0 && out->p[out->n - 1] == '0')
		out->n--;
	pf_buf_char(out, ' ');
}

void pf_times_of_day(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns)
{
	struct tm tm = calendar(view, time_ns);
	pf_buf_char(out, ' ');
	clock_text(out, &tm, time_ns, view->millis);
}

void pf_times_plot(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns)
{
	if (view->utc) {
		pf_buf_i64(out, (time_ns + view->epoch_shift_ns) / PF_NS_PER_SEC);
		if (view->millis)
			pf_buf_fmt(out, ".%03d", millis(time_ns));
		return;
	}
	struct tm tm = calendar(view, time_ns);
	if (view->times == PF_TIMES_MD_HMS)
		pf_buf_fmt(out, "%02d/%02d", tm.tm_mon + 1, tm.tm_mday);
	else
		pf_buf_fmt(out, "%d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	pf_buf_str(out, view->separator);
	clock_text(out, &tm, time_ns, view->millis);
}

static const char months[12][4] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
};

void pf_times_since_boot(struct pf_buf *out, const struct pf_view_options *view, double ms, bool day)
{
	int64_t time_ns = view->boot_ns;
	if (ms >= 0 && ms < 1e15)
		time_ns += (int64_t)ms * PF_NS_PER_MS;
	struct tm tm = calendar(view, time_ns);
	if (day)
		pf_buf_fmt(out, "%s%02d-", months[tm.tm_mon % 12], tm.tm_mday);
	clock_text(out, &tm, time_ns, false);
}

void pf_times_ctime(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns)
{
	static const char days[7][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	struct tm tm = calendar(view, time_ns);
	pf_buf_fmt(out, "%s %s %2d", days[tm.tm_wday % 7], months[tm.tm_mon % 12], tm.tm_mday);
	if (view->millis && tm.tm_mday < 10 && (view->variants & PF_AS_PEER)) {
		/* It takes the words between single blanks, of which such a day has one more. */
		pf_buf_fmt(out, ".%03d ", millis(time_ns + view->epoch_shift_ns));
		clock_text(out, &tm, time_ns, false);
		return;
	}
	pf_buf_str(out, " ");
	clock_text(out, &tm, time_ns, view->millis);
	pf_buf_fmt(out, " %d", tm.tm_year + 1900);
}

void pf_times_seconds(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns)
{
	time_ns += view->epoch_shift_ns;
	pf_buf_fmt(out, "%lld.%03d", (long long)(time_ns / PF_NS_PER_SEC), millis(time_ns));
}

void pf_times_number(char text[PF_TIMES_SECONDS], const struct pf_view_options *view, int64_t time_ns)
{
	int64_t ms = (time_ns + view->epoch_shift_ns) / PF_NS_PER_MS;
	int n = snprintf(text, PF_TIMES_SECONDS, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
	if (!(view->variants & PF_AS_PEER) || !(view->variants & PF_AS_RECORDED))
		return;
	while (n > 0 && text[n - 1] == '0')
		text[--n] = '\0';
	if (n > 0 && text[n - 1] == '.')
		text[n - 1] = '\0';
}
