BEGIN / probename == "BEGIN" && "/" != "{" / { printf("a/b/"); exit(0); }
