dtrace:::BEG* { printf("%s", probename); exit(0); }
