/* tests/tools/faulty.c - preloaded: reads and writes of chosen files fail, wait or come short, as a control file says at that moment.
 *
 * FAULTY=FILE names the control file. Each of its lines is OPERATION PATH WHAT [NUMBER]: OPERATION is read or write, PATH a piece of the
 * file's path, WHAT one of
 *   errno N   the call fails with that number
 *   sleep N   the call waits N seconds, as a sleep that signals interrupt (EINTR)
 *   stuck N   the call waits N seconds whatever comes
 *   short N   no more than N bytes at a time
 *   eintr N   N calls of every N + 1 fail with EINTR
 * A line "clock suspend slept N" is a host that was suspended for N seconds: the clocks that go on meanwhile are that far ahead.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

enum { CONTROL_SIZE = 1024, PATH_SIZE = 512 };

/* What a rule asks for. */
struct fault {
	char what[8];
	long n;
};

static const char *control; /* set once, before main() */

__attribute__((constructor)) static void begin(void)
{
	control = getenv("FAULTY");
}

static long number_of(const char *text)
{
	long n = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (*text - '0');
	return n;
}

/* The words of a line, cut at blanks; how many. */
static unsigned words_of(char *line, char *words[4])
{
	unsigned n = 0;
	for (char *w = strsep(&line, " "); w && n < 4; w = strsep(&line, " "))
		words[n++] = w;
	return n;
}

static bool find_rule(const char *operation, const char *path, struct fault *ret)
{
	char text[CONTROL_SIZE];
	long fd = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	long n = syscall(SYS_read, fd, text, sizeof(text) - 1);
	(void)syscall(SYS_close, fd);
	text[n > 0 ? n : 0] = '\0';
	char *rest = text;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		char *words[4];
		if (words_of(line, words) != 4 || strcmp(words[0], operation) != 0 || !strstr(path, words[1]))
			continue;
		(void)snprintf(ret->what, sizeof(ret->what), "%s", words[2]);
		ret->n = number_of(words[3]);
		return true;
	}
	return false;
}

/* Wait, to the end if @stuck. Return: was it interrupted? */
static bool wait_for(long seconds, bool stuck)
{
	struct timespec left = { .tv_sec = seconds };
	while (nanosleep(&left, &left) < 0) {
		if (!stuck)
			return true;
	}
	return false;
}

/* Return: true if the call fails, with errno set; may make @size smaller. */
static bool fails(const char *operation, int fd, size_t *size)
{
	static long calls;
	char link[32], path[PATH_SIZE];
	struct fault f;
	if (!control)
		return false;
	int before = errno;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	bool found = n > 0 && find_rule(operation, path, &f);
	errno = before;
	if (!found)
		return false;
	if (strcmp(f.what, "short") == 0 && *size > (size_t)f.n)
		*size = (size_t)f.n;
	if (strcmp(f.what, "errno") == 0)
		errno = (int)f.n;
	else if (strcmp(f.what, "eintr") == 0 && calls++ % (f.n + 1) < f.n)
		errno = EINTR;
	else if ((strcmp(f.what, "sleep") == 0 || strcmp(f.what, "stuck") == 0) && wait_for(f.n, f.what[1] == 't'))
		errno = EINTR;
	else
		return false;
	return true;
}

VISIBLE ssize_t read(int fd, void *to, size_t n)
{
	return fails("read", fd, &n) ? -1 : syscall(SYS_read, fd, to, n);
}

VISIBLE ssize_t pread64(int fd, void *to, size_t n, off64_t at)
{
	return fails("read", fd, &n) ? -1 : syscall(SYS_pread64, fd, to, n, at);
}

VISIBLE ssize_t write(int fd, const void *from, size_t n)
{
	return fails("write", fd, &n) ? -1 : syscall(SYS_write, fd, from, n);
}

VISIBLE ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
	return fails("write", fd, &n) ? -1 : syscall(SYS_pwrite64, fd, from, n, at);
}

/* What _FORTIFY_SOURCE makes of them; the sizes were checked by who calls. */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t n, off64_t at, size_t room);

VISIBLE ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	(void)room;
	return read(fd, to, n);
}

VISIBLE ssize_t __pread64_chk(int fd, void *to, size_t n, off64_t at, size_t room)
{
	(void)room;
	return pread64(fd, to, n, at);
}

VISIBLE int clock_gettime(clockid_t id, struct timespec *ret)
{
	struct fault f;
	int before = errno;
	long rc = syscall(SYS_clock_gettime, id, ret);
	if (rc == 0 && control && (id == CLOCK_BOOTTIME || id == CLOCK_REALTIME) && find_rule("clock", "suspend", &f))
		ret->tv_sec += f.n;
	errno = rc == 0 ? before : errno;
	return (int)rc;
}
