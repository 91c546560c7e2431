/* base/users.h - names of users by number, read once from a file like /etc/passwd, passwd(5). */
#ifndef PF_BASE_USERS_H
#define PF_BASE_USERS_H

#include <stdint.h>

#include "base/view.h"

struct pf_err;
struct pf_users;

/* pf_users_load() - read @path below @root_fd (AT_FDCWD: the current folder). The caller frees. Return: 0 or negative errno. */
int pf_users_load(struct pf_users **ret_users, int root_fd, const char *path, struct pf_err *err);
struct pf_users *pf_users_free(struct pf_users *users); /* returns NULL */

/* pf_users_name() - name of that user, empty if it has none or @users is NULL. */
struct pf_view pf_users_name(const struct pf_users *users, uint32_t uid);

/* pf_users_number() - number of the user of that name. Return: 0 or -ENOENT. */
int pf_users_number(const struct pf_users *users, struct pf_view name, uint32_t *ret_uid);

#endif
