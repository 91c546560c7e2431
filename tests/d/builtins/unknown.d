BEGIN { x = nosuchbuiltin; }
