/* sources/asked_calls.h - single questions to the kernel, each answered by a line of text. */
#ifndef PF_SOURCES_ASKED_CALLS_H
#define PF_SOURCES_ASKED_CALLS_H

#include "base/buf.h"
#include "base/view.h"

/* pf_asked_ipc() - limits and use of System V IPC, in the order of groups/kernel.c; "-" for what the kernel does not tell. */
void pf_asked_ipc(struct pf_buf *to);

/* pf_asked_socket() - what interfaces are asked through. Return: a descriptor, below 0 if there can be none. */
int pf_asked_socket(void);

/* pf_asked_interface() - "NAME MTU FLAGS WIRELESS MBIT DUPLEX ADDRESS INET"; nothing for one that is gone. */
void pf_asked_interface(struct pf_buf *to, int socket_fd, struct pf_view name);

#endif
