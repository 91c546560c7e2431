/* status: 1 */
BEGIN { system("echo a"); exit(0); }
