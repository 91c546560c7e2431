#pragma D option defaultargs
BEGIN { printf("%d", $1); exit(0); }
