BEGIN { printf("100%% %d%%", 5); exit(0); }
