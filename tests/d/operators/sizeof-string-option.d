/* options: -x strsize=20 */
BEGIN { x = "a"; printf("%d %d", sizeof(string), sizeof(x)); exit(0); }
