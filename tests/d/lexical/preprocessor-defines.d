/* options: -C */
#if defined(__linux) && defined(__unix) && defined(__SVR4) && defined(__Linux) && defined(__amd64) && __SUNW_D == 1 && defined(__SUNW_D_64) && defined(_SUNW_D_VERSION)
BEGIN { printf("all"); exit(0); }
#endif
BEGIN { exit(0); }
