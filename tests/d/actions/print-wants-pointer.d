BEGIN { print(5); }
