BEGIN { s = stringof(curthread->comm); t = (string)curthread->comm; printf("%d %d", s == execname, t == execname); exit(0); }
