BEGIN { printf("%s", strjoin(strjoin(lltostr(1), "-"), strjoin(lltostr(2), strjoin("-", lltostr(3))))); exit(0); }
