BEGIN { printf("%d %d %d %d", '\0', '\7', '\101', '\177'); exit(0); }
