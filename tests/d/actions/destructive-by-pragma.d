#pragma D option destructive
BEGIN { system("echo a"); exit(0); }
