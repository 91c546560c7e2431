/* status: 1 */
BEGIN { stop(); exit(0); }
