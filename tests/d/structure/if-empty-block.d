BEGIN { x = 1; if (x) {} else { printf("no"); } printf("end"); exit(0); }
