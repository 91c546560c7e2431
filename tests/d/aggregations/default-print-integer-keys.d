BEGIN { @[(char)1, (short)2, 3, 4l] = count(); exit(0); }
