BEGIN { x = args; }
