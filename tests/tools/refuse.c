/* tests/tools/refuse.c - preloaded: a host that refuses something, as $REFUSE says in words:
 *   bpf-enosys, bpf-eperm   every bpf(2) fails so
 *   btf                     there is no /sys/kernel/btf/vmlinux
 *   tracefs                 it is not mounted and cannot be mounted
 *   lockdown                the kernel says that it is locked down (confidentiality)
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

static bool refuses(const char *word)
{
	const char *words = getenv("REFUSE");
	return words && strstr(words, word);
}

static long raw(long number, long a, long b, long c, long d, long e, long f)
{
	long rc;
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	__asm__ volatile("syscall"
			 : "=a"(rc)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	rc = x0;
#endif
	if (rc < 0 && rc > -4096) {
		errno = (int)-rc;
		return -1;
	}
	return rc;
}

VISIBLE long syscall(long number, ...)
{
	va_list args;
	long v[6];
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		v[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_bpf && refuses("bpf-")) {
		errno = refuses("bpf-enosys") ? ENOSYS : EPERM;
		return -1;
	}
	if (number == SYS_fsopen && refuses("tracefs")) {
		errno = EPERM;
		return -1;
	}
	return raw(number, v[0], v[1], v[2], v[3], v[4], v[5]);
}

static int open_it(int folder, const char *path, int flags, mode_t mode)
{
	if ((refuses("btf") && strcmp(path, "/sys/kernel/btf/vmlinux") == 0) ||
	    (refuses("tracefs") &&
	     (strcmp(path, "/sys/kernel/tracing") == 0 || strcmp(path, "/sys/kernel/debug/tracing") == 0))) {
		errno = ENOENT;
		return -1;
	}
	if (refuses("lockdown") && strcmp(path, "/sys/kernel/security/lockdown") == 0)
		path = getenv("REFUSE_LOCKDOWN");
	return (int)raw(SYS_openat, folder, (long)path, flags, mode, 0, 0);
}

/* With and without 64 in the name: what a program calls depends on how it was built. */
#define OPENAT(name)                                                                                                   \
	VISIBLE int name(int folder, const char *path, int flags, ...)                                                 \
	{                                                                                                              \
		va_list args;                                                                                          \
		va_start(args, flags);                                                                                 \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;                                \
		va_end(args);                                                                                          \
		return open_it(folder, path, flags, mode);                                                             \
	}
#define OPEN(name)                                                                                                     \
	VISIBLE int name(const char *path, int flags, ...)                                                             \
	{                                                                                                              \
		va_list args;                                                                                          \
		va_start(args, flags);                                                                                 \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;                                \
		va_end(args);                                                                                          \
		return open_it(AT_FDCWD, path, flags, mode);                                                           \
	}

#undef open64
#undef openat64
#undef open
#undef openat
int open64(const char *path, int flags, ...);
int openat64(int folder, const char *path, int flags, ...);
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

VISIBLE int access(const char *path, int mode)
{
	if (refuses("btf") && strcmp(path, "/sys/kernel/btf/vmlinux") == 0) {
		errno = ENOENT;
		return -1;
	}
	return (int)raw(SYS_faccessat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}
