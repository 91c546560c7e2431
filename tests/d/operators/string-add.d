BEGIN { a = "x" + "y"; }
