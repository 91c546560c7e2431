BEGIN, END { printf("%s ", probename); }
BEGIN { exit(0); }
