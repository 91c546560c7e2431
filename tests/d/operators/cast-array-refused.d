typedef int three[3];
BEGIN { x = (three)1; }
