BEGIN { x = msgsize(NULL); }
