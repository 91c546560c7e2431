BEGIN { if 1 printf("a"); }
