BEGIN { printf("%d%d%d%d", "a" < "b", "a" == "a", "b" <= "a", "" != ""); exit(0); }
