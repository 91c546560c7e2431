BEGIN { execname = "x"; }
