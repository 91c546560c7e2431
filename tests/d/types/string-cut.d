/* options: -x strsize=7 */
BEGIN { s = "abcdefghij"; printf("%s", s); exit(0); }
