BEGIN { @ = lquantize(1, 0, 6000000000); }
