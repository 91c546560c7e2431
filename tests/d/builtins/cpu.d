BEGIN { printf("%d %d", cpu >= 0, cpu == curcpu->cpu_id); exit(0); }
