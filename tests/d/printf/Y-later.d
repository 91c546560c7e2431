BEGIN { printf("%Y", 1234567890 * 1000000000l); exit(0); }
