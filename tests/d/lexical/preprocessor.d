/* options: -C */
#define NINE 9
#define PLUS(a, b) ((a) + (b))
BEGIN { printf("%d %d", NINE, PLUS(1, NINE)); exit(0); }
