#pragma D option bufsize
BEGIN { exit(0); }
