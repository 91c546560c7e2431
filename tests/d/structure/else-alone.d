BEGIN { else printf("a"); }
