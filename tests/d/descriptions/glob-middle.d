dtrace:::E*D { printf("%s", probename); }
BEGIN { exit(0); }
