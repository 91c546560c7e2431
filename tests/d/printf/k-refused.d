BEGIN { printf("%k", stack()); }
