/* tests/modules/short.c - an import module whose struct says that it ends before its callbacks. */
#include <perfolio/module.h>

const struct perfolio_module perfolio_module = {
	.size = offsetof(struct perfolio_module, init),
	.major = PERFOLIO_MODULE_MAJOR,
	.minor = PERFOLIO_MODULE_MINOR,
	.name = "short",
};
