BEGIN { else = 1; }
