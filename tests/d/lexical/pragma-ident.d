#pragma ident "any text"
BEGIN { printf("x"); exit(0); }
