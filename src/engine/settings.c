/* engine/settings.c - settings files by table. Facts: collectl.conf as installed, and what collectl 4.3.1 -V and -d128 say of it. */
#include "engine/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

/* What a value is. DAEMON: lines add up; PATTERN: may stand between slashes. */
enum kind { TEXT, NUMBER, REAL, YES, PATTERN, DAEMON };

struct key {
	const char *name;
	enum kind kind;
	size_t offset;
};

/* More lines than these are not told one by one. */
enum { STRANGE_TOLD = 3 };

#define AT(member) offsetof(struct pf_settings, member)

static const struct key keys[] = {
	{ "DaemonCommands", DAEMON, AT(daemon) },
	{ "SubsysCore", TEXT, AT(core) },
	{ "Interval", TEXT, AT(interval[0]) },
	{ "Interval2", TEXT, AT(interval[1]) },
	{ "Interval3", TEXT, AT(interval[2]) },
	{ "Port", NUMBER, AT(port) },
	{ "Timeout", NUMBER, AT(timeout_s) },
	{ "TermHeight", NUMBER, AT(term_height) },
	{ "DiskFilter", PATTERN, AT(disk_filter) },
	{ "DiskMaxValue", NUMBER, AT(disk_max_kb) },
	{ "DefNetSpeed", NUMBER, AT(net_speed_mbit) },
	{ "LimSVC", REAL, AT(lim_service_ms) },
	{ "LimIOS", REAL, AT(lim_ios) },
	{ "LimLusKBS", REAL, AT(lim_lustre_kbs) },
	{ "LimLusReints", REAL, AT(lim_lustre_reints) },
	{ "LimBool", YES, AT(lim_and) },
	{ "ZMaxZlibErrors", NUMBER, AT(zlib_errors) }, /* the documented name has no effect on the peer either */
	{ "Passwd", TEXT, AT(passwd) },
	{ "Ipmitool", TEXT, AT(ipmitool) },
	{ "IpmiCache", TEXT, AT(ipmi_cache) },
	{ "IpmiTypes", TEXT, AT(ipmi_types) },
};

static const struct pf_settings defaults = {
	.core = (char[]){ "bcdfijmnstx" },
	.interval = { (char[]){ "10" }, (char[]){ "60" }, (char[]){ "120" } },
	.port = 2655,
	.timeout_s = 10,
	.term_height = 24,
	.disk_max_kb = 5000000,
	.net_speed_mbit = 10000,
	.lim_service_ms = 30,
	.lim_ios = 10,
	.lim_lustre_kbs = 100,
	.lim_lustre_reints = 1000,
	.zlib_errors = 20,
	.daemon = (char[]){ "" },
};

const struct pf_settings *pf_settings_default(void)
{
	return &defaults;
}

static bool holds_text(enum kind kind)
{
	return kind == TEXT || kind == PATTERN || kind == DAEMON;
}

static char **text_at(struct pf_settings *s, const struct key *key)
{
	return (char **)(void *)((char *)s + key->offset);
}

void pf_settings_done(struct pf_settings *s)
{
	for (unsigned i = 0; i < PF_N(keys); i++) {
		if (holds_text(keys[i].kind))
			free(*text_at(s, &keys[i]));
	}
	free(s->path);
	*s = (struct pf_settings){ 0 };
}

int pf_settings_init(struct pf_settings *s)
{
	*s = defaults;
	int rc = 0;
	for (unsigned i = 0; i < PF_N(keys); i++) {
		if (!holds_text(keys[i].kind) || !*text_at(s, &keys[i]))
			continue;
		char **text = text_at(s, &keys[i]);
		*text = strdup(*text);
		rc = *text ? rc : -ENOMEM;
	}
	return rc;
}

static const struct key *find_key(struct pf_view name)
{
	for (unsigned i = 0; i < PF_N(keys); i++) {
		if (pf_view_is(name, keys[i].name))
			return &keys[i];
	}
	return NULL;
}

static int set_text(char **to, struct pf_view value)
{
	char *copy = pf_view_dup(value);
	if (!copy)
		return -ENOMEM;
	free(*to);
	*to = copy;
	return 0;
}

/* A later line stands before earlier ones, so on conflict the file's first line wins: the last switch counts. */
static int add_daemon(char **to, struct pf_view value)
{
	struct pf_buf b = { 0 };
	pf_buf_view(&b, value);
	if ((*to)[0] != '\0')
		pf_buf_char(&b, ' ');
	pf_buf_str(&b, *to);
	int rc = b.failed ? b.failed : set_text(to, pf_buf_text(&b));
	pf_buf_done(&b);
	return rc;
}

/* The number that the value begins with; what stands behind it is a remark. */
static int number_of(struct pf_view value, double *ret)
{
	struct pf_view word;
	int rc = pf_view_word(&value, &word);
	return rc < 0 ? -EINVAL : pf_view_double(word, ret);
}

static int set_value(struct pf_settings *s, const struct key *key, struct pf_view value, const struct pf_notice *notice)
{
	char *to = (char *)s + key->offset;
	double v;
	if (key->kind == DAEMON)
		return add_daemon(text_at(s, key), value);
	if (key->kind == PATTERN && value.n >= 2 && value.p[0] == '/' && value.p[value.n - 1] == '/')
		value = (struct pf_view){ value.p + 1, value.n - 2 };
	if (holds_text(key->kind))
		return set_text(text_at(s, key), value);
	if (number_of(value, &v) < 0 || v < -1e15 || v > 1e15) {
		pf_notice(notice, PF_WARNING, "settings: '%.*s' is no value for %s, ignoring it",
			  (int)(value.n < 80 ? value.n : 80), value.p, key->name);
		return 0;
	}
	int64_t whole = (int64_t)v;
	bool yes = v != 0;
	if (key->kind == REAL)
		memcpy(to, &v, sizeof(v));
	else if (key->kind == YES)
		memcpy(to, &yes, sizeof(yes));
	else
		memcpy(to, &whole, sizeof(whole));
	return 0;
}

/* Remarks and empty lines say nothing; a line without '=' gives a @ret_name and no @ret_value. Return: does it say something? */
static bool split(struct pf_view line, struct pf_view *ret_name, struct pf_view *ret_value, bool *ret_whole)
{
	struct pf_view trimmed = pf_view_trim(line);
	if (trimmed.n == 0 || trimmed.p[0] == '#')
		return false;
	const char *equals = memchr(line.p, '=', line.n);
	*ret_whole = equals != NULL;
	*ret_name = trimmed;
	if (!equals)
		return true;
	struct pf_view name = { line.p, (size_t)(equals - line.p) };
	*ret_value = pf_view_trim((struct pf_view){ equals + 1, line.n - name.n - 1 });
	while (name.n > 0 && (name.p[name.n - 1] == ' ' || name.p[name.n - 1] == '\t'))
		name.n--;
	*ret_name = name;
	return true;
}

bool pf_settings_are(struct pf_view text)
{
	struct pf_view line, name, value;
	bool any = false;
	bool whole = false;
	for (size_t i = 0; i < text.n; i++) {
		if ((unsigned char)text.p[i] < ' ' && !strchr("\t\n\v\f\r", text.p[i] ? text.p[i] : 'x'))
			return false;
	}
	while (pf_view_line(&text, &line) == 0) {
		if (!split(line, &name, &value, &whole))
			continue;
		if (whole && find_key(pf_view_trim(name)))
			return true;
		any = true;
	}
	return !any;
}

int pf_settings_parse(struct pf_settings *s, struct pf_view text, bool echo, const struct pf_notice *notice)
{
	struct pf_view line, name, value;
	unsigned strange = 0;
	bool whole = false;
	int rc = 0;
	while (rc == 0 && pf_view_line(&text, &line) == 0) {
		if (!split(line, &name, &value, &whole))
			continue;
		if (!whole) {
			if (strange++ < STRANGE_TOLD)
				pf_notice(notice, PF_WARNING, "settings: '%.*s' has no '=', ignoring it",
					  (int)(name.n < 80 ? name.n : 80), name.p);
			continue;
		}
		if (echo)
			pf_notice(notice, PF_INFO, "settings: %.*s is '%.*s'", (int)(name.n < 80 ? name.n : 80), name.p,
				  (int)(value.n < 300 ? value.n : 300), value.p);
		const struct key *key = find_key(name);
		rc = key ? set_value(s, key, value, notice) : 0;
	}
	if (strange > STRANGE_TOLD)
		pf_notice(notice, PF_WARNING, "settings: %u more lines have no '=', ignoring them",
			  strange - STRANGE_TOLD);
	return rc;
}

int pf_settings_load(struct pf_settings *s, const char *const *paths, bool needed, bool echo,
		     const struct pf_notice *notice, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	int rc = -ENOENT;
	const char *path = paths[0];
	for (unsigned i = 0; rc < 0 && paths[i]; i++) {
		path = paths[i];
		rc = pf_io_read_file(AT_FDCWD, path, PF_SETTINGS_BYTES_MAX, &text, NULL);
	}
	if (rc == 0 && !pf_settings_are(pf_buf_text(&text))) {
		rc = pf_err_set(err, -EBADMSG, "%s is no settings file: lines 'Name = value' are expected", path);
	} else if (rc == 0) {
		s->path = strdup(path);
		rc = s->path ? pf_settings_parse(s, pf_buf_text(&text), echo, notice) : -ENOMEM;
		if (rc < 0)
			(void)pf_err_set(err, rc, "no memory");
	} else if (needed) {
		rc = pf_err_set(err, rc, "Couldn't open '%s': %s", path ? path : "", strerror(-rc));
	} else {
		rc = 0;
	}
	pf_buf_done(&text);
	return rc;
}
