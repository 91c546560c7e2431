BEGIN { y = -5; printf("[%05d][%+06d]", y, 7); exit(0); }
