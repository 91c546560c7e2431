/* && before ^^ before ||. */
BEGIN { o = 1; z = 0; printf("%d %d %d", o || z && z, o ^^ o && z, o || o ^^ o); exit(0); }
