/* sources/asked_calls.c - System V IPC (shmctl(2), semctl(2), msgctl(2)) and interfaces (netdevice(7), linux/ethtool.h). */
#include "sources/asked_calls.h"

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

/* linux/wireless.h does not go together with net/if.h. */
#define GET_WIRELESS_NAME 0x8B01

static void numbers(struct pf_buf *to, bool known, const uint64_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (known)
			pf_buf_u64(to, v[i]);
		else
			pf_buf_char(to, '-');
		pf_buf_char(to, ' ');
	}
}

#define NUMBERS(to, known, ...)                                                                                        \
	numbers(to, known, (const uint64_t[]){ __VA_ARGS__ },                                                          \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* The calls want a pointer to a structure of another type than the declared one. */
union sem_arg {
	int val;
	struct semid_ds *buf;
	struct seminfo *info;
};

static uint64_t u(int v)
{
	return v < 0 ? 0 : (uint64_t)v;
}

void pf_asked_ipc(struct pf_buf *to)
{
	struct seminfo sem = { 0 }, sem_now = { 0 };
	struct msginfo msg = { 0 }, msg_now = { 0 };
	struct shminfo shm = { 0 };
	struct shm_info shm_now = { 0 };
	union sem_arg limits = { .info = &sem }, used = { .info = &sem_now };
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool has_sem = semctl(0, 0, IPC_INFO, limits) >= 0 && semctl(0, 0, SEM_INFO, used) >= 0;
	bool has_msg = msgctl(0, IPC_INFO, (struct msqid_ds *)(void *)&msg) >= 0 &&
		       msgctl(0, MSG_INFO, (struct msqid_ds *)(void *)&msg_now) >= 0;
	bool has_shm = shmctl(0, IPC_INFO, (struct shmid_ds *)(void *)&shm) >= 0 &&
		       shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&shm_now) >= 0;
	NUMBERS(to, has_sem, u(sem.semmap), u(sem.semmni), u(sem.semmns), u(sem.semmnu), u(sem.semmsl), u(sem.semopm),
		u(sem.semume), u(sem.semusz), u(sem.semvmx), u(sem.semaem));
	NUMBERS(to, has_msg, u(msg.msgpool), u(msg.msgmap), u(msg.msgmax), u(msg.msgmnb), u(msg.msgmni), u(msg.msgssz),
		u(msg.msgtql), msg.msgseg);
	NUMBERS(to, has_shm, shm.shmmax, shm.shmmin, shm.shmmni, shm.shmseg, shm.shmall, shm_now.shm_tot * page,
		shm_now.shm_rss * page, shm_now.shm_swp * page, u(shm_now.used_ids), shm_now.swap_attempts,
		shm_now.swap_successes);
	NUMBERS(to, has_sem, u(sem_now.semusz), u(sem_now.semaem));
	NUMBERS(to, has_msg, u(msg_now.msgpool), u(msg_now.msgmap), u(msg_now.msgtql));
	pf_buf_char(to, '\n');
}

int pf_asked_socket(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* Mbit per second and duplex as we tell it (1 half, 2 full), 0 for what the link does not tell. */
static void ask_link(int fd, struct ifreq *req, uint32_t *ret_mbit, unsigned *ret_duplex)
{
	struct ethtool_cmd cmd = { .cmd = ETHTOOL_GSET };
	req->ifr_data = (char *)&cmd;
	*ret_mbit = *ret_duplex = 0;
	if (ioctl(fd, SIOCETHTOOL, req) < 0)
		return;
	uint32_t mbit = (uint32_t)cmd.speed_hi << 16 | cmd.speed;
	*ret_mbit = mbit == (uint32_t)SPEED_UNKNOWN ? 0 : mbit;
	*ret_duplex = cmd.duplex == DUPLEX_HALF ? 1 : cmd.duplex == DUPLEX_FULL ? 2 : 0;
}

static void add_inet(struct pf_buf *to, int fd, struct ifreq *req)
{
	struct sockaddr_in in;
	char text[INET_ADDRSTRLEN];
	req->ifr_addr.sa_family = AF_INET;
	if (ioctl(fd, SIOCGIFADDR, req) == 0) {
		memcpy(&in, &req->ifr_addr, sizeof(in));
		if (inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text))) {
			pf_buf_fmt(to, " %s\n", text);
			return;
		}
	}
	pf_buf_str(to, " -\n");
}

void pf_asked_interface(struct pf_buf *to, int socket_fd, struct pf_view name)
{
	struct ifreq req = { 0 };
	uint32_t mbit;
	unsigned duplex;
	if (name.n >= sizeof(req.ifr_name))
		return;
	memcpy(req.ifr_name, name.p, name.n);
	if (ioctl(socket_fd, SIOCGIFMTU, &req) < 0)
		return;
	int mtu = req.ifr_mtu;
	unsigned flags = ioctl(socket_fd, SIOCGIFFLAGS, &req) == 0 ? (unsigned short)req.ifr_flags : 0;
	bool wireless = ioctl(socket_fd, GET_WIRELESS_NAME, &req) == 0;
	ask_link(socket_fd, &req, &mbit, &duplex);
	pf_buf_view(to, name);
	pf_buf_fmt(to, " %d %u %d %u %u", mtu, flags, wireless, mbit, duplex);
	memset(&req.ifr_hwaddr, 0, sizeof(req.ifr_hwaddr));
	if (ioctl(socket_fd, SIOCGIFHWADDR, &req) == 0) {
		const unsigned char *h = (const unsigned char *)req.ifr_hwaddr.sa_data;
		pf_buf_fmt(to, " %02x:%02x:%02x:%02x:%02x:%02x", h[0], h[1], h[2], h[3], h[4], h[5]);
	} else {
		pf_buf_str(to, " -");
	}
	add_inet(to, socket_fd, &req);
}
