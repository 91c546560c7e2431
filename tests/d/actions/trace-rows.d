/* loud */
BEGIN { trace(1); }
BEGIN { trace(2); exit(0); }
END { trace(3); }
