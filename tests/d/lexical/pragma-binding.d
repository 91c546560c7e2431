inline int mine = 4;
#pragma D binding "1.0" mine
BEGIN { printf("%d", mine); exit(0); }
