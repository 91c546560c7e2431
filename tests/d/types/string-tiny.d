/* options: -x strsize=1 */
BEGIN { s = "abc"; a["ab"] = 5; printf("%s %d", s, a["ab"]); exit(0); }
