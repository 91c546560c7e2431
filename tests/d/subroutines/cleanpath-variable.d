BEGIN { s = "/x//y/../z/"; printf("%s", cleanpath(s)); exit(0); }
