/* options: -w */
BEGIN { printf("1\n"); system("echo 2"); printf("3\n"); system("echo 4"); exit(0); }
