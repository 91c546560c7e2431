/* base/spawn.h - start a program that somebody reads, or only waits for: one way for all. */
#ifndef PF_BASE_SPAWN_H
#define PF_BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct pf_spawn - what is started.
 * @argv: its words, ended by NULL; without a slash the first is looked for in $PATH
 * @out: descriptor that becomes its standard output; standard input and error are /dev/null
 * @with_us: it is killed when we end, however we do; then a program that is not there shows only as status 127
 */
struct pf_spawn {
	const char *const *argv;
	int out;
	bool with_us;
};

/**
 * pf_spawn() - start it in a process group of its own, so that kill(-pid) reaches all that it starts, and what is typed on the terminal does not.
 * No signal is blocked or ignored there, whatever we do with ours and whatever we were given: in that group nobody but us sends any.
 * @ret_pid: for waitpid(2), which is the caller's to call
 *
 * Return: 0 or negative errno.
 */
int pf_spawn(const struct pf_spawn *s, pid_t *ret_pid);

#endif
