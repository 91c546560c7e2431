/* args: x y */
BEGIN { x = 3; $2 = 4; printf("%d %d", $1, y); exit(0); }
