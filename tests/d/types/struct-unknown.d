BEGIN { x = sizeof(struct nosuchstruct); }
