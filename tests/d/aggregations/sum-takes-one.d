BEGIN { @a = sum(); }
