/* base/users.c - names of users by number: passwd(5). */
#include "base/users.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"

enum { FILE_LIMIT = 64 << 20 };

struct user {
	uint32_t uid;
	struct pf_view name;
};

/* @sorted: by number; of several users with one number the first of the file counts. */
struct pf_users {
	struct pf_buf text;
	struct user *sorted;
	size_t n;
};

static int compare(const void *a, const void *b)
{
	const struct user *x = a, *y = b;
	if (x->uid != y->uid)
		return x->uid < y->uid ? -1 : 1;
	return x->name.p < y->name.p ? -1 : x->name.p > y->name.p;
}

/* The part of the line up to the next colon. */
static struct pf_view field(struct pf_view *rest)
{
	const char *colon = rest->n ? memchr(rest->p, ':', rest->n) : NULL;
	struct pf_view part = { rest->p, colon ? (size_t)(colon - rest->p) : rest->n };
	size_t used = colon ? part.n + 1 : part.n;
	*rest = (struct pf_view){ rest->p + used, rest->n - used };
	return part;
}

static int fill(struct pf_users *u)
{
	struct pf_view rest = pf_buf_text(&u->text);
	struct pf_view line;
	size_t lines = 1;
	for (size_t i = 0; i < rest.n; i++)
		lines += rest.p[i] == '\n';
	u->sorted = calloc(lines, sizeof(*u->sorted));
	if (!u->sorted)
		return -ENOMEM;
	while (pf_view_line(&rest, &line) == 0) {
		struct pf_view name = field(&line);
		(void)field(&line); /* password */
		uint64_t uid;
		if (name.n > 0 && pf_view_u64(field(&line), &uid) == 0 && uid <= UINT32_MAX)
			u->sorted[u->n++] = (struct user){ (uint32_t)uid, name };
	}
	qsort(u->sorted, u->n, sizeof(*u->sorted), compare);
	return 0;
}

int pf_users_load(struct pf_users **ret_users, int root_fd, const char *path, struct pf_err *err)
{
	struct pf_users *u = calloc(1, sizeof(*u));
	if (!u)
		return pf_err_set(err, -ENOMEM, "no memory for the names of users");
	int rc = pf_io_read_file(root_fd, path, FILE_LIMIT, &u->text, err);
	if (rc == 0 && fill(u) < 0)
		rc = pf_err_set(err, -ENOMEM, "no memory for the names of users");
	if (rc < 0) {
		(void)pf_users_free(u);
		return rc;
	}
	*ret_users = u;
	return 0;
}

struct pf_users *pf_users_free(struct pf_users *users)
{
	if (!users)
		return NULL;
	pf_buf_done(&users->text);
	free(users->sorted);
	free(users);
	return NULL;
}

struct pf_view pf_users_name(const struct pf_users *users, uint32_t uid)
{
	size_t from = 0;
	size_t to = users ? users->n : 0;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (users->sorted[middle].uid < uid)
			from = middle + 1;
		else
			to = middle;
	}
	bool found = users && from < users->n && users->sorted[from].uid == uid;
	return found ? users->sorted[from].name : (struct pf_view){ "", 0 };
}

int pf_users_number(const struct pf_users *users, struct pf_view name, uint32_t *ret_uid)
{
	for (size_t i = 0; i < users->n; i++) {
		const struct user *u = &users->sorted[i];
		if (u->name.n == name.n && memcmp(u->name.p, name.p, name.n) == 0) {
			*ret_uid = u->uid;
			return 0;
		}
	}
	return -ENOENT;
}
