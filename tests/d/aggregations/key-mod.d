BEGIN { @[mod((uintptr_t)&`schedule)] = count(); @[mod((uintptr_t)&`schedule + 4)] = count(); exit(0); }
END { printa("%a %@d", @); }
