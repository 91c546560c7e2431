BEGIN { double = 1; }
