/* BEGIN and END, and ERROR, which does not fire. */
dtrace::: { printf("%s ", probename); }
BEGIN { exit(0); }
