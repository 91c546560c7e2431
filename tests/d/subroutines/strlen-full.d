/* options: -x strsize=4 */
BEGIN { s = "abcdefgh"; printf("%d", strlen(s)); exit(0); }
