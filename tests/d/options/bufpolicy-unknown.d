#pragma D option bufpolicy=nosuch
BEGIN { exit(0); }
