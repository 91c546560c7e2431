#pragma D option strsize=4 quiet
BEGIN { x = "abcdefgh"; printf("%s", x); exit(0); }
