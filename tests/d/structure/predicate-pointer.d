BEGIN / curthread / { printf("yes"); exit(0); }
