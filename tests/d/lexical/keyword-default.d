BEGIN { default = 1; }
