profile-1000hz { printf("p"); exit(0); }
