#pragma D option strsize=5q
BEGIN { exit(0); }
