BEGIN { typedef = 1; }
