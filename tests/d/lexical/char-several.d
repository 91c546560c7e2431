BEGIN { printf("%x %x %x", 'ab', 'abc', 'abcd'); exit(0); }
