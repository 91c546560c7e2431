BEGIN { exit(0); }
#pragma error this is wrong
