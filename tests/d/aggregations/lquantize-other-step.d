BEGIN { @ = lquantize(1, 0, 10, 2); @ = lquantize(1, 0, 10, 5); }
