BEGIN { x = (int64_t)-9223372036854775807 - 1; printf("%s", lltostr(x)); exit(0); }
