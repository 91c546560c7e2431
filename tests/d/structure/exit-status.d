/* status: 7 */
BEGIN { exit(7); }
