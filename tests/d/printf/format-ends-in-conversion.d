BEGIN { printf("abc %"); }
