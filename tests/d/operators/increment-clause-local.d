BEGIN { this->x = 1; this->x++; printf("%d", ++this->x); exit(0); }
