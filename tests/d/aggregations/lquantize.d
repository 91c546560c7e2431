BEGIN { @ = lquantize(-1, 0, 20, 5); @ = lquantize(0, 0, 20, 5); @ = lquantize(4, 0, 20, 5); @ = lquantize(19, 0, 20, 5); @ = lquantize(20, 0, 20, 5); exit(0); }
