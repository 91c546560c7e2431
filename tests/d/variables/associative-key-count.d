BEGIN { a[1, 2] = 5; b = a[1]; }
