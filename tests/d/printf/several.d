BEGIN { printf("a"); printf("b%s", ""); printf("%d\n", 3); printf("c"); exit(0); }
