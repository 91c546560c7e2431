/* loud */
BEGIN { trace(-42); trace((int64_t)-3); exit(0); }
