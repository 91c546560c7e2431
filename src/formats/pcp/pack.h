/* formats/pcp/pack.h - a file of an archive made smaller: xz in blocks, which packed.h and PCP's tools read at any place. */
#ifndef PF_FORMATS_PCP_PACK_H
#define PF_FORMATS_PCP_PACK_H

struct pf_err;

/**
 * pf_pcp_pack() - @path becomes @path.xz. It is there as a whole under one of the two names at any moment; PATH.xz.part is what is being made.
 *
 * Return: 0; -EEXIST when @path.xz is there already; other negative errno. Then @path is as it was.
 */
int pf_pcp_pack(const char *path, struct pf_err *err);

#endif
