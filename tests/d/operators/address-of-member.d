BEGIN { printf("%d", (uintptr_t)&curthread->tgid - (uintptr_t)curthread == offsetof(struct task_struct, tgid)); exit(0); }
