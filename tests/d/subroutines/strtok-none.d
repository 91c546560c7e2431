BEGIN { printf("[%s] ", strtok("abc", "")); printf("[%s]", strtok(",,,", ",")); exit(0); }
