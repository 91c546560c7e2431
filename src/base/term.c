/* base/term.c - terminals. Sources: tty_ioctl(4), termios(3). */
#include "base/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { ESCAPE = 27, SEQUENCE_MAX = 32 };

int pf_term_size(int fd, unsigned *ret_rows, unsigned *ret_columns)
{
	struct winsize size;
	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_row == 0)
		return -ENOTTY;
	*ret_rows = size.ws_row;
	*ret_columns = size.ws_col;
	return 0;
}

static bool in_foreground(int fd)
{
	return tcgetpgrp(fd) == getpgrp();
}

static void set_raw(struct pf_term_keys *k, struct termios modes)
{
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	k->raw = tcsetattr(k->fd, TCSANOW, &modes) == 0;
}

/* A handler has no argument; so the keys wait for it in the queue of a signal that is blocked, which a child does not inherit. */
static int holder(sigset_t *ret_set)
{
	int number = SIGRTMIN + 3;
	(void)sigemptyset(ret_set); /* these cannot fail for valid numbers */
	(void)sigaddset(ret_set, number);
	return number;
}

static struct pf_term_keys *take_held(void)
{
	sigset_t set;
	siginfo_t info;
	const struct timespec none = { 0 };
	int number = holder(&set);
	while (sigtimedwait(&set, &info, &none) == number) {
		if (info.si_code == SI_QUEUE && info.si_pid == getpid())
			return info.si_value.sival_ptr;
	}
	return NULL;
}

/* No line scrolls by itself, long ones wrap, the cursor stays. */
static const char plain_screen[] = "\0337\033[r\0338\033[?7h\n";

void pf_term_rescue(void)
{
	const struct pf_term_keys *k = take_held();
	if (!k || !in_foreground(k->fd))
		return;
	(void)tcsetattr(k->fd, TCSANOW, &k->before);
	int flags = fcntl(STDOUT_FILENO, F_GETFL);
	if (flags < 0 || fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK) < 0)
		return;
	(void)!write(STDOUT_FILENO, plain_screen, sizeof(plain_screen) - 1); /* it may be stopped */
	(void)fcntl(STDOUT_FILENO, F_SETFL, flags);
}

static void on_end(int number)
{
	pf_term_rescue();
	(void)raise(number); /* it is as by default again */
}

static void guard(struct pf_term_keys *k)
{
	static const int fatal[] = { SIGQUIT, SIGABRT, SIGSEGV, SIGBUS,	 SIGFPE,    SIGILL,
				     SIGSYS,  SIGALRM, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF };
	const struct sigaction action = { .sa_handler = on_end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	struct sigaction old;
	sigset_t set;
	int number = holder(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)sigqueue(getpid(), number, (union sigval){ .sival_ptr = k }); /* with no room for it there is no rescue */
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			(void)sigaction(fatal[i], &action, NULL);
	}
}

bool pf_term_keys_open(struct pf_term_keys *k, int fd, bool raw)
{
	*k = (struct pf_term_keys){ .fd = -1 };
	if (!isatty(fd))
		return false;
	k->fd = fd;
	if (raw && in_foreground(fd) && tcgetattr(fd, &k->before) == 0)
		set_raw(k, k->before);
	if (k->raw)
		guard(k);
	return true;
}

void pf_term_keys_close(struct pf_term_keys *k)
{
	if (k->raw)
		(void)take_held();
	if (k->raw && in_foreground(k->fd))
		(void)tcsetattr(k->fd, TCSANOW, &k->before); /* a terminal that is gone needs nothing */
	*k = (struct pf_term_keys){ .fd = -1 };
}

/* A shell that stopped us may have set the terminal right for itself. */
bool pf_term_keys_ready(struct pf_term_keys *k)
{
	struct termios now;
	if (k->fd < 0 || !in_foreground(k->fd))
		return false;
	if (k->raw && tcgetattr(k->fd, &now) == 0 && (now.c_lflag & ICANON))
		set_raw(k, now);
	return true;
}

static int next_byte(const struct pf_term_keys *k)
{
	unsigned char c;
	struct pollfd pfd = { .fd = k->fd, .events = POLLIN };
	if (poll(&pfd, 1, 0) <= 0)
		return 0;
	ssize_t got = read(k->fd, &c, 1);
	return got == 1 ? c : got < 0 && errno == EINTR ? 0 : -1;
}

/* The rest of what a function key sends at once: "[" or "O", and then all up to a letter. None means anything here. */
static void skip_sequence(const struct pf_term_keys *k)
{
	int c = next_byte(k);
	if (c != '[' && c != 'O')
		return;
	for (int i = 0; i < SEQUENCE_MAX && c > 0; i++) {
		c = next_byte(k);
		if (c >= '@' && c <= '~')
			return;
	}
}

int pf_term_keys_read(struct pf_term_keys *k)
{
	int c = pf_term_keys_ready(k) ? next_byte(k) : 0;
	if (c == ESCAPE) {
		skip_sequence(k);
		c = 0;
	}
	if (c < 0)
		k->fd = -1;
	return c;
}
