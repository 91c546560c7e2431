BEGIN { printf("%d %c %d", curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_sname, curlwpsinfo->pr_state == SRUN); exit(0); }
