BEGIN { printf("%s", "\q\z\%"); exit(0); }
