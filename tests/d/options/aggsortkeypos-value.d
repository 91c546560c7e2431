#pragma D option aggsortkeypos=1
BEGIN { printf("x"); exit(0); }
