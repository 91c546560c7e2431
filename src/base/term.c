/* base/term.c - terminals. Sources: tty_ioctl(4), termios(3). */
#include "base/term.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
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

bool pf_term_keys_open(struct pf_term_keys *k, int fd, bool raw)
{
	*k = (struct pf_term_keys){ .fd = -1 };
	if (!isatty(fd))
		return false;
	k->fd = fd;
	if (raw && in_foreground(fd) && tcgetattr(fd, &k->before) == 0)
		set_raw(k, k->before);
	return true;
}

void pf_term_keys_close(struct pf_term_keys *k)
{
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
