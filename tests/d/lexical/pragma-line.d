#line 100 "other.d"
BEGIN { printf("x"); exit(0); }
