/* options: -x aggsortkey -x aggsortkeypos=1 */
BEGIN { @["b", 1] = sum(1); @["a", 3] = sum(2); @["c", 2] = sum(0); exit(0); }
END { printa("%s ", @); }
