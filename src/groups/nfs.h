/* groups/nfs.h - operations of NFS by version: their names in the order of the files, and what is shown of them. Source: the kernel's
 * fs/nfs and fs/nfsd statistics, /proc/net/rpc/{nfs,nfsd}, nfsstat(8); names of instances after PCP 6.0.3. */
#ifndef PF_GROUPS_NFS_H
#define PF_GROUPS_NFS_H

#include "base/view.h"

/* clang-format off */

/* X(index, name, number in version 2, version 3, version 4 as client, as server): operations that views show; -1: there is no such. */
#define PF_NFS_SHOWN(X) \
	X(READ, "read", 6, 6, 1, 25) \
	X(WRITE, "write", 8, 7, 2, 38) \
	X(COMMIT, "commit", -1, 21, 3, 5) \
	X(LOOKUP, "lookup", 4, 3, 19, 15) \
	X(ACCESS, "access", -1, 4, 17, 3) \
	X(GETATTR, "getattr", 1, 1, 18, 9) \
	X(SETATTR, "setattr", 2, 2, 9, 34) \
	X(READDIR, "readdir", 16, 16, 29, 26) \
	X(CREATE, "create", 9, 8, 25, 6) \
	X(REMOVE, "remove", 10, 12, 21, 28) \
	X(RENAME, "rename", 11, 14, 22, 29) \
	X(LINK, "link", 12, 15, 23, 11) \
	X(READLINK, "readlink", 5, 5, 28, 27) \
	X(NULL_CALL, "null", 0, 0, 0, -1) \
	X(SYMLINK, "symlink", 13, 10, 24, -1) \
	X(MKDIR, "mkdir", 14, 9, -1, -1) \
	X(RMDIR, "rmdir", 15, 13, -1, -1) \
	X(FSSTAT, "fsstat", 17, 18, -1, -1) \
	X(FSINFO, "fsinfo", -1, 19, 10, -1) \
	X(PATHCONF, "pathconf", -1, 20, 26, -1) \
	X(MKNOD, "mknod", -1, 11, -1, -1) \
	X(READDIRPLUS, "readdirplus", -1, 17, -1, -1)

/* Columns of a version in their order: C(kind, index, heading), B where it has none and others follow. */
#define OF_2(C, B, kind) \
	C(kind, READ, "Read") C(kind, WRITE, "Write") B C(kind, LOOKUP, "Lookup") B C(kind, GETATTR, "Getattr") \
	C(kind, SETATTR, "Setattr") C(kind, READDIR, "Readdir") C(kind, CREATE, "Create") \
	C(kind, REMOVE, "Remove") C(kind, RENAME, "Rename") C(kind, LINK, "Link") C(kind, READLINK, "ReadLink") \
	C(kind, NULL_CALL, "Null") C(kind, SYMLINK, "Symlink") C(kind, MKDIR, "Mkdir") C(kind, RMDIR, "Rmdir") \
	C(kind, FSSTAT, "Fsstat")
#define OF_3(C, B, kind) \
	C(kind, READ, "Read") C(kind, WRITE, "Write") C(kind, COMMIT, "Commit") C(kind, LOOKUP, "Lookup") \
	C(kind, ACCESS, "Access") C(kind, GETATTR, "Getattr") C(kind, SETATTR, "Setattr") \
	C(kind, READDIR, "Readdir") C(kind, CREATE, "Create") C(kind, REMOVE, "Remove") \
	C(kind, RENAME, "Rename") C(kind, LINK, "Link") C(kind, READLINK, "ReadLink") \
	C(kind, NULL_CALL, "Null") C(kind, SYMLINK, "Symlink") C(kind, MKDIR, "Mkdir") C(kind, RMDIR, "Rmdir") \
	C(kind, FSSTAT, "Fsstat") C(kind, FSINFO, "Fsinfo") C(kind, PATHCONF, "Pathconf") \
	C(kind, MKNOD, "Mknod") C(kind, READDIRPLUS, "Readdirplus")
#define OF_4_CLIENT(C, B, kind) \
	C(kind, READ, "Read") C(kind, WRITE, "Write") C(kind, COMMIT, "Commit") C(kind, LOOKUP, "Lookup") \
	C(kind, ACCESS, "Access") C(kind, GETATTR, "Getattr") C(kind, SETATTR, "Setattr") \
	C(kind, READDIR, "Readdir") C(kind, CREATE, "Create") C(kind, REMOVE, "Remove") \
	C(kind, RENAME, "Rename") C(kind, LINK, "Link") C(kind, READLINK, "ReadLink") \
	C(kind, NULL_CALL, "Null") C(kind, SYMLINK, "Symlink") B B B C(kind, FSINFO, "Fsinfo") \
	C(kind, PATHCONF, "Pathconf")
#define OF_4_SERVER(C, B, kind) \
	C(kind, READ, "Read") C(kind, WRITE, "Write") C(kind, COMMIT, "Commit") C(kind, LOOKUP, "Lookup") \
	C(kind, ACCESS, "Access") C(kind, GETATTR, "Getattr") C(kind, SETATTR, "Setattr") \
	C(kind, READDIR, "Readdir") C(kind, CREATE, "Create") C(kind, REMOVE, "Remove") \
	C(kind, RENAME, "Rename") C(kind, LINK, "Link") C(kind, READLINK, "ReadLink")

#define N(literal) { literal, sizeof(literal) - 1 }
static const struct pf_view ops2[] = {
	N("null"), N("getattr"), N("setattr"), N("root"), N("lookup"), N("readlink"), N("read"), N("wrcache"), N("write"),
	N("create"), N("remove"), N("rename"), N("link"), N("symlink"), N("mkdir"), N("rmdir"), N("readdir"), N("fsstat"),
};

static const struct pf_view ops3[] = {
	N("null"), N("getattr"), N("setattr"), N("lookup"), N("access"), N("readlink"), N("read"), N("write"), N("create"),
	N("mkdir"), N("symlink"), N("mknod"), N("remove"), N("rmdir"), N("rename"), N("link"), N("readdir"), N("readdir+"),
	N("statfs"), N("fsinfo"), N("pathconf"), N("commit"),
};

static const struct pf_view ops4_client[] = {
	N("null"), N("read"), N("write"), N("commit"), N("open"), N("open_conf"), N("open_noat"), N("open_dgrd"),
	N("close"), N("setattr"), N("fsinfo"), N("renew"), N("setclntid"), N("confirm"), N("lock"), N("lockt"), N("locku"),
	N("access"), N("getattr"), N("lookup"), N("lookup_root"), N("remove"), N("rename"), N("link"), N("symlink"),
	N("create"), N("pathconf"), N("statfs"), N("readlink"), N("readdir"), N("server_caps"), N("delegreturn"),
	N("getacl"), N("setacl"), N("fs_locations"), N("rel_lkowner"), N("secinfo"), N("fsid_present"), N("exchange_id"),
	N("create_ses"), N("destroy_ses"), N("sequence"), N("get_lease_t"), N("reclaim_comp"), N("layoutget"),
	N("getdevinfo"), N("layoutcommit"), N("layoutreturn"), N("secinfo_no"), N("test_stateid"), N("free_stateid"),
	N("getdevlist"), N("bind_conn"), N("dstry_clntid"), N("seek"), N("allocate"), N("deallocate"), N("layoutstats"),
	N("clone"), N("copy"), N("offload_cancel"), N("lookupp"), N("layouterror"), N("copy_notify"), N("getxattr"),
	N("setxattr"), N("listxattrs"), N("removexattr"), N("read_plus"),
};

static const struct pf_view ops4_server[] = {
	N("op0-unused"), N("op1-unused"), N("op2-future"), N("access"), N("close"), N("commit"), N("create"),
	N("delegpurge"), N("delegreturn"), N("getattr"), N("getfh"), N("link"), N("lock"), N("lockt"), N("locku"),
	N("lookup"), N("lookup_root"), N("nverify"), N("open"), N("openattr"), N("open_conf"), N("open_dgrd"), N("putfh"),
	N("putpubfh"), N("putrootfh"), N("read"), N("readdir"), N("readlink"), N("remove"), N("rename"), N("renew"),
	N("restorefh"), N("savefh"), N("secinfo"), N("setattr"), N("setcltid"), N("setcltidconf"), N("verify"), N("write"),
	N("rellockowner"), N("bc_ctl"), N("bind_conn"), N("exchange_id"), N("create_ses"), N("destroy_ses"),
	N("free_stateid"), N("getdirdeleg"), N("getdevinfo"), N("getdevlist"), N("layoutcommit"), N("layoutget"),
	N("layoutreturn"), N("secinfononam"), N("sequence"), N("set_ssv"), N("test_stateid"), N("want_deleg"),
	N("destroy_clid"), N("reclaim_comp"), N("allocate"), N("copy"), N("copy_notify"), N("deallocate"), N("ioadvise"),
	N("layouterror"), N("layoutstats"), N("offloadcancel"), N("offloadstatus"), N("readplus"), N("seek"),
	N("write_same"), N("clone"), N("getxattr"), N("setxattr"), N("listxattrs"), N("removexattr"),
};
#undef N

/* clang-format on */

#endif
