/* base/cleanup.h - release when a name goes out of scope (GCC and clang `cleanup` attribute). */
#ifndef PF_BASE_CLEANUP_H
#define PF_BASE_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

static inline void pf_freep(void *p)
{
	free(*(void **)p);
}

static inline void pf_closep(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* read side or already synced: nothing to learn from the result */
}

#define pf_autofree  __attribute__((cleanup(pf_freep)))
#define pf_autoclose __attribute__((cleanup(pf_closep)))

/* PF_TAKE() - hand a scope-bound pointer over to somebody else; PF_TAKE_FD() the same for a descriptor. */
#define PF_TAKE(p)                                                                                                     \
	({                                                                                                             \
		__typeof__(p) t_ = (p);                                                                                \
		(p) = NULL;                                                                                            \
		t_;                                                                                                    \
	})
#define PF_TAKE_FD(fd)                                                                                                 \
	({                                                                                                             \
		int t_ = (fd);                                                                                         \
		(fd) = -1;                                                                                             \
		t_;                                                                                                    \
	})

#define PF_N(array) (sizeof(array) / sizeof((array)[0]))

#endif
