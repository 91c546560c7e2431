BEGIN { x = ((struct task_struct *)NULL)->tgid; printf("never"); }
BEGIN { exit(0); }
