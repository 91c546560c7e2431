BEGIN { x = d_path("a"); }
