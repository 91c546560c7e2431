/* options: -C -D ANSWER=42 -U NOTHING */
BEGIN { printf("%d", ANSWER); exit(0); }
