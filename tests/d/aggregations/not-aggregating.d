BEGIN { @a = trace(5); }
