/* loud */
BEGIN { trace(42); trace((char)1); trace((short)2); trace((int64_t)3); exit(0); }
