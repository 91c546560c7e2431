BEGIN { a[1] = 5; b = a; }
