/* options: -x aggsortpos=1 */
BEGIN { @a["x"] = sum(1); @a["y"] = sum(2); @b["x"] = sum(9); @b["y"] = sum(3); exit(0); }
END { printa("%s %@d %@d;", @a, @b); }
