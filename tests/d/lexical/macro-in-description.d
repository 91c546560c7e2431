/* args: BEGIN dtrace */
$2:::$1 { printf("%s", probename); exit(0); }
