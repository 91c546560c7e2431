/* options: -x nspec=2 */
BEGIN { a = speculation(); b = speculation(); printf("%d %d", a, b); exit(0); }
