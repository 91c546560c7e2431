BEGIN { printf("%d %d", curcpu->cpu_id == cpu, curcpu->cpu_pset); exit(0); }
