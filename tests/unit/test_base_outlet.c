/* base/outlet, base/sendq: files that refuse, connections that are slow, prefixes, latecomers. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/loop.h"
#include "base/notice.h"
#include "base/outlet.h"
#include "base/sendq.h"
#include "base/time.h"

static char path[64];

static int open_file(const char *text, int flags)
{
	(void)snprintf(path, sizeof(path), "/tmp/pf-outlet.%ld", (long)getpid());
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, text, strlen(text)), 0);
	assert_int_equal(close(fd), 0);
	fd = open(path, O_WRONLY | flags);
	assert_true(fd >= 0);
	return fd;
}

static void assert_file_is(const char *text)
{
	struct pf_buf b = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 4096, &b, NULL), 0);
	assert_string_equal(pf_buf_text(&b).p, text);
	pf_buf_done(&b);
}

/* Files take no more than @n bytes from now on. */
static void limit_files(rlim_t n)
{
	struct rlimit r;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &r), 0);
	r.rlim_cur = n;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &r), 0);
}

static void a_failed_write_leaves_what_was_there(void **state)
{
	(void)state;
	static const struct {
		int flags;
		rlim_t limit; /* of the file, which has 4 bytes */
		const char *later;
	} cases[] = {
		{ O_APPEND, 4, "old\nlater\n" }, /* nothing can be written */
		{ O_APPEND, 6, "old\nlater\n" }, /* a part can */
		{ 0, 6, "later\n" },		 /* over what is there */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_outlet_fd own;
		int fd = open_file("old\n", cases[i].flags);
		struct pf_outlet *o = pf_outlet_or_fd(NULL, &own, fd);
		limit_files(cases[i].limit);
		int rc = pf_outlet_put(o, PF_VIEW("a new line\n"), 0);
		limit_files(RLIM_INFINITY);
		assert_int_equal(rc, -EFBIG);
		if (cases[i].flags == O_APPEND)
			assert_file_is("old\n");
		else
			(void)lseek(fd, 0, SEEK_SET);
		assert_int_equal(pf_outlet_put(o, PF_VIEW("later\n"), 0), 0);
		assert_file_is(cases[i].later);
		assert_int_equal(close(fd), 0);
		(void)unlink(path);
	}
}

static void nothing_behind_the_place_of_a_failed_write_is_cut(void **state)
{
	(void)state;
	struct pf_outlet_fd own;
	int fd = open_file("0123456789", 0);
	struct pf_outlet *o = pf_outlet_or_fd(NULL, &own, fd);
	limit_files(10);
	assert_int_equal(lseek(fd, 8, SEEK_SET), 8);
	int rc = pf_outlet_put(o, PF_VIEW("abcd"), 0);
	limit_files(RLIM_INFINITY);
	assert_int_equal(rc, -EFBIG);
	struct pf_buf b = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 4096, &b, NULL), 0);
	assert_int_equal(b.n, 10);
	pf_buf_done(&b);
	assert_int_equal(close(fd), 0);
	(void)unlink(path);
}

static void two_sockets(int fds[2])
{
	int small = 4096;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	assert_int_equal(setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)), 0);
}

static void what_a_connection_does_not_take_waits_in_order(void **state)
{
	(void)state;
	enum { PIECES = 400, PIECE = 100 };
	int fds[2];
	char piece[PIECE], got[PIECES * PIECE];
	two_sockets(fds);
	struct pf_sendq q = { .fd = fds[0] };
	for (int i = 0; i < PIECES; i++) {
		memset(piece, i & 0xff, sizeof(piece));
		assert_int_equal(pf_sendq_put(&q, (struct pf_view){ piece, sizeof(piece) }), 0);
	}
	assert_true(pf_sendq_waiting(&q) > 0);
	assert_int_equal(pf_sendq_push(&q), 1);
	assert_int_equal(pf_sendq_drain(&q, pf_time_mono_ns() + PF_NS_PER_MS), 1); /* nobody reads */
	size_t n = 0;
	while (n < sizeof(got)) {
		ssize_t k = read(fds[1], got + n, sizeof(got) - n);
		n += k > 0 ? (size_t)k : 0;
		assert_true(pf_sendq_push(&q) >= 0);
		if (n < sizeof(got) / 2 && pf_sendq_waiting(&q) > 0) /* also what is put while something waits */
			assert_int_equal(pf_sendq_put(&q, PF_VIEW("")), 0);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal((unsigned char)got[i], (i / PIECE) & 0xff);
	assert_int_equal(pf_sendq_waiting(&q), 0);
	assert_int_equal(pf_sendq_drain(&q, 0), 0);
	(void)close(fds[1]);
	assert_int_equal(pf_sendq_put(&q, PF_VIEW("x")), -EPIPE);
	pf_sendq_done(&q);
	(void)close(fds[0]);
}

/* A socket that listens on a free port of this host. */
static int listener(char port[8])
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	(void)snprintf(port, 8, "%u", (unsigned)ntohs(a.sin_port));
	return fd;
}

static void assert_comes(int fd, const char *want)
{
	char got[256];
	size_t n = 0;
	while (n < strlen(want)) {
		ssize_t k = recv(fd, got + n, strlen(want) - n, 0);
		assert_true(k > 0);
		n += (size_t)k;
	}
	got[n] = '\0';
	assert_string_equal(got, want);
}

static void every_line_of_a_connection_has_its_prefix_once(void **state)
{
	(void)state;
	char port[8];
	struct pf_outlet *o = NULL;
	int at = listener(port);
	assert_int_equal(pf_outlet_connect(&o, "127.0.0.1", port, PF_NS_PER_SEC, "vm ", ">>><<<", NULL), 0);
	int fd = accept(at, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(pf_outlet_put(o, PF_VIEW("a\nb"), 0), 0);
	assert_int_equal(pf_outlet_put(o, PF_VIEW("c\n>>><<<\nd\n"), 0), 0);
	assert_comes(fd, "vm a\nvm bc\n>>><<<\nvm d\n");
	pf_outlet_plain(o);
	assert_int_equal(pf_outlet_put(o, PF_VIEW("{}\n"), 0), 0);
	assert_comes(fd, "{}\n");
	(void)close(fd);
	int rc = 0;
	for (int i = 0; i < 1000 && rc == 0; i++)
		rc = pf_outlet_put(o, PF_VIEW("more\n"), 0);
	assert_int_equal(rc, -EPIPE);
	assert_null(pf_outlet_close(o));
	(void)close(at);
	assert_int_equal(pf_outlet_connect(&o, "127.0.0.1", port, PF_NS_PER_SEC, "", "", NULL), -ECONNREFUSED);
	assert_int_equal(pf_outlet_connect(&o, "no such host.", port, PF_NS_PER_SEC, "", "", NULL), -EINVAL);
}

static int client_of(const char *port, struct pf_loop *loop)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	uint64_t number = 0;
	assert_int_equal(pf_view_u64(pf_view_of(port), &number), 0);
	a.sin_port = htons((uint16_t)number);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(fd, (const struct sockaddr *)&a, sizeof(a)), 0);
	for (int i = 0; i < 100; i++)
		pf_loop_serve(loop);
	return fd;
}

static void latecomers_get_the_preface_and_no_divider(void **state)
{
	(void)state;
	char port[8];
	struct pf_loop loop;
	struct pf_outlet *o = NULL;
	(void)close(listener(port));
	assert_int_equal(pf_loop_open(&loop, NULL), 0);
	assert_int_equal(pf_outlet_listen(&o, port, true, NULL), 0);
	assert_int_equal(o->kind->attach(o, &loop), 0);
	assert_int_equal(pf_outlet_begin(o, PF_VIEW("[")), 0);
	assert_int_equal(pf_outlet_put(o, PF_VIEW("0"), 0), 0); /* nobody is there */
	int first = client_of(port, &loop);
	assert_int_equal(pf_outlet_put(o, PF_VIEW(",1"), 1), 0);
	int second = client_of(port, &loop);
	assert_int_equal(pf_outlet_put(o, PF_VIEW(",2"), 1), 0);
	assert_comes(first, "[1,2");
	assert_comes(second, "[2");
	(void)close(first); /* the others go on */
	for (int i = 0; i < 5; i++) {
		pf_loop_serve(&loop);
		assert_int_equal(pf_outlet_put(o, PF_VIEW(",3"), 1), 0);
	}
	assert_comes(second, ",3,3,3,3,3");
	assert_null(pf_outlet_close(o));
	char end;
	assert_int_equal(recv(second, &end, 1, 0), 0);
	(void)close(second);
	pf_loop_close(&loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_write_leaves_what_was_there),
		cmocka_unit_test(nothing_behind_the_place_of_a_failed_write_is_cut),
		cmocka_unit_test(what_a_connection_does_not_take_waits_in_order),
		cmocka_unit_test(every_line_of_a_connection_has_its_prefix_once),
		cmocka_unit_test(latecomers_get_the_preface_and_no_divider),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
