/* loud */
BEGIN { trace((int *)4096); exit(0); }
