/* status: 3 */
BEGIN { exit(3); exit(4); }
