BEGIN { printf("%d", $$pid == lltostr(pid)); exit(0); }
