BEGIN { printf("just text\twith\ttabs"); exit(0); }
