/* api/record through libperfolio: what a program sees of its sessions. The loggers are those of the build tree. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "perfolio/record.h"

enum { LONG_MS = 30000, N_STATES = 8 };

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-api-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	DIR *dir = opendir(folder);
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		if (e->d_name[0] != '.')
			(void)unlinkat(dirfd(dir), e->d_name, 0);
	}
	if (dir)
		(void)closedir(dir);
	return rmdir(folder);
}

/* Path in the folder; @path has 128 bytes. */
static const char *in_folder(const char *name, char *path)
{
	(void)snprintf(path, 128, "%s/%s", folder, name);
	return path;
}

static struct perfolio_record *new_session(const char *name)
{
	char path[128];
	struct perfolio_record_error err = { 0 };
	struct perfolio_record *r = NULL;
	const struct perfolio_record_options options = { .size = sizeof(options),
							 .folio = in_folder(name, path),
							 .creator = "test" };
	if (perfolio_record_new(&r, &options, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

/* This host, a hundred times a second. */
static int add_self(struct perfolio_record *r)
{
	static const char *const words[] = { "-i", "0.01", "-s", "c" };
	int host = perfolio_record_add(r, "self:", 0, NULL);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(perfolio_record_arg(r, host, words[i], NULL), 0);
	return host;
}

static void start(struct perfolio_record *r)
{
	struct perfolio_record_error err = { 0 };
	if (perfolio_record_start(r, &err) < 0)
		fail_msg("%s", err.text);
}

static struct perfolio_record_host look(struct perfolio_record *r, int host, int wait_ms)
{
	struct perfolio_record_host now = { .size = sizeof(now) };
	assert_int_equal(perfolio_record_status(r, host, wait_ms, &now, NULL), 0);
	return now;
}

static struct perfolio_record_host wait_samples(struct perfolio_record *r, int host, uint64_t samples)
{
	struct perfolio_record_host now = look(r, host, LONG_MS);
	while (now.samples < samples && now.state != PERFOLIO_RECORD_ENDED)
		now = look(r, host, LONG_MS);
	assert_true(now.samples >= samples);
	return now;
}

static bool is_file(const char *base, const char *tail)
{
	char path[256];
	(void)snprintf(path, sizeof(path), "%s%s", base, tail);
	return access(path, F_OK) == 0;
}

static void what_cannot_be_is_refused_in_a_sentence(void **state)
{
	(void)state;
	struct perfolio_record_error err = { 0 };
	struct perfolio_record *r = NULL;
	struct perfolio_record_options options = { .size = sizeof(options) };
	assert_int_equal(perfolio_record_new(&r, &options, &err), -EINVAL);
	assert_int_equal(err.rc, -EINVAL);
	assert_string_equal(err.text, "no folio is named");
	options.folio = folder;
	assert_int_equal(perfolio_record_new(&r, &options, &err), -EEXIST);
	assert_non_null(strstr(err.text, "is there already"));
	options.folio = "/no/such/folder/x.folio";
	assert_int_equal(perfolio_record_new(&r, &options, NULL), -ENOENT);
	assert_null(r);

	r = new_session("refused.folio");
	assert_int_equal(perfolio_record_start(r, &err), -EINVAL);
	assert_int_equal(perfolio_record_arg(r, PERFOLIO_RECORD_ALL, "-v", &err), -EINVAL);
	assert_int_equal(perfolio_record_add(r, NULL, 0, &err), -EINVAL);
	assert_int_equal(perfolio_record_add(r, "a/b", 0, &err), -EINVAL);
	assert_int_equal(perfolio_record_add(r, "pcps://host", 0, &err), -ENOTSUP);
	assert_int_equal(perfolio_record_hosts(r), 0);
	assert_int_equal(perfolio_record_add(r, "self:", 1, NULL), 0);
	assert_int_equal(perfolio_record_add(r, "self:", 1, &err), -EINVAL);
	assert_non_null(strstr(err.text, "default"));
	assert_int_equal(perfolio_record_add(r, "self:", 0, NULL), 1);
	assert_int_equal(perfolio_record_arg(r, 2, "-v", &err), -EINVAL);
	assert_string_equal(err.text, "there is no host with the number 2");
	assert_int_equal(perfolio_record_arg(r, -2, "-v", NULL), -EINVAL);
	assert_int_equal(perfolio_record_arg(r, 0, NULL, NULL), -EINVAL);
	assert_int_equal(perfolio_record_stop(r, 0, &err), -EINVAL);
	assert_int_equal(perfolio_record_detach(r, PERFOLIO_RECORD_ALL, &err), -EINVAL);
	struct perfolio_record_host now = { .size = sizeof(now) };
	assert_int_equal(perfolio_record_status(r, PERFOLIO_RECORD_ALL, 0, &now, &err), -EINVAL);
	assert_int_equal(look(r, 1, 0).state, PERFOLIO_RECORD_ADDED);
	assert_int_equal(perfolio_record_dispatch(r), 0);
	assert_int_equal(perfolio_record_wait(r, -1), 0);
	perfolio_record_free(r);
	perfolio_record_free(NULL);
	char path[128];
	assert_int_equal(access(in_folder("refused.folio", path), F_OK), -1);
}

static void a_session_records_and_tells_how_far_it_is(void **state)
{
	(void)state;
	struct timespec now_ts;
	struct perfolio_record *r = new_session("one.folio");
	int host = add_self(r);
	start(r);
	assert_int_equal(perfolio_record_add(r, "self:", 0, NULL), -EINVAL);
	assert_int_equal(perfolio_record_start(r, NULL), -EINVAL);
	struct perfolio_record_host now = wait_samples(r, host, 3);
	assert_int_equal(now.state, PERFOLIO_RECORD_RECORDING);
	assert_int_equal(now.status, -1);
	assert_true(now.pid > 0);
	assert_true(now.bytes > 0);
	(void)clock_gettime(CLOCK_REALTIME, &now_ts);
	assert_true(now.last_ns / 1000000000 <= now_ts.tv_sec && now.last_ns / 1000000000 > now_ts.tv_sec - 60);
	assert_int_equal(perfolio_record_stop(r, host, NULL), 0);
	assert_int_equal(perfolio_record_stop(r, host, NULL), -EINVAL);
	assert_int_equal(perfolio_record_wait(r, LONG_MS), 0);
	uint64_t before = now.samples;
	now = look(r, host, LONG_MS);
	assert_int_equal(now.state, PERFOLIO_RECORD_ENDED);
	assert_int_equal(now.status, 0);
	assert_null(now.reason);
	assert_true(now.samples >= before);
	char archive[256], log[256], path[128];
	(void)snprintf(archive, sizeof(archive), "%s", now.archive);
	(void)snprintf(log, sizeof(log), "%s", now.log);
	perfolio_record_free(r);
	assert_true(is_file(archive, ".index"));
	assert_false(is_file(log, "")); /* nothing was said */
	assert_int_equal(access(in_folder("one.folio", path), F_OK), 0);
}

/* What was told of host 0. */
struct told {
	unsigned n;
	int states[N_STATES];
	int status;
	int again; /* what a call in between says */
};

static void note(void *arg, struct perfolio_record *r, int host, const struct perfolio_record_host *now)
{
	struct told *t = arg;
	if (host == 0 && t->n < N_STATES)
		t->states[t->n++] = now->state;
	t->status = now->status;
	struct perfolio_record_host again = { .size = sizeof(again) };
	t->again = perfolio_record_status(r, host, 0, &again, NULL);
}

static void changes_come_through_one_descriptor(void **state)
{
	(void)state;
	char path[128];
	struct told told = { .again = -1 };
	struct perfolio_record *r = NULL;
	const struct perfolio_record_options options = {
		.size = sizeof(options), .folio = in_folder("told.folio", path), .changed = note, .arg = &told
	};
	assert_int_equal(perfolio_record_new(&r, &options, NULL), 0);
	(void)add_self(r);
	start(r);
	struct pollfd news = { .fd = perfolio_record_fd(r), .events = POLLIN };
	bool killed = false;
	while (perfolio_record_dispatch(r) > 0) {
		if (told.n == 1 && !killed) {
			assert_int_equal(told.states[0], PERFOLIO_RECORD_RECORDING);
			assert_int_equal(kill(look(r, 0, 0).pid, SIGKILL), 0);
			killed = true;
		}
		assert_int_equal(poll(&news, 1, LONG_MS), 1);
	}
	assert_int_equal(perfolio_record_dispatch(r), 0);
	assert_int_equal(told.n, 2);
	assert_int_equal(told.states[1], PERFOLIO_RECORD_ENDED);
	assert_int_equal(told.status, SIGKILL);
	assert_string_equal(look(r, 0, 0).reason, "its logger was ended by signal 9");
	assert_int_equal(told.again, 0);
	assert_int_equal(poll(&news, 1, 0), 0);
	struct perfolio_record_error err = { 0 };
	assert_int_equal(perfolio_record_stop(r, 0, &err), -EPIPE);
	assert_string_equal(err.text, "the logger is gone");
	assert_int_equal(perfolio_record_stop(r, 0, &err), -EINVAL);
	perfolio_record_free(r);
}

/* A change that another call has seen is still told, and still wakes. */
static void what_status_has_seen_is_told_by_dispatch(void **state)
{
	(void)state;
	char path[128];
	struct told told = { 0 };
	struct perfolio_record *r = NULL;
	const struct perfolio_record_options options = {
		.size = sizeof(options), .folio = in_folder("seen.folio", path), .changed = note, .arg = &told
	};
	assert_int_equal(perfolio_record_new(&r, &options, NULL), 0);
	(void)add_self(r);
	start(r);
	(void)wait_samples(r, 0, 1);
	assert_int_equal(told.n, 0);
	struct pollfd news = { .fd = perfolio_record_fd(r), .events = POLLIN };
	assert_int_equal(poll(&news, 1, LONG_MS), 1);
	assert_int_equal(perfolio_record_dispatch(r), 1);
	assert_int_equal(told.n, 1);
	perfolio_record_free(r);
	assert_int_equal(told.n, 1);
}

static void a_detached_logger_outlives_its_session(void **state)
{
	(void)state;
	struct perfolio_record *r = new_session("alone.folio");
	(void)add_self(r);
	(void)add_self(r);
	start(r);
	pid_t stopped = wait_samples(r, 0, 1).pid;
	struct perfolio_record_host now = wait_samples(r, 1, 1);
	assert_int_equal(perfolio_record_detach(r, 1, NULL), 0);
	assert_int_equal(look(r, 1, 0).state, PERFOLIO_RECORD_DETACHED);
	assert_int_equal(perfolio_record_detach(r, 1, NULL), -EINVAL);
	pid_t pid = now.pid;
	char archive[256];
	(void)snprintf(archive, sizeof(archive), "%s", look(r, 0, 0).archive);
	perfolio_record_free(r);
	assert_int_equal(kill(stopped, 0), -1); /* it was waited for */
	assert_true(is_file(archive, ".index"));
	assert_int_equal(kill(pid, SIGTERM), 0);
	int status = -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* ... also when there is nothing of its archive yet. */
static void a_detached_logger_keeps_the_folio(void **state)
{
	(void)state;
	char path[128];
	struct perfolio_record *r = new_session("soon.folio");
	(void)add_self(r);
	start(r);
	assert_int_equal(perfolio_record_detach(r, PERFOLIO_RECORD_ALL, NULL), 0);
	pid_t pid = look(r, 0, 0).pid;
	perfolio_record_free(r);
	assert_int_equal(access(in_folder("soon.folio", path), F_OK), 0);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_bad_switch_ends_the_logger_and_its_log_says_why(void **state)
{
	(void)state;
	char text[512] = "";
	struct perfolio_record *r = new_session("bad.folio");
	assert_int_equal(perfolio_record_add(r, "self:", 0, NULL), 0);
	assert_int_equal(perfolio_record_arg(r, PERFOLIO_RECORD_ALL, "-i", NULL), 0);
	assert_int_equal(perfolio_record_arg(r, PERFOLIO_RECORD_ALL, "never", NULL), 0);
	start(r);
	assert_int_equal(perfolio_record_wait(r, -1), 0);
	struct perfolio_record_host now = look(r, 0, 0);
	assert_int_equal(now.state, PERFOLIO_RECORD_ENDED);
	assert_int_equal(now.status, 2 << 8);
	assert_non_null(now.reason);
	assert_non_null(strstr(now.reason, "never"));
	assert_null(strchr(now.reason, '\n'));
	assert_int_not_equal(strncmp(now.reason, "perfolio", 8), 0);
	char log[256], path[128];
	(void)snprintf(log, sizeof(log), "%s", now.log);
	perfolio_record_free(r);
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	(void)close(fd);
	assert_non_null(strstr(text, "never"));
	assert_int_equal(access(in_folder("bad.folio", path), F_OK), -1);
}

static void the_logger_is_looked_for_where_the_environment_says(void **state)
{
	(void)state;
	static const char script[] = "#!/bin/sh\nexit 7\n";
	char path[128], program[160];
	in_folder("libexec", path);
	assert_int_equal(setenv("PERFOLIO_LIBEXEC", path, 1),
			 0); /* there is no such folder: the one of the build tree */
	struct perfolio_record *r = new_session("found.folio");
	(void)add_self(r);
	start(r);
	(void)wait_samples(r, 0, 1);
	perfolio_record_free(r);

	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(program, sizeof(program), "%s/perfolio", path);
	int fd = open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	assert_int_equal(write(fd, script, sizeof(script) - 1), sizeof(script) - 1);
	(void)close(fd);
	r = new_session("other.folio");
	(void)add_self(r);
	start(r);
	assert_int_equal(perfolio_record_wait(r, -1), 0);
	assert_int_equal(look(r, 0, 0).status, 7 << 8);
	perfolio_record_free(r);
	(void)unlink(program);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(unsetenv("PERFOLIO_LIBEXEC"), 0);
}

/* Somebody else's file of the name of the folio, in another folder. */
static void put_stranger(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

static struct perfolio_record *new_relative(const char *name)
{
	struct perfolio_record *r = NULL;
	const struct perfolio_record_options options = { .size = sizeof(options), .folio = name };
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(perfolio_record_new(&r, &options, NULL), 0);
	return r;
}

static void another_working_folder_is_no_matter(void **state)
{
	(void)state;
	char other[128], stranger[160], path[128];
	assert_int_equal(mkdir(in_folder("other", other), 0700), 0);
	(void)snprintf(stranger, sizeof(stranger), "%s/moved.folio", other);
	put_stranger(stranger);

	struct perfolio_record *r = new_relative("moved.folio"); /* nothing is started */
	assert_int_equal(chdir(other), 0);
	perfolio_record_free(r);
	assert_int_equal(access(stranger, F_OK), 0);
	assert_int_equal(access(in_folder("moved.folio", path), F_OK), -1);

	r = new_relative("moved.folio"); /* nothing is recorded */
	(void)add_self(r);
	assert_int_equal(perfolio_record_arg(r, PERFOLIO_RECORD_ALL, "--nonsense", NULL), 0);
	assert_int_equal(chdir(other), 0);
	start(r);
	assert_int_equal(perfolio_record_wait(r, -1), 0);
	perfolio_record_free(r);
	assert_int_equal(access(stranger, F_OK), 0);
	assert_int_equal(access(in_folder("moved.folio", path), F_OK), -1);

	r = new_relative("moved.folio");
	(void)add_self(r);
	assert_int_equal(chdir(other), 0);
	start(r);
	(void)wait_samples(r, 0, 1);
	assert_int_equal(chdir(folder), 0);
	(void)snprintf(path, sizeof(path), "%s.index", look(r, 0, 0).archive);
	assert_int_equal(access(path, F_OK), 0);
	perfolio_record_free(r);
	assert_int_equal(unlink(stranger), 0);
	assert_int_equal(rmdir(other), 0);
	assert_int_equal(chdir("/"), 0);
}

static void structs_of_older_programs_are_not_exceeded(void **state)
{
	(void)state;
	char path[128];
	struct perfolio_record *r = NULL;
	struct perfolio_record_options options = { .folio = in_folder("old.folio", path), .creator = (const char *)1 };
	options.size = offsetof(struct perfolio_record_options, creator);
	assert_int_equal(perfolio_record_new(&r, &options, NULL), 0);
	assert_int_equal(perfolio_record_add(r, "self:", 0, NULL), 0);
	struct perfolio_record_host now = { .size = offsetof(struct perfolio_record_host, pid), .pid = 4711 };
	assert_int_equal(perfolio_record_status(r, 0, 0, &now, NULL), 0);
	assert_non_null(now.archive);
	assert_int_equal(now.pid, 4711);
	assert_int_equal(now.size, offsetof(struct perfolio_record_host, pid));
	perfolio_record_free(r);
}

static void other_children_are_left_alone(void **state)
{
	(void)state;
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		_exit(5);
	struct perfolio_record *r = new_session("child.folio");
	(void)add_self(r);
	start(r);
	(void)wait_samples(r, 0, 1);
	perfolio_record_free(r);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WEXITSTATUS(status), 5);
	assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void a_status_that_is_lost_ends_the_session_anyhow(void **state)
{
	(void)state;
	(void)signal(SIGCHLD, SIG_IGN);
	struct perfolio_record *r = new_session("lost.folio");
	(void)add_self(r);
	start(r);
	(void)wait_samples(r, 0, 1);
	assert_int_equal(perfolio_record_stop(r, PERFOLIO_RECORD_ALL, NULL), 0);
	assert_int_equal(perfolio_record_wait(r, -1), 0);
	struct perfolio_record_host now = look(r, 0, 0);
	assert_int_equal(now.state, PERFOLIO_RECORD_ENDED);
	assert_int_equal(now.status, -1);
	assert_true(now.samples >= 1);
	perfolio_record_free(r);
	(void)signal(SIGCHLD, SIG_DFL);
}

/* A whole session; what fails is counted, since cmocka is for one thread. */
static void *run_session(void *arg)
{
	unsigned *bad = arg;
	char path[128], name[32];
	(void)snprintf(name, sizeof(name), "thread-%p.folio", arg);
	struct perfolio_record *r = NULL;
	const struct perfolio_record_options options = { .size = sizeof(options), .folio = in_folder(name, path) };
	if (perfolio_record_new(&r, &options, NULL) < 0) {
		++*bad;
		return NULL;
	}
	static const char *const words[] = { "-i", "0.01", "-s", "c", "-c", "5" };
	for (int i = 0; i < 2; i++)
		*bad += perfolio_record_add(r, "self:", i, NULL) != i;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		*bad += perfolio_record_arg(r, PERFOLIO_RECORD_ALL, words[i], NULL) != 0;
	*bad += perfolio_record_start(r, NULL) != 0;
	*bad += perfolio_record_wait(r, -1) != 0;
	for (int i = 0; i < 2; i++) {
		struct perfolio_record_host now = { .size = sizeof(now) };
		*bad += perfolio_record_status(r, i, 0, &now, NULL) != 0;
		*bad += now.state != PERFOLIO_RECORD_ENDED || now.status != 0 || now.samples != 6;
	}
	perfolio_record_free(r);
	return NULL;
}

static void sessions_in_threads_do_not_meet(void **state)
{
	(void)state;
	enum { N = 4 };
	pthread_t threads[N];
	unsigned bad[N] = { 0 };
	for (int i = 0; i < N; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_session, &bad[i]), 0);
	for (int i = 0; i < N; i++) {
		(void)pthread_join(threads[i], NULL);
		assert_int_equal(bad[i], 0);
	}
}

struct shared {
	struct perfolio_record *r;
	int rc;
};

static void *wait_for_end(void *arg)
{
	struct shared *s = arg;
	s->rc = perfolio_record_wait(s->r, -1);
	return NULL;
}

static void *look_on(void *arg)
{
	struct shared *s = arg;
	struct perfolio_record_host now = { .size = sizeof(now) };
	do {
		s->rc = perfolio_record_status(s->r, 0, 50, &now, NULL);
	} while (s->rc == 0 && now.state != PERFOLIO_RECORD_ENDED);
	return NULL;
}

static void threads_share_a_session(void **state)
{
	(void)state;
	pthread_t threads[4];
	struct shared shared[4];
	struct perfolio_record *r = new_session("shared.folio");
	(void)add_self(r);
	start(r);
	for (int i = 0; i < 4; i++) {
		shared[i] = (struct shared){ r, -1 };
		assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? wait_for_end : look_on, &shared[i]), 0);
	}
	(void)wait_samples(r, 0, 5);
	assert_int_equal(perfolio_record_stop(r, 0, NULL), 0);
	for (int i = 0; i < 4; i++) {
		(void)pthread_join(threads[i], NULL);
		assert_int_equal(shared[i].rc, 0);
	}
	assert_int_equal(look(r, 0, 0).status, 0);
	perfolio_record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_is_refused_in_a_sentence),
		cmocka_unit_test(a_session_records_and_tells_how_far_it_is),
		cmocka_unit_test(changes_come_through_one_descriptor),
		cmocka_unit_test(what_status_has_seen_is_told_by_dispatch),
		cmocka_unit_test(a_detached_logger_outlives_its_session),
		cmocka_unit_test(a_detached_logger_keeps_the_folio),
		cmocka_unit_test(a_bad_switch_ends_the_logger_and_its_log_says_why),
		cmocka_unit_test(the_logger_is_looked_for_where_the_environment_says),
		cmocka_unit_test(another_working_folder_is_no_matter),
		cmocka_unit_test(structs_of_older_programs_are_not_exceeded),
		cmocka_unit_test(other_children_are_left_alone),
		cmocka_unit_test(a_status_that_is_lost_ends_the_session_anyhow),
		cmocka_unit_test(sessions_in_threads_do_not_meet),
		cmocka_unit_test(threads_share_a_session),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
