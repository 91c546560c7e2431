BEGIN { @ = quantize(0); @ = quantize(1); @ = quantize(5); @ = quantize(5); exit(0); }
