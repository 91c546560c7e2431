/* After 2024. */
BEGIN { printf("%d", walltimestamp > 1704067200 * 1000000000l); exit(0); }
