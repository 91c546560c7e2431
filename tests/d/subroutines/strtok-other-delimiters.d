BEGIN { this->a = strtok("a b,c", " "); this->b = strtok(NULL, ","); this->c = strtok(NULL, ","); printf("%s|%s|%s", this->a, this->b, this->c); exit(0); }
