BEGIN { @["b"] = sum(1); @["a"] = sum(2); setopt("aggsortkey"); exit(0); }
END { printa("%s ", @); }
