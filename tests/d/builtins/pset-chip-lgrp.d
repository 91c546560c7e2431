BEGIN { printf("%d %d %d", pset, chip >= 0, lgrp >= 0); exit(0); }
