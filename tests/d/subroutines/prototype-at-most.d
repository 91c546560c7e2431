BEGIN { x = index("a", "b", 1, 2); }
