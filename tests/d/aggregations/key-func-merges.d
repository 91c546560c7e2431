BEGIN { @[func((uintptr_t)&`schedule)] = count(); @[func((uintptr_t)&`schedule + 1)] = count(); exit(0); }
END { printa("%a %@d", @); }
