BEGIN { printf("%d %d", mutex_type_adaptive(NULL), mutex_type_spin(NULL)); exit(0); }
