BEGIN { n = 3; ustack(n); }
