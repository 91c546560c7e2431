struct nosuchstruct v;
