/* trace/dlang/library.c - D text of the translated structures and their translators. Source: the members named in perfolio's
 * description of D, kernel structures as BTF shows them. Where kernels differ a member has several conversions: the first one
 * that this kernel can carry is taken. */
#include "trace/dlang/library.h"

static const char *const cpuinfo[] = {
	"typedef struct cpuinfo { processorid_t cpu_id; psetid_t cpu_pset; chipid_t cpu_chip; lgrp_id_t cpu_lgrp; } cpuinfo_t;",
	NULL,
};

static const char *const timestruc[] = {
	"typedef struct timestruc { time64_t tv_sec; long tv_nsec; } timestruc_t;",
	NULL,
};

/* State letters and numbers from the bits of __state. */
static const char *const lwpsinfo[] = {
	"typedef struct lwpsinfo { int pr_flag; int pr_lwpid; uintptr_t pr_addr; uintptr_t pr_wchan; char pr_stype; char pr_state;"
	" char pr_sname; char pr_nice; short pr_syscall; char pr_oldpri; char pr_cpu; int pr_pri; ushort_t pr_pctcpu; ushort_t pr_pad;"
	" timestruc_t pr_start; timestruc_t pr_time; char pr_clname[8]; char pr_name[16]; processorid_t pr_onpro;"
	" processorid_t pr_bindpro; psetid_t pr_bindpset; int pr_lgrp; int pr_filler[4]; } lwpsinfo_t;",
	"translator lwpsinfo_t < struct task_struct *T > {"
	" pr_flag = (((int)T->__state & 4) ? PR_STOPPED : 0) | ((T->pid == 0) ? PR_IDLE : 0);"
	" pr_flag = (((int)T->state & 4) ? PR_STOPPED : 0) | ((T->pid == 0) ? PR_IDLE : 0);"
	" pr_lwpid = T->pid; pr_addr = (uintptr_t)T; pr_wchan = 0; pr_stype = 0;"
	" pr_state = ((int)T->__state & 3) ? SSLEEP : ((int)T->__state & 12) ? SSTOP : ((int)T->__state & 176) ? SZOMB :"
	" ((int)T->__state & 768) ? SWAIT : SRUN;"
	" pr_state = ((int)T->state & 3) ? SSLEEP : ((int)T->state & 12) ? SSTOP : ((int)T->exit_state & 48) ? SZOMB : SRUN;"
	" pr_sname = ((int)T->__state & 3) ? 'S' : ((int)T->__state & 12) ? 'T' : ((int)T->__state & 176) ? 'Z' :"
	" ((int)T->__state & 768) ? 'W' : 'R';"
	" pr_sname = ((int)T->state & 3) ? 'S' : ((int)T->state & 12) ? 'T' : ((int)T->exit_state & 48) ? 'Z' : 'R';"
	" pr_nice = T->static_prio - 120; pr_syscall = 0; pr_oldpri = 0; pr_cpu = 0; pr_pri = T->prio; pr_pctcpu = 0; pr_pad = 0;"
	" pr_clname = \"\"; pr_name = T->comm; pr_onpro = T->thread_info.cpu; pr_onpro = T->cpu; pr_onpro = T->recent_used_cpu;"
	" pr_bindpro = -1; pr_bindpset = -1; pr_lgrp = 0; };",
	"inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);",
	NULL,
};

static const char *const psinfo[] = {
	"typedef struct psinfo { int pr_flag; int pr_nlwp; pid_t pr_pid; pid_t pr_ppid; pid_t pr_pgid; pid_t pr_sid; uid_t pr_uid;"
	" uid_t pr_euid; gid_t pr_gid; gid_t pr_egid; uintptr_t pr_addr; size_t pr_size; size_t pr_rssize; size_t pr_pad1;"
	" struct tty_struct *pr_ttydev; ushort_t pr_pctcpu; ushort_t pr_pctmem; timestruc_t pr_start; timestruc_t pr_time;"
	" timestruc_t pr_ctime; char pr_fname[16]; char pr_psargs[80]; int pr_wstat; int pr_argc; uintptr_t pr_argv; uintptr_t pr_envp;"
	" char pr_dmodel; char pr_pad2[3]; taskid_t pr_taskid; dprojid_t pr_projid; int pr_nzomb; poolid_t pr_poolid; zoneid_t pr_zoneid;"
	" id_t pr_contract; int pr_filler[1]; lwpsinfo_t pr_lwp; } psinfo_t;",
	"translator psinfo_t < struct task_struct *T > {"
	" pr_flag = 0; pr_nlwp = T->signal->nr_threads; pr_nlwp = 1; pr_pid = T->tgid; pr_ppid = T->real_parent->tgid;"
	" pr_pgid = T->signal->pids[2]->numbers[0].nr; pr_sid = T->signal->pids[3]->numbers[0].nr;"
	" pr_uid = T->cred->uid.val; pr_euid = T->cred->euid.val; pr_gid = T->cred->gid.val; pr_egid = T->cred->egid.val;"
	" pr_addr = (uintptr_t)T; pr_size = 0; pr_rssize = 0; pr_ttydev = T->signal->tty ? T->signal->tty : (struct tty_struct *)-1;"
	" pr_pctcpu = 0; pr_pctmem = 0; pr_fname = T->comm; pr_psargs = copyinstr((uintptr_t)T->mm->arg_start, 80);"
	" pr_wstat = 0; pr_argc = 0; pr_argv = (uintptr_t)T->mm->arg_start; pr_envp = (uintptr_t)T->mm->env_start; pr_dmodel = 2;"
	" pr_taskid = 0; pr_projid = 0; pr_nzomb = 0; pr_poolid = 0; pr_zoneid = 0; pr_contract = 0;"
	" pr_lwp = xlate <lwpsinfo_t> (T); };",
	"inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);",
	NULL,
};

static const char *const bufinfo[] = {
	"typedef struct bufinfo { int b_flags; size_t b_bcount; caddr_t b_addr; uint64_t b_lblkno; uint64_t b_blkno; size_t b_resid;"
	" size_t b_bufsize; caddr_t b_iodone; int b_error; dev_t b_edev; } bufinfo_t;",
	"translator bufinfo_t < struct bio *B > {"
	" b_flags = ((int)B->bi_opf & 1 ? B_WRITE : B_READ) | ((int)B->bi_opf & 0x800 ? 0 : B_ASYNC) |"
	" ((int)B->bi_flags & 64 ? B_PHYS : B_PAGEIO);"
	" b_bcount = B->bi_iter.bi_size; b_addr = 0; b_lblkno = B->bi_iter.bi_sector; b_blkno = B->bi_iter.bi_sector; b_resid = 0;"
	" b_bufsize = B->bi_iter.bi_size; b_iodone = (caddr_t)B->bi_end_io; b_error = B->bi_status; b_edev = B->bi_bdev->bd_dev; };",
	NULL,
};

static const char *const devinfo[] = {
	"typedef struct devinfo { int dev_major; int dev_minor; int dev_instance; string dev_name; string dev_statname;"
	" string dev_pathname; } devinfo_t;",
	"translator devinfo_t < struct bio *B > {"
	" dev_major = B->bi_bdev ? getmajor(B->bi_bdev->bd_dev) : 0; dev_minor = B->bi_bdev ? getminor(B->bi_bdev->bd_dev) : 0;"
	" dev_instance = 0; dev_name = B->bi_bdev ? stringof(B->bi_bdev->bd_disk->disk_name) : \"nfs\";"
	" dev_statname = B->bi_bdev == NULL ? \"nfs\" : (int)B->bi_bdev->__bd_flags.counter & 255 ?"
	" strjoin(stringof(B->bi_bdev->bd_disk->disk_name), lltostr((int)B->bi_bdev->__bd_flags.counter & 255)) :"
	" stringof(B->bi_bdev->bd_disk->disk_name);"
	" dev_statname = B->bi_bdev == NULL ? \"nfs\" : B->bi_bdev->bd_partno ?"
	" strjoin(stringof(B->bi_bdev->bd_disk->disk_name), lltostr(B->bi_bdev->bd_partno)) :"
	" stringof(B->bi_bdev->bd_disk->disk_name);"
	" dev_pathname = \"<unknown>\"; };",
	NULL,
};

static const char *const fileinfo[] = {
	"typedef struct fileinfo { string fi_name; string fi_dirname; string fi_pathname; loff_t fi_offset; string fi_fs; string fi_mount;"
	" int fi_oflags; } fileinfo_t;",
	"translator fileinfo_t < struct file *F > {"
	" fi_name = F == NULL ? \"<none>\" : stringof(F->f_path.dentry->d_name.name);"
	" fi_dirname = F == NULL ? \"<none>\" : dirname(d_path(&F->f_path)); fi_pathname = F == NULL ? \"<none>\" : d_path(&F->f_path);"
	" fi_offset = F == NULL ? 0 : F->f_pos;"
	" fi_fs = F == NULL ? \"<none>\" : stringof(F->f_path.mnt->mnt_sb->s_type->name); fi_mount = \"<unknown>\";"
	" fi_oflags = F == NULL ? 0 : (int)F->f_flags; };",
	"translator fileinfo_t < struct bio *B > {"
	" fi_name = \"<unknown>\"; fi_dirname = \"<unknown>\"; fi_pathname = \"<unknown>\"; fi_offset = 0; fi_fs = \"<unknown>\";"
	" fi_mount = \"<unknown>\"; fi_oflags = 0; };",
	"inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (curthread->files->fdt->fd[fd]);",
	NULL,
};

static const char *const net[] = {
	"typedef struct pktinfo { uintptr_t pkt_addr; } pktinfo_t;",
	"typedef struct csinfo { uintptr_t cs_addr; uint64_t cs_cid; } csinfo_t;",
	"typedef struct conninfo { string ci_local; string ci_remote; string ci_protocol; } conninfo_t;",
	"typedef struct ipinfo { uint8_t ip_ver; uint32_t ip_plength; string ip_saddr; string ip_daddr; } ipinfo_t;",
	"typedef struct ifinfo { string if_name; int8_t if_local; netstackid_t if_ipstack; uintptr_t if_addr; } ifinfo_t;",
	"typedef struct ipv4info { uint8_t ipv4_ver; uint8_t ipv4_ihl; uint8_t ipv4_tos; uint16_t ipv4_length; uint16_t ipv4_ident;"
	" uint8_t ipv4_flags; uint16_t ipv4_offset; uint8_t ipv4_ttl; uint8_t ipv4_protocol; string ipv4_protostr;"
	" uint16_t ipv4_checksum; ipaddr_t ipv4_src; ipaddr_t ipv4_dst; string ipv4_saddr; string ipv4_daddr;"
	" struct iphdr *ipv4_hdr; } ipv4info_t;",
	"typedef struct ipv6info { uint8_t ipv6_ver; uint8_t ipv6_tclass; uint32_t ipv6_flow; uint16_t ipv6_plen; uint8_t ipv6_nexthdr;"
	" string ipv6_nextstr; uint8_t ipv6_hlim; struct in6_addr *ipv6_src; struct in6_addr *ipv6_dst; string ipv6_saddr;"
	" string ipv6_daddr; struct ipv6hdr *ipv6_hdr; } ipv6info_t;",
	"typedef struct tcpinfo { uint16_t tcp_sport; uint16_t tcp_dport; uint32_t tcp_seq; uint32_t tcp_ack; uint8_t tcp_offset;"
	" uint8_t tcp_flags; uint16_t tcp_window; uint16_t tcp_checksum; uint16_t tcp_urgent; uintptr_t tcp_hdr; } tcpinfo_t;",
	"typedef struct tcpsinfo { uintptr_t tcps_addr; int tcps_local; uint16_t tcps_lport; uint16_t tcps_rport; string tcps_laddr;"
	" string tcps_raddr; int tcps_state; uint32_t tcps_iss; uint32_t tcps_suna; uint32_t tcps_snxt; uint32_t tcps_rnxt;"
	" uint32_t tcps_swnd; int32_t tcps_snd_ws; uint32_t tcps_rwnd; int32_t tcps_rcv_ws; uint32_t tcps_cwnd;"
	" uint32_t tcps_cwnd_ssthresh; uint32_t tcps_sack_snxt; uint32_t tcps_rto; uint32_t tcps_mss; int tcps_retransmit;"
	" uint32_t tcps_rtt; uint32_t tcps_rtt_sd; uint32_t tcps_irs; } tcpsinfo_t;",
	"typedef struct tcplsinfo { int tcps_state; } tcplsinfo_t;",
	"typedef struct udpinfo { uint16_t udp_sport; uint16_t udp_dport; uint16_t udp_length; uint16_t udp_checksum;"
	" struct udphdr *udp_hdr; } udpinfo_t;",
	"typedef struct udpsinfo { uintptr_t udps_addr; uint16_t udps_lport; uint16_t udps_rport; string udps_laddr;"
	" string udps_raddr; } udpsinfo_t;",
	"translator pktinfo_t < struct sk_buff *S > { pkt_addr = (uintptr_t)S; };",
	"translator csinfo_t < struct sock *S > { cs_addr = (uintptr_t)S; cs_cid = (uint64_t)S; };",
	NULL,
};

static const char *const tcpstate[] = {
	"inline string tcp_state_string[int s] = s == 1 ? \"state-established\" : s == 2 ? \"state-syn-sent\" :"
	" s == 3 ? \"state-syn-received\" : s == 4 ? \"state-fin-wait-1\" : s == 5 ? \"state-fin-wait-2\" : s == 6 ? \"state-time-wait\" :"
	" s == 7 ? \"state-closed\" : s == 8 ? \"state-close-wait\" : s == 9 ? \"state-last-ack\" : s == 10 ? \"state-listen\" :"
	" s == 11 ? \"state-closing\" : s == 12 ? \"state-syn-received\" : \"<unknown>\";",
	NULL,
};

const struct pf_dlibrary_row pf_dlibrary[] = {
	{ "cpuinfo_t", cpuinfo },
	{ "timestruc_t", timestruc },
	{ "lwpsinfo_t curlwpsinfo", lwpsinfo },
	{ "psinfo_t curpsinfo", psinfo },
	{ "bufinfo_t", bufinfo },
	{ "devinfo_t", devinfo },
	{ "fileinfo_t fds", fileinfo },
	{ "pktinfo_t csinfo_t conninfo_t ipinfo_t ifinfo_t ipv4info_t ipv6info_t tcpinfo_t tcpsinfo_t tcplsinfo_t udpinfo_t udpsinfo_t",
	  net },
	{ "tcp_state_string", tcpstate },
};

const size_t pf_n_dlibrary = sizeof(pf_dlibrary) / sizeof(pf_dlibrary[0]);

_Static_assert(sizeof(pf_dlibrary) / sizeof(pf_dlibrary[0]) <= 64, "one bit each in struct pf_dsyms");
