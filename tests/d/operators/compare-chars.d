/* Narrow types become int first. */
BEGIN { c = (char)-1; u = (unsigned char)255; printf("%d %d", c == u, c < u); exit(0); }
