/* options: -x nspec=2 */
BEGIN { a = speculation(); b = speculation(); }
BEGIN { speculate(a); printf("a "); }
BEGIN { speculate(b); printf("b "); }
BEGIN { commit(b); }
BEGIN { commit(a); }
BEGIN { exit(0); }
