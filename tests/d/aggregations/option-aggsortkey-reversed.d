/* options: -x aggsortkey -x aggsortrev */
BEGIN { @["b"] = sum(1); @["a"] = sum(2); @["c"] = sum(0); exit(0); }
END { printa("%s ", @); }
