BEGIN { printf("%d", curthread->tasks.next->prev == &curthread->tasks); exit(0); }
