BEGIN { this->x = 5; }
BEGIN { printf("%d", this->x); exit(0); }
