BEGIN { extern = 1; }
