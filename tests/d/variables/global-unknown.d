BEGIN { printf("%d", nosuchvariable); }
