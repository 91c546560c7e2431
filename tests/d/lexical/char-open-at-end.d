BEGIN { x = 'a
