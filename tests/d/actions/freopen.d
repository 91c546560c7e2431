/* options: -w */
BEGIN { printf("a"); freopen("/dev/null"); printf("b"); freopen(""); printf("c"); exit(0); }
