BEGIN { x = 'A'; printf("%c%c%c", x, 98, "c"[0]); exit(0); }
