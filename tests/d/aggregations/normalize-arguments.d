BEGIN { @ = sum(1); normalize(@); }
