BEGIN { printf("%s", copyinstr(8)); }
BEGIN { exit(0); }
