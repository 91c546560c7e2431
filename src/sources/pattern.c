/* sources/pattern.c - one walk over the folders of all patterns: read the files of each, tell their lines, parse. A descriptor of what has
 * ended fails with ESRCH (processes) or ENODEV (cgroups), also when its name is in use again. Sources: proc(5), kernel
 * Documentation/admin-guide/cgroup-v2.rst. */
#include "sources/pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/meter.h"
#include "base/patience.h"
#include "sources/folders.h"
#include "sources/held.h"
#include "sources/procfilter.h"

/* DEPTH_MAX: levels of a tree. RETRY: an optional file
 * that is not there is looked for every so many samples. SLOW_SAMPLES: one that kept us waiting is left out for so many. */
enum { DEPTH_MAX = 128, PATH_SIZE = 512, RETRY = 8, SLOW_SAMPLES = 30 };

/* What the wildcards stand for while the walk is at some folder. */
struct place {
	struct pf_view parts[PF_PARTS_MAX];
	int32_t numbers[PF_PARTS_MAX];
	uint32_t ordinals[PF_PARTS_MAX];
};

struct pf_patterns {
	struct pf_path_step *first;
	struct pf_listing *tops; /* of the steps from @first on */
	struct pf_meter *meter;	 /* NULL: nothing is measured */
	int *meter_sources;	 /* of the steps from @first on */
	int meter_source;	 /* of the one at hand */
	unsigned n_tops;
	struct pf_folders folders;
	int root_fd;
	uint64_t samples;
	uint64_t lost;
	bool second;
	bool told_depth;
	bool told_slow;
	struct pf_holder *holder;
	bool no_parse;
	unsigned depth_max;
	const struct pf_raw_tap *tap;
	const struct pf_raw_tap *second_tap;
	const struct pf_process_filter *filter;
	bool all_threads;
	const struct pf_notice *notice;
	struct place place;
	struct pf_buf tree; /* of a PF_WILD_TREE: "/system.slice/ssh.service" */
	struct pf_buf tag;
	const char *tagged; /* pattern that @tag was made of, for the folder at hand */
	struct pf_buf line;
	struct pf_buf led;
};

/* A process that holds its memory's lock for long makes whoever asks for its command line wait. The first one is told: there may be many. */
static void leave_out(struct pf_patterns *p, const struct pf_path_step *step, struct pf_folder *folder, unsigned i)
{
	pf_folders_close_fd(&p->folders, &folder->fds[i]);
	folder->fds[i] = PF_FD_SLOW - SLOW_SAMPLES;
	if (!p->told_slow)
		pf_notice(p->notice, PF_WARNING,
			  "/%s/%s/%s: no answer in time, leaving it out for %d samples; others like it are not told",
			  step->from, folder->name, step->files[i].name, SLOW_SAMPLES);
	p->told_slow = true;
}

/* The file at hand: its pattern with what the wildcards stand for. */
static void name_slowest(const struct pf_patterns *p, const char *pattern)
{
	char *to = p->meter->slowest_name;
	char *end = to + PF_METER_NAME_SIZE - 1;
	unsigned part = 0;
	while (*pattern != '\0' && to < end) {
		size_t wild = strncmp(pattern, "[0-9]*", 6) == 0 ? 6 : strspn(pattern, "*");
		if (wild == 0 || part == PF_PARTS_MAX) {
			*to++ = *pattern++;
			continue;
		}
		struct pf_view stands = p->place.parts[part++];
		size_t n = stands.n < (size_t)(end - to) ? stands.n : (size_t)(end - to);
		memcpy(to, stands.p, n);
		to += n;
		pattern += wild;
	}
	*to = '\0';
}

/* Return: 0; -ETIMEDOUT: it keeps us waiting; -EACCES and the like: this file is not for us; -ESRCH, -ENOENT, -ENODEV: it or its folder is gone. */
static int read_file(struct pf_patterns *p, struct pf_path_step *step, struct pf_folder *folder, unsigned i, int at)
{
	struct pf_path_file *f = &step->files[i];
	int *held = &folder->fds[i];
	f->read = false;
	if (*held == PF_FD_DENIED || (*held == PF_FD_ABSENT && p->samples % RETRY != 0))
		return *held == PF_FD_DENIED ? -EACCES : -ENOENT;
	if (*held < PF_FD_SLOW) {
		*held = *held + 1 < PF_FD_SLOW ? *held + 1 : PF_FD_CLOSED;
		return -ETIMEDOUT;
	}
	sig_atomic_t before = p->holder->patience.fired;
	bool was_held = *held >= 0;
	int64_t start = pf_meter_start(p->meter);
	int fd = was_held ? *held : pf_folder_open(at, folder, f->name, 0);
	int rc = fd < 0 ? fd : pf_folder_read(fd, &f->text, &p->holder->patience);
	if (p->meter && pf_meter_read(p->meter, p->meter_source, start, rc == 0 ? f->text.n : 0))
		name_slowest(p, f->target->row->path);
	if (!was_held && fd >= 0) {
		if (rc == 0 && pf_folders_fit(&p->folders))
			*held = fd;
		else
			(void)close(fd); /* only read from */
	}
	if (!was_held && f->target->row->optional && rc == -ENOENT)
		*held = PF_FD_ABSENT;
	if (!was_held && (rc == -EACCES || rc == -EPERM || rc == -EOPNOTSUPP))
		*held = PF_FD_DENIED;
	if (pf_patience_is_over(&p->holder->patience, before))
		leave_out(p, step, folder, i);
	f->read = rc == 0;
	return rc;
}

static bool has_ended(int rc)
{
	return rc == -ESRCH || rc == -ENOENT || rc == -ENODEV;
}

/* All files of one folder. Return: 1 read; 0 it is gone; -ENOMEM. */
static int read_files(struct pf_patterns *p, struct pf_path_step *step, struct pf_folder *folder, int at)
{
	for (unsigned i = 0; i < step->n_files; i++) {
		int rc = read_file(p, step, folder, i, at);
		if (has_ended(rc) && folder->fds[i] >= 0) { /* perhaps the name is another's now */
			pf_folder_close(&p->folders, step, folder);
			rc = read_file(p, step, folder, i, at);
		}
		if (rc == -ENOMEM)
			return rc;
		const struct pf_row *row = step->files[i].target->row;
		if (rc == 0 && row->only_if && !row->only_if(pf_buf_text(&step->files[i].text)))
			return 0;
		p->lost += rc == -ETIMEDOUT;
		if (row->optional)
			continue;
		if (has_ended(rc) || (i == 0 && rc < 0 && rc != -ETIMEDOUT))
			return 0;
	}
	return 1;
}

/* Text that stands as a word of a raw file: what would end it, and the backslash itself, as \xHH. */
static void add_escaped(struct pf_buf *out, struct pf_view part)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < part.n; i++) {
		uint8_t c = (uint8_t)part.p[i];
		if (c > ' ' && c != '\\' && c != 0x7f) {
			pf_buf_char(out, (char)c);
			continue;
		}
		const char hex[4] = { '\\', 'x', digits[c >> 4], digits[c & 15] };
		pf_buf_add(out, hex, sizeof(hex));
	}
}

/* The row's tag with what its wildcards stand for: the last ones, if the path has more. */
static void make_tag(struct pf_patterns *p, const struct pf_row *row, unsigned level)
{
	unsigned n = 0;
	for (const char *c = row->tag; *c != '\0'; c++)
		n += *c == '*' || *c == '#';
	unsigned part = n > 0 && n <= level ? level + 1 - n : 0;
	if (p->tagged && strcmp(p->tagged, row->tag) == 0)
		return;
	p->tagged = row->tag;
	pf_buf_clear(&p->tag);
	for (const char *c = row->tag; *c != '\0'; c++) {
		if (*c == '*' && part < PF_PARTS_MAX)
			add_escaped(&p->tag, p->place.parts[part++]);
		else if (*c == '#' && part < PF_PARTS_MAX)
			pf_buf_u64(&p->tag, p->place.ordinals[part++]);
		else
			pf_buf_char(&p->tag, *c);
	}
}

/* The line as a raw file has it: whatever would end it, or a NUL, is a blank. */
static void tell_line(struct pf_patterns *p, const struct pf_raw_tap *tap, const struct pf_row *row,
		      struct pf_view text)
{
	pf_buf_clear(&p->line);
	pf_buf_str(&p->line, row->kind ? row->kind : "");
	if (p->line.n > 0)
		pf_buf_char(&p->line, ' ');
	size_t from = p->line.n;
	pf_buf_view(&p->line, text);
	for (size_t i = from; row->one_line && i < p->line.n; i++) {
		if (p->line.p[i] == '\n' || p->line.p[i] == '\0' || p->line.p[i] == '\r')
			p->line.p[i] = ' ';
	}
	tap->line(tap->arg, pf_buf_text(&p->tag), pf_buf_text(&p->line));
}

static void tell(struct pf_patterns *p, const struct pf_target *target, struct pf_view rest, unsigned level)
{
	const struct pf_row *row = target->row;
	const struct pf_raw_tap *tap = target->group->period == PF_SECOND_INTERVAL ? p->second_tap : p->tap;
	struct pf_view line;
	if (!tap || !row->tag)
		return;
	make_tag(p, row, level);
	if (row->one_line) {
		if (rest.n > 0 && rest.p[rest.n - 1] == '\n')
			rest.n--;
		if (rest.n > 0)
			tell_line(p, tap, row, rest);
		return;
	}
	while (pf_view_line(&rest, &line) == 0) {
		if (!row->keep || row->keep(&line, NULL))
			tell_line(p, tap, row, line);
	}
}

/* Text behind the heading lines, each line behind the row's lead if that names the folder. */
static struct pf_view body_of(struct pf_patterns *p, const struct pf_row *row, struct pf_view rest, struct pf_view part)
{
	struct pf_view line;
	for (unsigned i = 0; i < row->skip_lines; i++) {
		if (pf_view_line(&rest, &line) < 0)
			break;
	}
	const char *star = row->lead ? strchr(row->lead, '*') : NULL;
	if (!star)
		return rest;
	pf_buf_clear(&p->led);
	while (pf_view_line(&rest, &line) == 0) {
		pf_buf_add(&p->led, row->lead, (size_t)(star - row->lead));
		pf_buf_view(&p->led, part);
		pf_buf_str(&p->led, star + 1);
		pf_buf_view(&p->led, line);
		pf_buf_char(&p->led, '\n');
	}
	return pf_buf_text(&p->led);
}

static void take(struct pf_patterns *p, const struct pf_path_step *step)
{
	unsigned level = step->level;
	p->tagged = NULL;
	for (unsigned i = 0; i < step->n_files; i++) {
		struct pf_path_file *f = &step->files[i];
		struct pf_builder *b = &f->target->b;
		if (!f->read)
			continue;
		struct pf_view text = body_of(p, f->target->row, pf_buf_text(&f->text), p->place.parts[level]);
		tell(p, f->target, text, level);
		b->owner = p->place.numbers[level];
		b->ordinal = p->place.ordinals[0];
		memcpy(b->parts, p->place.parts, sizeof(b->parts));
		if (!p->no_parse)
			f->target->row->parse(text, b);
	}
}

static enum pf_procfilter_choice choice_of(const struct pf_patterns *p, const struct pf_path_step *step,
					   const struct pf_folder *folder)
{
	enum pf_procfilter_choice threads = PF_PROCFILTER_THREADS;
	if (!p->filter || !step->processes)
		return threads;
	enum pf_procfilter_choice choice =
		pf_procfilter_keeps(p->filter, folder->number, pf_path_step_text(step, "stat"),
				    pf_path_step_text(step, "status"), pf_path_step_text(step, "cmdline"));
	return choice == PF_PROCFILTER_PROCESS && p->all_threads ? threads : choice;
}

/* The first thread is the process itself. */
static bool is_first_thread(const struct pf_patterns *p, const struct pf_path_step *step,
			    const struct pf_folder *folder)
{
	return step->up && step->up->processes && folder->number == p->place.numbers[step->up->level];
}

static int walk(struct pf_patterns *p, struct pf_path_step *step, struct pf_listing *l, int fd, unsigned depth);

/* Open the folder of @l in @folder and walk it. */
static int walk_in(struct pf_patterns *p, struct pf_path_step *step, struct pf_folder *folder, struct pf_listing *l,
		   int at, unsigned depth)
{
	const char *rest = step->wild == PF_WILD_TREE ? "" : step->from;
	if (l->fd >= 0)
		return walk(p, step, l, l->fd, depth);
	int fd = pf_folder_open(at, folder, rest, O_DIRECTORY);
	if (fd < 0) {
		pf_listing_forget(&p->folders, step, l);
		return 0; /* vanished, or not for us */
	}
	bool hold = pf_folders_fit(&p->folders);
	if (hold)
		l->fd = fd;
	int rc = walk(p, step, l, fd, depth);
	if (!hold)
		(void)close(fd); /* only read from */
	return rc;
}

/* A folder of a tree: has it folders in it? By the number of links, where that tells. */
static bool may_have_more(struct pf_patterns *p, const struct pf_path_step *step, const struct pf_folder *folder,
			  int at, unsigned depth)
{
	struct stat st;
	if (depth + 1 >= p->depth_max)
		return false;
	if (depth >= DEPTH_MAX) {
		if (!p->told_depth)
			pf_notice(p->notice, PF_WARNING, "/%s: more than %d levels, going on without those below",
				  step->from, DEPTH_MAX);
		p->told_depth = true;
		return false;
	}
	return !step->by_links || fstatat(at, folder->name, &st, 0) < 0 || st.st_nlink != 2;
}

static int walk_tree(struct pf_patterns *p, struct pf_path_step *step, struct pf_folder *folder, int at, unsigned depth)
{
	if (!may_have_more(p, step, folder, at, depth)) {
		pf_listing_forget(&p->folders, step, &folder->below[0]);
		return 0;
	}
	return walk_in(p, step, folder, &folder->below[0], at, depth + 1);
}

static int visit(struct pf_patterns *p, struct pf_path_step *step, struct pf_folder *folder, uint32_t ordinal, int at,
		 unsigned depth)
{
	bool tree = step->wild == PF_WILD_TREE;
	size_t length = p->tree.n;
	struct place *place = &p->place;
	place->numbers[step->level] = folder->number;
	place->ordinals[step->level] = ordinal;
	place->parts[step->level] = (struct pf_view){ folder->name + step->prefix.n, folder->n_name - step->prefix.n };
	if (tree && depth > 0) {
		pf_buf_char(&p->tree, '/');
		pf_buf_add(&p->tree, folder->name, folder->n_name);
	}
	if (tree)
		place->parts[step->level] = length == 0 && depth == 0 ? PF_VIEW("/") : pf_buf_text(&p->tree);
	if (is_first_thread(p, step, folder))
		return 0;
	int rc = read_files(p, step, folder, at);
	enum pf_procfilter_choice choice = rc > 0 ? choice_of(p, step, folder) : PF_PROCFILTER_NONE;
	bool wanted = choice != PF_PROCFILTER_NONE;
	bool below = choice == PF_PROCFILTER_THREADS &&
		     (!step->processes || pf_procfilter_has_threads(pf_path_step_text(step, "stat")));
	if (wanted)
		take(p, step);
	if (wanted && tree)
		rc = walk_tree(p, step, folder, at, depth);
	for (struct pf_path_step *s = step->below; wanted && s && rc >= 0; s = s->beside) {
		if (!below)
			pf_listing_forget(&p->folders, s, &folder->below[s->slot]);
		else if (!s->second || p->second)
			rc = walk_in(p, s, folder, &folder->below[s->slot], at, 0);
	}
	p->tree.n = length;
	return rc < 0 ? rc : 0;
}

static int look(struct pf_patterns *p, struct pf_path_step *step, struct pf_listing *l, int fd, unsigned depth)
{
	if (step->once && l->known)
		return 0;
	if (step->wild == PF_WILD_TREE && depth == 0)
		return pf_listing_only(&p->folders, step, l, ".");
	return pf_listing_look(&p->folders, step, l, fd);
}

/* So many instances will come of what is first looked at. A filter may leave few of them. */
static void expect(const struct pf_patterns *p, const struct pf_path_step *step, unsigned n)
{
	if (step->level > 0 || step->wild == PF_WILD_TREE || p->no_parse || p->filter)
		return;
	for (unsigned i = 0; i < step->n_files; i++) {
		const struct pf_builder *b = &step->files[i].target->b;
		struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base);
		if (dom)
			pf_indom_expect(dom, n);
	}
}

/* All folders of a listing. @fd: where they are */
static int walk(struct pf_patterns *p, struct pf_path_step *step, struct pf_listing *l, int fd, unsigned depth)
{
	int rc = look(p, step, l, fd, depth);
	if (rc < 0 && rc != -ENOMEM && depth + step->level > 0) {
		pf_listing_forget(&p->folders, step, l); /* vanished */
		return 0;
	}
	expect(p, step, l->n);
	for (unsigned i = 0; i < l->n && rc >= 0; i++)
		rc = visit(p, step, l->list[i], i, fd, depth);
	return rc;
}

/* The folder that a pattern begins in. Return: descriptor or negative errno. */
static int open_top(const struct pf_patterns *p, struct pf_path_step *step)
{
	const char *path = step->from;
	int fd = openat(p->root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (step->marker && (fd < 0 || faccessat(fd, step->marker, F_OK, 0) < 0)) {
		if (fd >= 0)
			(void)close(fd); /* only read from */
		fd = openat(p->root_fd, step->instead, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && faccessat(fd, step->marker, F_OK, 0) < 0) {
			(void)close(fd); /* only read from */
			return -ENOENT;
		}
	}
	if (fd < 0)
		return -errno;
	struct statfs fs;
	step->by_links = fstatfs(fd, &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC;
	return fd;
}

/* Return: true if it was told that the folder there is not the one that is meant. */
static bool tell_unmarked(const struct pf_patterns *p, const struct pf_path_step *step)
{
	if (!step->marker || faccessat(p->root_fd, step->from, F_OK, 0) < 0)
		return false;
	pf_notice(p->notice, PF_WARNING, "/%s has no %s, going on without it", step->from, step->marker);
	return true;
}

static void tell_gone(struct pf_patterns *p, struct pf_path_step *step, struct pf_listing *l, int rc)
{
	if (l->known && rc != -ENOMEM)
		p->lost++;
	if (!l->gone && !step->optional && (rc != -ENOENT || !tell_unmarked(p, step)))
		pf_notice(p->notice, PF_WARNING, "/%s: %s, going on without it", step->from,
			  rc == 0 ? "nothing in it" : strerror(-rc));
	l->gone = true;
}

static int sample_top(struct pf_patterns *p, struct pf_path_step *step, struct pf_listing *l)
{
	if (l->fd < 0) {
		int fd = open_top(p, step);
		if (fd < 0) {
			tell_gone(p, step, l, fd);
			return 0;
		}
		(void)pf_folders_fit(&p->folders); /* counted even beyond the limit: there are few */
		l->fd = fd;
	}
	int rc = walk(p, step, l, l->fd, 0);
	if (rc == -ENOMEM)
		return rc;
	if (rc < 0 || (l->n == 0 && !step->processes))
		tell_gone(p, step, l, rc);
	else
		l->gone = false;
	return 0;
}

int pf_patterns_sample(struct pf_patterns *p, enum pf_period part, bool second, uint64_t *lost)
{
	int rc = 0;
	unsigned i = 0;
	p->second = second;
	p->lost = 0;
	for (struct pf_path_step *s = p->first; s && rc == 0; s = s->beside, i++) {
		if (s->second != (part == PF_SECOND_INTERVAL))
			continue;
		p->meter_source = p->meter ? p->meter_sources[i] : PF_METER_NONE;
		rc = sample_top(p, s, &p->tops[i]);
		if (p->meter)
			pf_meter_lap(p->meter, p->meter_source);
	}
	p->samples += part == PF_EACH_INTERVAL;
	*lost += p->lost;
	return rc;
}

void pf_patterns_meter(struct pf_patterns *p, struct pf_meter *m)
{
	static const char *const wild[] = { [PF_WILD_NUMBER] = "[0-9]*", [PF_WILD_NAME] = "*", [PF_WILD_TREE] = "**" };
	p->meter_sources = calloc(p->n_tops, sizeof(*p->meter_sources));
	if (!p->meter_sources)
		return; /* then it is not measured */
	unsigned i = 0;
	for (const struct pf_path_step *s = p->first; s; s = s->beside) {
		char name[PATH_SIZE];
		(void)snprintf(name, sizeof(name), "%s/%.*s%s", s->from, (int)s->prefix.n,
			       s->prefix.p ? s->prefix.p : "", wild[s->wild]);
		p->meter_sources[i++] = pf_meter_source(m, name);
	}
	p->meter = m;
}

int pf_patterns_open(struct pf_patterns **ret_patterns, const struct pf_source_spec *spec, struct pf_dispatch *d,
		     struct pf_holder *holder, struct pf_err *err)
{
	*ret_patterns = NULL;
	struct pf_path_step *first;
	int rc = pf_steps_make(&first, spec, d, err);
	if (rc < 0 || !first)
		return rc;
	unsigned n = 0;
	for (const struct pf_path_step *s = first; s; s = s->beside)
		n++;
	struct pf_patterns *p = calloc(1, sizeof(*p));
	struct pf_listing *tops = calloc(n, sizeof(*tops));
	if (!p || !tops) {
		free(p);
		free(tops);
		(void)pf_steps_free(first);
		return pf_err_set(err, -ENOMEM, "no memory");
	}
	p->first = first;
	p->tops = tops;
	p->n_tops = n;
	for (unsigned i = 0; i < n; i++)
		tops[i].fd = PF_FD_CLOSED;
	pf_folders_init(&p->folders);
	p->folders.no_new = spec->no_new_processes;
	p->holder = holder;
	p->root_fd = spec->root_fd;
	p->depth_max = spec->tree_depth ? spec->tree_depth : UINT32_MAX;
	p->tap = spec->tap;
	p->second_tap = spec->second_tap ? spec->second_tap : spec->tap;
	p->no_parse = spec->no_parse;
	p->filter = spec->process_filter;
	p->all_threads = spec->all_threads;
	p->notice = spec->notice;
	*ret_patterns = p;
	return 0;
}

struct pf_patterns *pf_patterns_close(struct pf_patterns *p)
{
	if (!p)
		return NULL;
	unsigned i = 0;
	for (struct pf_path_step *s = p->first; s; s = s->beside)
		pf_listing_done(&p->folders, s, &p->tops[i++]);
	pf_folders_spare_done(p->first);
	pf_folders_done(&p->folders);
	p->first = pf_steps_free(p->first);
	free(p->tops);
	free(p->meter_sources);
	pf_buf_done(&p->tree);
	pf_buf_done(&p->tag);
	pf_buf_done(&p->line);
	pf_buf_done(&p->led);
	free(p);
	return NULL;
}
