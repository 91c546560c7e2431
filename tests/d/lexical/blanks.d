BEGIN{printf("%d",1<<2>>1);exit(0);}
