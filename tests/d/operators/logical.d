BEGIN { t = 4; f = 0; printf("%d%d%d%d %d%d%d%d", t && t, t && f, f && t, f && f, t || t, t || f, f || t, f || f); exit(0); }
