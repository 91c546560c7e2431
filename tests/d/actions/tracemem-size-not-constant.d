BEGIN { n = 4; tracemem(curthread, n); }
