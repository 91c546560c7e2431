inline int f = "text";
BEGIN { x = f; }
