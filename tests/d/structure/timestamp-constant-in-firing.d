BEGIN { this->t = timestamp; }
BEGIN { printf("%d", this->t == timestamp); exit(0); }
