BEGIN { printf("\101\102 %s", "\1012"); exit(0); }
