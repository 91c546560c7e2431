BEGIN { printf("%d", late); }
int late;
