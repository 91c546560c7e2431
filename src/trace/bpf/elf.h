/* bpf/elf.h - functions of programs and libraries, from their ELF files. The only door to libelf. */
#ifndef PF_TRACE_BPF_ELF_H
#define PF_TRACE_BPF_ELF_H

#include <stddef.h>
#include <stdint.h>

struct pf_elf;

/**
 * pf_elf_open() - read the functions of the file behind @fd: its symbol table; else that of its separate debug file, found by build-id or by the
 * name that it tells; else its dynamic symbols with the compressed table .gnu_debugdata.
 * @path: where the file is below @root, an open folder: debug files are looked for beside it and below usr/lib/debug
 *
 * Return: 0; -ENOEXEC: no ELF file of a machine with 64 bits; -ENOMEM. @fd stays the caller's, and may be closed.
 */
int pf_elf_open(int fd, int root, const char *path, struct pf_elf **ret_elf);

/* pf_elf_memory() - the same for a file that lies in memory, which must stay: the vdso. */
int pf_elf_memory(void *image, size_t size, struct pf_elf **ret_elf);

struct pf_elf *pf_elf_close(struct pf_elf *elf);

/* pf_elf_function() - name of the function at @offset in the file, and how far behind its start that is; NULL: unknown. */
const char *pf_elf_function(const struct pf_elf *elf, uint64_t offset, uint64_t *ret_distance);

#endif
