BEGIN { printf("%d", strlen((string)8)); }
BEGIN { printf("on"); exit(0); }
