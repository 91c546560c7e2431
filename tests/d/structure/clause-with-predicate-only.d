/* loud */
BEGIN / 1 /;
BEGIN / 0 /;
BEGIN { exit(0); }
