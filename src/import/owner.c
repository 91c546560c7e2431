/* import/owner.c - a page that children find empty. */
#include "import/owner.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char *wiped_page(void)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, PAGE, MADV_WIPEONFORK) == 0) /* Linux 4.14 */
		return page;
	(void)munmap(page, PAGE);
	return NULL;
}

void pf_owner_claim(struct pf_owner *o)
{
	if (!o->mark)
		o->mark = wiped_page();
	if (o->mark)
		*o->mark = 1;
	o->pid = getpid();
}

bool pf_owner_is_us(const struct pf_owner *o)
{
	return o->mark ? *o->mark != 0 : getpid() == o->pid;
}

void pf_owner_done(struct pf_owner *o)
{
	if (o->mark)
		(void)munmap(o->mark, PAGE);
	*o = (struct pf_owner){ 0 };
}
