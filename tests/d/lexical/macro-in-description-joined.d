/* args: 1000 */
BEGIN { printf("b"); exit(0); }
tick-$1s { printf("never"); }
