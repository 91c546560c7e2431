/* status: 1 */
BEGIN { freopen("/tmp/x"); exit(0); }
