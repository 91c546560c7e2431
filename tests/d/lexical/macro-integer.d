/* args: -- 42 -7 0x1f 010 */
BEGIN { printf("%d %d %d %d", $1, $2, $3, $4); exit(0); }
