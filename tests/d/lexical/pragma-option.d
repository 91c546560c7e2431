#pragma D option strsize=5
BEGIN { x = "abcdefgh"; printf("%s", x); exit(0); }
