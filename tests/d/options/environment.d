/* env: DTRACE_OPT_STRSIZE=5 */
BEGIN { x = "abcdefgh"; printf("%s", x); exit(0); }
