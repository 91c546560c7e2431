/* tests/modules/major.c - an import module of a major version that is not ours. */
#include <perfolio/module.h>

const struct perfolio_module perfolio_module = {
	.size = sizeof(struct perfolio_module),
	.major = PERFOLIO_MODULE_MAJOR + 1,
	.minor = 7,
	.name = "major",
};
