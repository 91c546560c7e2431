BEGIN { @[sym((uintptr_t)&`schedule)] = count(); exit(0); }
END { printa("%a %@d", @); }
