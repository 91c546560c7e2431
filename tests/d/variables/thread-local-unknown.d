BEGIN { printf("%d", self->nosuch); }
