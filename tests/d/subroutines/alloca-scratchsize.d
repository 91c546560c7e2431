/* options: -x scratchsize=1024 */
BEGIN { this->p = (char *)alloca(1000); this->p[999] = 'y'; printf("%c", this->p[999]); exit(0); }
