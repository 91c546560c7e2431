BEGIN { x = uregs[26]; }
