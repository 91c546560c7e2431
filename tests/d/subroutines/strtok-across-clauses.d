BEGIN { self->a = strtok("one two", " "); }
BEGIN { printf("%s %s", self->a, strtok(NULL, " ")); exit(0); }
