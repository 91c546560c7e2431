BEGIN { x = $nosuch; }
