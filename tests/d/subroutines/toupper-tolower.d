BEGIN { s = "MiXed 123-z"; printf("%s|%s", toupper(s), tolower(s)); exit(0); }
