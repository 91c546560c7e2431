BEGIN { s = "a,b;c"; printf("%s ", strtok(s, ",;")); printf("%s ", strtok(NULL, ",;")); printf("%s ", strtok(NULL, ",;")); printf("[%s]", strtok(NULL, ",;")); exit(0); }
