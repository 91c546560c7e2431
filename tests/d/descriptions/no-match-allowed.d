/* options: -Z */
nosuch:::x { printf("never"); }
BEGIN { printf("x"); exit(0); }
