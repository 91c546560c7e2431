this int x;
BEGIN { this->x = 5; exit(0); }
END { printf("%d", this->x); }
