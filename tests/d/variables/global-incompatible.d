BEGIN { x = 1; x = "text"; }
