/* What is not evaluated cannot fail. */
BEGIN { z = 0; printf("%d %d %d", z && 1 / z, !z || 1 / z, z ? 1 / z : 5); exit(0); }
