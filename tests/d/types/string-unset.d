string s;
BEGIN { printf("[%s] %d %d", s, s == NULL, strlen(s)); exit(0); }
