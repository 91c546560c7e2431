BEGIN { p = (void *)curthread; x = *p; }
