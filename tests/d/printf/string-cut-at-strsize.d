/* options: -x strsize=3 */
BEGIN { x = "abcdef"; printf("%s", x); exit(0); }
