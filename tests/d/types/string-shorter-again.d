BEGIN { s = "a long one"; s = "xy"; printf("%s %d", s, s == "xy"); exit(0); }
