/* engine/hardware.c - is there what x, X and E need? Sources: /sys/class/infiniband; PATH. */
#include "engine/hardware.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/parts.h"
#include "engine/plan.h"
#include "import/import.h"

enum { NAMES_MAX = 64, NAME_SIZE = 64, PATH_SIZE = 256, FILE_LIMIT = 4096 };

struct names {
	char list[NAMES_MAX][NAME_SIZE];
	unsigned n;
};

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* What is in a folder, sorted; nothing if it is not there. */
static void list(int root_fd, const char *path, struct names *ret)
{
	ret->n = 0;
	int fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		if (fd >= 0)
			(void)close(fd); /* only read from */
		return;
	}
	for (const struct dirent *e = readdir(dir); e && ret->n < NAMES_MAX; e = readdir(dir)) {
		size_t n = strlen(e->d_name);
		if (e->d_name[0] != '.' && n < NAME_SIZE)
			memcpy(ret->list[ret->n++], e->d_name, n + 1);
	}
	(void)closedir(dir); /* only read from */
	qsort(ret->list, ret->n, NAME_SIZE, compare);
}

static void add_state(struct pf_interconnect *ic, char c)
{
	size_t n = strlen(ic->states);
	if (n + 1 < sizeof(ic->states)) {
		ic->states[n] = c;
		ic->states[n + 1] = '\0';
	}
}

static bool is_active(int root_fd, const char *ports, const char *port)
{
	char path[PATH_SIZE];
	struct pf_buf text = { 0 };
	(void)snprintf(path, sizeof(path), "%.180s/%.60s/state", ports, port);
	bool active = pf_io_read_file(root_fd, path, FILE_LIMIT, &text, NULL) == 0 &&
		      pf_view_starts(pf_buf_text(&text), "4:");
	pf_buf_done(&text);
	return active;
}

void pf_hardware_interconnect(int root_fd, struct pf_interconnect *ret)
{
	struct names hcas, ports;
	*ret = (struct pf_interconnect){ 0 };
	list(root_fd, "sys/class/infiniband", &hcas);
	for (unsigned i = 0; i < hcas.n; i++) {
		char path[PATH_SIZE];
		(void)snprintf(path, sizeof(path), "sys/class/infiniband/%.63s/ports", hcas.list[i]);
		list(root_fd, path, &ports);
		if (i > 0)
			add_state(ret, ':');
		for (unsigned k = 0; k < ports.n; k++) {
			bool active = is_active(root_fd, path, ports.list[k]);
			ret->n_active += active;
			add_state(ret, active ? '1' : '0');
		}
		ret->n_hcas++;
	}
}

static bool drop(struct pf_plan *plan, const char *letters)
{
	bool any = false;
	for (const char *p = letters; *p != '\0'; p++) {
		char *at = strchr(plan->letters, *p);
		if (at)
			memmove(at, at + 1, strlen(at));
		any |= at != NULL;
	}
	return any;
}

/* Return: was something told? */
static bool check_interconnect(struct pf_plan *plan, int root_fd)
{
	struct pf_interconnect ic;
	if (!strpbrk(plan->letters, "xX"))
		return false;
	pf_hardware_interconnect(root_fd, &ic);
	if (ic.n_active > 0)
		return false;
	(void)drop(plan, "xX");
	if (ic.n_hcas == 0 && plan->req->as_peer)
		return false; /* it says nothing */
	if (ic.n_hcas == 0)
		pf_notice(plan->notice, PF_WARNING,
			  "no adapter in /sys/class/infiniband, going on without interconnect data");
	else
		pf_notice(plan->notice, PF_WARNING,
			  "Found %u HCA(s) but none had any active ports, going on without interconnect data",
			  ic.n_hcas);
	return true;
}

static bool is_in_path(const char *program)
{
	const char *path = getenv("PATH");
	char full[PATH_SIZE];
	while (path && *path != '\0') {
		size_t n = strcspn(path, ":");
		int length = snprintf(full, sizeof(full), "%.*s/%s", (int)n, path, program);
		if (length > 0 && (size_t)length < sizeof(full) && access(full, X_OK) == 0)
			return true;
		path += n + (path[n] == ':');
	}
	return false;
}

/* Sensors are asked by ipmitool, of this host and no other. Return: was something told? */
static bool check_sensors(struct pf_plan *plan)
{
	if (!strchr(plan->letters, 'E') || plan->req->env_test || is_in_path("ipmitool"))
		return false;
	(void)drop(plan, "E");
	if (plan->req->as_peer)
		return false; /* it says nothing */
	pf_notice(plan->notice, PF_WARNING,
		  "there is no ipmitool in PATH, going on without fans, power and temperatures");
	return true;
}

int pf_hardware_check(struct pf_plan *plan, struct pf_err *err)
{
	if (!strpbrk(plan->letters, "xXE"))
		return 0;
	int root_fd = pf_parts_root(plan, err);
	if (root_fd < 0)
		return root_fd;
	bool told = check_interconnect(plan, root_fd);
	told = check_sensors(plan) || told;
	(void)close(root_fd); /* only looked at */
	if (plan->letters[0] != '\0' || plan->req->import)
		return 0;
	return told ? 1 : pf_err_set(err, -EINVAL, "no subsystems selected");
}
