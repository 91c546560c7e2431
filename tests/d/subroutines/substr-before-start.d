/* Clipped to the start, and the count is shortened. */
BEGIN { s = "hello"; printf("[%s][%s][%s]", substr(s, -7, 4), substr(s, -7, 1), substr(s, -7)); exit(0); }
