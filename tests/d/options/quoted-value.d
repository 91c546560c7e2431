#pragma D option strsize="4"
BEGIN { x = "abcdefgh"; printf("%s", x); exit(0); }
