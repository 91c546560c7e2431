/* env: DTRACE_OPT_STRSIZE=5 */
/* options: -x strsize=3 */
BEGIN { x = "abcdefgh"; printf("%s", x); exit(0); }
