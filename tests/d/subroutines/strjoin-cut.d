/* options: -x strsize=5 */
BEGIN { a = "abc"; b = "def"; printf("%s %d", strjoin(a, b), strlen(strjoin(a, b))); exit(0); }
