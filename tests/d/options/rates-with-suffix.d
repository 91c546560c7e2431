/* options: -x switchrate=10hz -x aggrate=1s -x statusrate=500ms -x cleanrate=50 */
BEGIN { printf("x"); exit(0); }
