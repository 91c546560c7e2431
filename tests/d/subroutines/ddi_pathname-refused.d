BEGIN { x = ddi_pathname(NULL, 1); }
