BEGIN { import = 1; }
