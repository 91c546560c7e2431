/* options: -w */
BEGIN { freopen("/dev/%s", "null"); printf("b"); freopen(""); printf("c"); exit(0); }
