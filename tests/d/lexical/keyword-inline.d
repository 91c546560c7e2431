BEGIN { inline = 1; }
