profile-100000hz { exit(0); }
