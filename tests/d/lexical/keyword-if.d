BEGIN { if = 1; }
