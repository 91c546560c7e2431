/* tests/unit/test_base_listen.c - who calls is taken or turned away, also when there are no descriptors left. */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/listen.h"

/* A client of @door. */
static int call(int door)
{
	struct sockaddr_storage at;
	socklen_t n = sizeof(at);
	assert_int_equal(getsockname(door, (struct sockaddr *)&at, &n), 0);
	int fd = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, n), 0);
	return fd;
}

/* @fd and what lies below it is all there may be. */
static void allow_up_to(int fd, struct rlimit *ret_before)
{
	assert_int_equal(getrlimit(RLIMIT_NOFILE, ret_before), 0);
	struct rlimit few = { .rlim_cur = (rlim_t)fd + 1, .rlim_max = ret_before->rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
}

static void without_descriptors_callers_are_turned_away_and_do_not_wait(void **state)
{
	(void)state;
	pf_autoclose int door = pf_listen("127.0.0.1", "0");
	assert_true(door >= 0);
	int spare = -1;
	pf_autoclose int first = call(door);
	assert_true(first >= 0);
	pf_autoclose int taken = pf_accept(door, &spare);
	assert_true(taken >= 0);
	assert_true(spare >= 0);

	pf_autoclose int second = call(door);
	struct rlimit before;
	allow_up_to(second, &before);
	int rc = pf_accept(door, &spare);
	int kept = spare;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(rc, -EMFILE);
	assert_true(kept >= 0);
	char byte;
	assert_int_equal(recv(second, &byte, 1, 0), 0);
	struct pollfd waits = { .fd = door, .events = POLLIN };
	assert_int_equal(poll(&waits, 1, 0), 0);
	assert_int_equal(pf_accept(door, &spare), -EAGAIN);
	pf_closep(&spare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_descriptors_callers_are_turned_away_and_do_not_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
