/* cmd/startup.c - settings files are found, read and put before the command line. Search order: collectl 4.3.1 -d1. */
#include "cmd/startup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"

enum { PATH_BYTES = 4096, WORDS_MAX = 4096 };

/* Cut the last part off a path: "/usr/bin/x", "/usr/bin", "/usr", "". */
static void cut_last(char *path)
{
	char *slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
}

static void add_paths(struct pf_buf to[3], const char *name)
{
	char folder[PATH_BYTES];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	folder[n > 0 ? n : 0] = '\0';
	cut_last(folder);
	pf_buf_fmt(&to[0], "%s/%s", folder, name);
	cut_last(folder);
	cut_last(folder);
	pf_buf_fmt(&to[1], "%s/etc/%s", folder, name);
	pf_buf_fmt(&to[2], "/etc/%s", name);
}

static int load(struct pf_startup *s, const struct pf_options *first, const struct pf_notice *notice,
		struct pf_err *err)
{
	const char *given = first->config;
	const char *name = first->request.as_peer ? "collectl.conf" : "perfolio.conf";
	struct pf_buf texts[3] = { 0 };
	struct stat st;
	if (!given)
		add_paths(texts, name);
	else if (stat(given, &st) == 0 && S_ISDIR(st.st_mode))
		pf_buf_fmt(&texts[0], "%s/%s", given, name);
	else
		pf_buf_str(&texts[0], given);
	int rc = 0;
	const char *paths[4] = { NULL };
	for (unsigned i = 0; i < 3; i++) {
		rc = texts[i].failed ? texts[i].failed : rc;
		paths[i] = texts[i].n ? texts[i].p : NULL;
	}
	bool general = first->request.debug & 1;
	for (unsigned i = 0; rc == 0 && general && paths[i]; i++)
		pf_notice(notice, PF_SAID, "settings are looked for in %s", paths[i]);
	if (rc == 0)
		rc = pf_settings_load(&s->settings, paths, given != NULL, (first->request.debug & 128) != 0, notice,
				      err);
	if (rc == -EBADMSG && (!given || first->request.as_peer)) { /* the peer finds nothing in it and goes on */
		pf_notice(notice, PF_WARNING, "%s, ignoring it", err->text);
		*err = (struct pf_err){ 0 };
		rc = 0;
	}
	if (rc == 0 && general)
		pf_notice(notice, PF_SAID, s->settings.path ? "settings are read from %s" : "no settings file%s",
			  s->settings.path ? s->settings.path : "");
	for (unsigned i = 0; i < 3; i++)
		pf_buf_done(&texts[i]);
	return rc;
}

/* The next word of @p into @out; quotes keep blanks together. Return: where it ends, NULL if there is none. */
static const char *next_word(const char *p, struct pf_buf *out)
{
	char quote = '\0';
	p += strspn(p, " \t");
	if (*p == '\0')
		return NULL;
	for (; *p != '\0' && (quote != '\0' || (*p != ' ' && *p != '\t')); p++) {
		if (quote != '\0' ? *p == quote : *p == '"' || *p == '\'')
			quote = quote != '\0' ? '\0' : *p;
		else
			pf_buf_char(out, *p);
	}
	return p;
}

static int add_word(struct pf_startup *s, const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	s->argv[s->argc++] = copy;
	return 0;
}

static int join(struct pf_startup *s, int argc, char **argv)
{
	struct pf_buf word = { 0 };
	int rc = argc > 0 ? add_word(s, argv[0]) : 0;
	const char *p = s->daemon ? s->settings.daemon : "";
	while (rc == 0 && s->n_daemon < WORDS_MAX) {
		pf_buf_clear(&word);
		p = next_word(p, &word);
		if (!p)
			break;
		rc = word.failed ? word.failed : add_word(s, pf_buf_text(&word).p);
		s->n_daemon++;
	}
	for (int i = 1; rc == 0 && i < argc; i++)
		rc = add_word(s, argv[i]);
	pf_buf_done(&word);
	return rc;
}

int pf_startup_begin(struct pf_startup *s, int argc, char **argv, enum pf_flavour flavour,
		     const struct pf_notice *notice, struct pf_err *err)
{
	*s = (struct pf_startup){ 0 };
	int rc = pf_settings_init(&s->settings);
	s->argv = calloc((size_t)argc + WORDS_MAX + 2, sizeof(*s->argv));
	if (rc < 0 || !s->argv)
		return pf_err_set(err, -ENOMEM, "no memory");
	struct pf_options first;
	pf_options_peek(argc, argv, flavour, &first);
	s->daemon = first.request.daemon;
	if (flavour != PF_FLAVOUR_REPLAY || first.config)
		rc = load(s, &first, notice, err);
	pf_options_done(&first);
	if (rc == 0)
		rc = join(s, argc, argv);
	return rc == -ENOMEM ? pf_err_set(err, rc, "no memory") : rc;
}

void pf_startup_done(struct pf_startup *s)
{
	for (int i = 0; i < s->argc; i++)
		free(s->argv[i]);
	free(s->argv);
	pf_settings_done(&s->settings);
	*s = (struct pf_startup){ 0 };
}
