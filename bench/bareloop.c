/* bench/bareloop.c - the least that sampling can cost: read the same files again and again and do nothing with them.
 *
 * bareloop [-o] [-d FOLDER] [-p MS] SAMPLES FILE... | -l LIST - every descriptor is held open and read with one pread() per sample, or as
 * many as the kernel wants for the whole file (slabinfo: it gives no more than a page at a time). -o: each file is opened, read and closed
 * every time. -d: the entries of a folder are read, too, once a sample, as one has to for processes. -p: so many milliseconds between
 * samples. -l: the names of the files are the lines of LIST; those that vanish are passed over, as processes do. Prints nothing; bench/run
 * measures it from outside.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { BUF_SIZE = 1 << 20, ENTRIES_SIZE = 32 * 1024 };

struct loop {
	char **paths;
	int *fds;
	int *reads; /* of one file, until nothing is left */
	int n;
	int folder;
	bool reopen;
	bool may_vanish;
	char *buf;
};

static int read_one(const struct loop *l, int i)
{
	int fd = l->reopen ? open(l->paths[i], O_RDONLY | O_CLOEXEC) : l->fds[i];
	ssize_t n = fd >= 0 ? 0 : -1;
	off_t at = 0;
	for (int k = 0; k < l->reads[i] && n >= 0; k++) {
		n = pread(fd, l->buf, BUF_SIZE, at);
		at += n;
	}
	int rc = n < 0 ? -errno : 0;
	if (l->reopen && fd >= 0)
		(void)close(fd); /* only read from */
	if (rc == 0 || l->may_vanish)
		return 0;
	(void)fprintf(stderr, "bareloop: %s: %s\n", l->paths[i], strerror(-rc));
	return rc;
}

static int sample(const struct loop *l)
{
	if (l->folder >= 0) {
		(void)lseek(l->folder, 0, SEEK_SET); /* it is a folder: that works */
		while (getdents64(l->folder, l->buf, ENTRIES_SIZE) > 0)
			;
	}
	for (int i = 0; i < l->n; i++) {
		int rc = read_one(l, i);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The lines of a file. */
static int read_list(struct loop *l, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	if (!f)
		return -errno;
	for (ssize_t n = getline(&line, &room, f); n > 0; n = getline(&line, &room, f)) {
		char **more = reallocarray(l->paths, (size_t)l->n + 1, sizeof(*more));
		line[n - 1] = '\0';
		if (more)
			l->paths = more;
		if (!more || !(more[l->n] = strdup(line)))
			break;
		l->n++;
	}
	free(line);
	return fclose(f) == 0 ? 0 : -EIO;
}

/* How many reads a file takes. */
static int count_reads(const struct loop *l, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int reads = 0;
	off_t at = 0;
	for (ssize_t n = 1; fd >= 0 && n > 0 && reads<1000; reads += n> 0) {
		n = pread(fd, l->buf, BUF_SIZE, at);
		at += n;
	}
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return reads > 0 ? reads : 1;
}

static int open_all(struct loop *l)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit); /* refused: opening says so */
	}
	l->fds = calloc((size_t)l->n + 1, sizeof(*l->fds));
	l->reads = calloc((size_t)l->n + 1, sizeof(*l->reads));
	if (!l->fds || !l->reads)
		return -ENOMEM;
	for (int i = 0; i < l->n; i++) {
		l->reads[i] = count_reads(l, l->paths[i]);
		l->fds[i] = l->reopen ? -1 : open(l->paths[i], O_RDONLY | O_CLOEXEC);
		if (l->fds[i] < 0 && !l->reopen && !l->may_vanish) {
			(void)fprintf(stderr, "bareloop: %s: %s\n", l->paths[i], strerror(errno));
			return -errno;
		}
	}
	return 0;
}

static long number_of(const char *text)
{
	long v = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		v = v * 10 + (*text - '0');
	return v;
}

int main(int argc, char **argv)
{
	static char buf[BUF_SIZE];
	struct loop l = { .folder = -1, .buf = buf };
	const char *list = NULL;
	struct timespec pause = { 0 };
	for (int c = getopt(argc, argv, "od:l:p:"); c != -1; c = getopt(argc, argv, "od:l:p:")) {
		if (c == 'p')
			pause.tv_nsec = number_of(optarg) % 1000 * 1000000;
		if (c == 'd')
			l.folder = open(optarg, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		l.reopen |= c == 'o';
		l.may_vanish |= c == 'l';
		list = c == 'l' ? optarg : list;
	}
	long samples = number_of(optind < argc ? argv[optind] : "");
	l.paths = list ? NULL : argv + optind + 1;
	l.n = list ? 0 : argc - optind - 1;
	if (list && read_list(&l, list) < 0) {
		(void)fprintf(stderr, "bareloop: %s cannot be read\n", list);
		return 1;
	}
	if (l.n < 1) {
		(void)fputs("usage: bareloop [-o] [-d FOLDER] [-p MS] SAMPLES FILE... | -l LIST\n", stderr);
		return 2;
	}
	if (open_all(&l) < 0)
		return 1;
	for (long s = 0; s < samples; s++) {
		if (pause.tv_nsec > 0)
			(void)nanosleep(&pause, NULL);
		if (sample(&l) < 0)
			return 1;
	}
	return 0;
}
