BEGIN { @ = count(); exit(0); }
