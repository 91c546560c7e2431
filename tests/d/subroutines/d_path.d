BEGIN { printf("%s", d_path(&curthread->fs->root)); exit(0); }
