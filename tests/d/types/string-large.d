/* options: -x strsize=2048 */
BEGIN { s = "abc"; printf("%s %d", s, sizeof(s)); exit(0); }
