BEGIN { this->s = "abc"; printf("%s", this->s); exit(0); }
