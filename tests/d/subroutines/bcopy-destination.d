BEGIN { bcopy(curthread->comm, curthread, 16); }
