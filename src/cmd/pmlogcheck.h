/* cmd/pmlogcheck.h - pmlogcheck by name. */
#ifndef PF_CMD_PMLOGCHECK_H
#define PF_CMD_PMLOGCHECK_H

/* pf_pmlogcheck() - run it. Return: its exit status. */
int pf_pmlogcheck(int argc, char **argv);

#endif
