/* transcript.c - the three calls of record mode, printed. */
#include "transcript.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char unique[8];
char here[PATH_MAX];
int with_control_file;

static void replace(char *text, size_t size, const char *what, const char *by)
{
	for (char *p = what[0] ? strstr(text, what) : NULL; p; p = strstr(p + strlen(by), what)) {
		char rest[8192];
		snprintf(rest, sizeof(rest), "%s", p + strlen(what));
		snprintf(p, size - (size_t)(p - text), "%s%s", by, rest);
	}
}

void say(const char *fmt, ...)
{
	char text[8192];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	replace(text, sizeof(text), unique, "UNIQUE");
	replace(text, sizeof(text), here, "HERE");
	printf("%s\n", text);
}

const char *name_of(int error)
{
	return error ? strerror(error) : "none";
}

FILE *setup(const char *folio, int replay)
{
	errno = 0;
	FILE *f = pmRecordSetup(folio, "edges", replay);
	say("setup %s: %s, errno %s", folio, f ? "stream" : "NULL", f ? "none" : name_of(errno));
	return f;
}

pmRecordHost *add(const char *host, int isdefault)
{
	static pmRecordHost junk;
	pmRecordHost *rh = &junk;
	int rc = pmRecordAddHost(host, isdefault, &rh);
	if (rc == 0 && rh->logfile)
		snprintf(unique, sizeof(unique), "%.6s", strrchr(rh->logfile, '/') + 1);
	say("add %s %d: %d%s", host, isdefault, rc, rc == 0 ? "" : rh ? ", not NULL" : ", NULL");
	return rc == 0 ? rh : NULL;
}

void show(const char *what, const pmRecordHost *rh)
{
	say("%s: config %s, fd %s, log %s, pid %s, status %d", what, rh->f_config ? "open" : "NULL",
	    rh->fd_ipc == -1 ? "-1" : "open", rh->logfile ? rh->logfile : "NULL", rh->pid > 0 ? "there" : "0",
	    rh->status);
}

int control(const char *what, pmRecordHost *rh, int request, const char *options)
{
	int rc = pmRecordControl(rh, request, options);
	say("%s: %d", what, rc);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name with UNIQUE in it, so that the order does not depend on chance. */
static char *masked(const char *name)
{
	char text[512];
	snprintf(text, sizeof(text), "%s", name);
	replace(text, sizeof(text), unique, "UNIQUE");
	return strdup(text);
}

/* Names and modes; what the scripts wrote is no file of the library. The control file, six characters, is not there with the real one. */
void list(const char *folder)
{
	char *names[256];
	size_t n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e = dir ? readdir(dir) : NULL; e && n < N(names); e = readdir(dir)) {
		if (e->d_name[0] != '.' && !strstr(e->d_name, ".seen") && (strlen(e->d_name) != 6 || with_control_file))
			names[n++] = masked(e->d_name);
	}
	if (dir)
		closedir(dir);
	qsort(names, n, sizeof(names[0]), by_name);
	for (size_t i = 0; i < n; i++) {
		char path[PATH_MAX];
		struct stat st;
		snprintf(path, sizeof(path), "%.1000s/%.255s", folder, names[i]);
		replace(path, sizeof(path), "UNIQUE", unique);
		if (stat(path, &st) == 0)
			say("file %s %o, %s", names[i], st.st_mode & 0777, st.st_size > 0 ? "has text" : "empty");
		free(names[i]);
	}
}

/* "Created: on HOST at Mon Nov 30 03:59:36 2026" */
static void say_created(const char *line)
{
	char start[300], name[256] = "";
	struct tm tm = { 0 };
	gethostname(name, sizeof(name) - 1);
	int n = snprintf(start, sizeof(start), "Created: on %s at ", name);
	const char *end = strncmp(line, start, (size_t)n) == 0 ? strptime(line + n, "%a %b %e %H:%M:%S %Y", &tm) : NULL;
	if (end && *end == '\0')
		say("| Created: here %zu", strlen(line) - strlen(name));
	else
		say("| %s", line);
}

/* Lines of a file; the host and the time of a folio are not compared, but their form is. */
void cat(const char *path)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	if (!f)
		say("no file %s", path);
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "Created: ", 9) == 0) {
			say_created(line);
			continue;
		}
		char *fd = strstr(line, "-x ");
		if (fd) {
			char *end = fd + 3 + strspn(fd + 3, "0123456789");
			memmove(fd + 4, end, strlen(end) + 1);
			fd[3] = 'N';
		}
		say("| %s", line);
	}
	if (f)
		fclose(f);
}

/* Until the logger has ended; its status is left for the library. */
void wait_end(pid_t pid)
{
	siginfo_t info;
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
}

/* Until a logger has written @line, ten seconds at most. */
void wait_line(const char *base, const char *line)
{
	for (int tries = 0; tries < 1000; tries++) {
		char path[PATH_MAX], text[4096];
		snprintf(path, sizeof(path), "%s%s.seen", unique, base);
		FILE *f = fopen(path, "r");
		while (f && fgets(text, sizeof(text), f)) {
			if (strncmp(text, line, strlen(line)) == 0 && text[strlen(line)] == '\n') {
				fclose(f);
				return;
			}
		}
		if (f)
			fclose(f);
		poll(NULL, 0, 10);
	}
	say("%s never saw %s", base, line);
}

void seen(const char *base)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s%s.seen", unique, base);
	cat(path);
}

/* End what is on, and take the states. */
void finish(pmRecordHost **hosts, size_t n)
{
	pmRecordControl(NULL, PM_REC_OFF, NULL);
	for (size_t i = 0; i < n; i++) {
		if (hosts[i]->pid > 0 && hosts[i]->status == -1)
			wait_end(hosts[i]->pid);
	}
	pmRecordControl(NULL, 0, NULL);
}

void one_session(const char *folio)
{
	setup(folio, 0);
	pmRecordHost *rh = add("last", 0);
	control("on", NULL, PM_REC_ON, NULL);
	finish(&rh, 1);
}

void all_requests(const char *when, pmRecordHost *rh)
{
	static const int requests[] = { PM_REC_OFF, PM_REC_DETACH, PM_REC_STATUS, 42, 46, 0, -1, INT_MAX };
	for (size_t i = 0; i < N(requests); i++)
		say("%s, request %d: %d", when, requests[i], pmRecordControl(rh, requests[i], NULL));
}
