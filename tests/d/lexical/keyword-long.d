BEGIN { long = 1; }
