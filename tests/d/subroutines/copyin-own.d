BEGIN { this->p = (char *)copyin(curthread->mm->arg_start, 4); this->s = copyinstr(curthread->mm->arg_start); this->c = this->s[0]; printf("%d", this->p[0] == this->c); exit(0); }
