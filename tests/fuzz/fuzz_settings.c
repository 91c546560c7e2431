/* fuzz_settings.c - settings files: what is none is known to be none, and what is read twice says the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/notice.h"
#include "engine/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	(void)arg;
	(void)severity;
	if (strchr(text, '\n') || strchr(text, '\033'))
		abort();
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pf_notice notice = { tell, NULL };
	struct pf_view text = { (const char *)data, size };
	struct pf_settings s[2];
	bool are = pf_settings_are(text);
	for (unsigned i = 0; i < 2; i++) {
		if (pf_settings_init(&s[i]) < 0 || pf_settings_parse(&s[i], text, i == 1, &notice) < 0)
			abort();
	}
	if (are && memchr(data, '\0', size))
		abort();
	if (s[0].port != s[1].port || s[0].timeout_s != s[1].timeout_s || !is_same(s[0].core, s[1].core) ||
	    !is_same(s[0].daemon, s[1].daemon) || !is_same(s[0].disk_filter, s[1].disk_filter))
		abort();
	if (!s[0].core || !s[0].daemon || !s[0].interval[0] || !s[0].interval[1] || !s[0].interval[2])
		abort();
	pf_settings_done(&s[0]);
	pf_settings_done(&s[1]);
	return 0;
}
