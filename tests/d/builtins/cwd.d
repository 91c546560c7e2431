/* loud */
#pragma D option quiet
BEGIN { printf("%d %d", substr(cwd, 0, 1) == "/", basename(cwd) == "builtins"); exit(0); }
