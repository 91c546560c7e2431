/* status: 3 */
BEGIN { if (pid) exit(3); else exit(4); }
