BEGIN { @ = lquantize(-7, -10, 10, 5); exit(0); }
