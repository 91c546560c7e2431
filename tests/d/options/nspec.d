#pragma D option nspec=3
BEGIN { speculation(); speculation(); printf("%d", speculation()); exit(0); }
