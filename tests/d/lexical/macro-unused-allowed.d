/* options: -x argref */
/* args: abc */
BEGIN { printf("x"); exit(0); }
