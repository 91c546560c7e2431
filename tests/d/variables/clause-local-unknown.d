BEGIN { printf("%d", this->nosuch); }
