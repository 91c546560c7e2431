/* modules/lustre.c - an import module: what Lustre counts for clients, object and metadata servers. Source of the facts: the Lustre
 * Operations Manual, "Lustre Parameters" (llite.*.stats, obdfilter.*.stats, mdt.*.md_stats).
 *
 * Versions differ in the folder that has a file: debugfs, sysfs or /proc/fs/lustre; all are looked at. Files stay open; the folders are
 * read again when they change, when a file ends, and now and then. What is recorded is the lines, "TYPE INSTANCE LINE", so playback sees
 * what was seen. Lustre leaves out what was never counted; that is recorded as one line "TYPE-zero INSTANCE WORDS", since a counter that
 * begins at 0 has a rate in its first interval. Arguments, separated by commas: c, o, m for clients, object and metadata servers (without
 * them, whatever is there), s and d for summary (default) and detail. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perfolio/module.h>

enum { CLIENT, OSS, MDS, N_KINDS };
enum { LOOK_EVERY = 16, NAME_ROOM = 256, LABEL_ROOM = 3 * NAME_ROOM, LINE_MAX_BYTES = 512, TEXT = 1 << 16 };
enum { N_FILES = 4, N_FOLDERS = 3 };

/* @domain: what its instances are; @files: below the folder of an instance, the first has the counters, the others one number each. */
struct kind {
	char letter;
	const char *name, *domain;
	const char *type, *zero;
	const char *folders[N_FOLDERS];
	const char *files[N_FILES];
};

#define FOLDERS(name)                                                                                                  \
	{                                                                                                              \
		"/sys/kernel/debug/lustre/" name, "/sys/fs/lustre/" name, "/proc/fs/lustre/" name                      \
	}
#define TYPES(name) "lustre-" name, "lustre-" name "-zero"

static const struct kind kinds[N_KINDS] = {
	[CLIENT] = { 'c', "client", "client", TYPES("client"), FOLDERS("llite"), { "stats" } },
	[OSS] = { 'o',
		  "oss",
		  "ost",
		  TYPES("oss"),
		  FOLDERS("obdfilter"),
		  { "stats", "kbytestotal", "kbytesfree", "filesfree" } },
	[MDS] = { 'm', "mds", "mdt", TYPES("mds"), FOLDERS("mdt"), { "md_stats" } },
};

/* What a metric takes from the line that begins with @word, and its units. */
enum what { SAMPLES, SUM, KBYTES, FILES };
static const char *const units[] = { [SAMPLES] = "count", [SUM] = "byte", [KBYTES] = "Kbyte", [FILES] = "count" };

/* @name: of the metric, NULL: @word; @heading: NULL: no column in brief, where there is no room for all. */
struct row {
	int kind;
	const char *word, *heading;
	enum what what;
	const char *name;
};

static const struct row rows[] = {
	{ CLIENT, "read_bytes", "Read", SUM, NULL },
	{ CLIENT, "read_bytes", "Reads", SAMPLES, "reads" },
	{ CLIENT, "write_bytes", "Write", SUM, NULL },
	{ CLIENT, "write_bytes", "Writes", SAMPLES, "writes" },
	{ CLIENT, "open", "Open", SAMPLES, NULL },
	{ CLIENT, "close", "Close", SAMPLES, NULL },
	{ CLIENT, "getattr", "GetAttr", SAMPLES, NULL },
	{ CLIENT, "setattr", "SetAttr", SAMPLES, NULL },
	{ CLIENT, "seek", NULL, SAMPLES, NULL },
	{ CLIENT, "fsync", NULL, SAMPLES, NULL },
	{ CLIENT, "mmap", NULL, SAMPLES, NULL },
	{ CLIENT, "truncate", NULL, SAMPLES, NULL },
	{ CLIENT, "readdir", NULL, SAMPLES, NULL },
	{ CLIENT, "statfs", NULL, SAMPLES, NULL },
	{ CLIENT, "create", NULL, SAMPLES, NULL },
	{ CLIENT, "mknod", NULL, SAMPLES, NULL },
	{ CLIENT, "link", NULL, SAMPLES, NULL },
	{ CLIENT, "symlink", NULL, SAMPLES, NULL },
	{ CLIENT, "unlink", NULL, SAMPLES, NULL },
	{ CLIENT, "mkdir", NULL, SAMPLES, NULL },
	{ CLIENT, "rmdir", NULL, SAMPLES, NULL },
	{ CLIENT, "rename", NULL, SAMPLES, NULL },
	{ CLIENT, "getxattr", NULL, SAMPLES, NULL },
	{ CLIENT, "setxattr", NULL, SAMPLES, NULL },
	{ OSS, "read_bytes", "OstRead", SUM, NULL },
	{ OSS, "read_bytes", "OstReads", SAMPLES, "reads" },
	{ OSS, "write_bytes", "OstWrite", SUM, NULL },
	{ OSS, "write_bytes", "OstWrits", SAMPLES, "writes" },
	{ OSS, "kbytestotal", "SizeKB", KBYTES, NULL },
	{ OSS, "kbytesfree", "FreeKB", KBYTES, NULL },
	{ OSS, "filesfree", "FreeObj", FILES, NULL },
	{ OSS, "getattr", NULL, SAMPLES, NULL },
	{ OSS, "setattr", NULL, SAMPLES, NULL },
	{ OSS, "punch", NULL, SAMPLES, NULL },
	{ OSS, "sync", NULL, SAMPLES, NULL },
	{ OSS, "create", NULL, SAMPLES, NULL },
	{ OSS, "destroy", NULL, SAMPLES, NULL },
	{ OSS, "statfs", NULL, SAMPLES, NULL },
	{ OSS, "get_info", NULL, SAMPLES, NULL },
	{ OSS, "set_info", NULL, SAMPLES, NULL },
	{ MDS, "open", "MdtOpen", SAMPLES, NULL },
	{ MDS, "close", "MdtClose", SAMPLES, NULL },
	{ MDS, "getattr", "MdtGetA", SAMPLES, NULL },
	{ MDS, "setattr", "MdtSetA", SAMPLES, NULL },
	{ MDS, "unlink", "MdtUnlnk", SAMPLES, NULL },
	{ MDS, "mknod", NULL, SAMPLES, NULL },
	{ MDS, "link", NULL, SAMPLES, NULL },
	{ MDS, "mkdir", NULL, SAMPLES, NULL },
	{ MDS, "rmdir", NULL, SAMPLES, NULL },
	{ MDS, "rename", NULL, SAMPLES, NULL },
	{ MDS, "getxattr", NULL, SAMPLES, NULL },
	{ MDS, "setxattr", NULL, SAMPLES, NULL },
	{ MDS, "statfs", NULL, SAMPLES, NULL },
	{ MDS, "sync", NULL, SAMPLES, NULL },
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };
_Static_assert(N_ROWS <= 64, "a set of rows is 64 bits");

/* A mounted file system, OST or MDT. @name: of its folder; @label: instance as it is recorded, "" not named yet
 * @there: found when the folders were read; @fd: -1 not there; @counted: rows that the file had when it was last read */
struct target {
	int kind;
	char name[NAME_ROOM];
	char label[LABEL_ROOM];
	int there;
	int fd[N_FILES];
	uint64_t counted;
};

/* @is: as it was when its folders were read. */
struct folder {
	DIR *dir;
	struct stat is;
};

struct lustre {
	char options[3];
	int chosen[N_KINDS];
	struct folder folders[N_KINDS][N_FOLDERS];
	struct target *targets;
	size_t n, room;
	unsigned count;
	int look, told;
	int declared[N_KINDS];
	int number[N_ROWS]; /* what the host calls it, negative: it would not have it */
	char text[TEXT];
};

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct lustre *l = calloc(1, sizeof(*l));
	if (!l)
		return -ENOMEM;
	ctx->own = l;
	for (const char *p = args ? args : ""; *p != '\0'; p++) {
		const char *option = strchr("sd", *p);
		int kind = 0;
		while (kind < N_KINDS && kinds[kind].letter != *p)
			kind++;
		if (kind < N_KINDS)
			l->chosen[kind] = 1;
		else if (option && !strchr(l->options, *p))
			l->options[strlen(l->options)] = *p;
		else if (*p != ',') {
			ctx->host->error(ctx, "lustre: arguments are c, o, m (clients, object servers, metadata "
					      "servers), s and d (summary, detail)");
			return 0;
		}
	}
	if (l->options[0] == '\0')
		l->options[0] = 's';
	if (!l->chosen[CLIENT] && !l->chosen[OSS] && !l->chosen[MDS])
		l->chosen[CLIENT] = l->chosen[OSS] = l->chosen[MDS] = 1;
	l->look = 1;
	setup->options = l->options;
	setup->key = "^lustre-(client|oss|mds)(-zero)?$";
	return 0;
}

static void close_files(struct target *t)
{
	for (int i = 0; i < N_FILES; i++) {
		if (t->fd[i] >= 0)
			(void)close(t->fd[i]);
		t->fd[i] = -1;
	}
}

static struct target *find_target(struct lustre *l, int kind, const char *name)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->targets[i].kind == kind && strcmp(l->targets[i].name, name) == 0)
			return &l->targets[i];
	}
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 8;
		struct target *more = reallocarray(l->targets, room, sizeof(*more));
		if (!more)
			return NULL;
		l->targets = more;
		l->room = room;
	}
	struct target *t = &l->targets[l->n++];
	*t = (struct target){ .kind = kind, .fd = { -1, -1, -1, -1 } };
	(void)snprintf(t->name, sizeof(t->name), "%s", name);
	return t;
}

/* Open what of the target is in this folder and was in none before. */
static void open_files(struct target *t, int dir)
{
	char path[NAME_ROOM + 16];
	for (int i = 0; i < N_FILES && kinds[t->kind].files[i]; i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", t->name, kinds[t->kind].files[i]);
		if (t->fd[i] < 0)
			t->fd[i] = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		t->there |= t->fd[i] >= 0 && faccessat(dir, path, F_OK, 0) == 0;
	}
}

static void read_folder(struct perfolio_ctx *ctx, int kind, int i)
{
	struct lustre *l = ctx->own;
	struct folder *f = &l->folders[kind][i];
	const struct dirent *entry;
	if (f->dir)
		(void)closedir(f->dir);
	int fd = ctx->host->open_file(ctx, kinds[kind].folders[i]);
	f->dir = fd < 0 ? NULL : fdopendir(fd);
	if (!f->dir) {
		if (fd >= 0)
			(void)close(fd);
		return;
	}
	(void)fstat(fd, &f->is);
	while ((entry = readdir(f->dir))) {
		struct target *t = entry->d_name[0] == '.' ? NULL : find_target(l, kind, entry->d_name);
		if (t)
			open_files(t, fd);
	}
}

/* Bytes of a client's name without "-ADDRESS", which each mount has another of. */
static size_t file_system(const char *name)
{
	const char *dash = strrchr(name, '-');
	size_t digits = dash ? strspn(dash + 1, "0123456789abcdef") : 0;
	return digits >= 8 && dash[1 + digits] == '\0' && dash > name ? (size_t)(dash - name) : strlen(name);
}

/* The instance: the folder's name, of a client the file system's, unless it is mounted twice. What would not be one word is escaped. */
static void name_target(const struct lustre *l, struct target *t)
{
	size_t n = t->kind == CLIENT ? file_system(t->name) : strlen(t->name);
	for (size_t i = 0; i < l->n; i++) {
		const struct target *other = &l->targets[i];
		if (other != t && other->kind == CLIENT && t->kind == CLIENT && file_system(other->name) == n &&
		    memcmp(other->name, t->name, n) == 0)
			n = strlen(t->name);
	}
	char *to = t->label;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)t->name[i];
		int plain = c > ' ' && c != '%' && c != 0x7f;
		to += snprintf(to, 4, plain ? "%c" : "%%%02x", c);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct target *x = a, *y = b;
	return x->kind != y->kind ? x->kind - y->kind : strcmp(x->name, y->name);
}

static void look(struct perfolio_ctx *ctx)
{
	struct lustre *l = ctx->own;
	size_t n = 0;
	l->look = 0;
	for (size_t i = 0; i < l->n; i++)
		l->targets[i].there = 0;
	for (int kind = 0; kind < N_KINDS; kind++) {
		for (int i = 0; l->chosen[kind] && i < N_FOLDERS; i++)
			read_folder(ctx, kind, i);
	}
	for (size_t i = 0; i < l->n; i++) {
		if (l->targets[i].there)
			l->targets[n++] = l->targets[i];
		else
			close_files(&l->targets[i]);
	}
	l->n = n;
	if (n > 0)
		qsort(l->targets, n, sizeof(l->targets[0]), by_name);
	for (size_t i = 0; i < n; i++) {
		if (l->targets[i].label[0] == '\0')
			name_target(l, &l->targets[i]);
	}
	if (n == 0 && !l->told)
		ctx->host->logmsg(ctx, 'W',
				  geteuid() == 0 ? "nothing of Lustre is here yet"
						 : "nothing of Lustre is here yet, or only root may read it");
	l->told = 1;
}

/* Has a folder other entries than when it was read? */
static int changed(const struct lustre *l)
{
	for (int i = 0; i < N_KINDS * N_FOLDERS; i++) {
		const struct folder *f = &l->folders[i / N_FOLDERS][i % N_FOLDERS];
		struct stat st;
		if (f->dir &&
		    (fstat(dirfd(f->dir), &st) < 0 || st.st_nlink != f->is.st_nlink ||
		     st.st_mtim.tv_sec != f->is.st_mtim.tv_sec || st.st_mtim.tv_nsec != f->is.st_mtim.tv_nsec))
			return 1;
	}
	return 0;
}

/* The whole file as text. Return: bytes, 0 if it has gone. */
static size_t read_text(struct lustre *l, int *fd)
{
	size_t n = 0;
	ssize_t got = -1;
	while (n < TEXT - 1 && (got = pread(*fd, l->text + n, TEXT - 1 - n, (off_t)n)) > 0)
		n += (size_t)got;
	for (char *nul = l->text; (nul = memchr(nul, '\0', n - (size_t)(nul - l->text)));)
		*nul = '?';
	while (n == TEXT - 1 && n > 0 && l->text[n - 1] != '\n')
		n--; /* no part of a line */
	l->text[n] = '\0';
	if (got < 0 || n == 0) {
		(void)close(*fd);
		*fd = -1;
		l->look = 1;
		return 0;
	}
	return n;
}

static int is_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	return strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t' || line[n] == '\0');
}

static void record_line(struct perfolio_ctx *ctx, const struct target *t, const char *type, const char *word,
			const char *line)
{
	char data[LABEL_ROOM + LINE_MAX_BYTES + 16];
	int n = snprintf(data, sizeof(data), "%s %s%s", t->label, word, line);
	if (n > 0 && (size_t)n < sizeof(data))
		ctx->host->record(ctx, type, data);
}

/* A counter that is left out was never counted, or was cleared; or its line is damaged, then it is there in the next sample. */
static void record_zeros(struct perfolio_ctx *ctx, struct target *t, uint64_t counted)
{
	char words[LINE_MAX_BYTES];
	size_t n = 0;
	for (int i = 0; i < N_ROWS; i++) {
		if (rows[i].kind == t->kind && rows[i].what == SAMPLES && !((counted | t->counted) >> i & 1))
			n += (size_t)snprintf(words + n, sizeof(words) - n, "%s%s", n ? " " : "", rows[i].word);
	}
	t->counted = counted;
	if (n > 0)
		record_line(ctx, t, kinds[t->kind].zero, "", words);
}

static void record_counters(struct perfolio_ctx *ctx, struct target *t)
{
	struct lustre *l = ctx->own;
	uint64_t counted = 0;
	if (t->fd[0] < 0 || read_text(l, &t->fd[0]) == 0)
		return;
	for (char *line = l->text, *end; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		if (*end == '\n')
			*end++ = '\0';
		if (*line == '\0' || is_word(line, "snapshot_time") || is_word(line, "start_time") ||
		    is_word(line, "elapsed_time"))
			continue;
		for (int i = 0; i < N_ROWS; i++)
			counted |= (uint64_t)(rows[i].kind == t->kind && is_word(line, rows[i].word)) << i;
		record_line(ctx, t, kinds[t->kind].type, "", line);
	}
	record_zeros(ctx, t, counted);
}

static int get_data(struct perfolio_ctx *ctx)
{
	struct lustre *l = ctx->own;
	char word[32];
	if (l->look || ++l->count % LOOK_EVERY == 0 || changed(l))
		look(ctx);
	for (size_t k = 0; k < l->n; k++) {
		struct target *t = &l->targets[k];
		record_counters(ctx, t);
		for (int i = 1; i < N_FILES; i++) {
			if (t->fd[i] < 0 || read_text(l, &t->fd[i]) == 0)
				continue;
			l->text[strcspn(l->text, "\n")] = '\0';
			(void)snprintf(word, sizeof(word), "%s ", kinds[t->kind].files[i]);
			record_line(ctx, t, kinds[t->kind].type, word, l->text);
		}
	}
	return 0;
}

/* The next word, a whole number that fits. Return: 0, or -1 if it is none. */
static int number(const char **rest, uint64_t *ret)
{
	const char *p = *rest + strspn(*rest, " \t");
	size_t digits = strspn(p, "0123456789");
	uint64_t v = 0;
	if (digits == 0 || (p[digits] != '\0' && p[digits] != ' ' && p[digits] != '\t'))
		return -1;
	for (*rest = p + digits; p < *rest; p++) {
		unsigned digit = (unsigned)(*p - '0');
		if (v > (UINT64_MAX - digit) / 10)
			return -1;
		v = v * 10 + digit;
	}
	*ret = v;
	return 0;
}

static int skip_word(const char **rest, const char *word)
{
	*rest += strspn(*rest, " \t");
	if (!is_word(*rest, word))
		return -1;
	*rest += strlen(word);
	return 0;
}

/* "N samples [UNIT]", behind it "MIN MAX SUM" if there are any. Return: 0, or -1 if the line is damaged. */
static int take(const char *p, enum what what, uint64_t *ret)
{
	uint64_t min, max, sum = 0, n;
	if (number(&p, &n) < 0)
		return -1;
	*ret = n;
	if (what == KBYTES || what == FILES)
		return p[strspn(p, " \t")] == '\0' ? 0 : -1;
	if (skip_word(&p, "samples") < 0 || p[strspn(p, " \t")] != '[')
		return -1;
	if (skip_word(&p, "[bytes]") < 0)
		return what == SAMPLES ? 0 : -1;
	if (n > 0 && (number(&p, &min) < 0 || number(&p, &max) < 0 || number(&p, &sum) < 0))
		return -1;
	if (what == SUM)
		*ret = sum;
	return 0;
}

/* Undo the escapes of the first word. Return: what follows it, NULL if there is nothing. */
static const char *take_label(const char *p, char ret[NAME_ROOM])
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;
	for (; *p != '\0' && *p != ' ' && n < NAME_ROOM - 1; p++) {
		int v = 0;
		if (*p == '%' && strspn(p + 1, digits) >= 2)
			v = (int)(strchr(digits, p[1]) - digits) * 16 + (int)(strchr(digits, p[2]) - digits);
		ret[n++] = v > 0 ? (char)v : *p;
		p += v > 0 ? 2 : 0;
	}
	ret[n] = '\0';
	return *p == ' ' && n > 0 ? p + 1 : NULL;
}

/* Metrics of a kind are declared when its first record is seen, so a host has columns of what it has. */
static void declare(struct perfolio_ctx *ctx, int kind)
{
	struct lustre *l = ctx->own;
	for (int i = 0; !l->declared[kind] && i < N_ROWS; i++) {
		const struct row *r = &rows[i];
		char name[64], help[64];
		if (r->kind != kind)
			continue;
		(void)snprintf(name, sizeof(name), "%s.%s", kinds[kind].name, r->name ? r->name : r->word);
		(void)snprintf(help, sizeof(help), "%s of %s, as Lustre counts them",
			       r->what == SUM ? "bytes" : "samples", r->word);
		l->number[i] = ctx->host->declare(
			ctx,
			&(struct perfolio_metric){
				.size = sizeof(struct perfolio_metric),
				.name = name,
				.domain = kinds[kind].domain,
				.type = PERFOLIO_U64,
				.semantics = r->what == SAMPLES || r->what == SUM ? PERFOLIO_COUNTER : PERFOLIO_INSTANT,
				.units = units[r->what],
				.heading = r->heading ? r->heading : "",
				.help = help,
			});
	}
	l->declared[kind] = 1;
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	const struct lustre *l = ctx->own;
	char instance[NAME_ROOM];
	int kind = 0;
	while (kind < N_KINDS && strncmp(type, kinds[kind].type, strlen(kinds[kind].type)) != 0)
		kind++;
	const char *line = take_label(data, instance);
	if (kind == N_KINDS || !l->chosen[kind] || !line)
		return 0;
	declare(ctx, kind);
	int zeros = strcmp(type, kinds[kind].zero) == 0;
	for (int i = 0; i < N_ROWS; i++) {
		uint64_t v = 0;
		const char *word = line;
		if (rows[i].kind != kind)
			continue;
		while (zeros && *word != '\0' && !is_word(word, rows[i].word)) {
			word += strcspn(word, " ");
			word += strspn(word, " ");
		}
		if (l->number[i] >= 0 && is_word(word, rows[i].word) &&
		    (zeros || take(line + strlen(rows[i].word), rows[i].what, &v) == 0))
			ctx->host->set_u64(ctx, (uint32_t)l->number[i], instance, v);
	}
	return 0;
}

static void done(struct perfolio_ctx *ctx)
{
	struct lustre *l = ctx->own;
	for (size_t i = 0; l && i < l->n; i++)
		close_files(&l->targets[i]);
	for (int i = 0; l && i < N_KINDS * N_FOLDERS; i++) {
		DIR *dir = l->folders[i / N_FOLDERS][i % N_FOLDERS].dir;
		if (dir)
			(void)closedir(dir);
	}
	if (l)
		free(l->targets);
	free(l);
	ctx->own = NULL;
}

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "lustre",
	.version = "1.0",
	.init = init,
	.get_data = get_data,
	.analyze = analyze,
	.done = done,
};
