BEGIN { x = 1lul; }
