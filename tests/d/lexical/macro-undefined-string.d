BEGIN { x = $$3; }
