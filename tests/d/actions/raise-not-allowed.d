/* status: 1 */
BEGIN { raise(10); exit(0); }
