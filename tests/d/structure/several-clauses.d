BEGIN { printf("1"); } BEGIN { printf("2"); } BEGIN { printf("3"); exit(0); }
