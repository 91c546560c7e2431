/* cmd/trace_child.c - programs that `perfolio trace` runs: the C preprocessor and system(). */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/trace.h"

enum { MOST_OPTIONS = 200, OUTPUT_LIMIT = 64 << 20 };

static struct {
	char letters[MOST_OPTIONS];
	const char *values[MOST_OPTIONS];
	unsigned n;
	const char *path; /* of the preprocessor; NULL: cpp */
} arg;

int pf_cpp_option(char letter, const char *value)
{
	if (arg.n == MOST_OPTIONS)
		return -E2BIG;
	arg.letters[arg.n] = letter;
	arg.values[arg.n++] = value;
	return 0;
}

void pf_cpp_path(const char *path)
{
	arg.path = path;
}

/* wait_for() - exit status, 128 + signal. */
static int wait_for(pid_t pid)
{
	int status;
	pid_t rc;
	do
		rc = waitpid(pid, &status, 0);
	while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* read_all() - until the end. */
static int read_all(int fd, struct pf_buf *out)
{
	for (;;) {
		char *room = pf_buf_reserve(out, 65536);
		if (!room)
			return -ENOMEM;
		ssize_t n = read(fd, room, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		out->n += (size_t)n;
		if (out->n > OUTPUT_LIMIT)
			return -EFBIG;
	}
	pf_buf_char(out, 0);
	out->n--;
	return out->failed;
}

/* cpp_arguments() - argv of the preprocessor; texts made for it go to @made, one behind the other. */
static void cpp_arguments(const char *path, const char **argv, struct pf_buf *made)
{
	static const char *const fixed[] = {
		"cpp",
		"-D__linux",
		"-D__unix",
		"-D__SVR4",
		"-D__SUNW_D=1",
		"-D__SUNW_D_64",
		"-D_SUNW_D_VERSION=0x10d0000",
#if defined(__x86_64__)
		"-D__amd64",
#endif
		"-undef",
		"-traditional-cpp"
	};
	struct utsname name;
	size_t n = 0;
	for (size_t i = 0; i < PF_N(fixed); i++)
		argv[n++] = fixed[i];
	size_t starts[MOST_OPTIONS + 1];
	size_t n_made = 0;
	if (uname(&name) == 0) {
		starts[n_made++] = made->n;
		pf_buf_fmt(made, "-D__%s", name.sysname);
		pf_buf_char(made, 0);
	}
	for (unsigned i = 0; i < arg.n; i++) {
		starts[n_made++] = made->n;
		pf_buf_fmt(made, "-%c%s", arg.letters[i], arg.values[i] ? arg.values[i] : "");
		pf_buf_char(made, 0);
	}
	for (size_t i = 0; i < n_made && !made->failed; i++)
		argv[n++] = made->p + starts[i];
	argv[n++] = path;
	argv[n] = NULL;
}

int pf_cpp_run(const char *path, struct pf_buf *text, struct pf_err *err)
{
	const char *argv[MOST_OPTIONS + 16];
	struct pf_buf made = { 0 };
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return pf_err_set(err, -errno, "cpp: %s", strerror(errno));
	cpp_arguments(path, argv, &made);
	posix_spawn_file_actions_t actions;
	(void)posix_spawn_file_actions_init(&actions); /* fails only without memory; then spawning fails */
	(void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	pid_t pid;
	int rc = -posix_spawnp(&pid, arg.path ? arg.path : "cpp", &actions, NULL, (char *const *)(uintptr_t)argv,
			       environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(ends[1]);
	if (rc < 0) {
		(void)close(ends[0]);
		pf_buf_done(&made);
		return pf_err_set(err, rc, "failed to compile script %s: the C preprocessor %s cannot be run: %s", path,
				  arg.path ? arg.path : "cpp", strerror(-rc));
	}
	pf_buf_clear(text);
	rc = read_all(ends[0], text);
	(void)close(ends[0]);
	int status = wait_for(pid);
	pf_buf_done(&made);
	if (rc < 0)
		return pf_err_set(err, rc, "failed to compile script %s: output of cpp: %s", path, strerror(-rc));
	if (status)
		return pf_err_set(err, -EINVAL, "failed to compile script %s: cpp ended with status %d", path, status);
	return 0;
}

int pf_system(const char *command, bool to_stderr)
{
	const char *const argv[] = { "sh", "-c", command, NULL };
	posix_spawn_file_actions_t actions;
	(void)posix_spawn_file_actions_init(&actions); /* as above */
	if (to_stderr)
		(void)posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	pid_t pid;
	int rc = posix_spawn(&pid, "/bin/sh", &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return rc ? -1 : wait_for(pid);
}
