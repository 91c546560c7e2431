inline int nine = 9;
BEGIN { nine = 8; }
