/* sinks/command.c - command lines and CPU times of processes. */
#include "sinks/command.h"

#include <string.h>

#include "base/escape.h"
#include "sinks/sink.h"

static struct pf_view cut_word(struct pf_view *rest)
{
	struct pf_view word = { "", 0 };
	(void)pf_view_word(rest, &word); /* nothing left: an empty word */
	*rest = pf_view_trim(*rest);
	return word;
}

static struct pf_view base_of(struct pf_view path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
	if (!slash)
		return path;
	return (struct pf_view){ slash + 1, path.n - (size_t)(slash + 1 - path.p) };
}

/* "/bin/sh", "/usr/bin/perl" with their folders; "python3" also without. */
static bool is_interpreter(struct pf_view word)
{
	static const char *const names[] = { "sh", "bash", "perl" };
	struct pf_view base = base_of(word);
	if (pf_view_starts(base, "python"))
		return true;
	for (unsigned i = 0; base.n < word.n && i < sizeof(names) / sizeof(names[0]); i++) {
		if (pf_view_is(base, names[i]))
			return true;
	}
	return false;
}

/* Without the interpreter and its first switch, if a word is left then. */
static struct pf_view strip(struct pf_view line)
{
	struct pf_view rest = line;
	if (!is_interpreter(cut_word(&rest)) || rest.n == 0)
		return line;
	struct pf_view behind = rest;
	if (rest.n > 1 && rest.p[0] == '-' && rest.p[1] != ' ' && (cut_word(&behind), behind.n > 0))
		return behind;
	return rest;
}

/* The peer's names have no blanks. */
static void add_name(struct pf_buf *out, const char *name, bool without_blanks)
{
	while (*name != '\0') {
		size_t n = without_blanks ? strcspn(name, " ") : strlen(name);
		pf_escape_text(out, (struct pf_view){ name, n });
		name += n + (name[n] != '\0');
	}
}

void pf_draw_command(struct pf_buf *out, const struct pf_view_options *view, const char *args, const char *name,
		     bool full)
{
	struct pf_view line = pf_view_of(args);
	if (pf_view_trim(line).n == 0) {
		add_name(out, name, view->variants & PF_AS_PEER);
		if (!full)
			pf_buf_char(out, ' ');
		return;
	}
	if (full) {
		pf_escape_text(out, line);
		return;
	}
	if (view->strip_interpreters)
		line = strip(pf_view_trim(line));
	struct pf_view rest = line;
	struct pf_view word = cut_word(&rest);
	pf_escape_text(out, view->base_names && word.p[0] == '/' ? base_of(word) : word);
	pf_buf_char(out, ' ');
	if (!view->with_arguments)
		return;
	if (view->argument_width > 0 && rest.n > view->argument_width)
		rest.n = view->argument_width;
	pf_escape_text(out, rest);
}

void pf_draw_time(struct pf_buf *out, enum pf_draw form, double ms, int width, bool peer)
{
	uint64_t centis = ms > 0 ? (uint64_t)(ms / 10) : 0;
	uint64_t s = centis / 100;
	unsigned hundredths = (unsigned)(centis % 100);
	if (peer) /* multiplied as a fraction and cut: .29, .57 and .58 lose one */
		hundredths = (unsigned)((double)hundredths / 100 * 100);
	unsigned long long hours = s / 3600;
	unsigned minute = (unsigned)(s / 60 % 60);
	unsigned second = (unsigned)(s % 60);
	if (form == PF_DRAW_CENTIS)
		pf_buf_fmt(out, "%*llu.%02u", width, (unsigned long long)s, hundredths);
	else if (form == PF_DRAW_HOURS)
		pf_buf_fmt(out, "%llu:%02u:%02u", hours, minute, second);
	else if (hours == 0)
		pf_buf_fmt(out, " %02u:%02u.%02u", minute, second, hundredths);
	else
		pf_buf_fmt(out, "%s%02llu:%02u:%02u", hours < 100 ? " " : "", hours, minute, second);
}
