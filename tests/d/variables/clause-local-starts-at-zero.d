this int x;
BEGIN { printf("%d", this->x); exit(0); }
