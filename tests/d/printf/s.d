BEGIN { printf("%s|%10s|%-10s|", "abc", "abc", "abc"); exit(0); }
