BEGIN { p = (int *)0x1000; x = p == 5; }
