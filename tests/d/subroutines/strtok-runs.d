BEGIN { s = "//usr//lib/"; this->a = strtok(s, "/"); this->b = strtok(NULL, "/"); this->c = strtok(NULL, "/"); printf("%s %s %d", this->a, this->b, this->c == NULL); exit(0); }
