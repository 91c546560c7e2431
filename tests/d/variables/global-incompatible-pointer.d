BEGIN { x = curthread; x = 5; }
