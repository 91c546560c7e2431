/* modules/feed/scrape.c - see scrape.h. The records of one text: "# perfolio scrape up=1 at=SECONDS took=SECONDS strict=0 age=SECONDS", its lines,
 * "# perfolio end". In an interval without a text there is "# perfolio waits" alone. All are comments to who reads such text. */
#include "scrape.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/io.h"
#include "base/time.h"

enum { FIRST_WAIT_MS = 500, RECORD_MAX = 1 << 16, AGAIN_S = 600 };
enum { UP, DURATION, AGE, SERIES, BYTES, ERRORS };

#define BEGIN "# perfolio scrape "
#define END   "# perfolio end"
#define WAITS "# perfolio waits"

static void record(struct pf_scrape *s, const char *line)
{
	s->ctx->host->record(s->ctx, s->type, line);
}

static void read_now(struct pf_scrape *s, struct pf_feed_answer *a)
{
	*a = (struct pf_feed_answer){ .at_ns = pf_time_wall_ns() };
	int64_t start_ns = pf_time_mono_ns();
	pf_autoclose int fd = s->ctx->host->open_file(s->ctx, s->file);
	struct stat st;
	if (fd < 0)
		a->rc = fd;
	else if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		a->rc = -EINVAL;
	else
		a->rc = pf_io_pread_all(fd, s->limit, &s->text);
	a->took_ns = pf_time_mono_ns() - start_ns;
	if (a->rc == -EFBIG)
		(void)snprintf(a->why, sizeof(a->why), "it has more than %zu bytes", s->limit);
	else if (a->rc < 0)
		(void)snprintf(a->why, sizeof(a->why), "%s", a->rc == -EINVAL ? "no regular file" : strerror(-a->rc));
}

/* The very first answer is waited for, but for no more than half an interval, so that a run of one sample has something to show. */
static int patience_ms(struct pf_scrape *s)
{
	if (s->asked)
		return 0;
	s->asked = true;
	double seconds = strtod(s->ctx->host->state->interval, NULL);
	return seconds > 0 && seconds < 1 ? (int)(seconds * FIRST_WAIT_MS) : FIRST_WAIT_MS;
}

static bool take(struct pf_scrape *s, struct pf_feed_answer *a)
{
	if (!s->feed) {
		read_now(s, a);
		return true;
	}
	if (!s->asked)
		pf_feed_ask(s->feed);
	bool any = pf_feed_take(s->feed, patience_ms(s), a, &s->text) == 1;
	pf_feed_ask(s->feed);
	return any;
}

/* Failures are told once, and again only if they come after a long while: some targets come and go. */
static void tell(struct pf_scrape *s, const struct pf_feed_answer *a)
{
	char text[512];
	int64_t now = pf_time_mono_ns();
	if ((a->rc < 0) == s->failing)
		return;
	s->failing = a->rc < 0;
	if (a->rc < 0 && (s->told_ns == 0 || now - s->told_ns > AGAIN_S * PF_NS_PER_SEC)) {
		(void)snprintf(text, sizeof(text), "%.200s: %s, going on without it and trying again", s->what, a->why);
		s->ctx->host->logmsg(s->ctx, 'W', text);
		s->told_ns = now;
		s->told_well = false;
	} else if (a->rc == 0 && !s->told_well) {
		(void)snprintf(text, sizeof(text), "%.200s: it answers again", s->what);
		s->ctx->host->logmsg(s->ctx, 'I', text);
		s->told_well = true;
	}
}

/* Lines that no record can hold are told by what they lack; the reader counts them as bad. */
static void record_line(struct pf_scrape *s, struct pf_view line)
{
	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	if (line.n == 0 || pf_view_starts(line, "# perfolio "))
		return; /* ours alone may begin so, and a comment is no loss */
	if (line.n >= RECORD_MAX || memchr(line.p, '\0', line.n)) {
		record(s, line.n >= RECORD_MAX ? "? a line of more than 65535 bytes" : "? a line with a byte of zero");
		return;
	}
	pf_buf_clear(&s->line);
	pf_buf_view(&s->line, line);
	if (!s->line.failed)
		record(s, s->line.p);
}

/* Seconds since the last text was asked for, below 0: there was none. */
static double age(const struct pf_scrape *s)
{
	int64_t ns = pf_time_wall_ns() - s->got_ns;
	return s->got_ns == 0 ? -1 : ns > 0 ? (double)ns / (double)PF_NS_PER_SEC : 0;
}

void pf_scrape_get(struct pf_scrape *s)
{
	struct pf_feed_answer a;
	char head[160];
	if (!take(s, &a)) {
		(void)snprintf(head, sizeof(head), s->failing ? BEGIN "up=0 age=%.3f" : WAITS " age=%.3f", age(s));
		record(s, head);
		return;
	}
	tell(s, &a);
	if (a.rc == 0)
		s->got_ns = a.at_ns;
	(void)snprintf(head, sizeof(head), BEGIN "up=%d at=%.3f took=%.3f strict=%d age=%.3f", a.rc == 0,
		       (double)a.at_ns / (double)PF_NS_PER_SEC, (double)a.took_ns / (double)PF_NS_PER_SEC, a.strict,
		       age(s));
	record(s, head);
	if (a.rc < 0)
		return;
	if (a.lost > 0)
		record(s, "? more lines than there is room for");
	struct pf_view rest = pf_buf_text(&s->text), line;
	for (uint64_t i = 0; pf_view_line(&rest, &line) == 0; i++) {
		if (i == s->lines) {
			record(s, "? more lines than allowed");
			break;
		}
		record_line(s, line);
	}
	record(s, END);
}

static void set(struct pf_scrape *s, int which, double v)
{
	s->ctx->host->set_double(s->ctx, (uint32_t)s->numbers[which], NULL, v);
}

static void declare_own(struct pf_scrape *s)
{
	struct pf_values *v = &s->values;
	s->numbers[UP] = pf_values_own(v, "scrape.up", "Up", false, "", "1 if the last text was got, 0 if not");
	s->numbers[SERIES] = pf_values_own(v, "scrape.series", "Series", false, "count", "values in the last text");
	s->numbers[ERRORS] = pf_values_own(v, "scrape.errors", "Errors", true, "count",
					   "lines that were bad or there before, and were left out");
	s->numbers[DURATION] =
		pf_values_own(v, "scrape.duration", NULL, false, "sec", "how long it took to get the last text");
	s->numbers[AGE] = pf_values_own(v, "scrape.age", NULL, false, "sec",
					"time from when the last text was asked for to this sample");
	s->numbers[BYTES] = pf_values_own(v, "scrape.bytes", NULL, false, "byte", "size of the last text, as recorded");
}

/* KEY=NUMBER in the line that begins a text. */
static double field(const char *line, const char *key, double otherwise)
{
	const char *at = strstr(line, key);
	return at ? strtod(at + strlen(key), NULL) : otherwise;
}

static void set_state(struct pf_scrape *s, const char *line)
{
	double seconds = field(line, " age=", -1);
	set(s, UP, s->up);
	set(s, ERRORS, (double)s->bad);
	if (seconds >= 0) {
		set(s, DURATION, s->took_s);
		set(s, AGE, seconds);
	}
}

static void begin(struct pf_scrape *s, const char *line, const struct pf_scrape_use *use)
{
	s->up = field(line, " up=", 0) == 1;
	if (s->up == 1)
		s->took_s = field(line, " took=", 0);
	s->strict = field(line, " strict=", 0) == 1;
	s->good = 0;
	s->bytes = 0;
	s->open = s->up == 1;
	set_state(s, line);
	if (s->open)
		use->begin(use->arg, s->strict);
}

void pf_scrape_analyze(struct pf_scrape *s, const char *data, const struct pf_scrape_use *use)
{
	if (s->values.n_names == 0)
		declare_own(s);
	if (strncmp(data, BEGIN, strlen(BEGIN)) == 0) {
		begin(s, data, use);
	} else if (strncmp(data, WAITS, strlen(WAITS)) == 0) {
		set_state(s, data);
	} else if (strncmp(data, END, strlen(END)) == 0) {
		if (s->open)
			use->end(use->arg);
		s->open = false;
		set(s, SERIES, (double)s->good);
		set(s, BYTES, (double)s->bytes);
		set(s, ERRORS, (double)s->bad);
	} else if (data[0] == '?') {
		pf_scrape_bad(s, 0, data + strspn(data, "? "));
	} else if (s->open) {
		struct pf_view line = pf_view_of(data);
		s->bytes += line.n + 1;
		use->line(use->arg, line);
	}
}

void pf_scrape_bad(struct pf_scrape *s, unsigned line, const char *why)
{
	s->bad++;
	if (s->told_bad)
		return;
	s->told_bad = true;
	char text[512], where[32] = "";
	if (line > 0)
		(void)snprintf(where, sizeof(where), "line %u: ", line);
	(void)snprintf(text, sizeof(text), "%s%s; such lines are left out and counted in %s.scrape.errors", where, why,
		       s->ctx->name);
	s->ctx->host->logmsg(s->ctx, 'W', text);
}

void pf_scrape_done(struct pf_scrape *s)
{
	s->feed = pf_feed_free(s->feed);
	pf_values_done(&s->values);
	pf_buf_done(&s->text);
	pf_buf_done(&s->line);
}

/* The value of KEY=, or of KEY alone, at the front of @args, up to a comma; @args is then behind it. NULL: that is not there. */
static char *cut_option(char **args, const char *key)
{
	size_t n = strlen(key);
	char *text = *args;
	if (strncmp(text, key, n) != 0 || (key[n - 1] != '=' && text[n] != ',' && text[n] != '\0'))
		return NULL;
	char *end = text + n + strcspn(text + n, ",");
	*args = *end == ',' ? end + 1 : end;
	*end = '\0';
	return text + n;
}

static int take_number(struct perfolio_ctx *ctx, const struct pf_scrape_option *option, const char *text)
{
	double v;
	if (pf_view_double(pf_view_of(text), &v) == 0 && v > 0 && v <= option->max) {
		*option->number = v;
		return 1;
	}
	char why[160];
	(void)snprintf(why, sizeof(why), "%.60s%.40s is no number above 0 and up to %.0f", option->key, text,
		       option->max);
	ctx->host->error(ctx, why);
	return -EINVAL;
}

static int take_duration(struct perfolio_ctx *ctx, const struct pf_scrape_option *option, const char *text)
{
	int64_t ns;
	if (pf_duration_parse(pf_view_of(text), &ns) == 0 && ns > 0 && (double)ns <= option->max * PF_NS_PER_SEC) {
		*option->seconds = (double)ns / (double)PF_NS_PER_SEC;
		return 1;
	}
	char why[200];
	(void)snprintf(why, sizeof(why),
		       "%.60s%.40s is no length of time above 0 and up to %.0f seconds: " PF_DURATION_FORMS,
		       option->key, text, option->max);
	ctx->host->error(ctx, why);
	return -EINVAL;
}

/* Return: 1 it was there, 0 it was not, -EINVAL. */
static int take_option(struct perfolio_ctx *ctx, char **args, const struct pf_scrape_option *option)
{
	char *text = cut_option(args, option->key);
	if (!text)
		return 0;
	if (option->number)
		return take_number(ctx, option, text);
	if (option->seconds)
		return take_duration(ctx, option, text);
	if (option->text)
		*option->text = text;
	else
		*option->flag = true;
	return 1;
}

int pf_scrape_options(struct perfolio_ctx *ctx, char **args, const struct pf_scrape_option *options, unsigned n)
{
	for (unsigned i = 0; i < n;) {
		int rc = take_option(ctx, args, &options[i]);
		if (rc < 0)
			return rc;
		i = rc > 0 ? 0 : i + 1; /* in any order */
	}
	return 0;
}
